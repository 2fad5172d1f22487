"""The trained head of late interaction: hidden states of a sentence encoder → a short vector for each token.

    x = the hidden states of the chosen layers, each scaled to unit length, joined      [n, layers · width]
    token_vectors    = unit(x P + b)                                                    [n, d]
    question_vectors = unit(x Q + c) · softplus(x · v + v0)                             [n, d]

Where the file has no Q and c, they are P and b. A question token's vector is as long as it weighs; to make the lengths
of one question sum to 1 is left to the caller, who knows which tokens are markers. `terrarium_build.training` trains
and writes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors import safe_open

from .arithmetic import Arithmetic, Floats
from .graph import Graph


@dataclass(frozen=True, slots=True)
class TokenHead:
    """`layers` count from 1. `arrays`: projection, bias, weight, weight_bias, question_projection?, question_bias?"""

    layers: tuple[int, ...]
    arrays: Mapping[str, Floats]

    @property
    def dimensions(self) -> int:
        return len(self.arrays["bias"])

    @classmethod
    def load(cls, path: Path) -> TokenHead:
        with safe_open(path, "numpy") as file:
            layers = tuple(int(layer) for layer in file.metadata()["layers"].split(","))
            return cls(layers, {name: file.get_tensor(name).astype(np.float32) for name in file.keys()})

    def write(self, graph: Graph, arithmetic: Arithmetic, states: list[str], shape: str) -> None:
        """Adds the outputs. `states`: each layer's hidden states [b·t, width]; `shape`: names [b, t, width]."""
        columns = [self.arrays["projection"], self.arrays["weight"][:, None]]
        biases = [self.arrays["bias"], self.arrays["weight_bias"]]
        if "question_projection" in self.arrays:
            columns.append(self.arrays["question_projection"])
            biases.append(self.arrays["question_bias"])
        last = graph.constant(np.array([-1]))
        total = graph.constant(np.concatenate(biases))
        for layer, part in zip(self.layers, np.split(np.concatenate(columns, axis=1), len(self.layers)), strict=True):
            hidden = states[layer - 1]
            # Scaled to unit length after the product: the rows are the ones that the next layer multiplies too.
            product = arithmetic.multiply(hidden, arithmetic.weight(part.T))
            total = graph.node("Add", total, graph.node("Div", product, graph.node("ReduceL2", hidden, last)))
        parts = [f"{total}_{number}" for number in range(len(biases))]
        sizes = graph.constant(np.array([len(bias) for bias in biases]))
        graph.node("Split", total, sizes, out=parts, axis=1)
        leading = graph.node("Slice", shape, graph.constant(np.array([0])), graph.constant(np.array([2])))
        spread = graph.node("Concat", leading, graph.constant(np.array([self.dimensions])), axis=0)
        units = [graph.node("LpNormalization", part, axis=-1, p=2) for part in (parts[0], *parts[2:])]
        weighed = graph.node("Mul", units[-1], graph.node("Softplus", parts[1]))
        for name, vectors in (("token_vectors", units[0]), ("question_vectors", weighed)):
            graph.node("Reshape", vectors, spread, out=name)
            graph.output(name, np.float32, ["b", "t", self.dimensions])
