"""Which chunks hold a term, and how often: of one document as it is stored, and of many as they are searched.

Runs are merged by counting, in time linear in their postings (each term's place in the result is known before a
posting moves), so that an index can grow without being built anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """How often each term stands in each chunk of one document, sorted by term."""

    terms: tuple[str, ...]
    starts: NDArray[np.int32]  # [terms + 1]: the postings of term t are starts[t]:starts[t + 1]
    chunks: NDArray[np.int32]  # [postings] number of the chunk in its document
    counts: NDArray[np.int32]  # [postings]
    lengths: NDArray[np.int32]  # [chunks] terms in each chunk, repetitions counted
    language: str = ""  # whose stems the terms are


def count_terms(chunks: Iterable[Sequence[str]], language: str = "") -> Postings:
    """Postings of a document from the terms of each of its chunks, which were made for `language`."""
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
        language=language,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The postings of some documents, by term."""

    terms: NDArray[np.int32]  # [terms] their numbers in the vocabulary; ascending in what `merged` gives
    starts: NDArray[np.int32]  # [terms + 1] the postings of terms[t] are starts[t]:starts[t + 1], at least one
    rows: NDArray[np.int32]  # [postings] ascending within a term
    counts: Counts  # [postings] in as few bytes as the largest needs

    def __len__(self) -> int:
        return len(self.rows)

    def postings(self, term: int) -> slice:
        """Where a term's postings lie."""
        place = int(np.searchsorted(self.terms, term))
        if place == len(self.terms) or self.terms[place] != term:
            return slice(0, 0)
        return slice(int(self.starts[place]), int(self.starts[place + 1]))

    def row(self, row: int) -> tuple[NDArray[np.int32], Counts]:
        """(terms, counts) of one row. Reads every row number of the run: milliseconds for millions."""
        places = np.flatnonzero(self.rows == row)
        return self.terms[np.searchsorted(self.starts, places, side="right") - 1], self.counts[places]

    def renumbered(self, numbers: NDArray[np.int32]) -> Run:
        """With `numbers[row]` for each row, and without those whose number is negative."""
        rows = numbers[self.rows]
        kept = rows >= 0
        lengths = np.add.reduceat(kept, self.starts[:-1], dtype=np.int32) if len(self.terms) else self.starts[:0]
        used = lengths > 0
        return Run(self.terms[used], _starts(lengths[used]), rows[kept], self.counts[kept])


def merged(runs: Sequence[Run]) -> Run:
    """One run of several, whose rows ascend from run to run."""
    width = max((int(run.terms.max()) + 1 for run in runs if len(run.terms)), default=0)
    totals = np.zeros(width, np.int32)
    for run in runs:
        totals[run.terms] += np.diff(run.starts)
    terms = np.flatnonzero(totals).astype(np.int32)
    starts = _starts(totals[terms])
    free = totals  # from here on: where the next posting of a term goes
    free[terms] = starts[:-1]
    rows = np.empty(starts[-1], np.int32)
    counts = np.empty(starts[-1], np.result_type(np.uint8, *(run.counts.dtype for run in runs)))
    for run in runs:
        lengths = np.diff(run.starts)
        places = np.repeat(free[run.terms] - run.starts[:-1], lengths)
        places += np.arange(len(run), dtype=np.int32)
        rows[places] = run.rows
        counts[places] = run.counts
        free[run.terms] += lengths
    return Run(terms, starts, rows, counts)


def _starts(lengths: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
