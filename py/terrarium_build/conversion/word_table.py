"""A table of word embeddings, looked up by id. Most of a small encoder's bytes: eight or four bits a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arithmetic import Floats, quantize_rows
from .graph import MICROSOFT, Graph

FLOAT32 = 1  # ONNX's number for the type


@dataclass(frozen=True, slots=True)
class FourBitRows:
    """Rows as they were published in blocks of four bits: each row's blocks are equally long and have a scale each."""

    levels: NDArray[np.int8]  # [n, d], from -8 to 7
    scales: NDArray[np.float16]  # [n, d / block]

    @property
    def block(self) -> int:
        return int(self.levels.shape[1] // self.scales.shape[1])

    def values(self) -> Floats:
        """[n, d]."""
        return np.repeat(self.scales.astype(np.float32), self.block, axis=1) * self.levels


def look_up(graph: Graph, table: NDArray[Any] | FourBitRows, ids: str, *, exact: bool) -> str:
    """[b, t] ids → [b, t, d] float32. A float table is rounded to int8 with one scale a row unless `exact`."""
    if isinstance(table, FourBitRows):
        return _four_bits(graph, table, ids)
    if exact:
        return graph.node("Gather", graph.constant(table.astype(np.float32)), ids)
    levels, scale = quantize_rows(table.astype(np.float32))
    gathered = graph.node("Cast", graph.node("Gather", graph.constant(levels), ids), to=FLOAT32)
    return graph.node("Mul", gathered, graph.node("Gather", graph.constant(scale[:, None]), ids))


def _four_bits(graph: Graph, table: FourBitRows, ids: str) -> str:
    """Exactly as published. Two levels a byte, the first in the low half; 8 stands for zero."""
    levels = (table.levels + np.int8(8)).view(np.uint8)
    packed = levels[:, 0::2] | levels[:, 1::2] << 4
    gathered = graph.node(
        "GatherBlockQuantized",
        graph.constant(packed),
        ids,
        graph.constant(table.scales),
        domain=MICROSOFT,
        bits=4,
        block_size=table.block,
        gather_axis=0,
        quantize_axis=1,
    )
    return graph.node("Cast", gathered, to=FLOAT32)
