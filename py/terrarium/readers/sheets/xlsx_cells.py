"""The rows of one sheet of an XLSX as they are seen: values by their formats, what is hidden set apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from openpyxl.utils.cell import range_boundaries

from terrarium.readers.office.elements import number, value
from terrarium.readers.rows import squeeze
from terrarium.readers.sheets.model import LONGEST_TEXT, MOST_COLUMNS, Area, Cell, Row, Sheet, cost, letters
from terrarium.readers.sheets.number_format import shown, shown_text
from terrarium.readers.sheets.xlsx_parser import CellParser, elements
from terrarium.readers.sheets.xlsx_styles import PLAIN, Style

LONGEST_NUMBER = 10  # digits of a row's number
ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")  # ST_Xstring: _x000D_ is a line's end, _x005F_ an underscore


@dataclass(slots=True)
class Workbook:
    """What all sheets share."""

    strings: Sequence[str]
    styles: Sequence[Style]
    base_1904: bool
    cells_left: int
    counted: Callable[[], None]  # called for each row


class SheetReader:
    """Fills a sheet's rows, its merged and its named areas. Cells above `workbook.cells_left` are not read."""

    def __init__(self, sheet: Sheet, workbook: Workbook) -> None:
        self.margins: list[str] = []  # headers and footers of print, with their codes
        self._sheet = sheet
        self._workbook = workbook
        self._parser = CellParser(None, workbook.strings, data_only=True)
        self._styles: Sequence[Style] = ()
        self._hidden_columns: set[int] = set()
        self._columns_left = 2 * MOST_COLUMNS  # that may be said to be hidden

    def read(self, data: bytes) -> None:
        plain = b"conditionalFormatting" not in data and b"tablePart" not in data  # else colours cannot be told
        self._styles = [style if plain else Style(style.code, style.marked) for style in self._workbook.styles]
        sheet = self._sheet
        try:
            for name, element in elements(data):
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
            first, last = number(element, "min") or 1, min(number(element, "max") or 1, MOST_COLUMNS)
            self._columns_left -= max(last - first, 0) + 1
            if self._columns_left >= 0:
                self._hidden_columns.update(range(max(first, 1) - 1, last))
        elif name == "headerFooter":
            self.margins = [one.text for one in element if one.text]

    def _read_row(self, element: Element) -> None:
        own = element.get("r") or "1"
        if not own.isdecimal() or len(own) > LONGEST_NUMBER:
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
