"""How a head and a cross-encoder are trained, as `models/late-interaction.md` reports it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Recipe:
    apart: bool = False  # questions get a projection of their own
    epochs: int = 1
    batch: int = 32
    hard: int = 3  # mined negatives a question
    rate: float = 5e-4
    weight_rate: float = 5e-4  # of the token weights; 0.03 lets them move, and the unseen domain loses by it
    seed: int = 0


@dataclass(frozen=True, slots=True)
class CrossRecipe:
    frozen: int = 3  # lowest layers, beside the embeddings
    questions: int = 2000
    batch: int = 16
    hard: int = 3  # mined negatives a question
    longest: int = 128  # tokens of question and passage together
    rate: float = 3e-5
    head_rate: float = 1e-3
    warm: float = 0.1  # of all steps
    pointwise: float = 0.5  # weight of the loss that makes a logit a probability
    seed: int = 0
