"""Text items of a PDF page → rows → regions (columns) → lines, in reading order.

Columns are found by white gutters (a one-level variant of the recursive X-Y cut of Nagy and Seth, 1984, repeated on
each side). A gutter counts only when both sides hold running text, so that tables stay rows.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SEGMENT_GAP = 0.9  # em: wider white in a row may be a gutter
CELL_GAP = 2.2  # em: wider white within a line parts cells
PROSE = 24  # letters of a line: shorter ones are labels and cells
BIN = 2.0  # points
COMPATIBILITY = re.compile("[\ufb00-\ufb4f\ufb50-\ufdff\ufe70-\ufefc\uff61-\uff9f\uf900-\ufaff]+")
UNWANTED = re.compile("[\0-\b\v-\x1f\x7f\ufeff\u200b\ufffe\uffff\ufffd]")


@dataclass(slots=True)
class Run:
    """A piece of text in one font, upright: x0–x1 along the line, `y` of its baseline, `size` of its font; points."""

    x0: float
    x1: float
    y: float
    size: float
    text: str
    bold: bool
    mono: bool
    rtl: bool


@dataclass(slots=True)
class Line:
    x0: float
    x1: float
    y: float
    size: float
    text: str  # cells parted by tabs
    bold: bool
    mono: bool

    @property
    def cells(self) -> int:
        return self.text.count("\t") + 1


def clean(text: str) -> str:
    """Ligatures and presentation forms folded (NFKC), NUL and other control characters removed."""
    text = COMPATIBILITY.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return UNWANTED.sub("", text)


def page_rows(items: Iterable[Mapping[str, Any]], fonts: Mapping[str, Mapping[str, Any]]) -> dict[int, list[list[Run]]]:
    """angle → rows, top to bottom; upright text first."""
    groups: dict[int, list[Run]] = {}
    for item in items:
        text = clean(item["str"])
        if not text.strip():
            continue
        font = fonts.get(item["font"], {})
        angle = (90 if font.get("vertical") else round(item["angle"] / 5) * 5) % 360
        x, y = item["x"], item["y"]
        if angle:
            cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            x, y = x * cos + y * sin, y * cos - x * sin
        run = Run(
            x, x + item["width"], y, item["height"] or 1.0, text,
            bool(font.get("bold")), bool(font.get("mono")), item["dir"] == "rtl",
        )  # fmt: skip
        groups.setdefault(angle, []).append(run)
    return {angle: rows(groups[angle]) for angle in sorted(groups, key=lambda a: (a != 0, -len(groups[a])))}


def rows(runs: Iterable[Run]) -> list[list[Run]]:
    """Runs on one baseline, raised and lowered ones with them, left to right."""
    result: list[list[Run]] = []
    base = size = 0.0
    for run in sorted(runs, key=lambda r: r.y):
        if result and run.y - base < 0.45 * max(run.size, size):
            result[-1].append(run)
            if run.size > size:
                base, size = run.y, run.size
        else:
            result.append([run])
            base, size = run.y, run.size
    for row in result:
        row.sort(key=lambda r: r.x0)
    return result


def segments(row: Sequence[Run]) -> list[list[Run]]:
    """A row cut where a gutter could be. Text drawn twice for boldness is taken once."""
    result: list[list[Run]] = []
    end = -math.inf
    for run in row:
        last = result[-1][-1] if result else None
        near = run.size / 5
        if last and run.text == last.text and abs(run.x0 - last.x0) < near and abs(run.y - last.y) < near:
            continue
        if last is None or run.x0 - end > SEGMENT_GAP * max(run.size, last.size):
            result.append([run])
        else:
            result[-1].append(run)
        end = max(end, run.x1)
    return result


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

    for row in rows_of_segments(parts):
        if any(x0(s) < middle < x1(s) for s in row):
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
    covered, count = [], 0
    for step in steps[:-1]:
        count += step
        covered.append(count)
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


def parts_columns(parts: Sequence[list[Run]], middle: float, width: float, least: int) -> bool:
    """Whether text on both sides runs like columns rather than like cells of a table."""
    sides = [[s for s in parts if x1(s) <= middle], [s for s in parts if x0(s) >= middle]]
    for side in sides:
        if len(side) < least:
            return False
        reach = max(map(x1, side)) - min(map(x0, side))
        full = sum(x1(s) - x0(s) > 0.7 * reach and breadth(s) > PROSE for s in side)
        if reach < 0.2 * width or full < max(2, 0.2 * len(side)):
            return False
    tops = [min(s[0].y for s in side) for side in sides]
    bottoms = [max(s[0].y for s in side) for side in sides]
    return max(tops) < min(bottoms)


def line(row: Sequence[Run]) -> Line:
    """One line's text: white of more than a sixth of an em is a space, much more parts cells."""
    letters = [len(run.text) for run in row]
    size = max(zip(letters, (run.size for run in row), strict=True))[1]
    ordered = list(row)
    if sum(run.rtl for run in row) * 2 > len(row):
        ordered.reverse()
    text = ""
    for i, run in enumerate(ordered):
        if i:
            before = ordered[i - 1]
            gap = max(run.x0, before.x0) - min(run.x1, before.x1) if ordered[0] is not row[0] else run.x0 - before.x1
            if gap > CELL_GAP * size:
                text = text.rstrip() + "\t"
            elif gap > 0.15 * min(run.size, before.size) and not text.endswith(" ") and not run.text.startswith(" "):
                text += " "
        text += run.text
    main = [run for run in row if run.size > 0.8 * size and run.text.strip()] or row
    y = next(run.y for run in row if run.size == size)
    return Line(
        row[0].x0, max(run.x1 for run in row), y, size, text.strip(),
        all(run.bold for run in main), all(run.mono for run in main),
    )  # fmt: skip
