"""The record that makes a document part of a library: stored last in meaning, in one `put` with all it speaks of."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass

from terrarium.model import Document, DocumentInfo
from terrarium.storage.protocol import Kind


@dataclass(frozen=True, slots=True)
class Record:
    """What is stored under "documents". The other kinds are kept in parts "<document id>/<number>"."""

    info: DocumentInfo
    embedder: str
    parts: dict[Kind, int]  # how many parts each kind has

    def dumps(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def loads(cls, data: bytes) -> Record:
        """Raises ValueError, KeyError or TypeError on damage."""
        fields = json.loads(data)
        info = {**fields["info"], "warnings": tuple(fields["info"]["warnings"])}
        return cls(DocumentInfo(**info), fields["embedder"], fields["parts"])

    @property
    def keys(self) -> dict[Kind, list[str]]:
        """Where everything of the document is stored."""
        parts: dict[Kind, list[str]] = {
            kind: [f"{self.info.id}/{number}" for number in range(count)] for kind, count in self.parts.items()
        }
        return {"documents": [self.info.id], **parts}


def info_of(document: Document, chunks: int) -> DocumentInfo:
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
    )
