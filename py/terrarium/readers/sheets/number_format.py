"""Numbers as a spreadsheet shows them, by their format code (ECMA-376 part 1, 18.8.31).

With English signs, as the codes are written: which language a file was seen in is not in it. Not told: the width of the
column ("####"), signs that fill it, colours. A whole number without a format keeps all its digits, where the sheet
would write 1.23457E+11: they may be somebody's telephone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

from terrarium.readers.sheets.dates import date_text
from terrarium.readers.sheets.number_text import Token, exact, general, general_text, number_text, rounded, said, scaled

GENERAL = "General"
LONGEST_CODE = 255  # what Excel takes
TOKEN = re.compile(
    r"""
      "(?P<quoted>[^"]*)"?
    | \\(?P<escaped>.)
    | (?P<space>_.)
    | (?P<fill>\*.)
    | \[(?P<bracket>[^\]]*)\]
    | (?P<general>General)
    | (?P<half>AM/PM|A/P)
    | (?P<exponent>E[+-])
    | (?P<date>y+|m+|d+|h+|s+(?:\.0+)?|e+|g+)
    | (?P<digit>[0\#?])
    | (?P<other>.)
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?[\d.]+)$")
ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)
TESTS = {
    "<": float.__lt__, "<=": float.__le__, ">": float.__gt__, ">=": float.__ge__, "=": float.__eq__, "<>": float.__ne__
}  # fmt: skip


# "0", "#,##0.00", "0.0%": nearly all numbers that have a format.
USUAL = re.compile(r"(?P<grouped>#,##)?0(?:\.(?P<places>0{1,10}))?(?P<percent>%)?")


@dataclass(frozen=True, slots=True)
class Section:
    """One of the parts of a code between its semicolons."""

    tokens: tuple[Token, ...]
    kind: str  # "general", "number", "date" or "text"
    condition: tuple[str, float] | None = None


@lru_cache(maxsize=10_000)
def shown(value: float, code: str, base_1904: bool = False) -> str:
    """The number as its cell shows it; "" where the code hides it."""
    if not isfinite(value):
        return "#NUM!"
    if code == GENERAL:
        return general(value)
    if usual := USUAL.fullmatch(code):
        number = scaled(exact(value), 2 * bool(usual["percent"]))
        number = rounded(number, len(usual["places"] or ""))
        return (f"{number:,f}" if usual["grouped"] else f"{number:f}") + (usual["percent"] or "")
    sections = [section for section in compiled(code) if section.kind != "text"] or [Section((), "general")]
    section, signed = chosen(sections, float(value))
    if section.kind == "date":
        text = date_text(section.tokens, value, base_1904)
        return " ".join(text.split()) if text else general(value)
    size = abs(value) if value < 0 else value
    text = general_text(section.tokens, size) if section.kind == "general" else number_text(section.tokens, size)
    text = " ".join(text.split())
    return f"-{text}" if signed and text else text


def shown_text(text: str, code: str) -> str:
    """A text as its cell shows it: most codes leave it as it is."""
    if code in {GENERAL, "@"} or not (sections := [one for one in compiled(code) if one.kind == "text"]):
        return "" if len(compiled(code)) == 4 else text  # ;;; hides texts too
    return "".join(text if token == ("other", "@") else said(token) for token in sections[-1].tokens)


@lru_cache(maxsize=2000)
def compiled(code: str) -> tuple[Section, ...]:
    parts: list[list[Token]] = [[]]
    for match in TOKEN.finditer(code[:LONGEST_CODE]):
        kind, text = match.lastgroup or "other", match[match.lastgroup or 0]
        if (kind, text) == ("other", ";"):
            parts.append([])
        elif kind != "bracket":
            parts[-1].append(("literal" if kind in {"quoted", "escaped"} else kind, text))
        elif ELAPSED.fullmatch(text):
            parts[-1].append(("elapsed", text))
        elif text.startswith("$"):
            parts[-1].append(("literal", text[1:].partition("-")[0]))
        elif CONDITION.match(text):
            parts[-1].append(("condition", text))
    return tuple(section(part) for part in parts[:4])


def section(tokens: Sequence[Token]) -> Section:
    kinds = {kind for kind, _ in tokens}
    found = next((CONDITION.match(text) for kind, text in tokens if kind == "condition"), None)
    plain = tuple(token for token in tokens if token[0] != "condition")
    if "digit" not in kinds and kinds & {"date", "elapsed", "half"}:
        kind = "date"
    elif "general" in kinds:
        kind = "general"
    else:
        kind = "text" if ("other", "@") in tokens else "number"
    return Section(plain, kind, (found[1], float(found[2])) if found else None)


def chosen(sections: Sequence[Section], value: float) -> tuple[Section, bool]:
    """The section for a value, and whether a minus goes before what it says."""
    if any(section.condition for section in sections):
        for section in sections:
            if not section.condition or TESTS[section.condition[0]](value, section.condition[1]):
                below = section.condition is not None and section.condition[0] in {"<", "<="}
                return section, value < 0 and not (below and section.condition and section.condition[1] <= 0)
        return Section((), "general"), value < 0
    if value < 0 and len(sections) > 1:
        return sections[1], False
    return (sections[2] if value == 0 and len(sections) > 2 else sections[0]), value < 0
