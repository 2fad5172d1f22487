"""A sentence's vector and signals → the probability that it is an instruction to a model; and the same of code.

Logistic regression with the weights of `classifier.toml`, which `terrarium_build.guards` makes of made attacks and
honest passages. Vectors of two embedders are not comparable, so the weights are those of one embedder, by its id; for
any other there are none, and the phrases alone decide.
"""

from __future__ import annotations

import base64
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from terrarium.guards.code import code_signals
from terrarium.guards.signals import signals


@dataclass(frozen=True, slots=True, eq=False)
class Classifier:
    """probability = 1 / (1 + exp(-(intercept + weights · signals)))."""

    weights: NDArray[np.float32]  # [dimensions + len(SIGNALS)]: a sentence's vector comes before its signals
    intercept: float
    certain: float  # from this probability on a sentence is an instruction
    beside: float  # from this one on where its neighbour is one
    code_weights: NDArray[np.float32]  # [len(CODE_SIGNALS)]
    code_intercept: float
    code_certain: float  # from this probability on a run of code is foreign to its passage
    code_led: float  # from this one on where a sentence about code leads into it

    def probabilities(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """[sentences] of one passage's sentences in order, with their vectors (of unit length)."""
        rows = np.concatenate([vectors, signals(texts, vectors)], axis=1)
        return _sigmoid(rows @ self.weights + self.intercept)

    def foreign(self, texts: Sequence[str], vectors: NDArray[np.float32], first: int, last: int, led: bool) -> bool:
        """Whether the run [first, last) of code has nothing to do with the rest of the passage."""
        total = code_signals(texts, vectors, first, last) @ self.code_weights + self.code_intercept
        return bool(_sigmoid(total) >= (self.code_led if led else self.code_certain))


def classifier_for(ids: Collection[str]) -> Classifier | None:
    """The one for an embedder by the ids of those whose vectors are the same as its own."""
    return next((one for id, one in _classifiers().items() if id in ids), None)


@cache
def _classifiers() -> dict[str, Classifier]:
    return read_classifiers(files("terrarium.guards").joinpath("classifier.toml").read_text(encoding="utf-8"))


def read_classifiers(text: str) -> dict[str, Classifier]:
    """By the embedder's id."""
    found = {}
    for one in tomllib.loads(text)["embedder"]:
        code = one["code"]
        found[one["id"]] = Classifier(
            weights=np.frombuffer(base64.b64decode(one["weights"]), "<f2").astype(np.float32),
            intercept=one["intercept"],
            certain=one["certain"],
            beside=one["beside"],
            code_weights=np.array(list(code["weights"].values()), np.float32),
            code_intercept=code["intercept"],
            code_certain=code["certain"],
            code_led=code["led"],
        )
    return found


def _sigmoid(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -40, 40))), np.float32)
