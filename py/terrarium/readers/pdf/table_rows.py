"""Tables of a PDF → blocks: which rows name the columns, and which table goes on with the one of the page before.

A header is told by bold print, by a line under it, by columns of numbers under words, and inside a full grid by words
alone. A table without any of these keeps its first row as a row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from terrarium.model import Block
from terrarium.readers.pdf.joining import join_lines
from terrarium.readers.pdf.rules import Box
from terrarium.readers.pdf.tables import VALUE, Row, Table
from terrarium.readers.rows import is_name, row_block

MOST_HEADS = 3  # rows of a header
LONGEST = 60  # characters of a header's cell
LEADERS = re.compile(r"\s?(?:\.\s?){4,}")


class Tables:
    """Makes blocks of tables in reading order; knows the header that was last seen."""

    def __init__(self, words: Counter[str]) -> None:
        """`words`: of the document, for hyphens at the ends of lines."""
        self._words = words
        self._names: list[str] = []
        self._x: list[float] = []
        self._page = 0
        self._number = 0

    def blocks(self, table: Table, page: int, rules: Sequence[Box], first: bool) -> list[Block]:
        """`first`: nothing but tables stands above it on its page, so it may go on with that of the page before."""
        count = header_rows(table, rules)
        names = [self._whole(name) for name in column_names(table.rows[:count])]
        same = self._page == page - 1 and len(self._x) == len(table.x) and all(
            abs(a - b) < 12 for a, b in zip(self._x, table.x, strict=True)
        )  # fmt: skip
        goes_on = first and same
        if goes_on and self._names and not count:
            names = self._names
        if not (goes_on and names == self._names):
            self._number = 0
        self._names, self._x, self._page = names, table.x, page
        blocks = []
        for row in table.rows[count:]:
            self._number += 1
            blocks.append(self._block(row, names, page))
        if not blocks and names:
            blocks.append(self._block(Row(names, True, 0, 0), [], page))
        return blocks

    def end(self) -> None:
        """Something else stands under the table."""
        self._page = -1

    def _block(self, row: Row, names: Sequence[str], page: int) -> Block:
        cells = [LEADERS.sub(" … ", self._whole(cell)).strip(" …") for cell in row.cells]
        if names:
            return row_block(enumerate(cells), dict(enumerate(names)), self._number, page)
        return bare(cells, self._number, page)

    def _whole(self, cell: str) -> str:
        return join_lines(cell.split("\n"), self._words) if "\n" in cell else cell


def bare(cells: Sequence[str], number: int, page: int) -> Block:
    """A row of a table whose columns have no names: its cells, parted by tabs."""
    text = "\t".join(filter(None, cells))
    places, start = [], 0
    for column, cell in enumerate(cells):
        if cell:
            places.append((column, start, start + len(cell)))
            start += len(cell) + 1
    return Block("table_row", text, page, row=number, cells=tuple(places))


def column_names(rows: Sequence[Row]) -> list[str]:
    """The cells of a header's rows, those of one column joined."""
    if not rows:
        return []
    return ["\n".join(filter(None, column)) for column in zip(*(row.cells for row in rows), strict=True)]


def header_rows(table: Table, rules: Sequence[Box]) -> int:
    """How many rows name the columns: 0 where none does."""
    rows = table.rows
    for count in range(1, min(MOST_HEADS, len(rows) - 1) + 1):
        heads, body = rows[:count], rows[count:]
        names = [name for name in column_names(heads) if name]
        if len(names) < 2 or any(len(name) > LONGEST for name in names) or not all(map(is_name, names)):
            break
        if any(VALUE.fullmatch(cell) for row in heads for cell in row.cells if cell):
            break
        bold = all(row.bold for row in heads) and not any(row.bold for row in body[:2])
        if bold or is_underlined(table, count, rules) or over_numbers(heads, body):
            return count
    first = rows[0]
    full = table.ruled and len(rows) > 2 and len(first.cells) > 2 and all(first.cells)
    different = len(set(first.cells)) == len(first.cells)
    return int(full and different and all(is_name(cell) and len(cell) <= LONGEST for cell in first.cells))


def is_underlined(table: Table, count: int, rules: Sequence[Box]) -> bool:
    """Whether a line stands under these rows, and not under those that follow them too."""
    rows = table.rows

    def line_under(i: int) -> bool:
        top, bottom = rows[i].bottom - 0.2 * table.size, rows[i + 1].top - 0.5 * table.size
        reach = table.x[-1] - table.x[0]
        return any(
            top < rule[1] < bottom and rule[0] < table.x[0] + 0.3 * reach and rule[2] > table.x[-1] for rule in rules
        )

    return line_under(count - 1) and not any(line_under(i) for i in range(count, min(len(rows) - 1, count + 4)))


def over_numbers(heads: Sequence[Row], body: Sequence[Row]) -> bool:
    """Whether a named column holds numbers, and nothing else, from the first row of the body on."""
    for column, name in enumerate(column_names(heads)):
        cells = [row.cells[column] for row in body if row.cells[column]]
        if name and column and len(cells) > 1 and body[0].cells[column] and all(map(VALUE.fullmatch, cells)):
            return True
    return False
