"""Text items of a PDF page → runs → rows, and a row → a line of text."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SEGMENT_GAP = 0.9  # em: wider white in a row may be a gutter
CELL_GAP = 2.2  # em: wider white within a line parts cells
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
