"""A decoder of the Llama family (RMSNorm, rotary positions, grouped-query attention, SwiGLU) as an ONNX graph.

Inputs: input_ids [1, s] int64; seqlens_k [1] int32 and total_sequence_length int32, as GroupQueryAttention defines them
(past + s − 1 and past + s); past.i.k, past.i.v [1, kv_heads, past, head_size]. Outputs: logits [1, 1, vocabulary] of
the last position, present.i.k, present.i.v. Batches are not supported: the rows of one sequence carry the int8 scales.

No weight is stored twice: a tied embedding is looked up in the columns of the output head's matrix.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from .arithmetic import Arithmetic, Float32, Floats, RowInt8, Weight
from .gguf_weights import GgufWeights
from .graph import MICROSOFT, Graph, Shape

EMBEDDING = "token_embd.weight"
HEAD = "output.weight"


def write_decoder(
    path: Path, data: Path, weights: GgufWeights, *, positions: int, tied: bool, exact: bool = False
) -> None:
    """Write the graph and its external weights.

    `positions` bounds past + s. `tied` says that embedding and head are one matrix: files often hold it twice in two
    precisions, and the head's is the finer one. `exact` keeps float32, for tests.
    """
    with Graph("decoder", data) as graph:
        arithmetic: Arithmetic = Float32(graph) if exact else RowInt8(graph, axis=1)
        _Decoder(graph, arithmetic, weights, positions, tied).build()
        graph.save(path)


class _Decoder:
    def __init__(self, graph: Graph, arithmetic: Arithmetic, weights: GgufWeights, positions: int, tied: bool) -> None:
        self.graph = graph
        self.arithmetic = arithmetic
        self.weights = weights
        self.sizes = weights.sizes
        self.tied = tied
        self.rotary = self._rotary(positions)

    def build(self) -> None:
        graph = self.graph
        ids = graph.input("input_ids", np.int64, [1, "s"])
        self.lengths = (
            graph.input("seqlens_k", np.int32, [1]),
            graph.input("total_sequence_length", np.int32, []),
        )
        head = self.arithmetic.weight(self.weights.matrix(HEAD if self.weights.has(HEAD) else EMBEDDING))
        residual = self._embedding(ids, head)
        branch = ""
        graph.output("logits", np.float32, [1, 1, self.sizes.vocabulary])
        for layer in range(self.sizes.layers):
            prefix = f"blk.{layer}."
            normed, residual = self._norm(prefix + "attn_norm.weight", residual, branch)
            branch = self._attention(layer, prefix, normed)
            normed, residual = self._norm(prefix + "ffn_norm.weight", residual, branch)
            branch = self._feed_forward(prefix, normed)
        normed, _ = self._norm("output_norm.weight", residual, branch)
        ends = [graph.constant(np.array([end])) for end in (-1, np.iinfo(np.int64).max, 1)]
        logits = self.arithmetic.multiply(graph.node("Slice", normed, *ends), head)
        graph.node("Identity", logits, out="logits")

    def _embedding(self, ids: str, head: Weight) -> str:
        if not self.tied:
            head = self.arithmetic.weight(self.weights.matrix(EMBEDDING))
        return self.arithmetic.columns(ids, head)

    def _norm(self, name: str, residual: str, branch: str) -> tuple[str, str]:
        """RMSNorm(residual + branch), and that sum; `branch` is "" before the first layer."""
        scale = self.graph.constant(self.weights.vector(name))
        if not branch:
            normed = self.graph.node("SimplifiedLayerNormalization", residual, scale, epsilon=self.sizes.epsilon)
            return normed, residual
        total = f"{branch}_sum"
        normed = self.graph.node(
            "SkipSimplifiedLayerNormalization",
            residual,
            branch,
            scale,
            out=[f"{branch}_norm", "", "", total],
            domain=MICROSOFT,
            epsilon=self.sizes.epsilon,
        )
        return normed, total

    def _attention(self, layer: int, prefix: str, x: str) -> str:
        graph, sizes = self.graph, self.sizes
        shape: Shape = [1, sizes.kv_heads, "past", sizes.head_size]
        past = [graph.input(f"past.{layer}.{part}", np.float32, shape) for part in "kv"]
        present = [f"present.{layer}.{part}" for part in "kv"]
        for name in present:
            graph.output(name, np.float32, [1, sizes.kv_heads, "total", sizes.head_size])
        attended = graph.node(
            "GroupQueryAttention",
            self._packed(prefix, x),
            "",
            "",
            *past,
            *self.lengths,
            *self.rotary,
            out=["", *present],
            domain=MICROSOFT,
            num_heads=sizes.heads,
            kv_num_heads=sizes.kv_heads,
            scale=1 / math.sqrt(sizes.head_size),
            do_rotary=1,
        )
        return self._linear(prefix + "attn_output", attended)

    def _packed(self, prefix: str, x: str) -> str:
        names = [f"{prefix}attn_{part}" for part in "qkv"]
        rows: Floats = np.concatenate([self.weights.matrix(name + ".weight") for name in names])
        product = self.arithmetic.multiply(x, self.arithmetic.weight(rows))
        if not self.weights.has(names[0] + ".bias"):
            return product
        bias = np.concatenate([self.weights.vector(name + ".bias") for name in names])
        return self.graph.node("Add", product, self.graph.constant(bias))

    def _feed_forward(self, prefix: str, x: str) -> str:
        graph = self.graph
        gate, up = self._linear(prefix + "ffn_gate", x), self._linear(prefix + "ffn_up", x)
        swish = graph.node("Mul", gate, graph.node("Sigmoid", gate))
        return self._linear(prefix + "ffn_down", graph.node("Mul", swish, up))

    def _linear(self, name: str, x: str) -> str:
        return self.arithmetic.multiply(x, self.arithmetic.weight(self.weights.matrix(name + ".weight")))

    def _rotary(self, positions: int) -> tuple[str, str]:
        size = self.sizes.head_size
        inverse = 1.0 / self.sizes.rope_base ** (np.arange(0, size, 2, dtype=np.float64) / size)
        angles = np.outer(np.arange(positions), inverse)
        cosines, sines = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
        return self.graph.constant(cosines), self.graph.constant(sines)
