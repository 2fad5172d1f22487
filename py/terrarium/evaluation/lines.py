"""JSON Lines with errors that name the line and say what is missing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from terrarium.errors import TerrariumError


class BadSet(TerrariumError):
    """An evaluation set that cannot be read as one."""


def read_lines(path: Path, needed: Sequence[str]) -> list[dict[str, Any]]:
    """The objects of the file, each with the fields `needed`. Raises BadSet; empty lines are skipped."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSet(f"{path} cannot be read: {error}.") from error
    rows = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadSet(f"{path}, line {number}, is no JSON ({error}). Each line holds one object.") from error
        missing = [name for name in needed if not isinstance(row, dict) or name not in row]
        if missing:
            fields = ", ".join(f"“{name}”" for name in missing)
            raise BadSet(f"{path}, line {number}, has no {fields}. Each line is an object with {', '.join(needed)}.")
        rows.append(row)
    if not rows:
        raise BadSet(f"{path} is empty.")
    return rows
