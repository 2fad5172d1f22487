"""A decoder's attention in two builds: of plain products for WebAssembly, fused for the GPU.

Both are given queries, keys and values side by side, [1, s, (heads + 2 · kv_heads) · head_size], or apart, and turn
them by their positions. Both keep keys and values as [1, kv_heads, positions, head_size].
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from .gguf_weights import Sizes
from .graph import MICROSOFT, Graph, Shape

Rotary = tuple[str, str]
LANES = 16  # Softmax adds up so many numbers side by side


class Attention(Protocol):
    stacked: bool
    """Whether it wants queries, keys and values as one tensor always."""

    def attend(self, layer: int, parts: list[str]) -> str:
        """Adds past.layer.k, .v and present.layer.k, .v to the graph; [1, s, heads · head_size]."""
        ...


class PlainAttention:
    """One product for each key-value head: all query heads that share it are rows of one matrix.

    Input `used` [1] int64: only that many positions of the past are read, so that a cache is cut by a smaller number.

    Keys and values end in zeros up to a multiple of LANES, which the mask hides. Without them the order of a sum would
    depend on how many tokens are in the pass, and int8 rounding magnifies the last bit (logits differed by 0.6). With
    them a position's logits are the same, bit for bit, whether it was read alone or among others: measured for
    passes of 1, 7 and 16 tokens in onnxruntime-web's WASM and in onnxruntime on AVX-512.

    Against onnxruntime-web's fused GroupQueryAttention a prompt of 384 tokens, in pieces of 16 on one WASM thread, is
    read at 65 tokens/s instead of 37, and the last piece takes hardly longer than the first (0.26 against 0.62 s, both
    began with 0.23 s).
    """

    stacked = True

    def __init__(self, graph: Graph, sizes: Sizes, ids: str, rotary: Rotary) -> None:
        self.graph = graph
        self.sizes = sizes
        self.rotary = rotary
        self.group = sizes.heads // sizes.kv_heads  # query heads that share a key-value head
        self.used = graph.input("used", np.int64, [1])
        self.mask, self.padding = self._mask(ids)

    def attend(self, layer: int, parts: list[str]) -> str:
        graph, sizes = self.graph, self.sizes
        queries, *new = self._heads(parts[0])
        start, axis = graph.constant(np.array([0])), graph.constant(np.array([2]))
        present = []
        for part, added in zip("kv", new, strict=True):
            shape: Shape = [1, sizes.kv_heads, "past", sizes.head_size]
            past = graph.input(f"past.{layer}.{part}", np.float32, shape)
            name = f"present.{layer}.{part}"
            graph.output(name, np.float32, [1, sizes.kv_heads, "total", sizes.head_size])
            kept = graph.node("Slice", past, start, self.used, axis)
            present.append(graph.node("Concat", kept, added, self.padding, out=name, axis=2))
        scale = 1 / math.sqrt(sizes.head_size)
        scores = graph.node("FusedMatMul", queries, present[0], domain=MICROSOFT, transB=1, alpha=scale)
        # Scores are [1, kv_heads, group · s, total], the mask wants [kv_heads, group, s, total]. A 0 keeps a dimension.
        apart = graph.node("Reshape", scores, self._shape(sizes.kv_heads, self.group, -1, 0))
        shares = graph.node("Softmax", graph.node("Add", apart, self.mask), axis=-1)
        together = graph.node("Reshape", shares, self._shape(1, sizes.kv_heads, -1, 0))
        attended = graph.node("MatMul", together, present[1])
        apart = graph.node("Reshape", attended, self._shape(sizes.kv_heads, self.group, -1, sizes.head_size))
        rows = graph.node("Transpose", apart, perm=[2, 0, 1, 3])
        return graph.node("Reshape", rows, self._shape(1, -1, sizes.heads * sizes.head_size))

    def _mask(self, ids: str) -> tuple[str, str]:
        """[s, total], added to scores so that no token sees a later one, and the zeros behind keys and values."""
        graph, sizes = self.graph, self.sizes
        zero, one, axis = (graph.constant(value) for value in (np.array(0), np.array(1), np.array([0])))
        before = graph.node("Squeeze", self.used, axis)
        total = graph.node("Add", before, graph.node("Squeeze", graph.node("Shape", ids, start=1, end=2), axis))
        rows = graph.node("Unsqueeze", graph.node("Range", before, total, one), graph.constant(np.array([1])))
        lanes = graph.constant(np.array(LANES))
        blocks = graph.node("Div", graph.node("Add", total, graph.constant(np.array(LANES - 1))), lanes)
        padded = graph.node("Mul", blocks, lanes)
        later = graph.node("Greater", graph.node("Range", zero, padded, one), rows)
        mask = graph.node("Where", later, graph.constant(np.float32(-1e9)), graph.constant(np.float32(0)))
        missing = graph.node("Unsqueeze", graph.node("Sub", padded, total), axis)
        dims = graph.node("Concat", self._shape(1, sizes.kv_heads), missing, self._shape(sizes.head_size), axis=0)
        return mask, graph.node("ConstantOfShape", dims)

    def _heads(self, stacked: str) -> list[str]:
        """Queries [1, kv_heads, group · s, head_size], keys and values [1, kv_heads, s, head_size], with positions."""
        graph, sizes = self.graph, self.sizes
        widths = np.array([sizes.heads, sizes.kv_heads, sizes.kv_heads]) * sizes.head_size
        parts = [f"{stacked}_{part}" for part in "qkv"]
        graph.node("Split", stacked, graph.constant(widths), out=parts, axis=-1)
        queries, keys = (
            graph.node("RotaryEmbedding", part, self.used, *self.rotary, domain=MICROSOFT) for part in parts[:2]
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


class FusedAttention:
    """onnxruntime's GroupQueryAttention, which turns queries and keys itself.

    Inputs `seqlens_k` [1] int32, the positions after this pass less one, and `total_sequence_length` int32, the
    positions after this pass. Past and present hold `capacity` positions, and may be one buffer.
    """

    stacked = False

    def __init__(self, graph: Graph, sizes: Sizes, rotary: Rotary) -> None:
        self.graph = graph
        self.sizes = sizes
        self.rotary = rotary
        self.last = graph.input("seqlens_k", np.int32, [1])
        self.total = graph.input("total_sequence_length", np.int32, [])

    def attend(self, layer: int, parts: list[str]) -> str:
        graph, sizes = self.graph, self.sizes
        shape: Shape = [1, sizes.kv_heads, "capacity", sizes.head_size]
        past = [graph.input(f"past.{layer}.{part}", np.float32, shape) for part in "kv"]
        present = [f"present.{layer}.{part}" for part in "kv"]
        for name in present:
            graph.output(name, np.float32, [1, sizes.kv_heads, "present", sizes.head_size])
        queries, keys, values = parts if len(parts) == 3 else (parts[0], "", "")
        return graph.node(
            "GroupQueryAttention",
            *(queries, keys, values, *past, self.last, self.total, *self.rotary),
            out=[f"attended_{layer}", *present],
            domain=MICROSOFT,
            num_heads=sizes.heads,
            kv_num_heads=sizes.kv_heads,
            scale=1 / math.sqrt(sizes.head_size),
            do_rotary=1,
            rotary_interleaved=0,
        )
