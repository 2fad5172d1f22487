"""Letters of a line as they stand on the page, from left to right → in the order in which they are read.

What a page shows has lost the order of writing; the Unicode Bidirectional Algorithm (UAX #9) is undone as far as that
can be told: numbers and runs of left-to-right words stay as they are, all else of a right-to-left line is turned round,
brackets mirrored. Not told apart: which of a number and the Latin words beside it was written first.
"""

from __future__ import annotations

import re
import unicodedata

RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
ARABIC = re.compile("[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufefc]")
MARK = (
    "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4"
)
NUMERIC = "0-9\u0660-\u0669\u06f0-\u06f9"
RIGHT = re.compile(f"[{RTL}]")
CLUSTER = re.compile(f"[^{MARK}][{MARK}]*|[{MARK}]+")
NUMBER = re.compile(rf"[$€£¥₪#]?[{NUMERIC}]+(?:[.,:/٫٬][{NUMERIC}]+)*(?:\s?[%‰$€£¥₪°])?")
# Hebrew keeps 2024-25 together, Arabic does not.
DASHED = re.compile(rf"[$€£¥₪#]?[{NUMERIC}]+(?:[.,:/\-+٫٬][{NUMERIC}]+)*(?:\s?[%‰$€£¥₪°])?")
WORD = rf"[^\W_{RTL}{NUMERIC}]"
LATIN = re.compile(rf"[{NUMERIC}#@]{{0,20}}{WORD}(?:[^{RTL}]*(?:{WORD}|[{NUMERIC}])%?)?")
STRETCH = re.compile(rf"[{RTL}](?:(?:(?!{WORD}).)*[{RTL}])?")  # inside of a line that runs from the left
PAIRS = dict(zip("()[]{}<>«»‹›≤≥", ")(][}{><»«›‹≥≤", strict=True))
FORMS = re.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+")


def is_right_to_left(text: str) -> bool:
    """Whether most of the text's letters are of a script that is written from the right."""
    right = len(RIGHT.findall(text))
    return right > 0 and 2 * right > sum(map(str.isalpha, text))


def logical(visual: str, right_to_left: bool) -> str:
    """The line in reading order, presentation forms as plain letters. `right_to_left`: how its paragraph runs."""
    if not RIGHT.search(visual):
        return visual
    if right_to_left:
        parts = left_to_right_parts(visual)
        text = "".join(part if kept else turned(part) for part, kept in reversed(parts))
    else:
        text = STRETCH.sub(lambda match: logical(match[0], True), visual)
    return FORMS.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


def left_to_right_parts(visual: str) -> list[tuple[str, bool]]:
    """The line in parts, from the left; True: one that is read from the left."""
    number = NUMBER if ARABIC.search(visual) else DASHED
    parts: list[tuple[str, bool]] = []
    place = 0
    while place < len(visual):
        match = LATIN.match(visual, place) or number.match(visual, place)
        if match:
            end = match.end()
            while visual[end : end + 1] == ")" and visual.count("(", place, end) > visual.count(")", place, end):
                end += 1
            parts.append((visual[place:end], True))
            place = end
            continue
        end = place + 1
        while end < len(visual) and not (LATIN.match(visual, end) or number.match(visual, end)):
            end += 1
        parts.append((visual[place:end], False))
        place = end
    return parts


def turned(text: str) -> str:
    """From the other end, marks behind their letters, brackets mirrored."""
    clusters = (PAIRS.get(cluster, cluster) for cluster in reversed(CLUSTER.findall(text)))
    return "".join(clusters)
