"""The documents of an open library in memory: what is known of each, its chunks, and both indexes in step.

Vectors of another embedder are never compared with the present one's: such documents are searched by their words.
Not here: what a store has of them (library.py).
"""

from __future__ import annotations

from collections import Counter

from terrarium.filters import Filter
from terrarium.indexes.lexical import LexicalIndex
from terrarium.indexes.segments import Key
from terrarium.indexes.vectors import VectorIndex
from terrarium.model import Chunk, DocumentInfo
from terrarium.runtime.protocols import Embedder
from terrarium.selections import Selections
from terrarium.settings import RetrievalSettings
from terrarium.storage import packing
from terrarium.storage.records import Record
from terrarium.storage.stored import Stored


class Held:
    """What a `Library` is asked for most."""

    def __init__(self, embedder: Embedder, settings: RetrievalSettings) -> None:
        self.embedder = embedder
        self.lexical = LexicalIndex(settings.bm25_k1, settings.bm25_b)
        self.vectors = VectorIndex(embedder.dimensions)
        self.revision = 0  # changes whenever the documents do
        self._records: dict[str, Record] = {}
        self._chunks: dict[str, packing.ChunkTable] = {}
        self._foreign: set[str] = set()  # documents in languages that the embedder does not know
        self._selections = Selections(lambda: (record.info for record in self._records.values()))

    @property
    def documents(self) -> dict[str, DocumentInfo]:
        """By id, in the order in which they were added."""
        return {document_id: record.info for document_id, record in self._records.items()}

    @property
    def collections(self) -> dict[str, int]:
        """How many documents each collection has, by name; those in none under ""."""
        return dict(sorted(Counter(record.info.collection for record in self._records.values()).items()))

    def matching(self, filter: Filter | None) -> frozenset[str] | None:
        """The ids of the documents that a filter admits, with what is inside of those that it names; None when nothing
        is left out."""
        if filter is None or filter == Filter():
            return None
        return self._selections.matching(filter)

    def spoken(self, within: frozenset[str] | None = None) -> frozenset[str] | None:
        """Of `within` (None: of all) those in languages that the embedder knows; None when that is every document."""
        if not self._foreign:
            return within
        return self._selections.of(
            ("spoken", within), lambda info: info.id not in self._foreign and (within is None or info.id in within)
        )

    @property
    def needs_reindexing(self) -> list[DocumentInfo]:
        """Documents whose vectors another embedder made: found by their words only."""
        return [record.info for record in self._records.values() if not self._comparable(record)]

    def info(self, document_id: str) -> DocumentInfo:
        return self._records[document_id].info

    def __contains__(self, document_id: str) -> bool:
        return document_id in self._records

    def is_current(self, document_id: str) -> bool:
        """Whether it is there, and adding it again would compute nothing."""
        return document_id in self._records and self._comparable(self._records[document_id])

    def chunk(self, key: Key) -> Chunk:
        document_id, number = key
        return self._chunks[document_id][number]

    def text(self, document_id: str) -> str:
        """`Document.text`, from memory."""
        return self._chunks[document_id].text

    def _comparable(self, record: Record) -> bool:
        return record.embedder in self.embedder.compatible

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
