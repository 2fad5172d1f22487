"""Rows of an index that is a stack of documents: which row belongs to which document, and the best k of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

Key = tuple[str, int]  # (document id, number of the chunk in it)
Hit = tuple[Key, float]


class Segments:
    """Documents in the order they were added, each with its number of rows."""

    def __init__(self) -> None:
        self._rows: dict[str, int] = {}
        self._refresh()

    def _refresh(self) -> None:
        self._documents = list(self._rows)
        self.starts = list(accumulate(self._rows.values(), initial=0))

    def __contains__(self, document_id: str) -> bool:
        return document_id in self._rows

    def __len__(self) -> int:
        """All rows."""
        return self.starts[-1]

    def add(self, document_id: str, rows: int) -> None:
        if document_id in self._rows:
            raise ValueError(f"document {document_id} is in the index already")
        self._rows[document_id] = rows
        self._documents.append(document_id)
        self.starts.append(self.starts[-1] + rows)

    def remove(self, document_id: str) -> None:
        del self._rows[document_id]
        self._refresh()

    def key(self, row: int) -> Key:
        position = bisect_right(self.starts, row) - 1
        return (self._documents[position], row - self.starts[position])

    def mask(self, documents: Collection[str]) -> NDArray[np.bool_]:
        """[rows], true for the rows of the documents named."""
        wanted = [document_id in documents for document_id in self._documents]
        return np.repeat(np.array(wanted, dtype=bool), list(self._rows.values()))

    def best(self, scores: NDArray[np.float32], k: int, allowed: NDArray[np.bool_] | None) -> list[Hit]:
        """The k best of the rows allowed, best first; of equal scores the earlier row comes first."""
        rows = np.arange(len(scores)) if allowed is None else np.flatnonzero(allowed)
        values = scores[rows]
        if k < len(rows):
            # Everything as good as the k-th: argpartition alone would choose among equals at will.
            kept = values >= np.partition(values, len(values) - k)[len(values) - k]
            rows, values = rows[kept], values[kept]
        order = np.lexsort((rows, -values))[:k]
        return [(self.key(int(rows[i])), float(values[i])) for i in order]
