"""Dense search: the cosine of the question with every chunk of the documents searched, best first.

Up to a few thousand chunks every one is compared. Of more, one-bit codes (sign_codes.py) choose the candidates, and
only those are compared: at 100,000 chunks that finds 50 of the true best 50 in nearly every case, and a tab's memory
holds half of what the float32 matrix would take. Filters come before the candidates are chosen.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from terrarium.indexes.segments import Hit, Key, Segments
from terrarium.indexes.sign_codes import SignCodes

_BLOCK = 4096  # rows of one array: a document's vectors are written into the last one, the others stay as they are
_CANDIDATES = 1000  # compared exactly, at least: of the true best 50 among 100,000 real vectors 0.999 are in them
_PER_RESULT = 20  # of them for each result that is asked for


class VectorIndex:
    """Documents' vectors, in float16 as they are stored."""

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self._segments = Segments()
        self._blocks: list[_Block] = []

    def __len__(self) -> int:
        return self._segments.alive

    def add(self, document_id: str, vectors: NDArray[np.floating]) -> None:
        """`vectors`: [chunks, dimensions], of any length; scaled to unit length here."""
        if vectors.ndim != 2 or vectors.shape[1] != self.dimensions:
            raise ValueError(f"vectors of shape {vectors.shape} in an index of {self.dimensions} dimensions")
        self._segments.add(document_id, len(vectors))
        self._append(_unit(vectors).astype(np.float16))

    def remove(self, document_id: str) -> None:
        self._segments.remove(document_id)
        if self._segments.wasteful:
            self._compact()

    def search(self, query: NDArray[np.floating], k: int, within: Collection[str] | None = None) -> list[Hit]:
        """The k chunks nearest to `query` [dimensions] by cosine, of the documents named in `within`."""
        (unit,) = _unit(query[np.newaxis])
        allowed = self._segments.living if within is None else self._segments.mask(within)
        rows = np.flatnonzero(allowed)
        limit = max(_CANDIDATES, _PER_RESULT * k)
        if len(rows) > limit:
            rows = self._candidates(unit, allowed, limit)
        return self._segments.best_of(rows, self._cosines(rows, unit), k)

    def scores(self, query: NDArray[np.floating], keys: Sequence[Key]) -> NDArray[np.float32]:
        """[keys] the cosine of each of these chunks, NaN for those of documents that the index does not hold."""
        (unit,) = _unit(query[np.newaxis])
        here = np.array([document_id in self._segments for document_id, _ in keys], bool)
        rows = self._segments.rows([key for key, held in zip(keys, here, strict=True) if held])
        unique, places = np.unique(rows, return_inverse=True)
        found = np.full(len(keys), np.nan, np.float32)
        found[here] = self._cosines(unique, unit)[places]
        return found

    def _candidates(self, query: NDArray[np.float32], allowed: NDArray[np.bool_], limit: int) -> NDArray[np.intp]:
        """About `limit` of the rows allowed, ascending, and those of the block that has no codes yet."""
        codes = [block.codes for block in self._blocks if block.codes]
        estimates = np.concatenate([of_block.estimate(query) for of_block in codes] or [query[:0]])
        coded = np.flatnonzero(allowed[: len(estimates)])
        estimates = estimates[coded]
        if limit < len(coded):
            coded = coded[estimates >= np.partition(estimates, len(coded) - limit)[len(coded) - limit]]
        return np.concatenate([coded, np.flatnonzero(allowed[_BLOCK * len(codes) :]) + _BLOCK * len(codes)])

    def _cosines(self, rows: NDArray[np.intp], query: NDArray[np.float32]) -> NDArray[np.float32]:
        """[rows] of the rows named, ascending."""
        bounds = np.searchsorted(rows, _BLOCK * np.arange(len(self._blocks) + 1))
        parts = [query[:0]]
        for number, block in enumerate(self._blocks):
            inside = rows[bounds[number] : bounds[number + 1]] - _BLOCK * number
            # Not `@`: numpy without BLAS, as in a tab, takes twice as long for it.
            parts.append(np.einsum("ij,j->i", block.vectors[inside].astype(np.float32), query))
        return np.concatenate(parts)

    def _append(self, vectors: NDArray[np.float16]) -> None:
        while len(vectors):
            if not self._blocks or self._blocks[-1].codes:
                self._blocks.append(_Block(np.zeros((_BLOCK, self.dimensions), np.float16)))
            vectors = self._blocks[-1].fill(vectors)

    def _compact(self) -> None:
        """Close the gaps that removed documents left, block by block so that little is held twice."""
        kept, old = self._segments.compact(), self._blocks
        bounds = np.searchsorted(kept, _BLOCK * np.arange(len(old) + 1))
        self._blocks = []
        for number in range(len(old)):
            inside = kept[bounds[number] : bounds[number + 1]] - _BLOCK * number
            self._append(old[number].vectors[inside])
            old[number] = _Block(np.zeros((0, self.dimensions), np.float16))


@dataclass(slots=True, eq=False)
class _Block:
    """`vectors` is as long as a block from the start; codes are made when it is full."""

    vectors: NDArray[np.float16]
    used: int = field(default=0)
    codes: SignCodes | None = None

    def fill(self, vectors: NDArray[np.float16]) -> NDArray[np.float16]:
        """Take in as many as there is room for. Returns the others."""
        taken = min(len(vectors), len(self.vectors) - self.used)
        self.vectors[self.used : self.used + taken] = vectors[:taken]
        self.used += taken
        if self.used == len(self.vectors):
            self.codes = SignCodes.of(self.vectors)
        return vectors[taken:]


def _unit(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    wide = vectors.astype(np.float32)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    unit: NDArray[np.float32] = wide / lengths
    return unit
