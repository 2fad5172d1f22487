"""How the cells of an XLSX look: their number format, whether they stand out, whether they can be seen.

Read with a parser of XML alone: openpyxl gives up on a whole workbook for one border that it does not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar
from xml.etree.ElementTree import Element

from openpyxl.styles.numbers import BUILTIN_FORMATS

from terrarium.readers.office.elements import child, inside, number, value
from terrarium.readers.sheets.number_format import GENERAL

Item = TypeVar("Item")

# In the order of wherever the file is opened: shown so that nobody takes the month for the day.
DATE, MOMENT = "yyyy-mm-dd", "yyyy-mm-dd hh:mm"
OWN_FORMATS = {14: DATE, 22: MOMENT} | dict.fromkeys((*range(27, 37), *range(50, 59)), DATE)
SYSTEM_FORMATS = {"[$-F800]": DATE, "[$-x-sysdate]": DATE, "[$-F400]": "h:mm:ss", "[$-x-systime]": "h:mm:ss"}
PAPER = "FFFFFF"
THEME = {"0": PAPER, "1": "000000"}  # of nearly all workbooks; the other colours are told apart by their numbers
INDEXED = {"1": PAPER, "9": PAPER, "0": "000000", "8": "000000", "64": "000000", "65": PAPER}


@dataclass(frozen=True, slots=True)
class Style:
    code: str = GENERAL
    marked: bool = False  # bold, or on a coloured ground
    unseen: bool = False  # of the colour that it stands on


PLAIN = Style()


def read_styles(root: Element | None) -> list[Style]:
    """By the index that cells name; [] when there is none."""
    codes = {number(one, "numFmtId"): value(one, "formatCode") for one in inside(child(root, "numFmts"), "numFmt")}
    fonts = [(is_bold(one), colour(child(one, "color")) or "000000") for one in listed(root, "fonts")]
    fills = [fill(one) for one in listed(root, "fills")]
    return [style(one, codes, fonts, fills) for one in listed(root, "cellXfs")]


def style(xf: Element, codes: dict[int | None, str], fonts: Sequence[tuple[bool, str]], fills: Sequence[str]) -> Style:
    form = number(xf, "numFmtId") or 0
    code = codes.get(form) or OWN_FORMATS.get(form) or BUILTIN_FORMATS.get(form) or GENERAL
    code = next((plain for opening, plain in SYSTEM_FORMATS.items() if code.startswith(opening)), code)
    bold, ink = at(fonts, number(xf, "fontId"), (False, "000000"))
    ground = at(fills, number(xf, "fillId"), PAPER)
    return Style(code, bold or ground != PAPER, ink == ground)


def listed(root: Element | None, name: str) -> list[Element]:
    group = child(root, name)
    return list(group) if group is not None else []


def at(items: Sequence[Item], index: int | None, otherwise: Item) -> Item:
    return items[index] if index is not None and 0 <= index < len(items) else otherwise


def is_bold(font: Element) -> bool:
    bold = child(font, "b")
    return bold is not None and value(bold) not in {"0", "false"}


def fill(element: Element) -> str:
    """The colour of the ground; a pattern is of none that text has."""
    pattern = child(element, "patternFill")
    if pattern is None:
        return "gradient" if len(element) else PAPER
    match value(pattern, "patternType"):
        case "" | "none":
            return PAPER
        case "solid":
            return colour(child(pattern, "fgColor")) or "solid"
        case name:
            return PAPER if name == "gray125" else name


def colour(element: Element | None) -> str:
    if element is None:
        return ""
    tint = value(element, "tint")
    if theme := value(element, "theme"):
        return THEME[theme] if theme in THEME and not tint.strip("0.") else f"theme {theme} {tint}"
    if index := value(element, "indexed"):
        return INDEXED.get(index, f"indexed {index}")
    return value(element, "rgb")[-6:].upper()
