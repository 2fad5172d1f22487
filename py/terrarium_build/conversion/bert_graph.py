"""A BERT sentence encoder from its checkpoint: token vectors and the mean-pooled sentence vector, both of unit length.

Built for sentence-transformers models with mean pooling (all-MiniLM-L6-v2): absolute positions, one segment, exact
GELU. The segment embedding is folded into the positions; the unused pooler is dropped. With `RowInt8` the word
embeddings are int8 too, one scale a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arithmetic import Arithmetic, Float32, Floats, RowInt8, quantize_rows
from .graph import MICROSOFT, Graph

EPSILON = 1e-12  # `layer_norm_eps` of every BERT checkpoint


@dataclass(frozen=True, slots=True)
class Bert:
    """Sizes that the weights alone do not tell."""

    heads: int
    exact: bool = False  # float32 throughout: the reference for tests


def write_bert(path: Path, weights: Mapping[str, NDArray[Any]], bert: Bert) -> None:
    """Inputs input_ids, attention_mask [b, t] int64; outputs token_vectors [b, t, d], sentence [b, d] float32."""
    with Graph("bert") as graph:
        ids = graph.input("input_ids", np.int64, ["b", "t"])
        mask = graph.input("attention_mask", np.int64, ["b", "t"])
        arithmetic: Arithmetic = Float32(graph) if bert.exact else RowInt8(graph, axis=0)
        body = _Body(graph, arithmetic, weights, bert)
        hidden = body.embeddings(ids)  # [b, t, d]
        padding = graph.node("Cast", mask, to=6)  # int32, as MultiHeadAttention wants it
        shape = graph.node("Shape", hidden)
        hidden = graph.node("Reshape", hidden, graph.constant(np.array([-1, body.width])))  # [b*t, d]
        for layer in range(body.layers):
            hidden = body.layer(f"encoder.layer.{layer}.", hidden, shape, padding)
        _outputs(graph, graph.node("Reshape", hidden, shape), mask, body.width)
        graph.save(path)


class _Body:
    def __init__(self, graph: Graph, arithmetic: Arithmetic, weights: Mapping[str, NDArray[Any]], bert: Bert) -> None:
        self.graph = graph
        self.arithmetic = arithmetic
        self.bert = bert
        self._weights = weights
        self.width = int(self._of("embeddings.word_embeddings.weight").shape[1])
        self.layers = sum(name.endswith("attention.self.query.weight") for name in weights)

    def _of(self, name: str) -> Floats:
        return self._weights[name].astype(np.float32)

    def _norm(self, name: str) -> tuple[str, str]:
        return self.graph.constant(self._of(name + ".weight")), self.graph.constant(self._of(name + ".bias"))

    def embeddings(self, ids: str) -> str:
        graph = self.graph
        words = self._words(ids, self._of("embeddings.word_embeddings.weight"))
        segment = self._of("embeddings.token_type_embeddings.weight")[0]
        positions = graph.constant(self._of("embeddings.position_embeddings.weight") + segment)
        length = graph.node("Shape", ids, start=1, end=2)
        first = graph.node("Slice", positions, graph.constant(np.array([0])), length)  # [t, d]
        scale, shift = self._norm("embeddings.LayerNorm")
        return graph.node("LayerNormalization", graph.node("Add", words, first), scale, shift, epsilon=EPSILON)

    def _words(self, ids: str, table: Floats) -> str:
        graph = self.graph
        if self.bert.exact:
            return graph.node("Gather", graph.constant(table), ids)
        levels, scale = quantize_rows(table)
        gathered = graph.node("Cast", graph.node("Gather", graph.constant(levels), ids), to=1)
        return graph.node("Mul", gathered, graph.node("Gather", graph.constant(scale[:, None]), ids))

    def layer(self, prefix: str, x: str, shape: str, padding: str) -> str:
        graph = self.graph
        attended = self._attention(prefix + "attention.self.", x, shape, padding)
        x = self._join(prefix + "attention.output.", attended, x)
        inner = self._linear(prefix + "intermediate.dense", x)
        inner = graph.node("BiasGelu", inner, self._bias(prefix + "intermediate.dense"), domain=MICROSOFT)
        return self._join(prefix + "output.", inner, x)

    def _attention(self, prefix: str, x: str, shape: str, padding: str) -> str:
        graph = self.graph
        names = [prefix + part for part in ("query", "key", "value")]
        packed = self.arithmetic.weight(np.concatenate([self._of(name + ".weight") for name in names]))
        product = self.arithmetic.multiply(x, packed)  # [b*t, 3d]
        parts = [f"{product}_{part}" for part in "qkv"]
        graph.node("Split", product, out=parts, axis=1, num_outputs=3)
        spread = [graph.node("Reshape", part, shape) for part in parts]
        bias = graph.constant(np.concatenate([self._of(name + ".bias") for name in names]))
        heads = graph.node(
            "MultiHeadAttention", *spread, bias, padding, domain=MICROSOFT, num_heads=self.bert.heads
        )  # [b, t, d]
        return graph.node("Reshape", heads, graph.constant(np.array([-1, self.width])))

    def _linear(self, name: str, x: str) -> str:
        return self.arithmetic.multiply(x, self.arithmetic.weight(self._of(name + ".weight")))

    def _bias(self, name: str) -> str:
        return self.graph.constant(self._of(name + ".bias"))

    def _join(self, prefix: str, x: str, skip: str) -> str:
        """LayerNorm(dense(x) + bias + skip)."""
        product = self._linear(prefix + "dense", x)
        norm = self._norm(prefix + "LayerNorm")
        bias = self._bias(prefix + "dense")
        return self.graph.node("SkipLayerNormalization", product, skip, *norm, bias, domain=MICROSOFT, epsilon=EPSILON)


def _outputs(graph: Graph, hidden: str, mask: str, width: int) -> None:
    keep = graph.node("Unsqueeze", graph.node("Cast", mask, to=1), graph.constant(np.array([-1])))  # [b, t, 1]
    kept = graph.node("Mul", hidden, keep)
    # The sum points where the mean points, and only the direction survives the normalisation.
    total = graph.node("ReduceSum", kept, graph.constant(np.array([1])), keepdims=0)
    for vectors, name in ((kept, "token_vectors"), (total, "sentence")):
        graph.node("LpNormalization", vectors, out=name, axis=-1, p=2)
    graph.output("token_vectors", np.float32, ["b", "t", width])
    graph.output("sentence", np.float32, ["b", width])
