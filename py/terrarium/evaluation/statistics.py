"""How sure a mean over questions is, and whether two runs differ: by resampling, seeded, so that a rerun says the same.

Questions are what is drawn: another set of the same kind is meant by "how sure", not another run of the same program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SAMPLES = 2000
TRIALS = 10_000
_AT_ONCE = 500  # rows of resampling held in memory

Values = Sequence[float] | NDArray[np.floating]  # one a question


@dataclass(frozen=True, slots=True)
class Difference:
    """Of two runs over the same questions: mean of second minus first, its 95 % interval, and the two-sided p."""

    mean: float
    low: float
    high: float
    p: float
    questions: int


def interval(values: Values, seed: int = 0) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval of the mean (Efron 1979). nan without values."""
    found = np.asarray(values, float)
    if not len(found):
        return float("nan"), float("nan")
    chance = np.random.default_rng(seed)
    means = [
        found[chance.integers(0, len(found), (_AT_ONCE, len(found)))].mean(axis=1) for _ in range(SAMPLES // _AT_ONCE)
    ]
    low, high = np.percentile(np.concatenate(means), [2.5, 97.5])
    return float(low), float(high)


def paired(first: Values, second: Values, seed: int = 0) -> Difference:
    """Approximate randomisation (Noreen 1989): how often a random swap of the two runs, question by question, makes as
    large a difference of the means. p is at least 1 / (TRIALS + 1).
    """
    difference = np.asarray(second, float) - np.asarray(first, float)
    moved = difference[difference != 0]
    if not len(moved):
        return Difference(0.0, 0.0, 0.0, 1.0, len(difference))
    chance = np.random.default_rng(seed)
    as_large = 0
    for _ in range(TRIALS // _AT_ONCE):
        signs = chance.integers(0, 2, (_AT_ONCE, len(moved))) * 2 - 1
        as_large += int(np.count_nonzero(np.abs(signs @ moved) >= abs(moved.sum()) - 1e-9))
    low, high = interval(difference, seed)
    return Difference(float(difference.mean()), low, high, (as_large + 1) / (TRIALS + 1), len(difference))
