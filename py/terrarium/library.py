"""A collection of documents: adds and removes them whole, and keeps the store and both indexes in step.

A document is there when its record under "documents" is: that record is written in the same `put` as everything it
speaks of. Opening a library reads what was stored and computes nothing again; documents of another embedder are found
by their words until they are added again.

Not here: reading files (readers), ranking (retrieval), one writer among several tabs (the caller's lock).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from terrarium.enclosing import only_inside
from terrarium.errors import StorageError
from terrarium.held import Held
from terrarium.indexes.segments import Key
from terrarium.indexing import index_document
from terrarium.model import Document, DocumentInfo
from terrarium.runtime.protocols import Embedder, Progress
from terrarium.settings import RetrievalSettings
from terrarium.storage import packing
from terrarium.storage.protocol import Kind, Store
from terrarium.storage.records import Record, packed_document
from terrarium.storage.stored import SCHEMA, Stored, commit, read_documents, read_parts, read_tokens, sweep

_NAMED = 20  # documents in a sentence for the person


class Library(Held):
    """Made by `Library.open`."""

    def __init__(self, store: Store, embedder: Embedder, settings: RetrievalSettings) -> None:
        super().__init__(embedder, settings)
        self._store = store
        self._stores_tokens = settings.token_vectors == "stored" and embedder.token_dimensions > 0
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
        records.sort(key=lambda record: (record.info.added, record.info.name))
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

    async def token_vectors(self, keys: Sequence[Key]) -> dict[Key, NDArray[np.int8]]:
        """Of each chunk that has them stored, and by the present embedder: [tokens, dimensions], levels from -7 to 7.

        Read from the store at every call: those of 6,000 chunks fill 120 MB of memory, those of 50 come in 7 ms.
        """
        known = (key for key in keys if key[0] in self._records)
        mine = [key for key in known if self._records[key[0]].tokens == self.embedder.id]
        return await read_tokens(self._store, mine, self.embedder.token_dimensions)

    async def document(self, document_id: str) -> Document:
        """The document with its blocks, from the store."""
        return packing.unpack_document(await read_parts(self._store, self._records[document_id], "blocks"))

    async def original(self, document_id: str) -> bytes | None:
        """The bytes of the file, None when they were not kept."""
        record = self._records[document_id]
        return await read_parts(self._store, record, "originals") if record.parts.get("originals") else None

    async def add(
        self,
        document: Document,
        original: bytes | None = None,
        progress: Progress | None = None,
        *,
        collection: str = "",
        anew: bool = False,
    ) -> DocumentInfo:
        """Chunk, embed, count and store a document; one that is there already is left as it is, in its collection.

        `progress` counts embedded chunks. A document of another embedder is indexed anew, and with `anew` every one.
        One that the store has no room for with its token vectors is stored without them. Cancelled or failed, nothing
        of it stays, in memory or store. Of a file inside of others, or added again, all that is known is kept.
        """
        async with self._writing:
            old = self._records.get(document.id)
            if old is not None and self._comparable(old) and not anew:
                await self._record([old.joined((document.within,) if document.within else ())])
                return self.info(document.id)
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
            await self._record([self._records[document_id].assigned(collection)])
            return self.info(document_id)

    async def place(self, document_id: str, within: Sequence[str], *, alone: bool) -> None:
        """Say what a document is inside of, and whether it was added itself. One that is not there is no error."""
        async with self._writing:
            if document_id in self._records:
                await self._record([self._records[document_id].inside(within, alone=alone)])

    async def remove(self, document_id: str) -> list[str]:
        """Take a document, and what is only inside of it, out of the store, then out of the indexes.

        Returns the ids of all that went; none for one that is not there, which is no error.
        """
        async with self._writing:
            if document_id not in self._records:
                return []
            gone = only_inside((record.info for record in self._records.values()), document_id)
            going = frozenset(gone)
            staying = (record for record in self._records.values() if record.info.id not in going)
            await self._record(
                [record.outside(going) for record in staying if not going.isdisjoint(record.info.within)]
            )
            await self._take_out(gone)
            return gone

    async def drop(self, document_ids: Sequence[str]) -> None:
        """Take out these documents alone."""
        async with self._writing:
            await self._take_out([one for one in document_ids if one in self._records])

    async def _take_out(self, document_ids: Sequence[str]) -> None:
        keys: dict[Kind, list[str]] = {}
        for document_id in document_ids:
            for kind, of_kind in self._records[document_id].keys.items():
                keys.setdefault(kind, []).extend(of_kind)
        await self._store.delete(keys)
        for document_id in document_ids:
            self._exclude(document_id)

    async def _record(self, records: Sequence[Record]) -> None:
        """Keep what is said of documents that are there."""
        changed = {one.info.id: one for one in records if one != self._records[one.info.id]}
        if not changed:
            return
        before = {key: self._records[key] for key in changed}
        self._records.update(changed)
        self._changed()
        try:
            values: dict[Kind, dict[str, bytes]] = {"documents": {key: one.dumps() for key, one in changed.items()}}
            await commit(self._store, records[0], values, keep=True)
        except StorageError:
            self._records.update(before)
            self._changed()
            raise


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
