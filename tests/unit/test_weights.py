"""Blocks taken apart, against the gguf package's own reading of them; and tensors made in slabs."""

from __future__ import annotations

import numpy as np
import pytest
from gguf import GGMLQuantizationType as Kind
from gguf.quants import dequantize
from tests.fixtures.tiny_gguf import encoded

from terrarium.weights import plan as plans
from terrarium.weights.blocks import FORMATS, SUPPORTED, row_bytes, values
from terrarium.weights.layouts import (
    LAYOUTS,
    ROW_SCALES,
    block_levels,
    block_offsets,
    block_scales,
    int8_columns,
    row_scales,
)
from terrarium.weights.plan import Entry, Made, Place, Plan

ROWS, COLUMNS = 24, 512
NONE = np.empty(0, np.float32)
kinds = pytest.mark.parametrize("kind", SUPPORTED)
block_kinds = pytest.mark.parametrize("kind", FORMATS)


def rows_of(kind: str, seed: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Bytes of a tensor, and its weights as the gguf package reads them."""
    random = np.random.default_rng(seed)
    weights = random.normal(0, 0.05, (ROWS, COLUMNS)).astype(np.float32)
    data = encoded(random, weights, Kind[kind])
    return data.view(np.uint8).reshape(ROWS, -1), dequantize(data, Kind[kind]).reshape(ROWS, COLUMNS)


@kinds
def test_values_are_those_of_the_gguf_package(kind: str):
    rows, expected = rows_of(kind)
    assert rows.shape[1] == row_bytes(kind, COLUMNS)
    # k-quants multiply their scales in another order, so the last bit may differ.
    np.testing.assert_allclose(values(kind, rows), expected, rtol=2e-7, atol=1e-9)


@block_kinds
def test_what_matmulnbits_reads_is_the_same_weights(kind: str):
    rows, expected = rows_of(kind)
    format = FORMATS[kind]
    packed, scales = block_levels(kind, rows, NONE), block_scales(kind, rows, NONE)
    if format.bits == 4:
        packed = np.stack([packed & 15, packed >> 4], -1)
    levels = packed.reshape(*scales.shape, format.size).astype(np.float32)
    assert levels.min() >= format.least
    assert levels.max() <= format.most
    weights = (levels - format.zero) * scales[..., None]
    if format.minimum:
        weights += block_offsets(kind, rows, NONE).T[..., None]
    np.testing.assert_allclose(weights.reshape(ROWS, COLUMNS), expected, rtol=2e-6, atol=1e-7)


@kinds
def test_int8_columns_are_the_nearest_levels(kind: str):
    rows, expected = rows_of(kind)
    scales = row_scales(kind, rows)
    levels = int8_columns(kind, rows, scales)
    assert levels.dtype == np.int8
    assert levels.shape == (COLUMNS, ROWS)
    error = levels.T * scales[:, None] - expected
    assert (np.abs(error) <= 0.5001 * scales[:, None]).all()
    assert (np.abs(levels.astype(int)).max(axis=0) == 127).all()


def test_a_row_of_zeros_stays_one():
    rows = np.zeros((2, row_bytes("Q5_0", COLUMNS)), np.uint8)
    scales = row_scales("Q5_0", rows)
    assert np.isfinite(scales).all()
    assert not int8_columns("Q5_0", rows, scales).any()


@pytest.mark.parametrize("layout", ["int8_columns", "block_levels", "block_scales", "float32_columns"])
def test_slabs_of_stacked_tensors_are_the_whole(layout: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(plans, "SLAB", 10 * COLUMNS)  # 24 rows are no multiple of ten
    monkeypatch.setattr(plans, "TILE", 3 * COLUMNS)
    parts = {"q": rows_of("Q5_0", 1)[0], "k": rows_of("Q8_0", 2)[0]}
    index, stored, wholes = {}, [np.zeros(64, np.uint8)], []
    for name, kind in (("q", "Q5_0"), ("k", "Q8_0")):
        scales = row_scales(kind, parts[name])
        for entry, data, size in ((name, parts[name], (ROWS, COLUMNS)), (name + ROW_SCALES, scales, (1, ROWS))):
            index[entry] = Entry(kind if entry == name else "F32", *size, sum(map(len, stored)))
            stored.append(data.view(np.uint8).reshape(-1))
        wholes.append(LAYOUTS[layout].make(kind, parts[name], scales))
    blocks = np.concatenate(stored)
    whole = np.concatenate(wholes, axis=1 if LAYOUTS[layout].across else 0)
    made = Made(layout, ("q", "k"), Place(4096, whole.nbytes))
    plan = Plan("blocks", index, {"file": [made]})
    target = np.zeros(whole.nbytes, np.uint8)
    slabs = list(Plan.from_json(plan.to_json()).slabs(made, lambda start, end: blocks[start:end]))
    for slab in slabs:
        target.reshape(-1, slab.line)[:, slab.start : slab.start + slab.bytes.shape[1]] = slab.bytes
    assert len(slabs) == 6
    assert plan.size("file") == 4096 + whole.nbytes
    np.testing.assert_array_equal(target.view(whole.dtype).reshape(whole.shape), whole)
