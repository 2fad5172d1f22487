"""Cells of a PDF page → tables: those inside of ruled lines, and those that only stand under each other."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from terrarium.readers.pdf.lines import Line, line
from terrarium.readers.pdf.rules import Grid
from terrarium.readers.pdf.runs import Run, rows

LONGEST = 600  # characters: a longer cell holds text, so the lines around it are a box
MOST_STARTS = 200  # places at which cells of a table without lines begin
FILLED = 0.3  # of a grid's places, at least
VALUE = re.compile(
    r"(?:[^\w\s]{0,2}\s?\d[\d\s.,:/%'’-]*\s?(?:[^\W\d]{1,4}\.?|[€$£¥%‰*])?\)?|[-–—.]{1,3}|n/?a\.?)", re.IGNORECASE
)


@dataclass(slots=True)
class Row:
    cells: list[str]  # each with its lines
    bold: bool
    top: float  # of the first and the last of its baselines
    bottom: float


@dataclass(slots=True)
class Table:
    rows: list[Row]
    x: list[float]  # where its columns begin
    right: float
    ruled: bool
    size: float  # of its font
    mono: bool = False
    runs: set[int] = field(default_factory=set)  # ids of the runs that it is made of


def ruled_table(grid: Grid, runs: Sequence[Run]) -> Table | None:
    """The table of the runs inside a grid, None where the lines hold no table."""
    places: dict[tuple[int, int], list[Run]] = {}
    used: set[int] = set()
    top, bottom = grid.y[0], grid.y[-1]
    for run in runs:
        if top < run.y < bottom + run.size:
            # By its beginning: a heading may reach over several columns.
            place = grid.place(run.x0 + min(1.0, (run.x1 - run.x0) / 2) + 1, run.y - run.size / 3)
            if place:
                places.setdefault(place, []).append(run)
                used.add(id(run))
    if not used:
        return None
    lines = {place: [line(row) for row in rows(inside)] for place, inside in places.items()}
    texts = {place: " ".join(one.text.replace("\t", " ") for one in found) for place, found in lines.items()}
    wide, high = len(grid.x) - 1, len(grid.y) - 1
    full_rows, full_columns = {row for row, _ in places}, {column for _, column in places}
    spread = len(full_rows) > 1 and len(full_columns) > 1 and len(places) >= FILLED * len(full_rows) * len(full_columns)
    if not spread or max(map(len, texts.values())) > LONGEST:
        return None
    spread_down(grid, lines)
    made: list[Row] = []
    for row in range(high):
        own = {column: lines[row, column] for column in range(wide) if (row, column) in lines}
        made += grid_rows(own, wide, few=high < 3)
    sizes = Counter(run.size for inside in places.values() for run in inside)
    mono = all(one.mono for found in lines.values() for one in found)
    return Table(made, grid.x[:-1], grid.x[-1], True, sizes.most_common(1)[0][0], mono, used)


def spread_down(grid: Grid, lines: dict[tuple[int, int], list[Line]]) -> None:
    """Cells that reach over several rows: what stands in them is said in each."""
    rows = range(len(grid.y) - 1)
    for column in range(len(grid.x) - 1):
        start = 0
        for row in rows:
            if row + 1 in rows and grid.runs_on(row, column):
                continue
            found = [one for i in range(start, row + 1) for one in lines.get((i, column), ())]
            for i in range(start, row + 1) if row > start and found else ():
                if any((i, other) in lines for other in range(len(grid.x) - 1) if other != column):
                    lines[i, column] = found
            start = row + 1


def grid_rows(own: dict[int, list[Line]], wide: int, *, few: bool) -> list[Row]:
    """One row, or one for each baseline where the first column and others have a line on each, and only there.

    `few`: the grid has hardly any level lines, so they do not part its rows.
    """
    if not own:
        return []
    heights = [[one.y for one in found] for found in own.values()]
    bases = heights[0]
    aligned = all(any(abs(y - base) <= 2 for base in bases) for ys in heights[1:] for y in ys)
    alike = aligned and len(bases) > (1 if few else 2) and any(len(ys) == len(bases) for ys in heights[1:])
    groups = [list(own.items())]
    if alike:
        groups = [
            [
                (column, near)
                for column, found in own.items()
                if (near := [one for one in found if abs(one.y - base) <= 2])
            ]
            for base in bases
        ]
    result = []
    for group in groups:
        cells = [""] * wide
        for column, found in group:
            cells[column] = "\n".join(one.text.replace("\t", " ") for one in found)
        ys = [one.y for _, found in group for one in found]
        result.append(Row(cells, all(one.bold for _, found in group for one in found), min(ys), max(ys)))
    return result


def unruled_table(lines: Sequence[Line]) -> Table | None:
    """The table of lines that have cells, with the lines on which a cell goes on; None where no columns are seen."""
    counts = Counter(one.cells for one in lines if one.cells > 1)
    usual = max(counts, key=lambda n: (counts[n], n))
    columns = spans([part for one in lines if one.cells >= usual for part in ((p.x0, p.x1) for p in one.parts)])
    if len(columns) < 2:
        return None
    pitches = sorted(b.y - a.y for a, b in zip(lines, lines[1:], strict=False))
    pitch = pitches[len(pitches) // 2]
    made: list[Row] = []
    above = 0.0
    for one in lines:
        cells = [""] * len(columns)
        for part in one.parts:
            column = nearest(columns, part.x0, part.x1)
            cells[column] = f"{cells[column]} {part.text}".strip()
        if made and goes_on(made[-1], cells, one.y - above, pitch, one.size):
            last = made[-1]
            last.cells = ["\n".join(filter(None, (a, b))) for a, b in zip(last.cells, cells, strict=True)]
            last.bottom, last.bold = one.y, last.bold and one.bold
        else:
            made.append(Row(cells, one.bold, one.y, one.y))
        above = one.y
    return Table(made, [x for x, _ in columns], columns[-1][1], False, lines[0].size) if len(made) > 1 else None


def goes_on(last: Row, cells: Sequence[str], step: float, pitch: float, size: float) -> bool:
    """Whether a line belongs to the row above it."""
    if step > 1.6 * size:
        return False
    if any(VALUE.fullmatch(cell) for cell in cells if cell):
        return False
    filled = sum(map(bool, cells))
    if not cells[0]:
        return filled < len(cells) - 1 or len(cells) == 2 or step < 0.87 * pitch
    return filled == 1 and step < 0.87 * pitch and last.top == last.bottom


def spans(parts: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Columns: what overlaps from left to right is one."""
    result: list[tuple[float, float]] = []
    for x0, x1 in sorted(parts):
        if result and x0 < result[-1][1] - 0.5:
            result[-1] = (result[-1][0], max(result[-1][1], x1))
        else:
            result.append((x0, x1))
    return result


def nearest(columns: Sequence[tuple[float, float]], x0: float, x1: float) -> int:
    def distance(i: int) -> float:
        return max(columns[i][0], x0) - min(columns[i][1], x1)

    return min(range(len(columns)), key=distance)


def table_stretches(region: Sequence[Line]) -> list[tuple[int, int]]:
    """(first line, line behind the last) of what looks like a table: lines of cells beside lines of cells, with the
    lines between them on which a cell goes on."""
    result: list[tuple[int, int]] = []
    i = 0
    while i < len(region):
        end = i
        if region[i].cells > 1 and not region[i].mono:
            starts = [part.x0 for part in region[i].parts]
            end = i + 1
            while end < len(region) and belongs(region, end, starts):
                if region[end].cells > 1 and len(starts) < MOST_STARTS:
                    starts = sorted({*starts, *(part.x0 for part in region[end].parts)})
                end += 1
        while end > i and region[end - 1].cells < 2 and not hangs(region, end - 1):
            end -= 1
        if sum(one.cells > 1 for one in region[i:end]) > 1:
            result.append((i, end))
            i = end
        else:
            i += 1
    return result


def belongs(region: Sequence[Line], i: int, starts: Sequence[float]) -> bool:
    one, above = region[i], region[i - 1]
    step, size = one.y - above.y, max(one.size, above.size)
    if one.mono or one.table >= 0 or not 0 < step < 4 * size:
        return False
    if one.cells > 1:
        return True
    # A cell that goes on stands under its column: not under the first, unless a row follows at more than this distance.
    place = bisect_left(starts, one.x0 - 0.4 * size)
    under = place < len(starts) and abs(starts[place] - one.x0) < 0.5 * size
    if step > 1.6 * size or not under:
        return False
    if place:
        return True
    below = region[i + 1] if i + 1 < len(region) else None
    fits = len(starts) > 1 and one.x1 < starts[1]
    return fits and below is not None and below.cells > 1 and below.y - one.y > 1.15 * step


def hangs(region: Sequence[Line], i: int) -> bool:
    """Whether a last line of one cell stands under a column that is not the first."""
    above = next((one for one in reversed(region[:i]) if one.cells > 1), None)
    return above is not None and any(abs(part.x0 - region[i].x0) < 0.5 * above.size for part in above.parts[1:])
