"""Libraries on their way from one place to another: a store into a file, a file into an open library.

One document is in memory at a time. A document that is there already is left as it is; one whose vectors another
embedder made is taken in and found by its words, as everywhere. What fails or is cancelled leaves each document whole
or absent. Questions, their traces and the verdicts on this machine's models do not travel.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import IO, Any, Protocol

from terrarium.errors import StorageError
from terrarium.library import Library
from terrarium.runtime.protocols import Progress
from terrarium.storage.library_file import DAMAGED, NEWER, Entry, LibraryFileReader, LibraryFileWriter
from terrarium.storage.protocol import Kind, Store
from terrarium.storage.records import Record
from terrarium.storage.stored import SCHEMA


class NewFile(Protocol):
    """A file that is being made, seen by nobody before it is whole."""

    async def write(self, data: bytes) -> None: ...

    def finish(self) -> Any:
        """Whole: what the caller gets to find it by."""
        ...

    def discard(self) -> None: ...


class BytesFile:
    """A new file in memory."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    async def write(self, data: bytes) -> None:
        self._pieces.append(data)

    def finish(self) -> bytes:
        return b"".join(self._pieces)

    def discard(self) -> None:
        self._pieces.clear()


@dataclass(frozen=True, slots=True)
class Exported:
    file: Any  # what `NewFile.finish` gave
    documents: int
    size: int
    left_out: tuple[str, ...]  # names of documents that could not be read back

    @property
    def notices(self) -> list[str]:
        if not self.left_out:
            return []
        return [f"Not in the file, because they could not be read back: {', '.join(self.left_out)}. Add them again."]


@dataclass(frozen=True, slots=True)
class Imported:
    added: int
    already: int
    by_words: tuple[str, ...]  # embedders of documents that were added and are found by their words only

    @property
    def notices(self) -> list[str]:
        if not self.by_words:
            return []
        return [
            f"Of the documents taken in, some were indexed with another search model ({', '.join(self.by_words)}) and "
            "are found by their words only. Start with that search model to find them by their meaning too."
        ]


async def export_library(
    store: Store,
    file: NewFile,
    *,
    originals: bool = True,
    only: Collection[str] | None = None,
    progress: Progress | None = None,
) -> Exported:
    """Write every document of a store (or those whose ids are in `only`), in the order in which they were added.

    `originals`: the bytes of the files too. `progress` counts documents. Raises StorageError; the file is then
    discarded, as when cancelled.
    """
    writer = LibraryFileWriter(SCHEMA)
    size, written, left_out = 0, 0, list[str]()

    async def put(pieces: list[bytes]) -> None:
        nonlocal size
        for piece in pieces:
            size += len(piece)
            await file.write(piece)

    try:
        records = await stored_records(store, left_out)
        records = [record for record in records if only is None or record.info.id in only]
        await put(writer.begin())
        for record in records:
            if progress:
                progress(written, len(records))
            values = await _values(store, record if originals else _without_original(record))
            if values is None:
                left_out.append(record.info.name)
            else:
                await put(writer.document(record.info.id, values))
                written += 1
        await put(writer.end())
        return Exported(file.finish(), written, size, tuple(left_out))
    except BaseException:
        file.discard()
        raise


async def import_library(library: Library, file: IO[bytes], progress: Progress | None = None) -> Imported:
    """Take in every document of a library file that is not there yet. `progress` counts bytes.

    Raises StorageError for a file that is none, is damaged or newer, and for a full store. What was taken in before
    stays, and the sentence says how much that was.
    """
    reader = open_library_file(file)
    added = already = done = 0
    others = set[str]()
    try:
        for entry in reader.entries:
            if progress:
                progress(done, reader.size)
            if entry.id in library:
                already += 1
                await _join(library, reader, entry)
            else:
                record, values = read_entry(reader, entry)
                added += await library.take(record, values)
                if record.embedder not in library.embedder.compatible:
                    others.add(record.embedder.partition("@")[0])
            done += entry.size
            await asyncio.sleep(0)  # a cancel is heard between any two documents
    except StorageError as error:
        if not added:
            raise
        raise StorageError(f"{added} of {len(reader.entries)} documents were taken in and stay. {error}") from error
    return Imported(added, already, tuple(sorted(others)))


async def _join(library: Library, reader: LibraryFileReader, entry: Entry) -> None:
    """A document that is there already is also inside of what it is inside of in the file, or was added itself there.
    It stays as it is when the file does not say."""
    with suppress(StorageError, KeyError, TypeError, ValueError):
        here, there = library.info(entry.id), Record.loads(reader.record(entry)).info
        within = dict.fromkeys((*here.within, *there.within))
        await library.place(entry.id, list(within), alone=here.alone or there.alone)


def open_library_file(file: IO[bytes]) -> LibraryFileReader:
    """Raises StorageError for what this version cannot read."""
    reader = LibraryFileReader(file)
    if reader.schema > SCHEMA:
        raise StorageError(NEWER.format(what="schema", found=reader.schema, known=SCHEMA))
    return reader


def read_entry(reader: LibraryFileReader, entry: Entry) -> tuple[Record, dict[Kind, dict[str, bytes]]]:
    """A document's record and what one `put` is to write, under keys that are made here and never read."""
    values = reader.document(entry)
    try:
        (data,) = values.pop("documents")
        record = Record.loads(data)
        if record.info.id != entry.id or len(bytes.fromhex(entry.id)) != 32:
            raise ValueError("a record of another document")
        if record.parts != {kind: len(parts) for kind, parts in values.items()}:
            raise ValueError("parts are missing")
    except (KeyError, TypeError, ValueError) as error:
        raise StorageError(DAMAGED.format(why=f"the document {entry.id[:8]}…: {error}")) from error
    found: dict[Kind, dict[str, bytes]] = {
        kind: dict(zip(record.keys[kind], parts, strict=True)) for kind, parts in values.items()
    }
    return record, {**found, "documents": {entry.id: record.dumps()}}


async def stored_records(store: Store, damaged: list[str] | None = None) -> list[Record]:
    """In the order in which the documents were added; `damaged` gets the beginnings of the ids of the others."""
    records = []
    for key, value in (await store.items("documents")).items():
        try:
            records.append(Record.loads(value))
        except (KeyError, TypeError, ValueError):
            if damaged is not None:
                damaged.append(f"{key[:8]}…")
    return sorted(records, key=lambda record: (record.info.added, record.info.id))


def _without_original(record: Record) -> Record:
    return replace(record, parts={kind: count for kind, count in record.parts.items() if kind != "originals"})


async def _values(store: Store, record: Record) -> dict[Kind, list[bytes]] | None:
    """None when a part is missing."""
    values: dict[Kind, list[bytes]] = {"documents": [record.dumps()]}
    for kind in record.parts:
        parts = [part for part in await store.get_many(kind, record.keys[kind]) if part is not None]
        if len(parts) < record.parts[kind]:
            return None
        values[kind] = parts
    return values
