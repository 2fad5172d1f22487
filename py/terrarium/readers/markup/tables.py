"""Tables of HTML, and of what is turned into HTML, → rows."""

from __future__ import annotations

from collections.abc import Sequence

from bs4 import Tag
from bs4.element import CData, NavigableString

from terrarium.model import Block
from terrarium.readers.rows import is_name, row_block, row_blocks, squeeze

__all__ = ["row_blocks", "table_rows"]

LAYOUT_CELL = 600  # characters: a longer cell holds text, so the table only places things on the page
WIDEST = 200  # columns, or rows, that one cell may reach over
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


def table_rows(table: Tag) -> list[Block] | None:
    """Rows of the table, header rows left out because their cells are repeated in the rows; None for a layout table."""
    if table.find(STRUCTURE):
        return None
    grid, heads = read_grid(table)
    heads = heads or names_its_columns(table, grid)
    if any(len(text) > LAYOUT_CELL for row in grid for text, _, _ in row):
        return None
    caption = table.find("caption")
    title = squeeze(caption.get_text(" ")) if isinstance(caption, Tag) else ""
    rows, names = placed(grid, heads if heads < len(grid) else 0)
    blocks = [row_block(row, names, number) for number, row in rows if any(text for _, text in row)]
    return [Block("table_row", title)] * bool(title) + blocks


def names_its_columns(table: Tag, grid: Sequence[Sequence[tuple[str, int, int]]]) -> bool:
    """Whether the first row is a header that nobody marked as one, as in most tables of Word.

    It is when its cells are names, and it alone is bold or stands over figures.
    """
    rows = [row for row in grid if row]
    columns = len(rows[0]) if rows else 0
    alike = all(len(row) == columns and all(wide == high == 1 for _, wide, high in row) for row in rows)
    if not alike or columns < 2 or len(rows) < 3 or rows[0] != grid[0]:
        return False
    first, below = [text for text, *_ in rows[0]], [[text for text, *_ in row] for row in rows[1:]]
    named = [text for text in first[1:] if text] + [text for text in first[:1] if text]
    if len(named) < columns - (not first[0]) or not all(map(is_name, named)) or len(set(named)) < len(named):
        return False
    lines = table.find_all("tr", limit=2)
    if len(lines) == 2 and is_bold(lines[0]) and not is_bold(lines[1]):
        return True
    figures = ([row[column] for row in below if row[column]] for column in range(columns))
    return any(cells and not any(map(is_name, cells)) for cells in figures)


def is_bold(row: Tag) -> bool:
    texts = [text for text in row.find_all(string=True) if text.strip()]
    return bool(texts) and all(text.find_parent(["b", "strong", "th"]) for text in texts)


def read_grid(table: Tag) -> tuple[list[list[tuple[str, int, int]]], int]:
    """(row by row the cells as (text, columns, rows that it reaches over), number of header rows).

    Cells and rows are counted where they begin: Python's parser nests those that the page leaves unclosed.
    """
    grid: list[list[tuple[list[str], int, int]]] = []
    plain: list[bool] = []  # of each row, whether it has cells that are no headers
    for node in table.descendants:
        if isinstance(node, Tag):
            if node.name == "tr" or (node.name in {"td", "th"} and not grid):
                grid.append([])
                plain.append(False)
            if node.name in {"td", "th"}:
                grid[-1].append(([], span(node, "colspan"), span(node, "rowspan")))
                plain[-1] = plain[-1] or node.name == "td"
            elif grid and grid[-1] and node.name not in INLINE:
                text = grid[-1][-1][0]
                text.append("^" if node.name == "sup" and "".join(text)[-1:].isdigit() else " ")
        elif grid and grid[-1] and type(node) in {NavigableString, CData}:
            grid[-1][-1][0].append(str(node))
    heads = next((i for i, row in enumerate(plain) if row or not grid[i]), len(grid))
    return [[(squeeze("".join(cell)), wide, high) for cell, wide, high in row] for row in grid], heads


def span(cell: Tag, name: str) -> int:
    value = str(cell.get(name) or "").strip()
    return min(max(int(value), 1), WIDEST) if value.isascii() and value.isdigit() and len(value) < 9 else 1


def placed(
    grid: Sequence[Sequence[tuple[str, int, int]]], heads: int
) -> tuple[list[tuple[int, list[tuple[int, str]]]], dict[int, str]]:
    """((number, cells with their columns) of each row below the first `heads`, the columns' names).

    A cell that spans several columns names them all when it is a header's, and else stands in the first.
    """
    taken: dict[int, int] = {}  # column → number of the last row that a cell from above reaches into
    names: dict[int, str] = {}
    rows: list[tuple[int, list[tuple[int, str]]]] = []
    for number, row in enumerate(grid, 1):
        column = 0
        cells: list[tuple[int, str]] = []
        for text, wide, high in row:
            while taken.get(column, 0) >= number:
                column += 1
            cells.append((column, text))
            spanned = range(column, column + wide)
            if high > 1:
                taken |= dict.fromkeys(spanned, number + high - 1)
            if number <= heads and text:
                names |= {over: f"{names[over]} {text}" if over in names else text for over in spanned}
            column += wide
        if number > heads:
            rows.append((number, cells))
    return rows, names
