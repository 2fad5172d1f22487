"""Rows of a PDF page → lines of text in reading order, with their cells and footnote marks."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from terrarium.readers.pdf.bidi import RIGHT, is_right_to_left, logical
from terrarium.readers.pdf.runs import Run

SEGMENT_GAP = 0.9  # em: wider white in a row may be a gutter
CELL_GAP = 2.2  # em: wider white within a line parts cells
MARK = re.compile(r"\(?([0-9]{1,3}|[*∗†‡§¶]{1,3}|[a-z])\)?[.,]?")  # of a footnote, raised
DIGIT = re.compile(r"[0-9]$")


@dataclass(slots=True)
class Cell:
    """A part of a line, parted from others by much white."""

    x0: float
    x1: float
    text: str


@dataclass(slots=True)
class Line:
    x0: float
    x1: float
    y: float
    size: float
    text: str  # cells parted by tabs
    bold: bool
    mono: bool
    parts: Sequence[Cell] = ()
    marks: tuple[str, ...] = ()  # raised behind words
    note: str = ""  # the raised mark that it begins with
    table: int = -1  # stands for this table of the page

    @property
    def cells(self) -> int:
        return len(self.parts)


def segments(row: Sequence[Run]) -> list[list[Run]]:
    """A row cut where a gutter could be."""
    result: list[list[Run]] = []
    end = -math.inf
    for run in row:
        last = result[-1][-1] if result else None
        if last is None or run.x0 - end > SEGMENT_GAP * max(run.size, last.size):
            result.append([run])
        else:
            result[-1].append(run)
        end = max(end, run.x1)
    return result


def line(row: Sequence[Run]) -> Line:
    """One line's text: white of more than a sixth of an em is a space, much more parts cells."""
    main = max(row, key=lambda run: len(run.text)) if len(row) > 1 else row[0]
    size = main.size
    drawn = "".join([run.text for run in row])
    right = RIGHT.search(drawn) is not None
    rtl = right and (row[0].rtl or is_right_to_left(drawn))
    parts: list[Cell] = []
    marks: list[str] = []
    note = text = ""
    x0 = row[0].x0
    for i, run in enumerate(row):
        own = run.text
        if i:
            before = row[i - 1]
            gap = run.x0 - before.x1
            if gap > CELL_GAP * size:
                parts.append(Cell(x0, before.x1, text))
                text, x0 = "", run.x0
            elif gap > 0.15 * min(run.size, before.size) and not text.endswith(" ") and own[0] != " ":
                text += " "
        if run.size < 0.85 * size and run.y < main.y - 0.15 * size and (mark := MARK.fullmatch(own.strip())):
            if DIGIT.search(text) and own[0].isdigit():
                # 10⁵ is not 105; one above the other they are a fraction.
                own = ("^" if run.x0 > row[i - 1].x1 - 0.1 * size else " ") + own
            if text.strip():
                marks.append(mark[1])
            elif not parts:
                note, own = mark[1], own.rstrip() + " "
        if run.label:
            own = run.label + ": " + own if needs_label(row, i) else own
        text += own
    parts.append(Cell(x0, max(run.x1 for run in row), text))
    for part in parts:
        part.text = (logical(part.text, rtl) if right else part.text).strip()
    parts = [part for part in (reversed(parts) if rtl else parts) if part.text]
    chief = [run for run in row if run.size > 0.8 * size and run.text.strip()] or row
    return Line(
        row[0].x0, max(run.x1 for run in row), main.y, size, "\t".join(part.text for part in parts),
        all(run.bold for run in chief), all(run.mono for run in chief), parts, tuple(marks), note,
        max(run.table for run in row),
    )  # fmt: skip


def needs_label(row: Sequence[Run], place: int) -> bool:
    """Whether nothing printed on its line says what a form field's value is."""
    return not any(run.text.strip() for run in row[:place] if not run.label)
