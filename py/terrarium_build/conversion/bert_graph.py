"""A BERT sentence encoder from its checkpoint: the mean-pooled sentence vector, and a vector for each token.

Built for sentence encoders with mean pooling (all-MiniLM-L6-v2, multilingual-e5-small): absolute positions, one
segment, exact GELU. The segment embedding is folded into the positions; the unused pooler is dropped. With `RowInt8`
the word embeddings are int8 too, one scale a word, unless they came in four bits, which are kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arithmetic import Arithmetic, Float32, Floats, RowInt8
from .graph import MICROSOFT, Graph
from .token_head import TokenHead
from .word_table import FourBitRows, look_up

FAR_BELOW = 1e4
EPSILON = 1e-12  # `layer_norm_eps` of every BERT checkpoint


@dataclass(frozen=True, slots=True)
class Bert:
    """Sizes that the weights alone do not tell."""

    heads: int
    exact: bool = False  # float32 throughout: the reference for tests
    head: TokenHead | None = None  # without one the graph gives no vectors of tokens


Weights = Mapping[str, NDArray[Any] | FourBitRows]


def write_bert(path: Path, weights: Weights, bert: Bert) -> None:
    """Inputs input_ids, attention_mask [b, t] int64; output sentence [b, d] float32, and those of the head."""
    graph = Graph("bert")
    ids = graph.input("input_ids", np.int64, ["b", "t"])
    mask = graph.input("attention_mask", np.int64, ["b", "t"])
    arithmetic: Arithmetic = Float32(graph) if bert.exact else RowInt8(graph, axis=0)
    body = _Body(graph, arithmetic, weights, bert)
    hidden = body.embeddings(ids)  # [b, t, d]
    padding, leading = _padding(graph, mask), graph.node("Shape", ids)
    shape = graph.node("Shape", hidden)
    hidden = graph.node("Reshape", hidden, graph.constant(np.array([-1, body.width])))  # [b*t, d]
    states = []
    for layer in range(body.layers):
        hidden = body.layer(f"encoder.layer.{layer}.", hidden, leading, padding)
        states.append(hidden)
    _sentence(graph, graph.node("Reshape", hidden, shape), mask, body.width)
    if bert.head is not None:
        bert.head.write(graph, arithmetic, states, shape)
    graph.save(path)


class _Body:
    def __init__(self, graph: Graph, arithmetic: Arithmetic, weights: Weights, bert: Bert) -> None:
        self.graph = graph
        self.arithmetic = arithmetic
        self.bert = bert
        self._weights = weights
        self.width = len(self._of("embeddings.LayerNorm.weight"))
        self.layers = sum(name.endswith("attention.self.query.weight") for name in weights)

    def _of(self, name: str) -> Floats:
        values = self._weights[name]
        assert not isinstance(values, FourBitRows)  # words only, which `look_up` reads
        return values.astype(np.float32)

    def _norm(self, name: str) -> tuple[str, str]:
        return self.graph.constant(self._of(name + ".weight")), self.graph.constant(self._of(name + ".bias"))

    def embeddings(self, ids: str) -> str:
        graph = self.graph
        words = look_up(graph, self._weights["embeddings.word_embeddings.weight"], ids, exact=self.bert.exact)
        segment = self._of("embeddings.token_type_embeddings.weight")[0]
        positions = graph.constant(self._of("embeddings.position_embeddings.weight") + segment)
        length = graph.node("Shape", ids, start=1, end=2)
        first = graph.node("Slice", positions, graph.constant(np.array([0])), length)  # [t, d]
        scale, shift = self._norm("embeddings.LayerNorm")
        return graph.node("LayerNormalization", graph.node("Add", words, first), scale, shift, epsilon=EPSILON)

    def layer(self, prefix: str, x: str, leading: str, padding: str) -> str:
        graph = self.graph
        attended = self._attention(prefix + "attention.self.", x, leading, padding)
        # Attention weights sum to 1: a bias of the values is one of their mixture.
        bias = self._of(prefix + "attention.output.dense.weight") @ self._of(prefix + "attention.self.value.bias")
        x = self._join(prefix + "attention.output.", attended, x, bias)
        inner = self._linear(prefix + "intermediate.dense", x)
        gelu = "BiasGelu" if self.bert.exact else "FastGelu"
        inner = graph.node(gelu, inner, graph.constant(self._of(prefix + "intermediate.dense.bias")), domain=MICROSOFT)
        return self._join(prefix + "output.", inner, x)

    def _attention(self, prefix: str, x: str, leading: str, padding: str) -> str:
        """[b*t, d], without the values' bias, which `layer` moves into the next product's.

        The keys' bias moves all scores of a query alike, which softmax does not see: there is none.
        """
        graph, heads, size = self.graph, self.bert.heads, self.width // self.bert.heads
        scale = np.float32(size**-0.5)
        queries = self.arithmetic.weight(self._of(prefix + "query.weight") * scale)
        bias = graph.constant(self._of(prefix + "query.bias") * scale)
        keys, values = (self.arithmetic.weight(self._of(f"{prefix}{part}.weight")) for part in ("key", "value"))
        products = [graph.node("Add", self.arithmetic.multiply(x, queries), bias)]
        products += [self.arithmetic.multiply(x, weight) for weight in (keys, values)]
        by_head = graph.node("Concat", leading, graph.constant(np.array([heads, size])), axis=0)
        orders = ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])  # keys stand upright: [b, heads, size, t]
        q, k, v = (
            graph.node("Transpose", graph.node("Reshape", product, by_head), perm=order)
            for product, order in zip(products, orders, strict=True)
        )
        scores = graph.node("Add", graph.node("MatMul", q, k), padding)  # [b, heads, t, t]
        mixed = graph.node("MatMul", graph.node("Softmax", scores, axis=-1), v)
        joined = graph.node("Transpose", mixed, perm=[0, 2, 1, 3])
        return graph.node("Reshape", joined, graph.constant(np.array([-1, self.width])))

    def _linear(self, name: str, x: str) -> str:
        return self.arithmetic.multiply(x, self.arithmetic.weight(self._of(name + ".weight")))

    def _join(self, prefix: str, x: str, skip: str, moved: Floats | float = 0.0) -> str:
        """LayerNorm(dense(x) + bias + moved + skip)."""
        product = self._linear(prefix + "dense", x)
        norm = self._norm(prefix + "LayerNorm")
        bias = self.graph.constant(self._of(prefix + "dense.bias") + np.float32(moved))
        return self.graph.node("SkipLayerNormalization", product, skip, *norm, bias, domain=MICROSOFT, epsilon=EPSILON)


def _padding(graph: Graph, mask: str) -> str:
    """[b, 1, 1, t]: what is added to the scores of each position: 0, or so little that softmax makes it 0."""
    absent = graph.node("Sub", graph.node("Cast", mask, to=1), graph.constant(np.float32(1)))
    added = graph.node("Mul", absent, graph.constant(np.float32(FAR_BELOW)))
    return graph.node("Unsqueeze", added, graph.constant(np.array([1, 2])))


def _sentence(graph: Graph, hidden: str, mask: str, width: int) -> None:
    keep = graph.node("Unsqueeze", graph.node("Cast", mask, to=1), graph.constant(np.array([-1])))  # [b, t, 1]
    kept = graph.node("Mul", hidden, keep)
    # The sum points where the mean points, and only the direction survives the normalisation.
    total = graph.node("ReduceSum", kept, graph.constant(np.array([1])), keepdims=0)
    graph.node("LpNormalization", total, out="sentence", axis=-1, p=2)
    graph.output("sentence", np.float32, ["b", width])
