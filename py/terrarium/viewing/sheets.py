"""The sheets of a document of tables, for the viewer's grid."""

from __future__ import annotations

from typing import Any

from terrarium.model import Document

KINDS = ("xlsx", "ods", "csv")


def sheets_view(document: Document) -> list[dict[str, Any]]:
    """Name, first block, end and used columns of each sheet; empty for documents of other kinds.

    A sheet begins with a heading without a row, its name, which is no row of the grid.
    """
    if document.kind not in KINDS:
        return []
    sheets: list[dict[str, Any]] = []
    columns: set[int] = set()
    for number, block in enumerate(document.blocks):
        begins = block.kind == "heading" and not block.row
        if begins or not sheets:
            columns = set()
            sheets.append({"name": block.text if begins else "", "first": number + begins, "columns": columns})
        columns.update(column for column, _, _ in block.cells)
        sheets[-1]["end"] = number + 1
    return [{**sheet, "columns": sorted(sheet["columns"])} for sheet in sheets]
