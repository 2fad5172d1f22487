"""The cells of OpenDocument's sheets, row by row, by the standard library's XML.

What is said to be repeated is repeated for `MOST_REPEATED` cells of the file: programs fill sheets to their edges so.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, ParseError

from terrarium.readers.office.elements import child, local, number, value
from terrarium.readers.rows import squeeze
from terrarium.readers.sheets.model import (
    LONGEST_TEXT,
    MOST_CELLS,
    MOST_COLUMNS,
    Area,
    Cell,
    Row,
    Sheet,
    column_of,
    cost,
    letters,
)
from terrarium.readers.sheets.ods_parser import (
    BESIDE,
    COLUMN,
    PLAIN,
    ROW,
    SHAPES,
    SHEET,
    STYLE,
    Style,
    elements,
    repeated,
    style,
    text_of,
    written,
)

CELLS = {"table-cell", "covered-table-cell"}
VALUES = {"float", "percentage", "currency", "date", "time", "boolean"}
STORED = ("string-value", "date-value", "time-value", "boolean-value", "value")
UNSEEN = {"collapse", "filter"}
MOST_REPEATED = 100_000
MOST_ROWS = 1_048_576
PLACE = re.compile(r"(?:'((?:[^']|'')+)'|\$?([^.']+))\.\$?([A-Z]{1,3})\$?(\d{1,7}):.*\.\$?([A-Z]{1,3})\$?(\d{1,7})")


@dataclass(slots=True)
class SheetsReader:
    """Sheets in their order, from the XML of a whole document."""

    counted: Callable[[], None]  # called for each row
    sheets: list[Sheet] = field(default_factory=list)
    styles: dict[str, Style] = field(default_factory=dict)
    last_columns: list[int] = field(default_factory=list)  # of each group of columns that are alike
    columns: list[tuple[bool, Style]] = field(default_factory=list)  # of each group: hidden, how its cells look
    row: int = 0  # the number of the last one
    cells_left: int = MOST_CELLS
    repeats_left: int = MOST_REPEATED

    def read(self, data: bytes) -> None:
        try:
            for element in elements(data):
                if element.tag == STYLE:
                    self.styles[value(element, "name")] = style(element)
                elif element.tag == SHEET:
                    hidden = self.styles.get(value(element, "style-name"), PLAIN).hides
                    self.sheets.append(Sheet(value(element, "name"), hidden))
                    self.row, self.columns, self.last_columns = 0, [], []
                elif self.sheets:
                    self._read(element, self.sheets[-1])
        except ParseError as error:
            if self.sheets:
                self.sheets[-1].damage = f"nothing behind row {self.row} could be read ({error})"

    def _read(self, element: Element, sheet: Sheet) -> None:
        if element.tag == ROW:
            self.counted()
            self._read_row(element, sheet)
        elif element.tag == COLUMN:
            last = self.last_columns[-1] if self.columns else -1
            cells = self.styles.get(value(element, "default-cell-style-name"), PLAIN)
            self.last_columns.append(last + repeated(element, "columns"))
            self.columns.append((value(element, "visibility") in UNSEEN, cells))
        elif element.tag == SHAPES:
            sheet.notes += filter(None, map(text_of, element))
        elif place := PLACE.fullmatch(value(element, "target-range-address")):
            name = place[1].replace("''", "'") if place[1] else place[2]
            area = Area(int(place[4]), column_of(place[3]), int(place[6]), column_of(place[5]))
            for one in self.sheets if value(element, "contains-header") != "false" else ():
                one.named += [area] * (one.name == name)

    def _read_row(self, element: Element, sheet: Sheet) -> None:
        first = self.row + 1
        self.row = min(self.row + repeated(element, "rows"), MOST_ROWS)
        if self.cells_left <= 0 or first > MOST_ROWS:
            sheet.cut_at = sheet.cut_at or (sheet.rows[-1].number if sheet.rows else 0)
            return
        cells = self._cells(element, sheet, first)
        if cells:
            wanted = self.row - first
            each = sum(cost(cell.text) for cell in cells)
            again = min(wanted, self.repeats_left // each)
            self.repeats_left -= again * each
            sheet.rows += [Row(number, cells) for number in range(first, first + 1 + again)]
            sheet.repeats_left_out += (wanted - again) * len(cells)

    def _cells(self, row: Element, sheet: Sheet, row_number: int) -> list[Cell]:
        """Those that are seen; the others are kept as hidden."""
        hidden = value(row, "visibility") in UNSEEN
        own = self.styles.get(value(row, "default-cell-style-name"))
        cells: list[Cell] = []
        unseen: list[str] = []
        column = 0
        for one in row:
            if local(one) not in CELLS:
                continue
            facts = {name.rpartition("}")[2]: fact for name, fact in one.attrib.items()}
            group = bisect_left(self.last_columns, column)
            behind, of_column = self.columns[group] if group < len(self.columns) else (False, PLAIN)
            style = self.styles.get(facts.get("style-name", ""), own or of_column)
            times = repeated(one, "columns") if "number-columns-repeated" in facts else 1
            text = self._text(one, facts, sheet, f"{letters(column)}{row_number}")
            self.cells_left -= cost(text)
            if text and (hidden or behind or style.unseen or local(one) == "covered-table-cell"):
                unseen.append(text)
                sheet.hide(row_number, column, hidden, behind)
            elif text and column < MOST_COLUMNS:
                is_value = facts.get("value-type") in VALUES or text.startswith("=")
                again = min(times - 1, self.repeats_left // cost(text), MOST_COLUMNS - 1 - column)
                self.repeats_left -= again * cost(text)
                sheet.repeats_left_out += times - 1 - again
                cells += [Cell(column + i, text, is_value, style.marked) for i in range(again + 1)]
            if "number-columns-spanned" in facts and column < MOST_COLUMNS:
                wide, high = number(one, "number-columns-spanned") or 1, number(one, "number-rows-spanned") or 1
                sheet.merge(Area(row_number, column, row_number + high - 1, column + wide - 1))
            column += times
        if unseen:
            sheet.unseen.append(" | ".join(unseen))
        return cells

    def _text(self, cell: Element, facts: Mapping[str, str], sheet: Sheet, place: str) -> str:
        """As it is shown; what stands beside it goes to the sheet's notes."""
        text = text_of(cell)[:LONGEST_TEXT] if len(cell) else ""
        for one in cell:
            if local(one) == "annotation":
                author, said = child(one, "creator"), text_of(one)
                by = f" by {squeeze(author.text or '')}" if author is not None and author.text else ""
                sheet.notes += [f"Comment{by} on {place}{f' (“{text}”)' * bool(text)}: {said}"] * bool(said)
            elif local(one) in BESIDE and (said := text_of(one)):
                sheet.notes.append(said)
        if not text:  # some programs store values without what is shown of them
            text = next((facts[name] for name in STORED if facts.get(name)), "")
        if not text and "formula" in facts and "value-type" not in facts:
            sheet.uncalculated.append(place)
            text = written(facts["formula"])
        return text
