"""What kind of warning a reader's sentence is, so that a person can look at those of one kind alone.

A warning is a sentence and nothing else, stored with its document; its kind is told by how it opens or by a word that
only that kind has, the first of the table deciding. tests/unit/test_warnings.py holds every maker of a warning
against the table. A sentence that is not known, of another version perhaps, is of the kind "other".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

KINDS = (
    "no text",  # pages without a text layer, or of pictures
    "recognised",  # text that recognition read of pictures
    "hidden",  # text, sheets, rows or slides that nobody sees in the original
    "left out",  # parts and enclosed files that are not read
    "damaged",  # pages or parts that could not be read
    "letters",  # an encoding that was guessed, letters without a meaning
    "cut short",  # read up to a bound
    "not calculated",  # formulas whose results are not in the file
    "other",
)

# Of a file that is inside of another, its name stands before what is said of it.
_OF_ENCLOSED = re.compile(r"^(?:“[^”]*”: )+")
_PATTERNS = [
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("recognised", r"^(?:text )?(?:was )?recognised\b|\btext recognition read\b|\bwas recognised\b"),
        ("no text", r"^no text\b|\bwithout (?:a )?text layer\b"),
        ("left out", r"^left out\b|^not read\b|^(?:.{0,80} )?(?:is|are|was|were) (?:left out|not read)\b"),
        ("not calculated", r"\b(?:not|never) calculated\b|\bformulas?\b.*\b(?:no|without) (?:a )?(?:result|value)"),
        ("hidden", r"^(?:\w+ )?hidden\b|\b(?:is|are) hidden\b"),
        ("cut short", r"^(?:only )?the first [\d,]+ |^cut short\b|\bcut short\b|\bonly the first\b"),
        ("letters", r"^the encoding\b|^some letters\b|\bletters (?:may|have|without)\b"),
        ("damaged", r"^pages? [\w,– -]+: |^damaged\b|\b(?:is|are|was) damaged\b|\bcould not be read\b|\bcut off\b"),
    )
]
# What pdf.page_warnings says, at its end: "(3 of 10 pages)".
_WITHOUT_TEXT = re.compile(r"^no text layer\b.*\((\d+) of \d+ pages?\)$")


def kind_of(warning: str) -> str:
    """One of `KINDS`."""
    said = _OF_ENCLOSED.sub("", warning.strip())
    return next((kind for kind, pattern in _PATTERNS if pattern.search(said)), "other")


def kinds_of(warnings: Sequence[str]) -> list[str]:
    """The kinds that come up, each once, in the order of `KINDS`."""
    found = {kind_of(warning) for warning in warnings}
    return [kind for kind in KINDS if kind in found]


def pages_without_text(warnings: Sequence[str]) -> int:
    """How many pages of the document itself, not of files inside of it."""
    return sum(int(found.group(1)) for warning in warnings if (found := _WITHOUT_TEXT.match(warning)))
