"""Labelled sentences → the weights of the local judge: logistic regression by Newton's method, with a small ridge.

A sentence that several passages are held against is judged by the best of them, so it is fitted by the one that its
signals point at. A weight that would turn a signal round is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
WRITTEN = "written"  # the kind of sentences that a generator wrote
NAMES = ("closest", "figures", "names")
RIDGE = 1.0
STEPS = 40


@dataclass(frozen=True, slots=True)
class Labelled:
    """The signals of one sentence by context, and whether one of the contexts states it."""

    kind: str
    supported: bool
    signals: Sequence[Mapping[str, float]]

    @property
    def best(self) -> Mapping[str, float]:
        return max(self.signals, key=lambda row: row["closest"] + row["figures"])


def weights(rows: Sequence[Labelled], names: Sequence[str] = NAMES) -> dict[str, float]:
    """With "intercept". Of `names` those that point the right way."""
    labels = np.array([row.supported for row in rows], float)
    counts = _balanced(rows)
    kept = tuple(names)
    while True:
        x = np.array([[row.best[name] for name in kept] + [1.0] for row in rows])
        found = _newton(x, labels, counts)
        wrong = {name: value for name, value in zip(kept, found, strict=False) if value < 0}
        if not wrong:
            return {"intercept": float(found[-1])} | dict(zip(kept, map(float, found), strict=False))
        kept = tuple(name for name in kept if name != min(wrong, key=lambda name: wrong[name]))


def _balanced(rows: Sequence[Labelled]) -> Floats:
    """Both answers count half; of each, what was written as much as all that was made, whose kinds count alike."""
    size = Counter((row.kind, row.supported) for row in rows)
    kinds = {side: sum(kind != WRITTEN for kind, supported in size if supported is side) for side in (True, False)}
    counts = [
        (0.5 if row.kind == WRITTEN else 0.5 / kinds[row.supported]) / size[row.kind, row.supported] for row in rows
    ]
    return np.array(counts) * len(rows) / sum(counts)


def _newton(x: Floats, labels: Floats, counts: Floats) -> Floats:
    ridge = np.eye(x.shape[1]) * RIDGE
    ridge[-1, -1] = 0  # the intercept is free
    found = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-np.clip(x @ found, -30, 30)))
        gradient = x.T @ (counts * (labels - p)) - ridge @ found
        curvature = (x * (counts * p * (1 - p))[:, None]).T @ x + ridge
        found = found + np.linalg.solve(curvature, gradient)
    return found
