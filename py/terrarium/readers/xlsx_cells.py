"""The cells of one sheet of an XLSX, parsed row by row by openpyxl.

openpyxl's own loop over a sheet is not used: it keeps every row that it has passed, and it gives the sheet up for a
filter or a validation that it does not know. A cell that it cannot read shows what its XML says.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Any
from xml.etree.ElementTree import Element, ParseError, iterparse

from openpyxl.utils.cell import range_boundaries
from openpyxl.worksheet._reader import FORMULA_TAG, INLINE_STRING, VALUE_TAG, WorkSheetParser
from openpyxl.xml.constants import SHEET_MAIN_NS

from terrarium.readers.elements import number, value
from terrarium.readers.number_format import shown, shown_text
from terrarium.readers.rows import squeeze
from terrarium.readers.sheets import LONGEST_TEXT, MOST_COLUMNS, Area, Cell, Row, Sheet, cost, letters
from terrarium.readers.xlsx_styles import PLAIN, Style

# What is read of a sheet's XML.
KEPT = {f"{{{SHEET_MAIN_NS}}}{name}": name for name in ("row", "col", "mergeCell", "autoFilter", "headerFooter")}
TEXT_TAG = f"{{{SHEET_MAIN_NS}}}t"
TEXT = {TEXT_TAG, f"{{{SHEET_MAIN_NS}}}r"}  # a text and its pieces
ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")  # ST_Xstring: _x000D_ is a line's end, _x005F_ an underscore
PREFIX = re.compile(r"\b_xl(?:fn|ws|pm|udf)\.")  # of functions that are newer than the format
NOT_CELLS = (ValueError, IndexError, KeyError, TypeError, OverflowError, AttributeError)
STRICT = b"http://purl.oclc.org/ooxml/spreadsheetml/main"  # the namespace of the standard's strict form


@dataclass(slots=True)
class Workbook:
    """What all sheets share."""

    strings: Sequence[str]
    styles: Sequence[Style]
    base_1904: bool
    cells_left: int
    counted: Callable[[], None]  # called for each row


class CellParser(WorkSheetParser):  # type: ignore[misc]  # openpyxl has no types
    """A cell's stored value, and its formula where there is none."""

    def parse_cell(self, element: Element) -> dict[str, Any]:
        inline = element.get("t") == "inlineStr"
        if inline:  # openpyxl makes objects of each piece of text
            element.set("t", "n")
        try:
            found: dict[str, Any] = super().parse_cell(element)
        except NOT_CELLS:
            text = element.findtext(VALUE_TAG) or ""
            found = {"column": self.col_counter, "value": text, "data_type": "s", "style_id": 0}
        if inline and (text := inline_text(element)):
            return found | {"value": text, "data_type": "s"}
        formula = element.find(FORMULA_TAG)
        if formula is not None:
            stored = found["value"] is not None or (element.get("t") == "str" and element.find(VALUE_TAG) is not None)
            if not stored:
                found |= {"value": self.written(element), "data_type": "f"}
            elif formula.get("t") == "shared":
                self.written(element)  # another cell may be without a value, and point here
        return found

    def written(self, element: Element) -> str:
        """The formula, one that cells share as this cell has it."""
        try:
            formula = self.parse_formula(element)
        except NOT_CELLS:
            formula = None
        text = formula if isinstance(formula, str) else getattr(formula, "text", None)
        return PREFIX.sub("", text) if text and text != "=" else "=?"


class SheetReader:
    """Fills a sheet's rows, its merged and its named areas. Cells above `workbook.cells_left` are not read."""

    def __init__(self, sheet: Sheet, workbook: Workbook) -> None:
        self.margins: list[str] = []  # headers and footers of print, with their codes
        self._sheet = sheet
        self._workbook = workbook
        self._parser = CellParser(None, workbook.strings, data_only=True)
        self._styles: Sequence[Style] = ()
        self._hidden_columns: set[int] = set()

    def read(self, data: bytes) -> None:
        plain = b"conditionalFormatting" not in data and b"tablePart" not in data  # else colours cannot be told
        self._styles = [style if plain else Style(style.code, style.marked) for style in self._workbook.styles]
        sheet = self._sheet
        try:
            for name, element in elements(data.replace(STRICT, SHEET_MAIN_NS.encode())):
                self._read_element(name, element)
        except ParseError as error:
            last = sheet.rows[-1].number if sheet.rows else 0
            sheet.damage = f"nothing behind row {last} could be read ({error})"
        sheet.rows.sort(key=lambda row: row.number)

    def _read_element(self, name: str, element: Element) -> None:
        sheet = self._sheet
        if name == "row":
            self._workbook.counted()
            if self._workbook.cells_left > 0:
                self._read_row(element)
            elif not sheet.cut_at:
                sheet.cut_at = sheet.rows[-1].number if sheet.rows else 0
        elif name == "mergeCell":
            for area in areas(value(element, "ref")):
                sheet.merge(area)
        elif name == "autoFilter":
            sheet.named += areas(value(element, "ref"))
        elif name == "col" and is_hidden(element, "width"):
            first, last = number(element, "min") or 1, number(element, "max") or 1
            self._hidden_columns.update(range(max(first, 1) - 1, min(last, MOST_COLUMNS)))
        elif name == "headerFooter":
            self.margins = [one.text for one in element if one.text]

    def _read_row(self, element: Element) -> None:
        if not (element.get("r") or "1").isdecimal():
            del element.attrib["r"]
        row, found = self._parser.parse_row(element)
        self._parser.row_dimensions.clear()
        self._workbook.cells_left -= len(found)  # the empty ones too: they are parsed
        hidden = is_hidden(element, "ht")
        cells: list[Cell] = []
        unseen: list[str] = []
        for one in found:
            if one["value"] is None or one["value"] == "" or self._workbook.cells_left < 0:
                continue
            column = one["column"] - 1
            index = one["style_id"] or 0
            style = self._styles[index] if 0 <= index < len(self._styles) else PLAIN
            text, is_value = self._shown(one["value"], one["data_type"], style.code)
            self._workbook.cells_left -= cost(text) - 1
            behind = column in self._hidden_columns
            if hidden or behind or style.unseen or not text:
                unseen.append(text or squeeze(str(one["value"])))
                self._sheet.hide(row, column, hidden, behind)
            else:
                cells.append(Cell(column, text, is_value, style.marked))
                if one["data_type"] == "f":
                    self._sheet.uncalculated.append(f"{letters(column)}{row}")
        if cells:
            self._sheet.rows.append(Row(row, sorted(cells)))
        if unseen:
            self._sheet.unseen.append(" | ".join(unseen))

    def _shown(self, stored: Any, kind: str, code: str) -> tuple[str, bool]:
        """(text, whether it is a value)."""
        if isinstance(stored, bool):
            return str(stored).upper(), True
        if isinstance(stored, int | float):
            return shown(stored, code, self._workbook.base_1904), True
        if isinstance(stored, date | time):  # a date is stored as such in few files
            return str(stored), True
        text = str(stored)[:LONGEST_TEXT]
        text = squeeze(ESCAPED.sub(unescaped, text) if "_x" in text else text)
        return (text, True) if kind in {"e", "f"} else (shown_text(text, code), False)


def elements(data: bytes) -> Iterator[tuple[str, Element]]:
    """(name, element) of what is read, each forgotten when the next one is asked for."""
    above: list[Element] = []
    within = 0  # elements that are read
    for event, element in iterparse(io.BytesIO(data), ("start", "end")):
        if event == "start":
            above.append(element)
            within += element.tag in KEPT
            continue
        above.pop()
        if element.tag in KEPT:
            within -= 1
            if not within:
                yield KEPT[element.tag], element
        if not within and above:
            above[-1].clear()


def inline_text(cell: Element) -> str:
    """Without the readings that stand over Japanese words."""
    inline = cell.find(INLINE_STRING)
    pieces = list(inline) if inline is not None else []
    return "".join(
        (one.text if one.tag == TEXT_TAG else one.findtext(TEXT_TAG)) or "" for one in pieces if one.tag in TEXT
    )


def unescaped(found: re.Match[str]) -> str:
    """Of the characters that XML has no place for: a line's end is left, what controls nothing here goes."""
    character = chr(int(found[1], 16))
    return character if character >= " " else " "


def is_hidden(element: Element, size: str) -> bool:
    """A row's or a column's own words for it, or no height or width."""
    length = element.get(size, "")
    return element.get("hidden") in {"1", "true"} or (length != "" and not length.strip("0."))


def areas(reference: str) -> list[Area]:
    """ "A1:D2", and nothing for what is none."""
    try:
        left, top, right, bottom = range_boundaries(reference)
        return [Area(top, left - 1, bottom, right - 1)]
    except (ValueError, TypeError):
        return []
