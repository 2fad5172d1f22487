"""Rows of a table as one line of text each: "Header: cell | Header: cell", readable and searchable alone."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence

from bs4 import Tag
from bs4.element import CData, NavigableString

from terrarium.model import Block

DELIMITERS = "\t;,|"
LONGEST_NAME = 80  # characters of a column's name
SAMPLE = 64 * 1024  # characters in which the delimiter is looked for
LAYOUT_CELL = 600  # characters: a longer cell holds text, so the table only places things on the page
INLINE = {
    "a",
    "abbr",
    "b",
    "code",
    "em",
    "font",
    "i",
    "kbd",
    "mark",
    "s",
    "small",
    "span",
    "strong",
    "sub",
    "tt",
    "u",
    "var",
}
STRUCTURE = ["h1", "h2", "h3", "h4", "h5", "h6", "pre"]


def table_rows(table: Tag) -> list[str] | None:
    """Lines of the table, header row left out when its cells are repeated in the rows; None for a layout table."""
    if table.find(STRUCTURE):
        return None
    grid, heads = read_grid(table)
    if any(len(text) > LAYOUT_CELL for row in grid for text in row):
        return None
    caption = table.find("caption")
    lines = [squeeze(caption.get_text(" "))] if isinstance(caption, Tag) else []
    return [line for line in lines if line] + row_lines(grid, heads)


def read_grid(table: Tag) -> tuple[list[list[str]], bool]:
    """(cells' texts row by row, whether the first row is a header).

    Cells and rows are counted where they begin: Python's parser nests those that the page leaves unclosed.
    """
    grid: list[list[list[str]]] = []
    heads = True
    for node in table.descendants:
        if isinstance(node, Tag):
            if node.name == "tr" or (node.name in {"td", "th"} and not grid):
                grid.append([])
            if node.name in {"td", "th"}:
                grid[-1].append([])
                heads = heads and (node.name == "th" or len(grid) > 1)
            elif grid and grid[-1] and node.name not in INLINE:
                sign = "^" if node.name == "sup" and "".join(grid[-1][-1])[-1:].isdigit() else " "
                grid[-1][-1].append(sign)
        elif grid and grid[-1] and type(node) in {NavigableString, CData}:
            grid[-1][-1].append(str(node))
    return [[squeeze("".join(cell)) for cell in row] for row in grid], heads


def row_lines(grid: Sequence[Sequence[str]], heads: bool) -> list[str]:
    """Lines of a grid whose first row is the header when `heads`."""
    header = grid[0] if heads and len(grid) > 1 else ()
    lines = [
        " | ".join(
            f"{header[i]}: {text}" if i < len(header) and header[i] and header[i] != text else text
            for i, text in enumerate(row)
            if text
        )
        for row in grid[1 if header else 0 :]
    ]
    return [line for line in lines if line]


def squeeze(text: str) -> str:
    return " ".join(text.split())


def csv_blocks(text: str) -> list[Block]:
    """A block a record of comma-separated values; none when there is no table in the text after all.

    The first record names the columns when none of its cells looks like a value. A quote that is never closed makes
    the text no table, because everything behind it would be one cell.
    """
    delimiter = csv_delimiter(text)
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True) if delimiter else ()
        grid = [cells for row in rows if any(cells := [squeeze(cell) for cell in row])]
    except csv.Error:
        return []
    named = [cell for cell in grid[0] if cell] if grid else []
    heads = all(map(is_name, named)) and len(set(named)) == len(named) > 0
    return [Block("table_row", line) for line in row_lines(grid, heads)]


def csv_delimiter(text: str) -> str:
    """What cuts most of the first records into equally many cells, or "" when nothing does."""
    sample = text[:SAMPLE].splitlines(keepends=True)[:100]
    best, share = "", 0.6
    for delimiter in DELIMITERS:
        widths = Counter(len(row) for row in csv.reader(sample, delimiter=delimiter) if row)
        width, found = widths.most_common(1)[0] if widths else (0, 0)
        if width > 1 and found / widths.total() > share:
            best, share = delimiter, found / widths.total()
    return best


def is_name(cell: str) -> bool:
    return any(map(str.isalpha, cell)) and not cell[0].isdigit() and len(cell) <= LONGEST_NAME
