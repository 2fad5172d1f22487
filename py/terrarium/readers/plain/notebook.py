"""Jupyter notebooks (nbformat 3 and 4) → blocks: text cells as Markdown, code as code, what it printed as code.

Pictures, widgets and HTML that a cell put out are left out; tables have a plain form beside it, which is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from terrarium.model import Block
from terrarium.readers.markup.markdown import markdown_blocks
from terrarium.readers.plain.json_text import parse_json
from terrarium.readers.plain.text import text_blocks

OUTPUT = 4000  # characters of one output; training logs run to megabytes
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def notebook_blocks(text: str) -> tuple[list[Block], str]:
    """(blocks, title given in the metadata). What is no notebook after all is read as plain text."""
    try:
        notebook = parse_json(text)
        sheets = notebook.get("worksheets") or [notebook]
        cells = [cell for sheet in sheets for cell in sheet["cells"]]
        blocks = [block for cell in cells for block in cell_blocks(cell)]
        return blocks, str(notebook.get("metadata", {}).get("title") or "")
    except (ValueError, TypeError, KeyError, AttributeError):
        return text_blocks(text)


def cell_blocks(cell: Mapping[str, Any]) -> list[Block]:
    source = joined(cell.get("source", cell.get("input", "")))
    match cell["cell_type"]:
        case "markdown":
            return markdown_blocks(source)[0]
        case "heading":
            return [Block("heading", source, level=int(cell.get("level", 1)))]
        case "code":
            outputs = (output[:OUTPUT] for output in map(printed, cell.get("outputs", ())))
            return [Block("code", part.expandtabs(4).strip("\n")) for part in (source, *outputs) if part.strip()]
    return text_blocks(source)[0]


def printed(output: Mapping[str, Any]) -> str:
    """What one output says as plain text, "" for pictures."""
    if output.get("output_type") in {"error", "pyerr"}:
        return f"{output.get('ename', '')}: {output.get('evalue', '')}"
    data = output.get("data", output)
    return COLOUR.sub("", joined(next(plain_forms(data), "")))


def plain_forms(data: Mapping[str, Any]) -> Iterator[Any]:
    return (data[form] for form in ("text/plain", "text/markdown", "text") if form in data)


def joined(source: Any) -> str:
    """A text that may be stored as a list of its lines."""
    return "".join(map(str, source)) if isinstance(source, list) else str(source)
