"""BM25 with eager sparse scores: scores are computed when the collection changes, a query is a sum of columns.

Robertson's weighting with Lucene's idf (never negative, no factor k1 + 1): the method "lucene" of bm25s, from whose
paper the eager scores come (Lù 2024, arXiv:2407.03618). What it does not do: phrases, fields, prefix or fuzzy search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrarium.segments import Hit, Segments


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """How often each term stands in each chunk of one document, sorted by term."""

    terms: tuple[str, ...]
    starts: NDArray[np.int32]  # [terms + 1]: the postings of term t are starts[t]:starts[t + 1]
    chunks: NDArray[np.int32]  # [postings] number of the chunk in its document
    counts: NDArray[np.int32]  # [postings]
    lengths: NDArray[np.int32]  # [chunks] terms in each chunk, repetitions counted


def count_terms(chunks: Iterable[Sequence[str]]) -> Postings:
    """Postings of a document from the terms of each of its chunks."""
    numbers: dict[str, int] = {}
    lengths: list[int] = []
    flat: list[int] = []
    for chunk in chunks:
        lengths.append(len(chunk))
        flat.extend([numbers.setdefault(term, len(numbers)) for term in chunk])
    owners = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    width = max(len(lengths), 1)
    cells, counts = np.unique(np.array(flat, dtype=np.int64) * width + owners, return_counts=True)
    # In a tab indexes have 32 bits, and bincount takes no wider ones.
    per_term = np.bincount((cells // width).astype(np.intp), minlength=len(numbers))
    return Postings(
        terms=tuple(numbers),
        starts=np.concatenate([[0], np.cumsum(per_term)]).astype(np.int32),
        chunks=(cells % width).astype(np.int32),
        counts=counts.astype(np.int32),
        lengths=np.array(lengths, dtype=np.int32),
    )


class LexicalIndex:
    """A collection of documents' postings. Adding and removing is cheap; the next query scores what changed."""

    def __init__(self, k1: float = 1.5, b: float = 0.75) -> None:
        self._k1, self._b = k1, b
        self._segments = Segments()
        self._postings: dict[str, tuple[Postings, NDArray[np.int32]]] = {}  # with the terms' numbers below
        self._numbers: dict[str, int] = {}  # grows only: terms of removed documents cost a few bytes until reopened
        self._stale = True

    def add(self, document_id: str, postings: Postings) -> None:
        self._segments.add(document_id, len(postings.lengths))
        numbers = self._numbers
        numbered = [numbers.setdefault(term, len(numbers)) for term in postings.terms]
        self._postings[document_id] = (postings, np.array(numbered, dtype=np.int32))
        self._stale = True

    def remove(self, document_id: str) -> None:
        self._segments.remove(document_id)
        del self._postings[document_id]
        self._stale = True

    def search(
        self,
        terms: Sequence[str],
        k: int,
        within: Collection[str] | None = None,
        holding: Collection[str] = (),
    ) -> list[Hit]:
        """The k best chunks that hold any of the terms; a term asked twice counts twice.

        `within` names the documents to search, and each of the terms `holding` must be in the chunk. Both are applied
        before the best k are picked.
        """
        if self._stale:
            self._score()
        scores = np.zeros(len(self._segments), dtype=np.float32)
        for term, weight in Counter(terms).items():
            column = self._column(term)
            scores[self._rows[column]] += weight * self._scores[column]
        allowed = scores > 0
        if within is not None:
            allowed &= self._segments.mask(within)
        for term in holding:
            held = np.zeros_like(allowed)
            held[self._rows[self._column(term)]] = True
            allowed &= held
        return self._segments.best(scores, k, allowed)

    def _column(self, term: str) -> slice:
        number = self._numbers.get(term)
        return slice(0, 0) if number is None else slice(self._columns[number], self._columns[number + 1])

    def _score(self) -> None:
        parts = list(self._postings.values())
        starts = self._segments.starts
        terms = _joined([np.repeat(numbers, np.diff(postings.starts)) for postings, numbers in parts])
        rows = _joined([postings.chunks + start for (postings, _), start in zip(parts, starts, strict=False)])
        counts = _joined([postings.counts for postings, _ in parts])
        lengths = _joined([postings.lengths for postings, _ in parts]).astype(np.float64)

        chunks_with = np.bincount(terms, minlength=len(self._numbers))
        idf = np.log1p((len(lengths) - chunks_with + 0.5) / (chunks_with + 0.5))
        average = lengths.mean() if lengths.any() else 1.0
        damping = self._k1 * (1 - self._b + self._b * lengths / average)

        order = np.argsort(terms, kind="stable")
        terms, rows, counts = terms[order], rows[order], counts[order]
        self._columns = np.concatenate([[0], np.cumsum(chunks_with)])
        self._rows = rows
        self._scores = (idf[terms] * counts / (counts + damping[rows])).astype(np.float32)
        self._stale = False


def _joined(arrays: list[NDArray[np.int32]]) -> NDArray[np.int32]:
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype=np.int32)
