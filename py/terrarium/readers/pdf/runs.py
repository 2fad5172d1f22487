"""Text items of a PDF page → runs → rows."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from terrarium.readers.pdf.bidi import RIGHT, is_right_to_left, turned

# Not those that are written from the right: bidi.logical folds them.
COMPATIBILITY = re.compile("[\ufb00-\ufb17\uff61-\uff9f\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe48]+")
UNWANTED = re.compile("[\0-\b\v-\x1f\x7f\ufeff\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff\ufffd]")
BESIDE = 20  # runs in which what is drawn twice is looked for
SPACED = 4  # letters: fewer may be names of things, side by side
NOT_CODE = re.compile("[\u0590-\u08ff\u2e80-\uffdc]")  # scripts whose fonts are of one width without being code's


@dataclass(slots=True)
class Run:
    """A piece of text in one font, upright: x0–x1 along the line, `y` of its baseline, `size` of its font; points.

    The letters of `text` stand from left to right, whatever their script.
    """

    x0: float
    x1: float
    y: float
    size: float
    text: str
    bold: bool
    mono: bool
    rtl: bool  # the page is read from the right
    table: int = -1  # stands for this table of the page
    label: str = ""  # what a form field is called that has this value


def clean(text: str) -> str:
    """Ligatures and vertical forms folded (NFKC), NUL and other control characters removed."""
    if text.isascii() and text.isprintable():
        return text
    text = COMPATIBILITY.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return UNWANTED.sub("", text)


def page_runs(items: Sequence[Mapping[str, Any]], fonts: Mapping[str, Mapping[str, Any]]) -> dict[int, list[Run]]:
    """angle → runs; upright text first."""
    groups: dict[int, list[Run]] = {}
    texts = [clean(item["str"]) for item in items]
    rtl = any(map(RIGHT.search, texts)) and is_right_to_left("".join(texts))
    for item, text in zip(items, texts, strict=True):
        if not text.strip():
            continue
        font = fonts.get(item["font"], {})
        angle = (90 if font.get("vertical") else round(item["angle"] / 5) * 5) % 360
        x, y = turn(item["x"], item["y"], angle)
        logical = not item.get("visual") and RIGHT.search(text)
        run = Run(
            x, x + item["width"], y, item["height"] or 1.0, turned(text) if logical else text, bool(font.get("bold")),
            bool(font.get("mono")) and not NOT_CODE.search(text), rtl, label=item.get("label", ""),
        )  # fmt: skip
        groups.setdefault(angle, []).append(run)
    return {angle: groups[angle] for angle in sorted(groups, key=lambda a: (a != 0, -len(groups[a])))}


def turn(x: float, y: float, angle: int) -> tuple[float, float]:
    """A place of the page, seen so that text of this angle is upright."""
    if not angle:
        return x, y
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return x * cos + y * sin, y * cos - x * sin


def rows(runs: Iterable[Run]) -> list[list[Run]]:
    """Runs on one baseline, raised and lowered ones with them, left to right."""
    result: list[list[Run]] = []
    base = size = 0.0
    for run in sorted(runs, key=lambda r: r.y):
        if result and run.y - base < 0.45 * max(run.size, size):
            result[-1].append(run)
            if run.size > size:
                base, size = run.y, run.size
        else:
            result.append([run])
            base, size = run.y, run.size
    for row in result:
        row.sort(key=lambda r: r.x0)
    return result


def once(row: Sequence[Run]) -> list[Run]:
    """A row without what is drawn twice, for boldness or a shadow, in the same pieces or in others."""
    kept: list[Run] = []
    for run in row:
        last = kept[-1] if kept else None
        if last is None or run.x0 > last.x1 - run.size / 2:
            kept.append(run)
            continue
        near = run.size / 5
        over = [other for other in kept[-BESIDE:] if other.x1 > run.x0 + near and other.x0 < run.x1 - near]
        drawn, text = "".join("".join(other.text for other in over).split()), "".join(run.text.split())
        if not over or abs(over[0].y - run.y) > near:
            kept.append(run)
        elif text in drawn:
            continue
        elif drawn and text.startswith(drawn) and abs(over[0].x0 - run.x0) < near:
            kept = [other for other in kept if other not in over] + [run]
        else:
            kept.append(run)
    return kept


def letters_apart(row: Sequence[Run]) -> list[Run]:
    """A row with s p a c e d words closed: single letters at even distances, words at wider ones."""
    if sum(len(run.text) == 1 for run in row) < SPACED:
        return list(row)
    result: list[Run] = []
    word: list[Run] = []
    for run in [*row, None]:
        single = run is not None and len(run.text) == 1 and (run.text.isalnum() or bool(word))
        if run is not None and single and not RIGHT.match(run.text) and run.text < "\u2e80":
            word.append(run)
            continue
        result += closed(word) + ([run] if run else [])
        word = []
    return result


def closed(letters: list[Run]) -> list[Run]:
    if len(letters) < SPACED or sum(run.text.isalpha() for run in letters) < SPACED:
        return letters
    size = letters[0].size
    for distances in (
        [after.x0 - before.x1 for before, after in zip(letters, letters[1:], strict=False)],
        [after.x0 - before.x0 for before, after in zip(letters, letters[1:], strict=False)],  # set on a grid
    ):
        usual = sorted(distances)[len(distances) // 3]
        if 0.1 * size < usual < 1.5 * size and min(distances) > 0.6 * usual:
            break
    else:
        return letters
    words = [letters[:1]]
    for distance, letter in zip(distances, letters[1:], strict=True):
        if distance > 1.5 * usual + 0.03 * size:
            words.append([letter])
        else:
            words[-1].append(letter)
    if Counter(len(word) > 1 for word in words)[True] * 2 <= len(words):
        return letters
    return [replace(word[0], x1=word[-1].x1, text="".join(run.text for run in word)) for word in words]


def page_rows(items: Sequence[Mapping[str, Any]], fonts: Mapping[str, Mapping[str, Any]]) -> dict[int, list[list[Run]]]:
    """angle → rows, top to bottom; upright text first."""
    return {angle: [letters_apart(once(row)) for row in rows(runs)] for angle, runs in page_runs(items, fonts).items()}
