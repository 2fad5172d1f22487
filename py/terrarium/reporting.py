"""The engine's commands for what was read: the report over all documents, its table, and reading without keeping.

Imported when the first of them comes. Failed files are known to the page alone: it hands them over for the table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from terrarium.csv_table import csv_table
from terrarium.events import Emit
from terrarium.library import Library
from terrarium.model import DocumentInfo
from terrarium.readers.reader import FileReader
from terrarium.readers.warnings import KINDS, kinds_of, pages_without_text
from terrarium.storage.counts import Counts, counts_of
from terrarium.storage.protocol import Store
from terrarium.views import reading_view

COLUMNS = {
    "name": "document",
    "outcome": "outcome",
    "kind": "kind",
    "title": "title",
    "pages": "pages",
    "without_text": "pages without text",
    "recognised": "pages recognised",
    "words": "words",
    "tables": "tables",
    "language": "language",
    "chunks": "passages",
    "size": "bytes",
    "added": "added",
    "collection": "collection",
    "within": "inside of",
    "kinds": "kinds of warning",
    "warnings": "warnings",
    "reason": "reason",
}
JOINED = {"within": ", ", "kinds": ", ", "warnings": "; "}
ORDERED = ("name", "kind", "pages", "words", "tables", "language", "chunks", "size", "added", "collection")


class Reads(Protocol):
    """What the report needs of the engine."""

    reader: FileReader

    @property
    def library(self) -> Library: ...


class Reporting:
    """`handle` runs one of the commands that `engine.GROUPS` names."""

    def __init__(self, engine: Reads, _store: Store) -> None:
        self._engine = engine
        self._counted: dict[str, Counts] = {}  # of documents whose records are older than counting
        self._commands: Mapping[str, Callable[[dict[str, Any], Emit], Awaitable[dict[str, Any]]]] = {
            "read": self.read,
            "report": self.report,
            "write_report": self.write_report,
        }

    async def handle(self, command: str, args: dict[str, Any], emit: Emit) -> dict[str, Any]:
        """As `Engine.handle`."""
        return await self._commands[command](args, emit)

    async def read(self, args: dict[str, Any], emit: Emit) -> dict[str, Any]:
        """Read a file and keep nothing: {name, data: bytes, password?}; see `views.reading_view`."""

        def progress(done: int, total: int) -> None:
            emit({"type": "progress", "stage": "reading", "done": done, "total": total})

        read = await self._engine.reader.read(
            bytes(args["data"]), args["name"], password=args.get("password"), progress=progress
        )
        return reading_view(read)

    async def report(self, _args: dict[str, Any], emit: Emit) -> dict[str, Any]:
        """A row for each document of the library, and the kinds of warnings that there are.

        `orders` has for each column the numbers of the rows from the smallest value to the largest, and those of the
        rows without a value: sorting thousands of rows takes the page's small Python many seconds.
        """
        rows = [await self._row(info, emit) for info in self._engine.library.documents.values()]
        return {"rows": rows, "kinds": list(KINDS), "orders": {column: _order(rows, column) for column in ORDERED}}

    async def write_report(self, args: dict[str, Any], emit: Emit) -> dict[str, Any]:
        """As comma-separated values: {failures: [{name, size, reason}], documents?: ids, in the order of the table}.

        The mark of the encoding, which spreadsheets want, is the page's to put before the text.
        """
        known = self._engine.library.documents
        chosen = args["documents"] if args.get("documents") is not None else list(known)
        rows = [await self._row(known[one], emit) | {"outcome": "read"} for one in chosen if one in known]
        rows += [{**failure, "outcome": "failed"} for failure in args["failures"]]
        lines: list[list[object]] = [list(COLUMNS.values()), *(_line(row) for row in rows)]
        return {"text": csv_table(lines)}

    async def _row(self, info: DocumentInfo, emit: Emit) -> dict[str, Any]:
        counts = await self._counts(info, emit)
        names = self._engine.library.documents
        return {
            "id": info.id,
            "name": info.name,
            "kind": info.kind,
            "title": info.title,
            "pages": info.pages,
            "without_text": pages_without_text(info.warnings),
            "recognised": counts.recognised,
            "words": counts.words,
            "tables": counts.tables,
            "language": info.language,
            "chunks": info.chunks,
            "size": info.size,
            "added": info.added,
            "collection": info.collection,
            "within": [names[outer].name for outer in info.within if outer in names],
            "kinds": kinds_of(info.warnings),
            "warnings": list(info.warnings),
        }

    async def _counts(self, info: DocumentInfo, emit: Emit) -> Counts:
        if info.words is not None and info.tables is not None and info.recognised is not None:
            return Counts(info.words, info.tables, info.recognised)
        if info.id not in self._counted:
            emit({"type": "progress", "stage": "counting", "done": len(self._counted), "total": 0})
            self._counted[info.id] = counts_of(await self._engine.library.document(info.id))
        return self._counted[info.id]


def _order(rows: Sequence[Mapping[str, Any]], column: str) -> dict[str, list[int]]:
    def value(number: int) -> Any:
        found = rows[number][column]
        return found.casefold() if isinstance(found, str) else found

    there = [number for number in range(len(rows)) if value(number) not in (None, "")]
    return {"valued": sorted(there, key=value), "missing": sorted({*range(len(rows))} - {*there})}


def _line(row: Mapping[str, Any]) -> list[object]:
    joined = {name: between.join(row.get(name, ())) for name, between in JOINED.items()}
    shown = {**row, **joined}
    if "added" in row:
        shown["added"] = datetime.fromtimestamp(row["added"], UTC).isoformat(timespec="seconds")
    return [shown.get(name) for name in COLUMNS]
