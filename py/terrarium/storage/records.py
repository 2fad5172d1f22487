"""The record that makes a document part of a library: stored last in meaning, in one `put` with all it speaks of."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from terrarium.indexing import Indexed
from terrarium.model import Document, DocumentInfo
from terrarium.storage import packing
from terrarium.storage.counts import counts_of
from terrarium.storage.protocol import Kind


@dataclass(frozen=True, slots=True)
class Record:
    """What is stored under "documents". The other kinds are kept in parts "<document id>/<number>"."""

    info: DocumentInfo
    embedder: str
    parts: dict[Kind, int]  # how many parts each kind has
    tokens: str = ""  # the embedder that made the token vectors, part n those of chunk n; "" when none are kept

    def dumps(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def loads(cls, data: bytes) -> Record:
        """Raises ValueError, KeyError or TypeError on damage."""
        fields = json.loads(data)
        info: dict[str, Any] = {
            name: tuple(one) if isinstance(one, list) else one for name, one in fields["info"].items()
        }
        return cls(DocumentInfo(**info), fields["embedder"], fields["parts"], fields.get("tokens", ""))

    def assigned(self, collection: str) -> Record:
        """The same in another collection."""
        return replace(self, info=replace(self.info, collection=_collection(collection)))

    def inside(self, within: Sequence[str], *, alone: bool) -> Record:
        """The same inside of these files; `alone`: added itself too."""
        return replace(self, info=replace(self.info, within=tuple(within), alone=alone))

    def outside(self, gone: Collection[str]) -> Record:
        """The same without these files, which it was inside of."""
        return self.inside([outer for outer in self.info.within if outer not in gone], alone=self.info.alone)

    def joined(self, within: Sequence[str]) -> Record:
        """The same, also inside of these files; where there are none it was added itself."""
        both = tuple(dict.fromkeys((*self.info.within, *within)))
        return self.inside(both, alone=self.info.alone or not within)

    @property
    def keys(self) -> dict[Kind, list[str]]:
        """Where everything of the document is stored."""
        parts: dict[Kind, list[str]] = {
            kind: [f"{self.info.id}/{number}" for number in range(count)] for kind, count in self.parts.items()
        }
        return {"documents": [self.info.id], **parts}


def packed_document(
    document: Document,
    indexed: Indexed,
    embedder: str,
    original: bytes | None = None,
    old: Record | None = None,
    collection: str = "",
) -> tuple[Record, dict[Kind, dict[str, bytes]]]:
    """The record, and all that one `put` is to write.

    A file that `old` kept stays kept when none is given now, and so do its date, its collection and
    what it was inside of.
    """
    parts: dict[Kind, list[bytes]] = {
        "blocks": packing.split(packing.pack_document(document)),
        "chunks": packing.split(packing.pack_chunks(indexed.chunks)),
        "vectors": packing.split(packing.pack_vectors(indexed.vectors)),
        "postings": packing.split(packing.pack_postings(indexed.postings)),
    }
    if original is not None:
        parts["originals"] = packing.split(original)
    if indexed.tokens:
        parts["tokens"] = [packing.pack_tokens(one) for one in indexed.tokens]
    counts = {kind: len(values) for kind, values in parts.items()}
    if old is not None and original is None and "originals" in old.parts:
        counts["originals"] = old.parts["originals"]
    info = info_of(document, len(indexed.chunks), collection or (old.info.collection if old else ""))
    record = Record(info, embedder, counts, embedder if indexed.tokens else "")
    if old is not None:
        joined = old.joined(info.within).info
        record = replace(record, info=replace(info, within=joined.within, alone=joined.alone, added=joined.added))
    values: dict[Kind, dict[str, bytes]] = {
        kind: dict(zip(record.keys[kind], of_kind, strict=True)) for kind, of_kind in parts.items()
    }
    return record, {**values, "documents": {document.id: record.dumps()}}


def info_of(document: Document, chunks: int, collection: str = "") -> DocumentInfo:
    """What lists and citations need of a document, dated now."""
    return DocumentInfo(
        id=document.id,
        name=document.name,
        kind=document.kind,
        title=document.title,
        size=document.size,
        chunks=chunks,
        pages=document.pages,
        language=document.language,
        warnings=document.warnings,
        labels=document.labels,
        added=time.time(),
        collection=_collection(collection),
        within=(document.within,) if document.within else (),
        alone=not document.within,
        **asdict(counts_of(document)),
    )


def _collection(name: str) -> str:
    return " ".join(name.split())
