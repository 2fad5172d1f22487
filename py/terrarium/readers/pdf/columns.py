"""Rows of a PDF page → regions (columns and full-width bands) in reading order.

Columns are found by white gutters, after the recursive X-Y cut of Nagy and Seth (1984). A gutter counts only when both
sides hold running text, so that tables stay rows; a table of long texts side by side may still be taken for columns.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate

from terrarium.readers.pdf.lines import Line, line, segments
from terrarium.readers.pdf.runs import Run, rows

PROSE = 24  # letters of a line: shorter ones are labels and cells
BIN = 2.0  # points


def regions(runs: Iterable[Run]) -> list[list[Line]]:
    """Lines of each column or full-width band, in reading order."""
    parts = [segment for row in rows(runs) for segment in segments(row)]
    return [[line(row) for row in rows(r for s in region for r in s)] for region in columns(parts) if region]


def columns(parts: list[list[Run]], depth: int = 0) -> list[list[list[Run]]]:
    """Segments of a page → segments of each region."""
    if depth == 4 or len(parts) < 4:
        return [parts]
    middle = gutter(parts, 4 if depth else 2)
    if middle is None:
        bands = [columns(band, depth + 1) for band in cut_at_gaps(parts)]
        return [region for band in bands for region in band] if any(len(band) > 1 for band in bands) else [parts]
    result: list[list[list[Run]]] = []
    spanning: list[list[Run]] = []
    left: list[list[Run]] = []
    right: list[list[Run]] = []

    def flush() -> None:
        if left and right:
            if spanning:
                result.append(spanning[:])
                spanning.clear()
            result.extend(columns(left[:], depth + 1) + columns(right[:], depth + 1))
        else:
            spanning.extend(left or right)
        left.clear()
        right.clear()

    lines = rows_of_segments(parts)
    spans = [is_spanning(row, middle) for row in lines]
    cells = [len(row) > 2 and not any(breadth(s) > PROSE for s in row) for row in lines]
    for i, row in enumerate(lines):
        if spans[i] or (cells[i] and any(cells[max(i - 1, 0) : i] + cells[i + 1 : i + 2])):
            flush()
            spanning.extend(row)
        else:
            left.extend(s for s in row if x1(s) <= middle)
            right.extend(s for s in row if x0(s) >= middle)
    flush()
    if spanning:
        result.append(spanning)
    return result


def cut_at_gaps(parts: Sequence[list[Run]]) -> list[list[list[Run]]]:
    """Bands between horizontal white of more than a line: a table under two columns hides their gutter."""
    ordered = sorted(parts, key=lambda s: s[0].y)
    result = [ordered[:1]]
    for part in ordered[1:]:
        if part[0].y - result[-1][-1][0].y > 2.2 * part[0].size:
            result.append([part])
        else:
            result[-1].append(part)
    return result if len(result) > 1 else []


def rows_of_segments(parts: Iterable[list[Run]]) -> list[list[list[Run]]]:
    result: list[list[list[Run]]] = []
    for part in sorted(parts, key=lambda s: s[0].y):
        if result and part[0].y - result[-1][0][0].y < 0.4 * part[0].size:
            result[-1].append(part)
        else:
            result.append([part])
    return result


def x0(segment: Sequence[Run]) -> float:
    return segment[0].x0


def x1(segment: Sequence[Run]) -> float:
    return max(run.x1 for run in segment)


def breadth(segment: Sequence[Run]) -> int:
    """Letters, those of East Asian scripts counted twice."""
    return sum(len(run.text) + sum(c >= "\u2e80" for c in run.text) for run in segment)


def gutter(parts: Sequence[list[Run]], least: int) -> float | None:
    """x of the white between two columns of running text of `least` lines or more, or None."""
    start, end = min(map(x0, parts)), max(map(x1, parts))
    bins = int((end - start) / BIN) + 1
    if not 40 <= bins <= 5000:
        return None
    steps = [0] * (bins + 1)
    for part in parts:
        steps[int((x0(part) - start) / BIN)] += 1
        steps[min(int((x1(part) - start) / BIN) + 1, bins)] -= 1
    covered = list(accumulate(steps[:-1]))
    limit = max(covered) // 2
    candidates = []
    first = None
    for i, count in enumerate([*covered, limit + 1]):
        if count <= limit:
            first = i if first is None else first
        elif first is not None:
            # Within the white the emptiest stretch is the gutter; its middle parts the sides.
            low = min(covered[first:i])
            span = [j for j in range(first, i) if covered[j] == low]
            middle = start + (span[0] + span[-1] + 1) / 2 * BIN
            if 0.15 < (middle - start) / (end - start) < 0.85:
                candidates.append((low, first - i, middle))
            first = None
    middles = (middle for _, _, middle in sorted(candidates))
    return next((middle for middle in middles if parts_columns(parts, middle, end - start, least)), None)


def is_spanning(row: Sequence[list[Run]], middle: float) -> bool:
    return any(x0(segment) < middle < x1(segment) for segment in row)


def parts_columns(parts: Sequence[list[Run]], middle: float, width: float, least: int) -> bool:
    """Whether text on both sides runs like columns rather than like cells of a table."""
    sides = [[s for s in parts if x1(s) <= middle], [s for s in parts if x0(s) >= middle]]
    if min(map(len, sides)) < least:
        return False
    tops = [min(s[0].y for s in side) for side in sides]
    bottoms = [max(s[0].y for s in side) for side in sides]
    if max(tops) >= min(bottoms):
        return False
    prose = [is_prose(side, width) for side in sides]
    if all(prose):
        return True
    return any(prose) and is_beside(*(sides if prose[1] else sides[::-1]))


def is_prose(side: Sequence[list[Run]], width: float) -> bool:
    """Whether the lines of a side are mostly full ones of text; it may hold more columns itself."""
    reach = max(map(x1, side)) - min(map(x0, side))
    widths = sorted(x1(s) - x0(s) for s in side)
    usual = widths[len(widths) * 4 // 5]
    full = sum(x1(s) - x0(s) > 0.7 * usual and breadth(s) > PROSE for s in side)
    return reach >= 0.2 * width and full >= max(2, 0.2 * len(side)) and usual > 0.25 * reach


def is_beside(notes: Sequence[list[Run]], text: Sequence[list[Run]]) -> bool:
    """Whether short lines stand in the margin of a text: cells of a table would share the baselines of the others."""
    bases = sorted(s[0].y for s in text)
    apart = 0
    for segment in notes:
        place = bisect_left(bases, segment[0].y)
        apart += all(abs(base - segment[0].y) > 1 for base in bases[max(place - 1, 0) : place + 1])
    return len(notes) > 2 and apart > 0.6 * len(notes)
