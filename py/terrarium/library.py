"""A collection of documents: adds and removes them whole, and keeps the store and both indexes in step.

A document is there when its record under "documents" is: that record is written in the same `put` as everything it
speaks of. Opening a library reads what was stored and computes nothing again; vectors of another embedder are never
compared with the present one's, such documents are searched by words until they are added again.

Not here: reading files (readers), ranking (retrieval), one writer among several tabs (the caller's lock).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from terrarium.errors import StorageError
from terrarium.filters import Filter
from terrarium.indexes.lexical import LexicalIndex
from terrarium.indexes.segments import Key
from terrarium.indexes.vectors import VectorIndex
from terrarium.indexing import index_document
from terrarium.model import Chunk, Document, DocumentInfo
from terrarium.runtime.protocols import Embedder, Progress
from terrarium.settings import RetrievalSettings
from terrarium.storage import packing
from terrarium.storage.protocol import Kind, Store
from terrarium.storage.records import Record, packed_document
from terrarium.storage.stored import SCHEMA, Stored, commit, read_documents, sweep

_KEPT_SELECTIONS = 16
_NAMED = 20  # documents in a sentence for the person


class Library:
    """Made by `Library.open`."""

    def __init__(self, store: Store, embedder: Embedder, settings: RetrievalSettings) -> None:
        self.embedder = embedder
        self.lexical = LexicalIndex(settings.bm25_k1, settings.bm25_b)
        self.vectors = VectorIndex(embedder.dimensions)
        self.revision = 0  # changes whenever the documents do
        self._store = store
        self._stores_tokens = settings.token_vectors == "stored" and embedder.token_dimensions > 0
        self._records: dict[str, Record] = {}
        self._chunks: dict[str, packing.ChunkTable] = {}
        self._foreign: set[str] = set()  # documents in languages that the embedder does not know
        self._selections: dict[object, frozenset[str]] = {}  # of the present revision
        self._damaged: list[str] = []
        self._writing = asyncio.Lock()

    @classmethod
    async def open(cls, store: Store, embedder: Embedder, settings: RetrievalSettings | None = None) -> Library:
        """Load every committed document. Raises StorageError when a newer version wrote the library."""
        schema = await store.get("settings", "schema")
        if schema is not None and int(schema) > SCHEMA:
            raise StorageError(
                f"This library was written by a newer version of Terrarium (schema {int(schema)}, this version reads "
                f"up to {SCHEMA}). Nothing was changed. Open it with the newer version."
            )
        library = cls(store, embedder, settings or RetrievalSettings())
        records = []
        for key, value in (await store.items("documents")).items():
            try:
                records.append(Record.loads(value))
            except (KeyError, TypeError, ValueError) as error:
                library._damaged.append(f"the document {key[:8]}… ({error})")
        records.sort(key=lambda record: record.info.added)
        async for found in read_documents(store, records):
            if isinstance(found, Stored):
                library._include(found)
            else:
                record, reason = found
                library._damaged.append(f"{record.info.name} ({reason})")
        return library

    @property
    def persistent(self) -> bool:
        return self._store.persistent

    @property
    def documents(self) -> dict[str, DocumentInfo]:
        """By id, in the order in which they were added."""
        return {document_id: record.info for document_id, record in self._records.items()}

    @property
    def collections(self) -> dict[str, int]:
        """How many documents each collection has, by name; those in none under ""."""
        return dict(sorted(Counter(record.info.collection for record in self._records.values()).items()))

    def matching(self, filter: Filter | None) -> frozenset[str] | None:
        """The ids of the documents that a filter admits; None when nothing is left out."""
        if filter is None or filter == Filter():
            return None
        return self._selected(filter, lambda record: filter.admits(record.info))

    def spoken(self, within: frozenset[str] | None = None) -> frozenset[str] | None:
        """Of `within` (None: of all) those in languages that the embedder knows; None when that is every document."""
        if not self._foreign:
            return within
        return self._selected(
            ("spoken", within),
            lambda record: record.info.id not in self._foreign and (within is None or record.info.id in within),
        )

    def _selected(self, key: object, admits: Callable[[Record], bool]) -> frozenset[str]:
        """Kept until the documents change: the indexes know the very same set again without looking into it."""
        if key not in self._selections:
            if len(self._selections) >= _KEPT_SELECTIONS:
                self._selections.clear()
            self._selections[key] = frozenset(i for i, record in self._records.items() if admits(record))
        return self._selections[key]

    @property
    def needs_reindexing(self) -> list[DocumentInfo]:
        """Documents whose vectors another embedder made: found by their words only."""
        return [record.info for record in self._records.values() if not self._comparable(record)]

    @property
    def notices(self) -> list[str]:
        """Sentences for the person about what is not as it should be."""
        notices = []
        if others := [info.name for info in self.needs_reindexing]:
            notices.append(
                f"Indexed with another search model than {self.embedder.id.partition('@')[0]}, and found by their "
                f"words only: {_listed(others)}. Add these files again to find them by their meaning too."
            )
        if self._damaged:
            notices.append(f"Could not be read back: {_listed(self._damaged)}. Add these files again.")
        return notices

    def info(self, document_id: str) -> DocumentInfo:
        return self._records[document_id].info

    def chunk(self, key: Key) -> Chunk:
        document_id, number = key
        return self._chunks[document_id][number]

    def text(self, document_id: str) -> str:
        """`Document.text`, from memory."""
        return self._chunks[document_id].text

    async def token_vectors(self, keys: Sequence[Key]) -> dict[Key, NDArray[np.int8]]:
        """Of each chunk that has them stored, and by the present embedder: [tokens, dimensions], levels from -7 to 7.

        Read from the store at every call: those of 6,000 chunks fill 120 MB of memory, those of 50 come in 7 ms.
        """
        records = self._records
        made_here = [key for key in keys if key[0] in records and records[key[0]].tokens == self.embedder.id]
        found = {}
        # What cannot be read is as good as never stored: whoever needs the vectors computes them.
        with suppress(StorageError):
            values = await self._store.get_many("tokens", [f"{document}/{number}" for document, number in made_here])
            for key, value in zip(made_here, values, strict=True):
                with suppress(ValueError):
                    if value:
                        found[key] = packing.unpack_tokens(value, self.embedder.token_dimensions)
        return found

    async def document(self, document_id: str) -> Document:
        """The document with its blocks, from the store."""
        return packing.unpack_document(await self._parts(document_id, "blocks"))

    async def original(self, document_id: str) -> bytes | None:
        """The bytes of the file, None when they were not kept."""
        if not self._records[document_id].parts.get("originals"):
            return None
        return await self._parts(document_id, "originals")

    async def add(
        self,
        document: Document,
        original: bytes | None = None,
        progress: Progress | None = None,
        *,
        collection: str = "",
    ) -> DocumentInfo:
        """Chunk, embed, count and store a document; one that is there already is left as it is, in its collection.

        `progress` counts embedded chunks. A document of another embedder is indexed anew. One that the store has no
        room for with its token vectors is stored without them. Cancelled or failed, nothing of it stays, in memory or
        store.
        """
        async with self._writing:
            old = self._records.get(document.id)
            if old is not None and self._comparable(old):
                return old.info
            indexed = await index_document(document, self.embedder, progress, tokens=self._stores_tokens)
            record, values = packed_document(document, indexed, self.embedder.id, original, old, collection)
            try:
                await commit(self._store, record, values, keep=old is not None)
            except StorageError:
                if not indexed.tokens:
                    raise
                # Token vectors are most of what is stored, and the only part that can be computed when it is needed.
                indexed = replace(indexed, tokens=[])
                record, values = packed_document(document, indexed, self.embedder.id, original, old, collection)
                await commit(self._store, record, values, keep=old is not None)
            if old is not None:
                self._exclude(document.id)
            table = packing.unpack_chunks(b"".join(values["chunks"].values()), document.id, document.text)
            self._include(Stored(record, table, indexed.vectors.astype(np.float16), indexed.postings))
            if old is not None:
                await sweep(self._store, old, record)
            return record.info

    async def take(self, record: Record, values: dict[Kind, dict[str, bytes]]) -> bool:
        """Store a document that was indexed elsewhere. False for one that is there already: it stays as it is.

        `values` are all that `record.keys` names. Raises StorageError, and changes nothing, when they do not fit.
        """
        async with self._writing:
            if record.info.id in self._records:
                return False
            try:
                stored = Stored.of(record, values)
                if self._comparable(record) and stored.vectors.shape[1] != self.embedder.dimensions:
                    raise ValueError(f"its vectors have {stored.vectors.shape[1]} dimensions")
            except (KeyError, ValueError) as error:
                raise StorageError(f"{record.info.name} is damaged in the library file ({error}).") from error
            await commit(self._store, record, values, keep=False)
            self._include(stored)
            return True

    async def assign(self, document_id: str, collection: str) -> DocumentInfo:
        """Put a document into another collection, "" for none. Raises StorageError for one that is not there."""
        async with self._writing:
            if document_id not in self._records:
                raise StorageError("This document is no longer in the library. Add it again.")
            record = self._records[document_id].assigned(collection)
            await commit(self._store, record, {"documents": {document_id: record.dumps()}}, keep=True)
            self._records[document_id] = record
            self._changed()
            return record.info

    async def remove(self, document_id: str) -> None:
        """Take a document out of the store, then out of the indexes. One that is not there is no error."""
        async with self._writing:
            if document_id in self._records:
                await self._store.delete(self._records[document_id].keys)
                self._exclude(document_id)

    def _comparable(self, record: Record) -> bool:
        return record.embedder in self.embedder.compatible

    async def _parts(self, document_id: str, kind: Kind) -> bytes:
        record = self._records[document_id]
        parts = [await self._store.get(kind, key) for key in record.keys[kind]]
        if None in parts:
            raise StorageError(f"{record.info.name} is no longer whole in the library. Remove it and add it again.")
        return b"".join(part for part in parts if part is not None)

    def _include(self, stored: Stored) -> None:
        record, document_id = stored.record, stored.record.info.id
        self._records[document_id] = record
        self._chunks[document_id] = stored.chunks
        self.lexical.add(document_id, stored.postings)
        if self._comparable(record):
            self.vectors.add(document_id, stored.vectors)
        if self.embedder.languages and record.info.language not in ("", *self.embedder.languages):
            self._foreign.add(document_id)
        self._changed()

    def _exclude(self, document_id: str) -> None:
        record = self._records.pop(document_id)
        del self._chunks[document_id]
        self.lexical.remove(document_id)
        if self._comparable(record):
            self.vectors.remove(document_id)
        self._foreign.discard(document_id)
        self._changed()

    def _changed(self) -> None:
        self.revision += 1
        self._selections.clear()


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
