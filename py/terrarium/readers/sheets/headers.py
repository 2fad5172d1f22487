"""Which rows of a sheet's table name its columns. Judged by rules; what is in doubt is no header."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from terrarium.readers.rows import is_name
from terrarium.readers.sheets.model import Area, Cell, Row

LOOKED_AT = 50  # rows below
MOST_HEADS = 3
SHORT = 40  # characters of a name where nothing but texts is below
LONGER = 2.5  # times as long as their column's name are the explanations of a glossary
YEAR = re.compile(r"(?:19|20)\d\d")
DATE = re.compile(r"[^\W\d]|\d[-/.]\d+[-/.]")


class FewRows:
    """A row and the few below it that are looked at."""

    def __init__(self, rows: Sequence[Row], first: int) -> None:
        self.row = rows[first]
        self.below = rows[first + 1 : first + 1 + LOOKED_AT + MOST_HEADS]

    def next(self) -> FewRows:
        return FewRows(self.below, 0)


def head_count(
    rows: FewRows, merged: Mapping[tuple[int, int], Area], named: Mapping[int, Sequence[Area]], strict: bool
) -> int:
    """How many rows from this one on are headers. `strict` where other rows than titles stand above it."""
    levels = 1
    carried: list[Cell] = []  # cells of rows above that reach down to the last header row
    while levels < MOST_HEADS and len(rows.below) > 1 and is_group_row(rows.row, merged):
        carried += [cell for cell in rows.row.cells if not is_wide(merged, rows.row.number, cell)]
        rows = rows.next()
        levels += 1
    own = {cell.column for cell in rows.row.cells}
    cells = sorted([*rows.row.cells, *(cell for cell in carried if cell.column not in own)])
    declared = any(area.left <= cells[0].column <= area.right for area in named.get(rows.row.number, ()))
    if rows.below and (declared or is_header(cells, rows.below[:LOOKED_AT], levels > 1, strict)):
        return levels
    return 0


def is_group_row(row: Row, merged: Mapping[tuple[int, int], Area]) -> bool:
    """Names over several columns each, with the names of the single columns below them."""
    names = all(not cell.is_value or is_period(cell) for cell in row.cells)
    return names and any(is_wide(merged, row.number, cell) for cell in row.cells)


def is_wide(merged: Mapping[tuple[int, int], Area], number: int, cell: Cell) -> bool:
    area = merged.get((number, cell.column))
    return area is not None and area.right > area.left


def is_header(cells: Sequence[Cell], below: Sequence[Row], grouped: bool, strict: bool) -> bool:
    texts = [cell.text for cell in cells]
    if len(cells) == 1 and len(below) > 1 and is_head_cell(cells[0]):  # a column by itself
        return all(len(row.cells) == 1 and row.cells[0].is_value for row in below)
    if len(cells) < 2 or not (all(map(is_head_cell, cells)) or is_row_of_periods(cells, below)):
        return False
    if not grouped and len(set(texts)) < len(texts):
        return False
    own = {cell.column for cell in cells}
    used = Counter(cell.column for row in below for cell in row.cells)
    frequent = [column for column, count in used.items() if 3 * count >= len(below)]
    covered = sum(column in own for column in frequent)
    if covered < 0.6 * len(frequent):
        return False
    if all(cell.marked for cell in cells) and not all(cell.marked for cell in below[0].cells):
        return True
    kinds = profile(below)
    values = {column for column in own if kinds.get(column)}
    if strict:
        return len(cells) > 2 and bool(values)
    if values:
        sure = all(cell.is_value for row in below for cell in row.cells if cell.column in values) and len(below) > 1
        return len(own) > 2 or sure
    named = {cell.column: cell.text for cell in cells}
    recurs = any(named.get(cell.column) == cell.text for row in below for cell in row.cells)
    if recurs or covered < len(frequent) or max(map(len, texts)) > SHORT:
        return False
    return len(below) > 1 and (len(own) > 2 or is_glossary(cells[-1], below))


def is_head_cell(cell: Cell) -> bool:
    return not cell.is_value and is_name(cell.text)


def is_row_of_periods(cells: Sequence[Cell], below: Sequence[Row]) -> bool:
    """Years or dates behind the name of the first column, or behind nothing, over columns that hold neither."""
    periods = [cell for cell in cells if is_period(cell)]
    columns = {cell.column for cell in periods}
    same = any(is_period(cell) for row in below for cell in row.cells if cell.column in columns)
    others = [cell for cell in cells if cell.column not in columns]
    return len(periods) > 1 and not same and len(others) < len(periods) and all(map(is_head_cell, others))


def is_period(cell: Cell) -> bool:
    return cell.is_value and bool(
        YEAR.fullmatch(cell.text) or (DATE.search(cell.text) and any(map(str.isdigit, cell.text)))
    )


def is_glossary(last: Cell, below: Sequence[Row]) -> bool:
    lengths = [len(cell.text) for row in below for cell in row.cells if cell.column == last.column]
    return len(lengths) > 2 and sum(lengths) / len(lengths) > LONGER * len(last.text)


def profile(rows: Sequence[Row]) -> dict[int, bool]:
    """Of each column, whether most of its cells are values."""
    values: Counter[int] = Counter()
    cells: Counter[int] = Counter()
    for row in rows[:LOOKED_AT]:
        for cell in row.cells:
            cells[cell.column] += 1
            values[cell.column] += cell.is_value
    return {column: 2 * values[column] > count for column, count in cells.items()}
