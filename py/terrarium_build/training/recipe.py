"""How a head is trained. The defaults are those of the best one of `models/late-interaction.md`."""

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
