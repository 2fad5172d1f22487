"""The documents that one answer quotes, each read from the store once."""

from __future__ import annotations

from terrarium.library import Library
from terrarium.model import Document


class Documents:
    """Whole documents with their blocks, which a library keeps in its store only; they go with the answer."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._read: dict[str, Document] = {}

    async def get(self, document_id: str) -> Document:
        """Raises StorageError as the library does."""
        if document_id not in self._read:
            self._read[document_id] = await self.library.document(document_id)
        return self._read[document_id]
