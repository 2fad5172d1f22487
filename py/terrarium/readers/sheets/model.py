"""What a reader of spreadsheets finds in a file, whatever its format: sheets of rows of cells, as they are seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

STEP = 500  # rows between two reports of progress
MOST_CELLS = 500_000  # of one file, as `cost` counts them
LONGEST_TEXT = 32_767  # characters of a cell, which is what Excel takes
MOST_COLUMNS = 16_384
MOST_MERGED = 200_000  # columns that all merged cells of a sheet may lie over


class Cell(NamedTuple):
    column: int  # 0-based
    text: str  # as it is shown
    is_value: bool = False  # a number, a date, a truth value: names no column
    marked: bool = False  # bold, or on a ground of its own: how people write headers


class Row(NamedTuple):
    number: int  # 1-based
    cells: list[Cell]  # those that are seen and hold something, from left to right


class Area(NamedTuple):
    """Rows 1-based, columns 0-based, both ends included."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(slots=True)
class Sheet:
    name: str
    hidden: bool = False
    rows: list[Row] = field(default_factory=list)  # that hold something, from top to bottom
    merged: list[Area] = field(default_factory=list)
    named: list[Area] = field(default_factory=list)  # the file says that their first rows name the columns
    notes: list[str] = field(default_factory=list)  # comments, text boxes, margins: what stands beside the cells
    unseen: list[str] = field(default_factory=list)  # texts of hidden rows, columns, cells and shapes
    unseen_rows: set[int] = field(default_factory=set)
    unseen_columns: set[int] = field(default_factory=set)
    unseen_cells: list[str] = field(default_factory=list)  # "B2"
    uncalculated: list[str] = field(default_factory=list)  # cells whose formula has no result in the file: "D2"
    damage: str = ""  # what could not be read of it, as the end of a sentence
    cut_at: int = 0  # the last row that was read, where there are more than may be
    repeats_left_out: int = 0  # cells that say the same as the one beside them, where they are too many
    merged_left: int = MOST_MERGED

    def merge(self, area: Area) -> None:
        right = min(area.right, MOST_COLUMNS - 1)
        self.merged_left -= max(right - area.left, 0) + 1
        if self.merged_left >= 0:
            self.merged.append(area._replace(right=right))

    def hide(self, row: int, column: int, hidden_row: bool, hidden_column: bool) -> None:
        """Keeps where something is that nobody sees."""
        if hidden_row:
            self.unseen_rows.add(row)
        elif hidden_column:
            self.unseen_columns.add(column)
        else:
            self.unseen_cells.append(f"{letters(column)}{row}")


class Steps:
    """Counts rows and says now and then how many are done."""

    def __init__(self, progress: Callable[[int, int], None] | None, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def count(self) -> None:
        self._done += 1
        if self._progress and (self._done % STEP == 0 or self._done == self._total):
            self._progress(self._done, self._total)


def cost(text: str) -> int:
    """How many cells one counts for: a file may name one long text in each of its cells."""
    return 1 + len(text) // 100


def letters(column: int) -> str:
    """ "A" for 0, "AA" for 26."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def spans(numbers: list[int]) -> list[str]:
    """ "3–5" for 3, 4, 5, each run once."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return [str(first) if first == last else f"{first}–{last}" for first, last in runs]


def column_of(name: str) -> int:
    """0 for "A", 26 for "AA"."""
    column = 0
    for letter in name:
        column = 26 * column + ord(letter) - 64
    return column - 1
