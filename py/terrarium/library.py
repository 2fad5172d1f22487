"""A collection of documents: adds and removes them whole, and keeps the store and both indexes in step.

A document is there when its record under "documents" is: that record is written in the same `put` as everything it
speaks of. Opening a library reads what was stored and computes nothing again; vectors of another embedder are never
compared with the present one's, such documents are searched by words until they are added again.

Not here: reading files (readers), ranking (retrieval), one writer among several tabs (the caller's lock).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from terrarium import packing
from terrarium.errors import StorageError
from terrarium.indexing import index_document
from terrarium.lexical import LexicalIndex, Postings
from terrarium.model import Chunk, Document, DocumentInfo
from terrarium.records import Record, packed_document
from terrarium.runtime.protocols import Embedder, Progress
from terrarium.segments import Key
from terrarium.settings import RetrievalSettings
from terrarium.storage.protocol import Kind, Store
from terrarium.vectors import VectorIndex

SCHEMA = 1
_DATA: tuple[Kind, ...] = ("blocks", "chunks", "vectors", "postings")  # read when a library is opened


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
        stored = {kind: await store.items(kind) for kind in _DATA}
        for record in sorted(records, key=lambda record: record.info.added):
            try:
                data = {kind: b"".join(stored[kind].pop(key) for key in record.keys[kind]) for kind in _DATA}
                text = packing.unpack_text(data["blocks"])
                chunks = packing.unpack_chunks(data["chunks"], record.info.id, text)
                vectors = packing.unpack_vectors(data["vectors"])
                postings = packing.unpack_postings(data["postings"])
            except (KeyError, ValueError) as error:
                library._damaged.append(f"{record.info.name} ({error})")
            else:
                library._include(record, chunks, vectors, postings)
        return library

    @property
    def persistent(self) -> bool:
        return self._store.persistent

    @property
    def documents(self) -> dict[str, DocumentInfo]:
        """By id, in the order in which they were added."""
        return {document_id: record.info for document_id, record in self._records.items()}

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
                f"words only: {', '.join(others)}. Add these files again to find them by their meaning too."
            )
        if self._damaged:
            notices.append(f"Could not be read back: {', '.join(self._damaged)}. Add these files again.")
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
        ours = {document for document, record in self._records.items() if record.tokens == self.embedder.id}
        made_here = [key for key in keys if key[0] in ours]
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
        self, document: Document, original: bytes | None = None, progress: Progress | None = None
    ) -> DocumentInfo:
        """Chunk, embed, count and store a document; one that is there already is left as it is.

        `progress` counts embedded chunks. A document of another embedder is indexed anew. One that the store has no
        room for with its token vectors is stored without them. Cancelled or failed, nothing of it stays, in memory or
        store.
        """
        async with self._writing:
            old = self._records.get(document.id)
            if old is not None and self._comparable(old):
                return old.info
            indexed = await index_document(document, self.embedder, progress, tokens=self._stores_tokens)
            record, values = packed_document(document, indexed, self.embedder.id, original, old)
            try:
                await self._commit(record, values, keep=old is not None)
            except StorageError:
                if not indexed.tokens:
                    raise
                # Token vectors are most of what is stored, and the only part that can be computed when it is needed.
                indexed = replace(indexed, tokens=[])
                record, values = packed_document(document, indexed, self.embedder.id, original, old)
                await self._commit(record, values, keep=old is not None)
            if old is not None:
                self._exclude(document.id)
            table = packing.unpack_chunks(b"".join(values["chunks"].values()), document.id, document.text)
            self._include(record, table, indexed.vectors.astype(np.float16), indexed.postings)
            if old is not None:
                await self._sweep(old, record)
            return record.info

    async def remove(self, document_id: str) -> None:
        """Take a document out of the store, then out of the indexes. One that is not there is no error."""
        async with self._writing:
            if document_id in self._records:
                await self._store.delete(self._records[document_id].keys)
                self._exclude(document_id)

    async def _commit(self, record: Record, values: dict[Kind, dict[str, bytes]], *, keep: bool) -> None:
        """One `put`. Cancelled while it runs, a new document is taken out again; a replaced one (`keep`) is whole."""
        values["settings"] = {"schema": str(SCHEMA).encode()}
        putting = asyncio.ensure_future(self._store.put(values))
        try:
            await asyncio.shield(putting)
        except asyncio.CancelledError:
            with suppress(StorageError):
                await putting
                if not keep:
                    await self._store.delete(record.keys)
            raise

    async def _sweep(self, old: Record, new: Record) -> None:
        """Delete the parts of a replaced record that the new one has no use for. Left over, they do no harm."""
        left = {kind: sorted({*keys} - {*new.keys.get(kind, ())}) for kind, keys in old.keys.items()}
        with suppress(StorageError):
            await asyncio.shield(self._store.delete(left))

    def _comparable(self, record: Record) -> bool:
        return record.embedder in self.embedder.compatible

    async def _parts(self, document_id: str, kind: Kind) -> bytes:
        record = self._records[document_id]
        parts = [await self._store.get(kind, key) for key in record.keys[kind]]
        if None in parts:
            raise StorageError(f"{record.info.name} is no longer whole in the library. Remove it and add it again.")
        return b"".join(part for part in parts if part is not None)

    def _include(
        self, record: Record, chunks: packing.ChunkTable, vectors: NDArray[np.float16], postings: Postings
    ) -> None:
        self._records[record.info.id] = record
        self._chunks[record.info.id] = chunks
        self.lexical.add(record.info.id, postings)
        if self._comparable(record):
            self.vectors.add(record.info.id, vectors)
        self.revision += 1

    def _exclude(self, document_id: str) -> None:
        record = self._records.pop(document_id)
        del self._chunks[document_id]
        self.lexical.remove(document_id)
        if self._comparable(record):
            self.vectors.remove(document_id)
        self.revision += 1


async def stored_embedder(store: Store) -> str | None:
    """The name of the embedder that made most of a library's vectors; None for a library without documents."""
    names: Counter[str] = Counter()
    for value in (await store.items("documents")).values():
        with suppress(KeyError, TypeError, ValueError):  # `Library.open` says what is damaged
            names[Record.loads(value).embedder.partition("@")[0]] += 1
    return names.most_common(1)[0][0] if names else None
