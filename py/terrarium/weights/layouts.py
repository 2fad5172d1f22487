"""The tensors that each kind of product reads, made of rows of blocks.

A layout works on any number of whole rows at a time. One that lies `across` gives a row of weights down a column.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrarium.weights.blocks import FORMATS, Bytes, Floats, each, values

LEVELS = 127
SMALLEST_SCALE = np.float32(1e-8)  # keeps a row of zeros from dividing by zero
# Added to a float32 of at most 22 bits, leaves its nearest integer, halves to even, in the lowest bits.
ROUNDING = np.float32(1.5 * 2**23)
# Names the scales of a tensor's rows: they are kept with the blocks, since finding them takes all the weights twice.
ROW_SCALES = ".row_scales"


@dataclass(frozen=True, slots=True)
class Layout:
    """`make` is given a format, rows [n, bytes] and their row scales [n], or [0]; it gives [n, …], or […, n] across."""

    make: Callable[[str, Bytes, Floats], NDArray[Any]]
    across: bool = False
    scaled: bool = False  # whether it wants the row scales


def row_scales(kind: str, rows: Bytes) -> Floats:
    """[n]: a row's largest weight / 127."""
    parts = (rows[first : first + 1024] for first in range(0, len(rows), 1024))
    largest = np.concatenate([np.abs(values(kind, part)).max(axis=1) for part in parts])
    return np.maximum(largest / np.float32(LEVELS), SMALLEST_SCALE)


def float32(kind: str, rows: Bytes, _: Floats) -> Floats:
    """Weights [n, k] as they are: vectors and tables."""
    return values(kind, rows)


def float32_columns(kind: str, rows: Bytes, _: Floats) -> Floats:
    """[k, n], the right-hand side of a MatMul."""
    return values(kind, rows).T


def int8_columns(kind: str, rows: Bytes, scales: Floats) -> NDArray[np.int8]:
    """[k, n]: weights / row scales, rounded."""
    if kind in FORMATS:
        quotients = _quotients(kind, rows, np.float32(1) / scales[:, None])
    else:
        quotients = values(kind, rows) / scales[:, None]
    quotients += ROUNDING
    return quotients.view(np.int8)[:, ::4].T


def _quotients(kind: str, rows: Bytes, factors: Floats) -> Floats:
    """Weights [n, k] times a factor [n, 1] each, in as few steps over all of them as can be."""
    format = FORMATS[kind]
    if format.bits == 8:
        levels = (format.levels(rows).view(np.uint64) ^ each(128)).view(np.int8)  # less the zero
        least = None
    else:
        levels = format.levels(rows).view(np.int8)
        least = format.offsets(rows)
    scales = format.scales(rows) * factors
    quotients = levels.reshape(*scales.shape, format.size).astype(np.float32)
    quotients *= scales[..., None]
    if least is not None:
        quotients += (least * factors - format.zero * scales)[..., None]
    return quotients.reshape(len(rows), -1)


def block_levels(kind: str, rows: Bytes, _: Floats) -> Bytes:
    """[n, k · bits / 8], of four bits two in a byte, the first in its lower half: B of MatMulNBits."""
    levels = FORMATS[kind].levels(rows)
    if FORMATS[kind].bits == 8:
        return levels
    pairs = levels.view(np.uint16)
    return (pairs | pairs >> np.uint16(4)).astype(np.uint8)


def block_scales(kind: str, rows: Bytes, _: Floats) -> Floats:
    """[n, k / size]."""
    return FORMATS[kind].scales(rows)


def block_offsets(kind: str, rows: Bytes, _: Floats) -> Floats:
    """[k / size, n], for a product with the sums of the blocks' inputs. For formats with offsets only."""
    offsets = FORMATS[kind].offsets(rows)
    assert offsets is not None
    return offsets.T


def _halves(make: Callable[[str, Bytes, Floats], Floats]) -> Callable[[str, Bytes, Floats], NDArray[np.float16]]:
    """The same numbers, rounded to float16."""
    return lambda kind, rows, scales: make(kind, rows, scales).astype(np.float16)


LAYOUTS = {
    "float32": Layout(float32),
    "float16": Layout(_halves(float32)),
    "float32_columns": Layout(float32_columns, across=True),
    "float16_columns": Layout(_halves(float32_columns), across=True),
    "int8_columns": Layout(int8_columns, across=True, scaled=True),
    "block_levels": Layout(block_levels),
    "block_scales": Layout(block_scales),
    "block_scales_float16": Layout(_halves(block_scales)),
    "block_offsets": Layout(block_offsets, across=True),
    "block_offsets_float16": Layout(_halves(block_offsets), across=True),
}
