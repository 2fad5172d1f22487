"""Term → the chunks that hold it, of a collection of documents that grows and shrinks.

Postings lie in runs whose sizes fall by half at least. What is added becomes a run of its own at the next look, merged
with the runs that are not much larger: a posting moves once for each doubling, and adding a document to a hundred
thousand chunks costs what the document costs. Removed documents' postings are passed over until they are half of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from terrarium.indexes.postings import Postings, Run, merged
from terrarium.indexes.segments import Key, Segments

_GROWTH = 2  # a run joins those after it when they are together at least 1 / _GROWTH of its size

Number = TypeVar("Number", np.int32, np.uint8)


class _Vocabulary(dict[str, int]):
    """Every term that was ever added, numbered in order. Looked up at C's speed once it is known."""

    def __missing__(self, term: str) -> int:
        self[term] = number = len(self)
        return number


class InvertedIndex:
    """Rows are those of `segments`. `settle` before reading what documents were added or removed."""

    def __init__(self) -> None:
        self.segments = Segments()
        self.codes: dict[str, int] = {}  # of each language that a document was ever counted in
        self._runs: list[Run] = []
        self._added: list[Run] = []  # since the last `settle`
        self._vocabulary = _Vocabulary()  # grows only: terms of removed documents cost a few bytes until reopened
        self._words: list[str] = []  # its terms by number, as far as they were needed
        self._lengths = np.zeros(0, np.int32)  # [capacity] terms of each row's chunk
        self._spoken = np.zeros(0, np.uint8)  # [capacity] the code of each row's language
        self._languages: dict[str, str] = {}  # of each document
        self._terms = 0  # of all living rows

    @property
    def languages(self) -> frozenset[str]:
        return frozenset(self._languages.values())

    @property
    def lengths(self) -> NDArray[np.int32]:
        """[rows] terms in each chunk, repetitions counted."""
        return self._lengths[: len(self.segments)]

    @property
    def average(self) -> float:
        """Of the living chunks' lengths; 1 when none holds a term."""
        return self._terms / self.segments.alive if self._terms else 1.0

    def spoken(self, rows: NDArray[np.int32]) -> NDArray[np.uint8]:
        """The codes of the rows' languages."""
        return self._spoken[rows]

    def add(self, document_id: str, postings: Postings) -> None:
        """Raises ValueError for a document that is there already."""
        start = self.segments.add(document_id, len(postings.lengths))
        end = len(self.segments)
        if end > len(self._lengths):
            room = max(end, 2 * len(self._lengths))
            self._lengths, self._spoken = _grown(self._lengths, room), _grown(self._spoken, room)
        self._lengths[start:end] = postings.lengths
        self._spoken[start:end] = self.codes.setdefault(postings.language, len(self.codes))
        self._languages[document_id] = postings.language
        self._terms += int(postings.lengths.sum())
        numbers = np.array(list(map(self._vocabulary.__getitem__, postings.terms)), np.int32)
        largest = int(postings.counts.max()) if len(postings.counts) else 0
        counts = postings.counts.astype(np.min_scalar_type(largest))
        self._added.append(Run(numbers, postings.starts, postings.chunks + np.int32(start), counts))

    def remove(self, document_id: str) -> None:
        self._terms -= int(self._lengths[self.segments.remove(document_id)].sum())
        del self._languages[document_id]

    def settle(self) -> None:
        """Take in what was added since the last time."""
        if self.segments.wasteful:
            self._compact()
        elif self._added:
            first, size = len(self._runs), sum(map(len, self._added))
            while first and len(self._runs[first - 1]) < _GROWTH * size:
                first -= 1
                size += len(self._runs[first])
            self._runs[first:] = [merged([*self._runs[first:], *self._added])]
        self._added = []

    def postings(self, term: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Living rows that hold the term, ascending, and how often each does."""
        number = self._vocabulary.get(term, -1)
        spans = [(run, run.postings(number)) for run in self._runs]
        rows = _joined([run.rows[span] for run, span in spans])
        counts = _joined([run.counts[span].astype(np.int32) for run, span in spans])
        if self.segments.alive < len(self.segments):
            living = self.segments.living[rows]
            rows, counts = rows[living], counts[living]
        return rows, counts

    def chunk_terms(self, key: Key) -> dict[str, int]:
        """The terms of one chunk and how often each stands in it. Milliseconds at a hundred thousand chunks."""
        row = self.segments.start(key[0]) + key[1]
        if len(self._words) < len(self._vocabulary):
            self._words = list(self._vocabulary)
        found: dict[str, int] = {}
        for run in self._runs:
            terms, counts = run.row(row)
            found |= {self._words[term]: count for term, count in zip(terms.tolist(), counts.tolist(), strict=True)}
        return found

    def _compact(self) -> None:
        """Everything anew without what was removed."""
        numbers = np.full(len(self.segments), -1, np.int32)
        kept = self.segments.compact()
        numbers[kept] = np.arange(len(kept), dtype=np.int32)
        self._runs = [merged([run.renumbered(numbers) for run in (*self._runs, *self._added)])]
        self._lengths, self._spoken = self._lengths[kept], self._spoken[kept]


def _joined(arrays: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    if len(arrays) == 1:
        return arrays[0]
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype=np.int32)


def _grown(array: NDArray[Number], room: int) -> NDArray[Number]:
    grown = np.zeros(room, array.dtype)
    grown[: len(array)] = array
    return grown
