"""A decoder of the Llama family (RMSNorm, rotary positions, grouped-query attention, SwiGLU) as an ONNX graph.

Inputs: input_ids [1, s] int64; rows [1] int64; past.i.k, past.i.v; and those of its attention (`attention`). Outputs:
logits [1, rows, vocabulary] of the last `rows` positions, present.i.k, present.i.v. Batches are not supported: the rows
of one sequence carry the int8 scales.

No weight is stored twice: a tied embedding is looked up in the output head's matrix.

"webgpu-f16" computes in float16 but for attention, whose keys, values and biases stay float32, too: GroupQueryAttention
keeps its scores in the type of its inputs (onnxruntime's flash_attention.wgsl.template), and those of Qwen2.5 reach
1,470 (0.5B) and 12,900 (1.5B), where neighbours in float16 are 1 and 8 apart. The sums between layers stay below 5,000
there and below 25,000 in SmolLM2, of the 65,504 that float16 holds. Inputs and outputs are those of "webgpu".
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from terrarium.weights.plan import Made

from .attention import Attention, FusedAttention, PlainAttention
from .gguf_weights import GgufWeights
from .graph import MICROSOFT, Graph
from .products import BlockProducts, ExactProducts, ExternalTensors, Float, Int8Products, Matrix, Products
from .weights_files import WeightsFile

EMBEDDING = "token_embd.weight"
HEAD = "output.weight"
ROTARY = ("rotary.cos", "rotary.sin")

Backend = Literal["wasm", "webgpu", "webgpu-f16"]


@dataclass(frozen=True, slots=True)
class DecoderGraph:
    """A graph, to be saved once its weights file is made, and the tensors of that file."""

    graph: Graph
    made: list[Made]

    def save(self, path: Path, weights_sha256: str) -> None:
        self.graph.save(path, weights_sha256)


def decoder_graph(
    weights: GgufWeights, backend: Backend, file: WeightsFile, *, positions: int, tied: bool, exact: bool = False
) -> DecoderGraph:
    """The graph for `backend`, its tensors placed in `file`.

    `positions` bounds the past and s together. `tied` says that embedding and head are one matrix: files often hold it
    twice in two precisions, and the head's is the finer one. `exact` keeps float32, for tests. Raises ValueError for
    tensors that it has no use for, and for those of a type that is not supported.
    """
    graph = Graph("decoder", file.name)
    tensors = ExternalTensors(graph, weights, file)
    _add_rotary(weights, positions)
    products = ExactProducts(tensors, activations(backend)) if exact else _products(tensors, backend)
    _Decoder(tensors, products, backend, tied).build()
    used = {source for made in tensors.made for source in made.sources}
    weights.require_all_used({*used, *ROTARY, EMBEDDING})
    return DecoderGraph(graph, tensors.made)


def _products(tensors: ExternalTensors, backend: Backend) -> Products:
    return Int8Products(tensors) if backend == "wasm" else BlockProducts(tensors, activations(backend))


def activations(backend: Backend) -> Float:
    """The type of all but attention."""
    return np.float16 if backend == "webgpu-f16" else np.float32


class _Decoder:
    def __init__(self, tensors: ExternalTensors, products: Products, backend: Backend, tied: bool) -> None:
        self.graph = tensors.graph
        self.tensors = tensors
        self.products = products
        self.weights = tensors.weights
        self.sizes = tensors.weights.sizes
        self.backend = backend
        self.tied = tied
        self.dtype = activations(backend)

    def build(self) -> None:
        graph = self.graph
        ids = graph.input("input_ids", np.int64, [1, "s"])
        rows = graph.input("rows", np.int64, [1])
        head = self.products.matrix(HEAD if self.weights.has(HEAD) else EMBEDDING)
        graph.output("logits", np.float32, [1, "rows", self.sizes.vocabulary])
        attention = self._attention(ids)
        residual, branch = self._embedding(ids, head), ""
        for layer in range(self.sizes.layers):
            prefix = f"blk.{layer}."
            normed, residual = self._norm(prefix + "attn_norm.weight", residual, branch)
            attended = attention.attend(layer, self._projected(attention, prefix, normed))
            branch = self._linear(prefix + "attn_output", self._cast(attended, np.float32, self.dtype))
            normed, residual = self._norm(prefix + "ffn_norm.weight", residual, branch)
            branch = self._feed_forward(prefix, normed)
        normed, _ = self._norm("output_norm.weight", residual, branch)
        end, axis = graph.constant(np.array([np.iinfo(np.int64).max])), graph.constant(np.array([1]))
        last = graph.node("Slice", normed, graph.node("Neg", rows), end, axis)
        logits = self._cast(self.products.multiply(last, head), self.dtype, np.float32)
        graph.node("Identity", logits, out="logits")

    def _attention(self, ids: str) -> Attention:
        cosines, sines = (self.tensors.table(name) for name in ROTARY)
        if self.backend == "wasm":
            return PlainAttention(self.graph, self.sizes, ids, (cosines, sines))
        return FusedAttention(self.graph, self.sizes, (cosines, sines))

    def _embedding(self, ids: str, head: Matrix) -> str:
        separate = self.weights.has(HEAD) and not self.tied
        return self.products.embedded(ids, self.products.matrix(EMBEDDING) if separate else head)

    def _norm(self, name: str, residual: str, branch: str) -> tuple[str, str]:
        """RMSNorm(residual + branch), and that sum; `branch` is "" before the first layer."""
        scale = self.tensors.vector(name, dtype=self.dtype)
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

    def _projected(self, attention: Attention, prefix: str, x: str) -> list[str]:
        """Queries, keys and values as one product where their blocks are of one kind, else as three. Always float32."""
        names = [f"{prefix}attn_{part}" for part in "qkv"]
        if attention.stacked or self.products.can_stack(*(name + ".weight" for name in names)):
            return [self._linear_of(names, x, np.float32)]
        return [self._linear_of([name], x, np.float32) for name in names]

    def _feed_forward(self, prefix: str, x: str) -> str:
        graph = self.graph
        gate, up = self._linear(prefix + "ffn_gate", x), self._linear(prefix + "ffn_up", x)
        swish = graph.node("Mul", gate, graph.node("Sigmoid", gate))
        return self._linear(prefix + "ffn_down", graph.node("Mul", swish, up))

    def _linear(self, name: str, x: str) -> str:
        return self._linear_of([name], x, self.dtype)

    def _linear_of(self, names: list[str], x: str, dtype: Float) -> str:
        """`dtype` is that of the result; the bias is added in it."""
        product = self.products.multiply(x, self.products.matrix(*(name + ".weight" for name in names)))
        product = self._cast(product, self.dtype, dtype)
        biases = [name + ".bias" for name in names]
        if not self.weights.has(biases[0]):
            return product
        return self.graph.node("Add", product, self.tensors.vector(*biases, dtype=dtype))

    def _cast(self, x: str, before: Float, after: Float) -> str:
        return x if before is after else self.graph.cast(x, after)


def _add_rotary(weights: GgufWeights, positions: int) -> None:
    """Cosines and sines [positions, head_size / 2], kept with the weights: processors differ in their last bits."""
    size = weights.sizes.head_size
    inverse = 1.0 / weights.sizes.rope_base ** (np.arange(0, size, 2, dtype=np.float64) / size)
    angles = np.outer(np.arange(positions), inverse)
    for name, values in zip(ROTARY, (np.cos(angles), np.sin(angles)), strict=True):
        weights.add(name, values.astype(np.float32))
