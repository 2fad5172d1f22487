"""Rows of an HTML table as one line of text each: "Header: cell | Header: cell", readable and searchable alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bs4 import Tag

LAYOUT_CELL = 600  # characters: a longer cell holds text, so the table only places things on the page
SPACE = re.compile(r"\s+")


def table_rows(table: Tag) -> list[str] | None:
    """Lines of the table, header row left out when its cells are repeated in the rows; None for a layout table."""
    grid = [[cell_text(cell) for cell in row.find_all(["td", "th"])] for row in table.find_all("tr")]
    if any(len(text) > LAYOUT_CELL for row in grid for text in row):
        return None
    if table.find(["h1", "h2", "h3", "h4", "h5", "h6", "pre"]):
        return None
    first = table.find("tr")
    heads = isinstance(first, Tag) and bool(first.find("th")) and not first.find("td")
    caption = table.find("caption")
    lines = [cell_text(caption)] if isinstance(caption, Tag) else []
    return lines + row_lines(grid, heads)


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


def cell_text(cell: Tag) -> str:
    return SPACE.sub(" ", cell.get_text(" ")).strip()
