"""Whether a file came out as expected, and if not, why, in words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from terrarium.desk.reading import Reading

# What an expected error's message must speak of, by its name; a name with “/” is met by either part.
SPOKEN_OF = {
    "corrupt": "damaged|cut off|declares XML entities|XML entities",
    "empty_file": "is empty|white space",
    "unsupported_type": "can be read",
    "too_big_expanded": "unpacks to over",
    "drm": "copy-protected",
    "encrypted": "encrypted",
    "binary": "is not text|is a picture|is a program",
    "wrong_extension": "although its name|is a picture",
    "too_deep": "too deep",
}


def unmet(expected: Mapping[str, Any], reading: Reading, opened: Reading | None = None) -> str:
    """Why `reading` is not what was expected, "" when it is. `opened` is what came with the password."""
    if reading.error_kind in {"Crashed", "Stopped"}:
        return reading.error
    outcome, wanted = expected["outcome"], expected["error"]
    text = opened if opened else reading
    if opened and opened.error:
        return f"with its password: {opened.error}" if expected["must_contain"] else ""
    wrong = missing(expected, text)
    failed = error_met(wanted, reading)
    if outcome == "error":
        return (wrong if opened else "") if failed else f"expected {wanted}, got {shown(reading)}"
    if outcome == "text_or_error":
        return "" if failed or not (wrong or text.error) else wrong or shown(reading)
    if text.error:
        return text.error
    if outcome == "partial" and not failed:
        return f"expected a warning of {wanted}, got {'; '.join(reading.warnings) or 'none'}"
    return wrong


def missing(expected: Mapping[str, Any], reading: Reading) -> str:
    whole = alike(reading.text)
    for place, text in expected["must_contain"]:
        there = alike((reading.text_of_pages or {}).get(place, "")) if isinstance(place, int) else whole
        if alike(text) not in there and not (reading.kind == "csv" and in_a_row(text, reading.text)):
            elsewhere = ", but elsewhere" if alike(text) in whole else ""
            return f"“{text}” is not {f'on page {place}' if isinstance(place, int) else 'there'}{elsewhere}"
    return next((f"“{text}” is there" for text in expected["must_not_contain"] if alike(text) in whole), "")


def in_a_row(cells: str, rows: str) -> bool:
    """Whether a line of the file is there as "Head: cell | Head: cell"."""
    found = (re.escape(alike(cell)) for cell in re.split("[,;\t]", cells))
    return re.search(r" \| (?:[^|\n]*: )?".join(found), rows) is not None


def error_met(wanted: str, reading: Reading) -> bool:
    """Errors are told by what their sentence says, missing pages of a PDF by the document's warnings."""
    name, _, place = wanted.partition(" ")
    if name == "password_required":
        return reading.error_kind == "PasswordNeeded"
    if name == "no_text_layer":
        return any("no text layer" in warning and place in warning for warning in reading.warnings)
    spoken = "|".join(SPOKEN_OF[part] for part in name.split("/")) if name else "."
    return reading.error_kind in {"UnreadableFile", "PasswordNeeded"} and bool(re.search(spoken, reading.error))


def shown(reading: Reading) -> str:
    return reading.error or f"{reading.words} words" + "".join(f"; {warning}" for warning in reading.warnings)


def alike(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())
