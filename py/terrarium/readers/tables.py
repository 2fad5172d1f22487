"""Rows of an HTML table as one line of text each: "Header: cell | Header: cell", readable and searchable alone."""

from __future__ import annotations

from collections.abc import Sequence

from bs4 import Tag
from bs4.element import CData, NavigableString

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
