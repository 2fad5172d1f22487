"""One bit a dimension: which of many vectors are worth an exact look, told from a sixteenth of a float16's bytes.

The estimate is RaBitQ's (Gao and Long 2024, arXiv:2405.12497) without its random rotation, which did not help sentence
embeddings: a vector's difference from its block's mean is kept as signs and one factor, the query as integers of four
bits, and a product of both is bits counted. What lies along the mean, which all vectors of an embedder such as e5
share, is kept exactly. What it does not do: order the best few. Those must be compared exactly afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_WORD = 64  # bits that are counted at once
_PLANES = 4  # bits of each of a query's numbers, the last of them its sign
_WEIGHTS = (*(2**plane for plane in range(_PLANES - 1)), -(2 ** (_PLANES - 1)))
_LARGEST = 2 ** (_PLANES - 1) - 1
_SHIFTS = np.arange(_PLANES)[:, np.newaxis]


@dataclass(frozen=True, slots=True, eq=False)
class SignCodes:
    """Of one block of vectors."""

    centre: NDArray[np.float32]  # [dimensions] their mean
    along: NDArray[np.float32]  # [rows] product of the difference from it with it
    words: NDArray[np.uint64]  # [words, rows] signs of the difference
    factors: NDArray[np.float32]  # [rows] what a sum over signs is to be multiplied by

    @classmethod
    def of(cls, vectors: NDArray[np.floating]) -> SignCodes:
        """`vectors`: [rows, dimensions]"""
        wide = vectors.astype(np.float32)
        centre = wide.mean(axis=0)
        wide -= centre
        sums = np.maximum(np.abs(wide).sum(axis=1), np.finfo(np.float32).tiny)
        factors = np.einsum("ij,ij->i", wide, wide) / sums
        return cls(centre, np.einsum("ij,j->i", wide, centre), np.ascontiguousarray(_packed(wide > 0).T), factors)

    def estimate(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """[rows] about the product of each vector with the query [dimensions]."""
        product = float(query @ self.centre)
        share = product / (float(self.centre @ self.centre) or 1.0)
        planes, step, everything = _planes(query - np.float32(share) * self.centre)
        total = np.zeros(self.words.shape[1], np.int32)
        for plane, weight in zip(planes, _WEIGHTS, strict=True):
            counts = np.bitwise_count(self.words & plane[:, np.newaxis])
            # A sum of 16 bits takes half the time of one of 32; there are fewer than 65,536 dimensions.
            total += weight * counts.sum(axis=0, dtype=np.uint16).astype(np.int32)
        # Signs are ±1 and bits 0 or 1: a sum over signs is twice that over the bits less that over all.
        signed = (2 * total - everything).astype(np.float32) * np.float32(step)
        estimate: NDArray[np.float32] = self.factors * signed + np.float32(share) * self.along + np.float32(product)
        return estimate


def _planes(vector: NDArray[np.float32]) -> tuple[NDArray[np.uint64], float, int]:
    """A vector as whole multiples of a step: their bits [planes, words] in two's complement, the step, their sum."""
    step = float(np.abs(vector).max(initial=0.0)) / _LARGEST or 1.0
    levels = np.rint(vector / np.float32(step)).astype(np.int32)
    return _packed((levels >> _SHIFTS & 1).astype(np.bool_)), step, int(levels.sum())


def _packed(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """[rows, dimensions] → [rows, words], the last word filled up with zeros."""
    if missing := -bits.shape[1] % _WORD:
        bits = np.pad(bits, ((0, 0), (0, missing)))
    return np.packbits(bits, axis=1).view(np.uint64)
