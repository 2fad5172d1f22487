"""Documents as a store keeps them: written whole or not at all, read back some at a time.

A large library never lies in memory twice.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrarium.errors import StorageError
from terrarium.indexes.postings import Postings
from terrarium.indexes.segments import Key
from terrarium.storage import packing
from terrarium.storage.protocol import Kind, Store
from terrarium.storage.records import Record

SCHEMA = 1
_DATA: tuple[Kind, ...] = ("blocks", "chunks", "vectors", "postings")  # what searching needs
_AT_ONCE = 2000  # chunks, about: 6 MB of values


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """What searching needs of one document."""

    record: Record
    chunks: packing.ChunkTable
    vectors: NDArray[np.float16]
    postings: Postings

    @classmethod
    def of(cls, record: Record, values: Mapping[Kind, Mapping[str, bytes | None]]) -> Stored:
        """From what the store has under the record's keys. Raises ValueError when something is missing or damaged."""
        data: dict[Kind, bytes] = {}
        for kind in _DATA:
            parts = [values[kind].get(key) for key in record.keys[kind]] if record.parts.get(kind) else [None]
            if None in parts:
                raise ValueError(f"its {kind} are missing")
            data[kind] = b"".join(part for part in parts if part is not None)
        text = packing.unpack_text(data["blocks"])
        chunks = packing.unpack_chunks(data["chunks"], record.info.id, text)
        vectors = packing.unpack_vectors(data["vectors"])
        postings = packing.unpack_postings(data["postings"])
        if not len(chunks) == len(vectors) == len(postings.lengths) == record.info.chunks:
            raise ValueError("its parts are of different documents")
        return cls(record, chunks, vectors, postings)


async def read_documents(store: Store, records: Sequence[Record]) -> AsyncIterator[Stored | tuple[Record, str]]:
    """Each document in the order of the records; for one that cannot be read its record and why not."""
    for batch in _batches(records):
        values: dict[Kind, dict[str, bytes | None]] = {}
        for kind in _DATA:
            keys = [key for record in batch for key in record.keys.get(kind, ())]
            values[kind] = dict(zip(keys, await store.get_many(kind, keys), strict=True))
        for record in batch:
            try:
                yield Stored.of(record, values)
            except (KeyError, ValueError) as error:
                yield record, str(error)


async def read_parts(store: Store, record: Record, kind: Kind) -> bytes:
    """Everything of one kind. Raises StorageError when a part of it is missing."""
    parts = await store.get_many(kind, record.keys[kind])
    if None in parts:
        raise StorageError(f"{record.info.name} is no longer whole in the library. Remove it and add it again.")
    return b"".join(part for part in parts if part is not None)


async def read_tokens(store: Store, keys: Sequence[Key], dimensions: int) -> dict[Key, NDArray[np.int8]]:
    """The vectors of these chunks' tokens. What cannot be read is as good as never stored, and left out: whoever needs
    the vectors computes them."""
    found = {}
    with suppress(StorageError):
        values = await store.get_many("tokens", [f"{document}/{number}" for document, number in keys])
        for key, value in zip(keys, values, strict=True):
            with suppress(ValueError):
                if value:
                    found[key] = packing.unpack_tokens(value, dimensions)
    return found


def _batches(records: Sequence[Record]) -> Iterator[list[Record]]:
    batch: list[Record] = []
    chunks = 0
    for record in records:
        batch.append(record)
        chunks += record.info.chunks
        if chunks >= _AT_ONCE:
            yield batch
            batch, chunks = [], 0
    if batch:
        yield batch


async def commit(store: Store, record: Record, values: dict[Kind, dict[str, bytes]], *, keep: bool) -> None:
    """One `put`. Cancelled while it runs, a new document is taken out again; a replaced one (`keep`) is whole."""
    putting = asyncio.ensure_future(store.put({**values, "settings": {"schema": str(SCHEMA).encode()}}))
    try:
        await asyncio.shield(putting)
    except asyncio.CancelledError:
        with suppress(StorageError):
            await putting
            if not keep:
                await store.delete(record.keys)
        raise


async def sweep(store: Store, old: Record, new: Record) -> None:
    """Delete the parts of a replaced record that the new one has no use for. Left over, they do no harm."""
    left = {kind: sorted({*keys} - {*new.keys.get(kind, ())}) for kind, keys in old.keys.items()}
    with suppress(StorageError):
        await asyncio.shield(store.delete(left))


async def stored_embedder(store: Store) -> str | None:
    """The name of the embedder that made most of a library's vectors; None for a library without documents."""
    names: Counter[str] = Counter()
    for value in (await store.items("documents")).values():
        with suppress(KeyError, TypeError, ValueError):  # `Library.open` says what is damaged
            names[Record.loads(value).embedder.partition("@")[0]] += 1
    return names.most_common(1)[0][0] if names else None
