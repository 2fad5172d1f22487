"""The record that makes a document part of a library: stored last in meaning, in one `put` with all it speaks of."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, replace

from terrarium.indexing import Indexed
from terrarium.model import Document, DocumentInfo
from terrarium.storage import packing
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
        info = {**fields["info"], "warnings": tuple(fields["info"]["warnings"])}
        return cls(DocumentInfo(**info), fields["embedder"], fields["parts"], fields.get("tokens", ""))

    def assigned(self, collection: str) -> Record:
        """The same in another collection."""
        return replace(self, info=replace(self.info, collection=_collection(collection)))

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

    A file that `old` kept stays kept when none is given now, and so does its collection.
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
        added=time.time(),
        collection=_collection(collection),
    )


def _collection(name: str) -> str:
    return " ".join(name.split())
