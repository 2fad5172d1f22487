"""The sheets of a document of tables, for the viewer's grid."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from terrarium.model import Document

KINDS = ("xlsx", "ods", "csv")
UNSEEN = "Not visible"


def sheets_view(document: Document) -> list[dict[str, Any]]:
    """Name, first block, end, used columns and rows of each sheet; empty for documents of other kinds.

    A sheet begins with a heading without a row, its name, which is no row of the grid. `rows` are the numbers of the
    blocks that stand in each row, where tables stand side by side; None where each block is a row, in order. What is
    hidden in the file comes last, under a name of its own.
    """
    if document.kind not in KINDS:
        return []
    sheets: list[dict[str, Any]] = []
    for number, block in enumerate(document.blocks):
        hides = block.hidden and not (sheets and sheets[-1]["name"] == UNSEEN)
        begins = block.kind == "heading" and not block.row and not block.hidden
        if begins or hides or not sheets:
            name = UNSEEN if block.hidden else block.text if begins else ""
            sheets.append({"name": name, "first": number + begins})
        sheets[-1]["end"] = number + 1
    for sheet in sheets:
        blocks = range(sheet["first"], sheet["end"])
        cells = {column for number in blocks for column, _, _ in document.blocks[number].cells}
        sheet |= {"columns": sorted(cells), "rows": _rows([(document.blocks[at].row, at) for at in blocks])}
    return sheets


def _rows(places: list[tuple[int, int]]) -> list[list[int]] | None:
    """The blocks of each row from (row, block); what has no row is one itself, behind the others."""
    if all(one[0] < other[0] for one, other in pairwise(places)) or not any(row for row, _ in places):
        return None
    rows: dict[int, list[int]] = {}
    for row, block in places:
        if row:
            rows.setdefault(row, []).append(block)
    return [rows[row] for row in sorted(rows)] + [[block] for row, block in places if not row]
