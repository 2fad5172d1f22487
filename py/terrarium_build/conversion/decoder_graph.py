"""A decoder of the Llama family (RMSNorm, rotary positions, grouped-query attention, SwiGLU) as an ONNX graph.

Inputs: input_ids [1, s] int64; past.i.k, past.i.v [1, kv_heads, past, head_size]. Outputs: logits [1, 1, vocabulary] of
the last position, present.i.k, present.i.v. Batches are not supported: the rows of one sequence carry the int8 scales.

No weight is stored twice: a tied embedding is looked up in the columns of the output head's matrix.

Attention is made of plain products, one for each key-value head: all query heads that share it are rows of one matrix.
Against onnxruntime-web's fused GroupQueryAttention a prompt of 384 tokens, in pieces of 16 on one WASM thread, is read
at 65 tokens/s instead of 37, and the last piece takes hardly longer than the first (0.26 against 0.62 s, both began
with 0.23 s).
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
        self.group = weights.sizes.heads // weights.sizes.kv_heads  # query heads that share a key-value head
        self.rotary = self._rotary(positions)

    def build(self) -> None:
        graph = self.graph
        ids = graph.input("input_ids", np.int64, [1, "s"])
        head = self.arithmetic.weight(self.weights.matrix(HEAD if self.weights.has(HEAD) else EMBEDDING))
        residual = self._embedding(ids, head)
        branch = ""
        graph.output("logits", np.float32, [1, 1, self.sizes.vocabulary])
        shape: Shape = [1, self.sizes.kv_heads, "past", self.sizes.head_size]
        pasts = [
            [graph.input(f"past.{layer}.{part}", np.float32, shape) for part in "kv"]
            for layer in range(self.sizes.layers)
        ]
        self._positions(ids, pasts[0][0])
        for layer in range(self.sizes.layers):
            prefix = f"blk.{layer}."
            normed, residual = self._norm(prefix + "attn_norm.weight", residual, branch)
            branch = self._attention(layer, prefix, normed, pasts[layer])
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

    def _positions(self, ids: str, past: str) -> None:
        """The place of the first new token, and what is added to scores so that no token sees a later one."""
        graph = self.graph
        zero, one, axis = (graph.constant(value) for value in (np.array(0), np.array(1), np.array([0])))
        self.first = graph.node("Shape", past, start=2, end=3)
        before = graph.node("Squeeze", self.first, axis)
        total = graph.node("Add", before, graph.node("Squeeze", graph.node("Shape", ids, start=1, end=2), axis))
        rows = graph.node("Unsqueeze", graph.node("Range", before, total, one), graph.constant(np.array([1])))
        later = graph.node("Greater", graph.node("Range", zero, total, one), rows)
        blocked, free = graph.constant(np.float32(-1e9)), graph.constant(np.float32(0))
        self.mask = graph.node("Where", later, blocked, free)  # [s, total]

    def _attention(self, layer: int, prefix: str, x: str, past: list[str]) -> str:
        graph, sizes = self.graph, self.sizes
        queries, keys, values = self._heads(self._packed(prefix, x))
        present = []
        for part, before, new in zip("kv", past, (keys, values), strict=True):
            name = f"present.{layer}.{part}"
            graph.output(name, np.float32, [1, sizes.kv_heads, "total", sizes.head_size])
            present.append(graph.node("Concat", before, new, out=name, axis=2))
        scale = 1 / math.sqrt(sizes.head_size)
        scores = graph.node("FusedMatMul", queries, present[0], domain=MICROSOFT, transB=1, alpha=scale)
        # Scores are [1, kv_heads, group · s, total], the mask wants [kv_heads, group, s, total]. A 0 keeps a dimension.
        apart = graph.node("Reshape", scores, self._shape(sizes.kv_heads, self.group, -1, 0))
        shares = graph.node("Softmax", graph.node("Add", apart, self.mask), axis=-1)
        together = graph.node("Reshape", shares, self._shape(1, sizes.kv_heads, -1, 0))
        attended = graph.node("MatMul", together, present[1])
        apart = graph.node("Reshape", attended, self._shape(sizes.kv_heads, self.group, -1, sizes.head_size))
        rows = graph.node("Transpose", apart, perm=[2, 0, 1, 3])
        joined = graph.node("Reshape", rows, self._shape(1, -1, sizes.heads * sizes.head_size))
        return self._linear(prefix + "attn_output", joined)

    def _heads(self, packed: str) -> list[str]:
        """Queries [1, kv_heads, group · s, head_size], keys and values [1, kv_heads, s, head_size], with positions."""
        graph, sizes = self.graph, self.sizes
        widths = np.array([sizes.heads, sizes.kv_heads, sizes.kv_heads]) * sizes.head_size
        parts = [f"{packed}_{part}" for part in "qkv"]
        graph.node("Split", packed, graph.constant(widths), out=parts, axis=-1)
        queries, keys = (
            graph.node("RotaryEmbedding", part, self.first, *self.rotary, domain=MICROSOFT) for part in parts[:2]
        )
        five = graph.node("Reshape", queries, self._shape(1, -1, sizes.kv_heads, self.group, sizes.head_size))
        by_head = graph.node("Transpose", five, perm=[0, 2, 3, 1, 4])
        heads = [graph.node("Reshape", by_head, self._shape(1, sizes.kv_heads, -1, sizes.head_size))]
        for part in (keys, parts[2]):
            four = graph.node("Reshape", part, self._shape(1, -1, sizes.kv_heads, sizes.head_size))
            heads.append(graph.node("Transpose", four, perm=[0, 2, 1, 3]))
        return heads

    def _shape(self, *dimensions: int) -> str:
        return self.graph.constant(np.array(dimensions))

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
