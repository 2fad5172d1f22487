"""GGUF's block formats, taken apart into levels and scales without loss.

A row of weights is cut into blocks; each weight of a block is a small integer, its level, and the block carries what
levels are multiplied with. Every format here is `(level - zero) * scale + offset`, with levels of four or eight bits
and one scale for `size` weights, as onnxruntime's MatMulNBits reads them. How blocks lie in bytes is told by
ggml-quants.c and ggml-common.h in https://github.com/ggml-org/ggml.

Takes apart only; rounding weights to fewer bits is not done here. Bits are moved eight bytes at a time, and runs of
bytes as one value each (numpy's void type): in the tab numpy has no SIMD, and a generator has hundreds of millions of
weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]
Words = NDArray[np.uint64]
Records = NDArray[np.void]  # blocks [n, b], each one record


def each(byte: int) -> np.uint64:
    """A byte, eight times over."""
    return np.uint64(byte * 0x0101010101010101)


@dataclass(frozen=True, slots=True)
class Format:
    """`weights` of them in a record; levels of `bits` bits, from `least` to `most`, and a scale for each `size`."""

    record: np.dtype[Any]
    weights: int
    bits: int
    size: int
    least: int
    most: int
    words: Callable[[Records], Words]  # levels [n, b, weights], eight in a word
    scale: Callable[[Records], Floats]  # [n, b, weights / size]
    minimum: Callable[[Records], Floats] | None = None  # the value of level 0, where it is no multiple of the scale

    @property
    def zero(self) -> int:
        """The level that stands for 0: MatMulNBits' own default."""
        return 1 << (self.bits - 1)

    def row_bytes(self, columns: int) -> int:
        return columns // self.weights * self.record.itemsize

    def levels(self, rows: Bytes) -> Bytes:
        """[n, row_bytes(k)] → [n, k]."""
        return np.ascontiguousarray(self.words(self._records(rows))).view(np.uint8).reshape(len(rows), -1)

    def scales(self, rows: Bytes) -> Floats:
        """[n, k / size]."""
        return self.scale(self._records(rows)).reshape(len(rows), -1)

    def offsets(self, rows: Bytes) -> Floats | None:
        """[n, k / size], or None for a format without."""
        if self.minimum is None:
            return None
        records = self._records(rows)
        return (self.minimum(records) + self.zero * self.scale(records)).reshape(len(rows), -1)

    def values(self, rows: Bytes) -> Floats:
        """[n, k] float32."""
        scales, offsets = self.scales(rows), self.offsets(rows)
        values = self.levels(rows).reshape(*scales.shape, self.size).astype(np.float32)
        values -= self.zero
        values *= scales[..., None]
        if offsets is not None:
            values += offsets[..., None]
        return values.reshape(len(rows), -1)

    def _records(self, rows: Bytes) -> Records:
        return rows.view(self.record)


def _record(*fields: tuple[str, str]) -> np.dtype[Any]:
    return np.dtype(list(fields))


def _run(records: Records, field: str) -> Words:
    """A field's bytes, in words [n, b, …]."""
    return np.ascontiguousarray(records[field]).view(np.uint64).reshape(*records.shape, -1)


def _numbers(records: Records, field: str) -> Floats:
    """A float16 field, [n, b, 1]."""
    return records[field].astype(np.float32)[..., None]


def _joined(parts: list[Words], run: int) -> Words:
    """Parts of equal shape, interleaved in runs of so many bytes."""
    kind = f"V{run}"
    joined = np.empty((parts[0].nbytes // run, len(parts)), kind)
    for index, part in enumerate(parts):
        joined[:, index] = part.reshape(-1).view(kind)
    return joined.view(np.uint64).reshape(*parts[0].shape[:2], -1)


def _nibbles(words: Words, run: int) -> Words:
    """[n, b, w] → [n, b, 2w]: of each run of bytes all lower halves, then all upper ones."""
    return _joined([words & each(15), words >> np.uint64(4) & each(15)], run)


# A byte's eight bits as eight bytes of 0 or 16, lowest first.
_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
_FIFTH_BITS = (_BITS << 4).view(np.uint64)[:, 0]


def _q5_0(records: Records) -> Words:
    fifth = _FIFTH_BITS[np.ascontiguousarray(records["fifth"]).view(np.uint8)].reshape(*records.shape, 4)
    return (_nibbles(_run(records, "low"), 16) | fifth) + each(128 - 16)


def _q6_k(records: Records) -> Words:
    low, high = _nibbles(_run(records, "low"), 64), _run(records, "high")
    upper = _joined([(high >> np.uint64(shift) & each(3)) << np.uint64(4) for shift in (0, 2, 4, 6)], 32)
    return (low | upper) + each(128 - 32)


def _q6_k_scale(records: Records) -> Floats:
    scales = np.ascontiguousarray(records["scales"]).view(np.int8).reshape(*records.shape, 16)
    return _numbers(records, "scale") * scales


def _q4_k_six_bits(records: Records, field: str, shift: int) -> Floats:
    """Eight numbers of 6 bits [n, b, 8]: four in a field's bytes, of the others the upper two bits there, too, and the
    lower four in a half of the bytes `rest`."""
    field_words, rest = (np.ascontiguousarray(records[name]).astype(np.uint64) for name in (field, "rest"))
    later = (rest >> np.uint64(shift) & each(15)) | (field_words >> np.uint64(2) & each(48))
    words = (field_words & each(63)) & np.uint64(0xFFFFFFFF) | later << np.uint64(32)
    return words[..., None].view(np.uint8).astype(np.float32)


Q4_K_SIX_BITS = (("scales", "<u4"), ("minima", "<u4"), ("rest", "<u4"))

FORMATS = {
    "Q4_1": Format(
        *(_record(("scale", "<f2"), ("minimum", "<f2"), ("low", "V16")), 32, 4, 32, 0, 15),
        words=lambda records: _nibbles(_run(records, "low"), 16),
        scale=lambda records: _numbers(records, "scale"),
        minimum=lambda records: _numbers(records, "minimum"),
    ),
    "Q4_K": Format(
        *(_record(("scale", "<f2"), ("minimum", "<f2"), *Q4_K_SIX_BITS, ("low", "V128")), 256, 4, 32, 0, 15),
        words=lambda records: _nibbles(_run(records, "low"), 32),
        scale=lambda records: _numbers(records, "scale") * _q4_k_six_bits(records, "scales", 0),
        minimum=lambda records: -_numbers(records, "minimum") * _q4_k_six_bits(records, "minima", 4),
    ),
    "Q5_0": Format(
        *(_record(("scale", "<f2"), ("fifth", "V4"), ("low", "V16")), 32, 8, 32, 112, 143),
        words=_q5_0,
        scale=lambda records: _numbers(records, "scale"),
    ),
    "Q6_K": Format(
        *(_record(("low", "V128"), ("high", "V64"), ("scales", "V16"), ("scale", "<f2")), 256, 8, 16, 96, 159),
        words=_q6_k,
        scale=_q6_k_scale,
    ),
    "Q8_0": Format(
        # Its writers round to -127 … 127.
        *(_record(("scale", "<f2"), ("signed", "V32")), 32, 8, 32, 1, 255),
        words=lambda records: _run(records, "signed") ^ each(128),
        scale=lambda records: _numbers(records, "scale"),
    ),
}
PLAIN: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}
SUPPORTED = (*FORMATS, *PLAIN)


def row_bytes(kind: str, columns: int) -> int:
    """Bytes of a row of so many weights."""
    return FORMATS[kind].row_bytes(columns) if kind in FORMATS else columns * PLAIN[kind].itemsize


def values(kind: str, rows: Bytes) -> Floats:
    """Rows of bytes → weights [n, k] float32."""
    return FORMATS[kind].values(rows) if kind in FORMATS else rows.view(PLAIN[kind]).astype(np.float32)
