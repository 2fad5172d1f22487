"""Rows of a table as one line of text each: "Header: cell | Header: cell", readable and searchable alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from terrarium.model import Block

LONGEST_NAME = 80  # characters of a column's name


def row_blocks(grid: Sequence[Sequence[str]], heads: bool, page: int | None = None) -> list[Block]:
    """A block for each row that holds anything, numbered from 1; the first row is the header when `heads`."""
    heads = heads and any(map(any, grid[1:]))  # a header over nothing is all that there is to say
    names = dict(enumerate(grid[0])) if heads else {}
    rows = enumerate(grid[heads:], 1 + heads)
    return [row_block(enumerate(cells), names, number, page) for number, cells in rows if any(cells)]


def row_block(
    cells: Iterable[tuple[int, str]], names: Mapping[int, str], number: int = 0, page: int | None = None
) -> Block:
    """`cells` are (column, text), empty ones left out here; `names` those of the columns that have one."""
    parts: list[str] = []
    places: list[tuple[int, int, int]] = []
    end = 0
    for column, text in cells:
        if not text:
            continue
        name = names.get(column, "")
        head = (" | " if parts else "") + (f"{name}: " if name and name != text else "")
        start, end = end + len(head), end + len(head) + len(text)
        parts += (head, text)
        places.append((column, start, end))
    return Block("table_row", "".join(parts), page, row=number, cells=tuple(places))


def is_name(cell: str) -> bool:
    """Whether a cell may name its column."""
    return any(map(str.isalpha, cell)) and not cell[0].isdigit() and len(cell) <= LONGEST_NAME


def squeeze(text: str) -> str:
    return " ".join(text.split())
