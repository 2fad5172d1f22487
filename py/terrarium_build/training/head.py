"""The trained part in numpy: hidden states → vectors for late interaction. The reference that the graphs are held to.

    x = the hidden states of the chosen layers, each scaled to unit length, joined     [t, layers * width]
    passage token:   unit(x P + b)                                                     [t, d]
    question token:  unit(x Q + c) * w * t / sum(w),   w = softplus(x · v + v0)        [t, d]
    score:           mean over question tokens of the best product with a passage token

P and Q start from the same matrix and may stay the same; then the file has no Q and c.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import save_file

Floats = NDArray[np.float32]
LEVELS = 7  # of four bits a side, as the engine stores a passage's vectors; 127 for int8


@dataclass(frozen=True, slots=True)
class Head:
    layers: tuple[int, ...]
    projection: Floats  # [layers * width, d]
    bias: Floats  # [d]
    question_projection: Floats
    question_bias: Floats
    weight: Floats  # [layers * width]
    weight_bias: Floats  # [1]

    @property
    def dimensions(self) -> int:
        return int(self.projection.shape[1])

    def passage(self, hidden: NDArray[np.floating]) -> Floats:
        return unit(self.features(hidden) @ self.projection + self.bias)

    def question(self, hidden: NDArray[np.floating]) -> Floats:
        x = self.features(hidden)
        weights = np.logaddexp(0, x @ self.weight + self.weight_bias)  # softplus
        vectors = unit(x @ self.question_projection + self.question_bias)
        weighed: Floats = vectors * (weights * len(weights) / weights.sum())[:, None]
        return weighed

    def features(self, hidden: NDArray[np.floating]) -> Floats:
        tokens = len(hidden)
        by_layer = hidden.astype(np.float32).reshape(tokens, len(self.layers), -1)
        return unit(by_layer).reshape(tokens, -1)

    def save(self, path: Path, about: dict[str, str]) -> None:
        arrays = {
            name: getattr(self, name)
            for name in ("projection", "bias", "question_projection", "question_bias", "weight", "weight_bias")
        }
        if np.array_equal(self.projection, self.question_projection) and np.array_equal(self.bias, self.question_bias):
            del arrays["question_projection"], arrays["question_bias"]
        save_file(arrays, path, {"layers": ",".join(map(str, self.layers)), **about})


def load_head(path: Path) -> Head:
    with safe_open(path, "numpy") as file:
        arrays = {name: file.get_tensor(name) for name in file.keys()}
        layers = tuple(int(layer) for layer in file.metadata()["layers"].split(","))
    arrays.setdefault("question_projection", arrays["projection"])
    arrays.setdefault("question_bias", arrays["bias"])
    return Head(layers, **arrays)


def untrained(width: int = 384, layer: int = 6) -> Head:
    """The embedder's own token vectors: what the trained head must beat."""
    nothing = np.zeros(width, np.float32)
    whole = np.eye(width, dtype=np.float32)
    return Head((layer,), whole, nothing, whole, nothing, nothing, np.zeros(1, np.float32))


def maxsim(question: Floats, passage: Floats) -> float:
    return float((question @ passage.T).max(axis=1).mean())


def rounded(vectors: Floats, levels: int = LEVELS) -> Floats:
    """Unit vectors [t, d] as they come back from the store: the largest element of a row gets the highest level."""
    largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-9)
    return unit(np.rint(vectors * (levels / largest)))


def unit(vectors: Floats) -> Floats:
    lengths = np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)
    scaled: Floats = (vectors / lengths).astype(np.float32)
    return scaled
