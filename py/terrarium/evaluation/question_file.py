"""A person's own questions, from a file and back: the project's JSON Lines, or a table (`question_table.py`).

Not here: whether the library holds the documents that they name (`own_questions.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from terrarium.errors import UnreadableFile
from terrarium.evaluation.lines import BadSet
from terrarium.evaluation.question_rows import Row, checked, distinct
from terrarium.evaluation.question_table import table_rows
from terrarium.readers.plain.encoding import decode


def read_questions(data: bytes, name: str) -> tuple[list[Row], list[str]]:
    """(questions, notes for the person). Raises BadSet with the line that cannot be read and what it lacks."""
    try:
        text, notes = decode(data, name)
    except UnreadableFile as error:
        raise BadSet(str(error)) from error
    if text.lstrip().startswith("{"):
        return distinct(_json_rows(text, name), name, notes)
    rows, unused = table_rows(text, name)
    if unused:
        notes.append(f"Columns that are not used: {', '.join(unused)}.")
    return distinct(rows, name, notes)


def to_json_lines(rows: Sequence[Row]) -> str:
    """A question set as `terrarium evaluate` reads it."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _json_rows(text: str, name: str) -> Iterator[tuple[int, Row]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadSet(f"{name}, line {number}, is no JSON ({error}). Each line holds one object.") from error
        if not isinstance(row, dict):
            raise BadSet(f"{name}, line {number}, is no object. Each line is one with “question”.")
        yield number, checked(row, f"{name}, line {number},")
