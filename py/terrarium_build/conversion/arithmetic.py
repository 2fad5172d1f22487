"""How a graph multiplies: in float32, or in int8 with one scale per row of activations and per column of weights.

A row's scale is `max|x| / 127` of that row alone, so a text's numbers do not depend on what shares its batch, as they
would with one scale a tensor (`DynamicQuantizeLinear`). The activations are uint8 with zero point 128 because
onnxruntime's WebAssembly kernels are several times slower with signed ones.

Rounding magnifies: a difference in a float's last bit grows to the size of the quantisation noise within a few layers.
Two runtimes, or two processors, therefore agree with each other only as closely as each agrees with float32 (for
all-MiniLM-L6-v2 a cosine of about 0.998), while one of them repeats itself exactly.

Scheme: row-wise dynamic quantisation as in Dettmers et al., LLM.int8(), 2022, without its outlier columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .graph import MICROSOFT, Graph

Floats = NDArray[np.float32]
LEVELS = 127
ZERO_POINT = 128
SMALLEST_SCALE = 1e-8  # keeps a row of zeros from dividing by zero


@dataclass(frozen=True, slots=True)
class Weight:
    """Names of a matrix [inputs, outputs] in the graph and of its scales [outputs] ("" in float32)."""

    matrix: str
    scale: str = ""


class Arithmetic(Protocol):
    def weight(self, rows: Floats) -> Weight:
        """Store a matrix given as in checkpoints: [outputs, inputs]."""
        ...

    def multiply(self, x: str, weight: Weight) -> str:
        """[…, inputs] → [outputs]-wide product, no bias."""
        ...


class Float32:
    """Plain MatMul: the reference that the int8 graphs are held against."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def weight(self, rows: Floats) -> Weight:
        return Weight(self.graph.constant(rows.T))

    def multiply(self, x: str, weight: Weight) -> str:
        return self.graph.node("MatMul", x, weight.matrix)


class RowInt8:
    """uint8 rows × int8 columns by `MatMulIntegerToFloat`. `axis` says where rows lie: 0 in [n, d], 1 in [1, t, d]."""

    def __init__(self, graph: Graph, axis: int) -> None:
        self.graph = graph
        self.axis = axis
        self._rows: dict[str, tuple[str, str]] = {}

    def weight(self, rows: Floats) -> Weight:
        levels, scale = quantize_rows(rows)
        return Weight(self.graph.constant(levels.T), self.graph.constant(scale))

    def multiply(self, x: str, weight: Weight) -> str:
        graph = self.graph
        levels, scale = self._quantized(x)
        one, zero = graph.constant(np.float32(1)), graph.constant(np.uint8(ZERO_POINT))
        product = graph.node("MatMulIntegerToFloat", levels, weight.matrix, one, weight.scale, zero, domain=MICROSOFT)
        return graph.node("Mul", product, scale)

    def _quantized(self, x: str) -> tuple[str, str]:
        if x not in self._rows:
            graph = self.graph
            last = graph.constant(np.array([-1]))
            largest = graph.node("ReduceMax", graph.node("Abs", x), last, keepdims=1)
            scaled = graph.node("Mul", largest, graph.constant(np.float32(1 / LEVELS)))
            scale = graph.node("Max", scaled, graph.constant(np.float32(SMALLEST_SCALE)))
            flat = graph.node("Reshape", scale, last)
            zeros = graph.node("Expand", graph.constant(np.array([ZERO_POINT], np.uint8)), graph.node("Shape", flat))
            self._rows[x] = (graph.node("QuantizeLinear", x, flat, zeros, axis=self.axis), scale)
        return self._rows[x]


def quantize_rows(rows: NDArray[Any]) -> tuple[NDArray[np.int8], Floats]:
    """[n, d] → int8 levels [n, d] and scales [n] with rows ≈ levels * scales[:, None]."""
    scale = np.maximum(np.abs(rows).max(axis=1) / LEVELS, SMALLEST_SCALE).astype(np.float32)
    return np.rint(rows / scale[:, None]).astype(np.int8), scale
