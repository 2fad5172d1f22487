"""Rows of an index that is a stack of documents: which row belongs to which document, and the best k of them.

A row keeps its number for life, so that adding or removing one document touches nothing of the others; the rows of a
removed document are dead until `compact` numbers the living ones anew.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

Key = tuple[str, int]  # (document id, number of the chunk in it)
Hit = tuple[Key, float]

_DEAD = -1
_TOLERATED = 4096  # dead rows that are not worth the work of numbering anew


class Segments:
    """Documents in the order they were added, each with its run of rows."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._names: list[str] = []  # of every document that was ever added
        self._starts: list[int] = []  # the first row of each of them
        self._places: dict[str, int] = {}  # in the two lists, of those that are there
        self._owners = np.zeros(0, np.int32)  # [capacity] the place of each row's document, _DEAD for none
        self._rows = 0
        self._last: tuple[frozenset[str], NDArray[np.bool_]] | None = None
        self.alive = 0  # rows of documents that are there

    def __contains__(self, document_id: str) -> bool:
        return document_id in self._places

    def __len__(self) -> int:
        """All rows, dead ones too: as many as there are scores."""
        return self._rows

    @property
    def wasteful(self) -> bool:
        """Whether so many rows are dead that `compact` is worth its work."""
        return self._rows - self.alive > max(self.alive, _TOLERATED)

    def add(self, document_id: str, rows: int) -> int:
        """The first of the document's rows. Raises ValueError for a document that is there already."""
        if document_id in self._places:
            raise ValueError(f"document {document_id} is in the index already")
        start, end = self._rows, self._rows + rows
        if end > len(self._owners):
            grown = np.full(max(end, 2 * len(self._owners)), _DEAD, np.int32)
            grown[:start] = self._owners[:start]
            self._owners = grown
        self._owners[start:end] = self._places[document_id] = len(self._names)
        self._names.append(document_id)
        self._starts.append(start)
        self._rows, self.alive = end, self.alive + rows
        self._last = None
        return start

    def remove(self, document_id: str) -> slice:
        """The rows that are dead now."""
        place = self._places.pop(document_id)
        end = self._starts[place + 1] if place + 1 < len(self._starts) else self._rows
        self._owners[self._starts[place] : end] = _DEAD
        self.alive -= end - self._starts[place]
        self._last = None
        return slice(self._starts[place], end)

    def compact(self) -> NDArray[np.intp]:
        """Number the living rows anew, without gaps and in their order. Returns the old number of each."""
        kept = np.flatnonzero(self.living)
        sizes = np.bincount(self._owners[kept], minlength=len(self._names))
        documents = [(name, int(sizes[place])) for name, place in self._places.items()]
        self._clear()
        for name, rows in documents:
            self.add(name, rows)
        return kept

    @property
    def living(self) -> NDArray[np.bool_]:
        """[rows] true for those of documents that are there."""
        living: NDArray[np.bool_] = self._owners[: self._rows] != _DEAD
        return living

    def start(self, document_id: str) -> int:
        """The document's first row."""
        return self._starts[self._places[document_id]]

    def rows(self, keys: Sequence[Key]) -> NDArray[np.intp]:
        """[keys] the row of each chunk."""
        return np.array([self.start(document_id) + number for document_id, number in keys], np.intp)

    def key(self, row: int) -> Key:
        """Which chunk a living row is."""
        place = int(self._owners[row])
        return (self._names[place], row - self._starts[place])

    def mask(self, documents: Collection[str]) -> NDArray[np.bool_]:
        """[rows], true for the rows of the documents named. Not to be changed: the last one is kept.

        One question asks several times for the same frozenset of perhaps thousands of documents.
        """
        if self._last is None or documents is not self._last[0]:
            wanted = np.zeros(len(self._names) + 1, np.bool_)
            places = [self._places[name] for name in documents if name in self._places]
            wanted[places] = True
            mask = wanted[self._owners[: self._rows]]  # a dead row takes the last, which no document has
            if not isinstance(documents, frozenset):
                return mask
            self._last = (documents, mask)
        return self._last[1]

    def best(self, scores: NDArray[np.float32], k: int, allowed: NDArray[np.bool_] | None) -> list[Hit]:
        """The k best of the living rows that are allowed, best first; of equal scores the earlier row comes first."""
        if self.alive < self._rows:
            allowed = self.living if allowed is None else allowed & self.living
        if allowed is None:
            return self.best_of(np.arange(len(scores)), scores, k)
        rows = np.flatnonzero(allowed)
        return self.best_of(rows, scores[rows], k)

    def best_of(self, rows: NDArray[np.intp], scores: NDArray[np.float32], k: int) -> list[Hit]:
        """As `best`, of these living rows (ascending) and their scores."""
        if k < len(rows):
            # Everything as good as the k-th: argpartition alone would choose among equals at will.
            kept = scores >= np.partition(scores, len(scores) - k)[len(scores) - k]
            rows, scores = rows[kept], scores[kept]
        order = np.lexsort((rows, -scores))[:k]
        return [(self.key(int(rows[i])), float(scores[i])) for i in order]
