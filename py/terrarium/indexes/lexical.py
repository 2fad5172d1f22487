"""BM25 with eager sparse scores: a term's scores are a column, computed once; a query is a sum of columns.

Robertson's weighting with Lucene's idf (never negative, no factor k1 + 1): the method "lucene" of bm25s, from whose
paper the eager scores come (Lù 2024, arXiv:2407.03618). There all columns are computed when the collection changes;
here each when it is first asked for, and kept until the collection changes, so that adding a document to a hundred
thousand chunks costs what the document costs. Scores are exact: idf and average length are those of the whole
collection.

What it does not do: phrases, fields, prefix or fuzzy search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrarium.indexes.inverted_index import InvertedIndex
from terrarium.indexes.postings import Postings
from terrarium.indexes.segments import Hit, Key

_KEPT = 64 * 2**20  # bytes of columns that are kept
_FREQUENT = 8  # a term in more than 1 / _FREQUENT of the rows is added to all of them: numpy does that quicker

Words = Sequence[str] | Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """What one term gives the rows that hold it."""

    rows: NDArray[np.int32]  # living ones, ascending
    scores: NDArray[np.float32]
    whole: NDArray[np.float32] | None  # [all rows] of a frequent term


class LexicalIndex:
    """A collection of documents' postings. Adding and removing is cheap; the next question scores what it asks for."""

    def __init__(self, k1: float = 1.5, b: float = 0.75) -> None:
        self._k1, self._b = k1, b
        self._inverted = InvertedIndex()
        self._columns: dict[str, _Column] = {}
        self._kept = 0
        self._stale = True

    @property
    def chunks(self) -> int:
        return self._inverted.segments.alive

    @property
    def languages(self) -> frozenset[str]:
        """Those that the documents' terms were made for."""
        return self._inverted.languages

    def add(self, document_id: str, postings: Postings) -> None:
        self._inverted.add(document_id, postings)
        self._stale = True

    def remove(self, document_id: str) -> None:
        self._inverted.remove(document_id)
        self._stale = True

    def search(
        self,
        words: Words,
        k: int,
        within: Collection[str] | None = None,
        holding: Collection[str] = (),
        weights: Mapping[str, float] | None = None,
    ) -> list[Hit]:
        """The k best chunks that hold any of the words; one asked twice counts twice.

        A mapping gives the documents of each language words of their own, and those of a language that it does not
        name the words under "". `weights` adds terms that count as often as they weigh, in every document. `within`
        names the documents to search, and each of the terms `holding` must be in the chunk. Both are applied before
        the best k are picked.
        """
        scores = self._all_scores(words, weights or {})
        allowed = scores > 0
        if within is not None:
            allowed &= self._inverted.segments.mask(within)
        for term in holding:
            held = np.zeros_like(allowed)
            held[self._column(term).rows] = True
            allowed &= held
        return self._inverted.segments.best(scores, k, allowed)

    def scores(
        self, words: Words, keys: Sequence[Key], weights: Mapping[str, float] | None = None
    ) -> NDArray[np.float32]:
        """[keys] what `search` gives each of these chunks, found or not; 0 for one that holds none of the words."""
        every = self._all_scores(words, weights or {})
        found: NDArray[np.float32] = every[self._inverted.segments.rows(keys)]
        return found

    def holds(self, term: str) -> bool:
        """Whether any chunk does."""
        return self.chunks_with(term) > 0

    def chunks_with(self, term: str) -> int:
        self._settle()
        return len(self._column(term).rows)

    def idf(self, term: str) -> float:
        """The weight of a term for its rarity, above 0; 0.0 for one that no chunk holds."""
        held = self.chunks_with(term)
        return self._idf(held) if held else 0.0

    @property
    def greatest_idf(self) -> float:
        """That of a term in a single chunk."""
        return self._idf(1)

    def chunk_terms(self, key: Key) -> dict[str, int]:
        """The terms of one chunk and how often each stands in it."""
        self._settle()
        return self._inverted.chunk_terms(key)

    def _all_scores(self, words: Words, weights: Mapping[str, float]) -> NDArray[np.float32]:
        """[rows], 0 for those that hold no word."""
        self._settle()
        scores = np.zeros(len(self._inverted.segments), dtype=np.float32)
        for term, weight in self._asked(words, weights).items():
            column = self._column(term)
            if not isinstance(weight, float):
                scores[column.rows] += column.scores * weight[self._inverted.spoken(column.rows)]
            elif column.whole is not None:
                scores += column.whole * np.float32(weight)
            else:
                scores[column.rows] += column.scores * np.float32(weight)
        return scores

    def _asked(self, words: Words, weights: Mapping[str, float]) -> dict[str, float | NDArray[np.float32]]:
        """How much each term counts: in every document, or by the code of the document's language."""
        codes = self._inverted.codes
        if not isinstance(words, Mapping):
            words = dict.fromkeys(codes, words)
        by_code = [Counter(words.get(language, words.get("", ()))) for language in codes]
        asked: dict[str, float | NDArray[np.float32]] = {}
        for term in dict.fromkeys([term for counts in by_code for term in counts] + list(weights)):
            counts = [one[term] + weights.get(term, 0.0) for one in by_code]
            asked[term] = counts[0] if len(set(counts)) == 1 else np.array(counts, np.float32)
        return asked

    def _column(self, term: str) -> _Column:
        known = self._columns.get(term)
        if known is not None:
            return known
        rows, counts = self._inverted.postings(term)
        scores = (self._idf(len(rows)) * counts / (counts + self._damping[rows])).astype(np.float32)
        whole = None
        if len(rows) * _FREQUENT > len(self._damping):
            whole = np.zeros(len(self._damping), np.float32)
            whole[rows] = scores
        if self._kept > _KEPT:
            self._columns.clear()
            self._kept = 0
        column = self._columns[term] = _Column(rows, scores, whole)
        self._kept += sum(array.nbytes for array in (rows, scores, whole) if array is not None)
        return column

    def _idf(self, held: int) -> float:
        return float(np.log1p((self.chunks - held + 0.5) / (held + 0.5)))

    def _settle(self) -> None:
        """Forget the columns when the collection changed since the last question."""
        if self._stale:
            self._inverted.settle()
            lengths = self._inverted.lengths
            self._damping = self._k1 * (1 - self._b + self._b * lengths / self._inverted.average)
            self._columns.clear()
            self._kept = 0
            self._stale = False
