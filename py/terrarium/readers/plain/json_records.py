"""JSON and JSON Lines → one block a record, as lines of "key: value" that read and search like text."""

from __future__ import annotations

import json
from typing import Any

from terrarium.model import Block
from terrarium.readers.plain.json_text import parse_json
from terrarium.readers.plain.text import text_blocks

LONGEST = 4000  # characters of one record's block; the rest goes on in further blocks
DEEPEST = 40  # levels of nesting


def json_blocks(text: str) -> tuple[list[Block], str]:
    """(blocks, ""). What is no JSON after all is read as plain text. Raises RecursionError for what nests too deep."""
    try:
        value = parse_json(text)
    except ValueError:
        return line_blocks(text), ""
    blocks: list[Block] = []
    for heading, records in sections(value):
        if heading:
            blocks.append(Block("heading", heading, level=1))
        for record in records:
            blocks += record_blocks(record)
    return blocks, ""


def line_blocks(text: str) -> list[Block]:
    """JSON Lines: a record a line. Lines that are none stay as they are; where most are none, the text is no JSON."""
    blocks: list[Block] = []
    broken = 0
    lines = [line for line in text.splitlines() if line.strip()]
    for line in lines:
        try:
            blocks += record_blocks(parse_json(line))
        except ValueError:
            broken += 1
            blocks.append(Block("paragraph", line.strip()))
    return blocks if broken <= 0.1 * len(lines) else text_blocks(text)[0]


def sections(value: Any) -> list[tuple[str, list[Any]]]:
    """Lists of records with the key that they stand under: {"639": [{…}, …]} is one section "639"."""
    if isinstance(value, list):
        return [("", value)]
    if not isinstance(value, dict):
        return [("", [value])]
    plain = {key: item for key, item in value.items() if not is_records(item)}
    result: list[tuple[str, list[Any]]] = [("", [plain])] if plain else []
    return result + [(key, item) for key, item in value.items() if is_records(item)]


def is_records(item: Any) -> bool:
    return isinstance(item, list) and bool(item) and all(isinstance(record, dict) for record in item)


def record_blocks(record: Any) -> list[Block]:
    lines = record_lines(record)
    blocks: list[Block] = []
    part: list[str] = []
    size = 0
    for line in lines:
        if part and size + len(line) > LONGEST:
            blocks.append(Block("table_row", "\n".join(part)))
            part, size = [], 0
        part.append(line)
        size += len(line) + 1
    if part:
        blocks.append(Block("table_row", "\n".join(part)))
    return blocks


def record_lines(value: Any, path: str = "", depth: int = 0) -> list[str]:
    """Leaves with their path of keys: "address › city: Ulm"."""
    if depth > DEEPEST:
        return [f"{path}: (nested too deeply)"]
    if isinstance(value, dict):
        named = ((f"{path} › {key}" if path else str(key), item) for key, item in value.items())
        return [line for name, item in named for line in record_lines(item, name, depth + 1)]
    if isinstance(value, list):
        if all(not isinstance(item, dict | list) for item in value):
            shown = ", ".join(scalar(item) for item in value)
            return [f"{path}: {shown}" if path else shown] if value else []
        return [line for item in value for line in record_lines(item, path, depth + 1)]
    return [f"{path}: {scalar(value)}" if path else scalar(value)]


def scalar(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
