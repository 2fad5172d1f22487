"""Rows → comma-separated values (RFC 4180) in which no text is a formula.

A spreadsheet takes a cell for a formula by its first character, and a formula may ask an address: a document's words
must not become one. Such a cell begins with an apostrophe here (https://owasp.org/www-community/attacks/CSV_Injection).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

FORMULA = re.compile(r"[=+\-@\t\r]")


def csv_table(lines: Iterable[Sequence[object]]) -> str:
    """A line for each row, ended by CR LF; None is an empty cell."""
    written = io.StringIO()
    csv.writer(written).writerows([[_inert(cell) for cell in line] for line in lines])
    return written.getvalue()


def _inert(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and FORMULA.match(cell) else cell
