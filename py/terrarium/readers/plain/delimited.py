"""CSV and TSV → a row a record, whatever delimits the cells: the delimiter is told by the text, or by its own "sep=;".

Lines above the table (titles, comments) are rows without names. What is decimal in a number stays as it is written.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence

from terrarium.model import Block
from terrarium.readers.rows import is_name, row_block, squeeze
from terrarium.readers.sheets.headers import LOOKED_AT, is_row_of_periods, profile
from terrarium.readers.sheets.model import Cell, Row

DELIMITERS = "\t;,|"
SAMPLE = 64 * 1024  # characters in which the delimiter is looked for
DECLARED = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)  # what Excel writes and reads
MOST_LINES_ABOVE = 20
VALUE = re.compile(r"[-+(]?[^\w\s]{0,3}\s?\d[\d.,:/'’\s%-]*\)?\s?\S{0,3}")  # numbers, amounts, dates, times


def csv_blocks(text: str) -> list[Block]:
    """A block a record of comma-separated values; none when there is no table in the text after all.

    The first record names the columns when none of its cells looks like a value. A quote that is never closed makes
    the text no table, because everything behind it would be one cell.
    """
    declared = DECLARED.match(text)
    text = text[declared.end() :] if declared else text
    delimiter = declared[1] if declared else csv_delimiter(text)
    try:
        records = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True) if delimiter else ()
        rows = [
            (number, cells)
            for number, record in enumerate(records, 1)
            if any(cells := [squeeze(cell) for cell in record])
        ]
    except (csv.Error, TypeError):  # a delimiter that can be none
        return []
    first = lines_above([cells for _, cells in rows[: MOST_LINES_ABOVE + 2]])
    above, rows = rows[:first], rows[first:]
    names = header([cells for _, cells in rows[: LOOKED_AT + 1]])
    table = rows[1:] if names else rows
    return [row_block(enumerate(cells), {}, number) for number, cells in above] + [
        row_block(enumerate(cells), names, number) for number, cells in table
    ]


def csv_delimiter(text: str) -> str:
    """What cuts most of the first records into equally many cells, or "" when nothing does."""
    sample = text[:SAMPLE].splitlines(keepends=True)[:100]
    best, share = "", 0.6
    for delimiter in DELIMITERS:
        sizes = [len(row) for row in csv.reader(sample, delimiter=delimiter) if row]
        first = next((i for i, size in enumerate(sizes[:MOST_LINES_ABOVE]) if size > 1), 0)  # behind lines of its own
        widths = Counter(sizes[first:])
        width, found = widths.most_common(1)[0] if widths else (0, 0)
        if width > 1 and found / widths.total() > share:
            best, share = delimiter, found / widths.total()
    return best


def lines_above(rows: Sequence[Sequence[str]]) -> int:
    """How many lines stand above the table: comments, and lines of a single cell."""
    filled = [sum(map(bool, cells)) for cells in rows]
    if max(filled, default=0) < 2:
        return 0
    count = 0
    while count < len(rows) - 1 and (filled[count] < 2 or rows[count][0].startswith("#")):
        count += 1
    if count and filled[count - 1] > 1 and len(rows[count - 1]) == len(rows[count]) and not names_only(rows[count]):
        return count - 1  # the last comment names the columns
    return count


def header(rows: Sequence[Sequence[str]]) -> dict[int, str]:
    """The names of the columns by their numbers; {} when the first row has none."""
    if len(rows) < 2:
        return {}
    first = [rows[0][0].lstrip("# "), *rows[0][1:]]
    names = {column: name for column, name in enumerate(first) if name}
    below = [Row(0, cells_of(row)) for row in rows[1:]]
    if names_only(first):
        same = len(set(names.values())) < len(names)
        return names if not same or any(profile(below).values()) else {}
    return names if is_row_of_periods(cells_of(first), below) else {}


def names_only(cells: Sequence[str]) -> bool:
    named = [cell for cell in cells if cell]
    return bool(named) and all(map(is_name, named))


def cells_of(row: Sequence[str]) -> list[Cell]:
    return [Cell(column, text, bool(VALUE.fullmatch(text))) for column, text in enumerate(row) if text]
