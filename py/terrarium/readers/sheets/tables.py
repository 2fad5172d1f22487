"""Where the tables of a sheet lie, and which of their rows name the columns.

Blank rows cut a sheet, blank columns where two tables plainly stand side by side. What a header is: rows that the file
declares so (tables, filters), else by headers.py. A table without one is rows without names; one that goes on
below a blank row keeps the names above it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise

from terrarium.readers.rows import LONGEST_NAME, squeeze
from terrarium.readers.sheets.headers import FewRows, head_count, profile
from terrarium.readers.sheets.model import Area, Row, Sheet

DEEPEST = 8  # cuts of cuts
MOST_TITLES = 10
HEAD_WITHIN = 10  # rows of a table
MOST = 2 * LONGEST_NAME  # characters of a name: every row says it
MOST_BESIDE = 30  # tables side by side; more blank columns are a pattern of one table
NEAR = 3  # blank rows that a table may go on below


@dataclass(slots=True)
class Table:
    columns: list[int]
    rows: list[Row]  # without those of the two below
    titles: list[Row] = field(default_factory=list)  # of one cell each, above it
    heads: list[Row] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    unnamed: set[int] = field(default_factory=set)  # numbers of rows to which the names do not belong


def tables_of(sheet: Sheet) -> list[Table]:
    """From top to bottom, then from left to right."""
    merged = {(area.top, area.left): area for area in sheet.merged}
    named: dict[int, list[Area]] = {}
    for area in sheet.named:
        named.setdefault(area.top, []).append(area)
    tables: list[Table] = []
    for region in regions(sheet):
        table = table_of(region, merged, named)
        if tables and not table.names and goes_on(tables[-1], table):
            table.names = tables[-1].names
        tables.append(table)
    return tables


def regions(sheet: Sheet) -> list[list[Row]]:
    wide = sorted(area for area in sheet.merged if area.right > area.left)
    pending = [(sheet.rows, 0)] if sheet.rows else []
    found: list[list[Row]] = []
    while pending:
        part, depth = pending.pop()
        if len(part) == 1:
            found.append(part)
            continue
        cut = bands(part, sheet.unseen_rows)
        if len(cut) == 1 and depth < DEEPEST:
            cut = columns_apart(part, wide, sheet.unseen_columns)
        if len(cut) == 1 or depth >= DEEPEST:
            found += cut
        else:
            pending += [(one, depth + 1) for one in cut]
    return sorted(found, key=lambda region: (region[0].number, region[0].cells[0].column))


def bands(rows: list[Row], unseen: Set[int]) -> list[list[Row]]:
    """Parts that blank rows cut. Hidden rows are none: what is left of a table stays one."""
    cuts = [
        i
        for i, (above, below) in enumerate(pairwise(rows), 1)
        if not all(number in unseen for number in range(above.number + 1, below.number))
    ]
    return [rows[start:end] for start, end in zip([0, *cuts], [*cuts, len(rows)], strict=True)]


def columns_apart(rows: list[Row], wide: Sequence[Area], unseen: Set[int]) -> list[list[Row]]:
    """Parts that blank columns cut and that are tables by their looks: two columns and two rows at least, which begin
    or end in different rows or have the same names. `wide` are cells merged over several columns, from top to bottom.
    """
    used = {cell.column for row in rows for cell in row.cells}
    first = bisect_left(wide, (rows[0].number,))
    for area in wide[first : bisect_left(wide, (rows[-1].number + 1,))]:
        used.update(range(area.left, area.right + 1))
    left, right = min(used), max(used)
    used.update(column for column in unseen if left < column < right)
    ordered = sorted(used)
    gaps = [below for above, below in pairwise(ordered) if below > above + 1]
    if not 0 < len(gaps) < MOST_BESIDE:
        return [rows]
    edges = [ordered[0], *gaps, ordered[-1] + 1]
    parts = [within(rows, edges[0], edges[1])]
    start = edges[0]
    for left, right in pairwise(edges[1:]):
        part = within(rows, left, right)
        if apart(parts[-1], part):
            parts.append(part)
            start = left
        else:
            parts[-1] = within(rows, start, right)
    return parts


def within(rows: Iterable[Row], left: int, right: int) -> list[Row]:
    """The rows with their cells in the columns from `left` to before `right`."""
    cut = (Row(row.number, [cell for cell in row.cells if left <= cell.column < right]) for row in rows)
    return [row for row in cut if row.cells]


def apart(one: Sequence[Row], other: Sequence[Row]) -> bool:
    sizes = ((len(part), len({cell.column for row in part for cell in row.cells})) for part in (one, other))
    if any(height < 2 or width < 2 for height, width in sizes):
        return False
    if (one[0].number, one[-1].number) != (other[0].number, other[-1].number):
        return True
    names, others = ({cell.text for cell in part[0].cells} for part in (one, other))
    return len(names & others) > 1


def table_of(rows: list[Row], merged: Mapping[tuple[int, int], Area], named: Mapping[int, Sequence[Area]]) -> Table:
    columns = sorted({cell.column for row in rows for cell in row.cells})
    if len(rows) == 1:
        return Table(columns, rows)
    start = 0
    while start < min(MOST_TITLES, len(rows) - 1) and is_title(rows[start], columns, merged):
        start += 1
    if start and not any(len(row.cells) > 1 for row in rows[start:]):
        start = 0
    for first in range(start, min(start + HEAD_WITHIN, len(rows) - 1)):
        count = head_count(FewRows(rows, first), merged, named, first > start)
        if count:
            heads = rows[first : first + count]
            table = Table(columns, rows[start:first] + rows[first + count :], rows[:start], heads)
            table.names = column_names(heads, merged)
            table.unnamed = {row.number for row in rows[start:first]}
            table.unnamed |= {row.number for row in table.rows if is_label(row, merged)}
            return table
    return Table(columns, rows[start:], rows[:start])


def is_title(row: Row, columns: Sequence[int], merged: Mapping[tuple[int, int], Area]) -> bool:
    """One text, unless it is merged over some columns only: then it names them."""
    if len(row.cells) > 1 or len(columns) < 2 or row.cells[0].is_value:
        return False
    area = merged.get((row.number, row.cells[0].column))
    return area is None or area.right == area.left or row.cells[0].column == columns[0]


def is_label(row: Row, merged: Mapping[tuple[int, int], Area]) -> bool:
    """A text alone in its row that says what the rows below it are, or something about them all."""
    cell = row.cells[0]
    if len(row.cells) > 1 or cell.is_value:
        return False
    return cell.marked or len(cell.text.split()) > 2 or len(reach(merged, row.number, cell.column)) > 1


def column_names(heads: Sequence[Row], merged: Mapping[tuple[int, int], Area]) -> dict[int, str]:
    """Merged cells name all their columns; of several header rows the names are joined, outermost first."""
    parts: dict[int, list[str]] = {}
    for row in heads:
        for cell in row.cells:
            for column in reach(merged, row.number, cell.column):
                own = parts.setdefault(column, [])
                if own[-1:] != [cell.text]:
                    own.append(cell.text)
    names = {column: squeeze(" ".join(own)).rstrip(" :") for column, own in parts.items()}
    return {column: name if len(name) <= MOST else name[:MOST] + "…" for column, name in names.items()}


def reach(merged: Mapping[tuple[int, int], Area], row: int, column: int) -> range:
    area = merged.get((row, column))
    return range(column, area.right + 1 if area else column + 1)


def goes_on(above: Table, below: Table) -> bool:
    """Whether the rows of a table without names are of the same kinds as those of the one right above it."""
    if not above.names or not above.rows or not below.rows or len(below.columns) < 2 or below.titles:
        return False
    kinds = profile(above.rows)
    near = above.rows[-1].number < below.rows[0].number <= above.rows[-1].number + NEAR + 1
    own = profile(below.rows)
    return near and any(own.values()) and all(kinds.get(column) is kind for column, kind in own.items())
