"""Signals and labels → weights and thresholds: logistic regression by Newton's method, calibrated out of sample.

Each set counts alike, and in each set answerable questions as much as the others, so that a large set of one kind
cannot decide for all. A weight that would turn a signal round (more that is missing, the likelier the answer) is left
out: it fits this data and no other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrarium_build.training.calibrate import auc

Floats = NDArray[np.float64]
Rows = Sequence[Mapping[str, Any]]

# Of each profile the signals it may use, and which way each must point.
SIGNS = {
    "coverage": 1,
    "coverage_together": 1,
    "focus": 1,
    "missing": -1,
    "unknown": -1,
    "unknown_share": -1,
    "missing_rare": -1,
    "missing_names": -1,
    "cosine": 1,
    "margin": 1,
    "agreement": 1,
    "same_first": 1,
    "closeness": 1,
    "relevant": 1,
    "relevant_margin": 1,
}
BY_WORDS = (
    "coverage",
    "coverage_together",
    "focus",
    "missing",
    "unknown",
    "unknown_share",
    "missing_rare",
    "missing_names",
)
BY_MEANING = ("cosine", "margin", "closeness")
PROFILES: dict[str, tuple[str, ...]] = {
    "reranked": tuple(SIGNS),
    "dense": tuple(name for name in SIGNS if not name.startswith("relevant")),
    "words": BY_WORDS,
    "meaning": BY_MEANING,
}
RIDGES = (1.0, 3.0, 10.0, 30.0, 100.0)
FOLDS = 5
REPEATS = 10  # other folds each time: one division moves the thresholds by a hundredth
STEPS = 60
OVER_REFUSAL = 0.10  # of the answerable development questions of any set: the mark is 0.10
PRECISION = 0.85  # of the verdict "correct" among development questions


@dataclass(frozen=True, slots=True)
class Fitted:
    intercept: float
    weights: dict[str, float]
    correct: float
    incorrect: float
    ridge: float
    left_out_auc: dict[str, float]  # of each set, by weights fitted on the others

    def probabilities(self, rows: Rows) -> Floats:
        return _sigmoid(self.intercept + _table(rows, tuple(self.weights)) @ np.array([*self.weights.values()]))


def fit(rows: Rows, names: Sequence[str]) -> Fitted:
    """Of development rows that have all these signals, in whatever order they come."""
    rows = sorted(rows, key=lambda row: (row["set"], row["id"]))
    labels = np.array([row["kind"] == "answerable" for row in rows])
    sets = np.array([row["set"] for row in rows])
    counts = _balanced(sets, labels)
    ridge = min(RIDGES, key=lambda one: _left_out_loss(rows, names, labels, sets, counts, one))
    names = _rightly_signed(rows, names, labels, counts, ridge)
    x = _table(rows, names)

    # Platt: the line that makes the logits of questions not fitted on into probabilities.
    logits = np.zeros(len(rows))
    rng = np.random.default_rng(0)
    for _ in range(REPEATS):
        folds = rng.permutation(len(rows)) % FOLDS
        for fold in range(FOLDS):
            out = folds == fold
            weights, intercept = _newton(x[~out], labels[~out], counts[~out], ridge)
            logits[out] += (x[out] @ weights + intercept) / REPEATS
    (slope,), shift = _newton(logits[:, None], labels, counts, 1e-3)
    weights, intercept = _newton(x, labels, counts, ridge)
    p = _sigmoid(slope * logits + shift)
    return Fitted(
        intercept=float(slope * intercept + shift),
        weights={name: float(slope * weight) for name, weight in zip(names, weights, strict=True)},
        correct=_precise_from(p, labels, counts),
        incorrect=_refusing_at(p, labels, sets),
        ridge=ridge,
        left_out_auc=_left_out_auc(x, labels, sets, counts, ridge),
    )


def _balanced(sets: NDArray[np.str_], labels: NDArray[np.bool_]) -> Floats:
    counts = np.zeros(len(labels))
    for name in np.unique(sets):
        for label in (True, False):
            chosen = (sets == name) & (labels == label)
            if chosen.any():
                counts[chosen] = 1 / chosen.sum()
    balanced: Floats = counts * len(labels) / counts.sum()
    return balanced


def _rightly_signed(
    rows: Rows, names: Sequence[str], labels: NDArray[np.bool_], counts: Floats, ridge: float
) -> tuple[str, ...]:
    kept = tuple(names)
    while True:
        weights, _ = _newton(_table(rows, kept), labels, counts, ridge)
        wrong = {n: abs(w) for n, w in zip(kept, weights, strict=True) if SIGNS[n] * w < 0}
        if not wrong:
            return kept
        worst = max(wrong, key=lambda name: wrong[name])
        kept = tuple(name for name in kept if name != worst)


def _left_out_loss(
    rows: Rows, names: Sequence[str], labels: NDArray[np.bool_], sets: NDArray[np.str_], counts: Floats, ridge: float
) -> float:
    """Log loss on each set, of weights fitted on the others."""
    losses = []
    x = _table(rows, names)
    for name in np.unique(sets):
        out = sets == name
        weights, intercept = _newton(x[~out], labels[~out], counts[~out], ridge)
        p = np.clip(_sigmoid(x[out] @ weights + intercept), 1e-6, 1 - 1e-6)
        losses.append(float(np.average(-np.log(np.where(labels[out], p, 1 - p)), weights=counts[out])))
    return float(np.mean(losses))


def _left_out_auc(
    x: Floats, labels: NDArray[np.bool_], sets: NDArray[np.str_], counts: Floats, ridge: float
) -> dict[str, float]:
    found = {}
    for name in np.unique(sets):
        out = sets == name
        weights, intercept = _newton(x[~out], labels[~out], counts[~out], ridge)
        found[str(name)] = round(auc(x[out] @ weights + intercept, labels[out]), 3)
    return found


def _newton(x: Floats, labels: NDArray[np.bool_], counts: Floats, ridge: float) -> tuple[Floats, float]:
    x = np.column_stack([x, np.ones(len(x))])
    penalty = np.diag([ridge] * (x.shape[1] - 1) + [1e-6])
    weights = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = _sigmoid(x @ weights)
        slope = x.T @ (counts * (p - labels)) + penalty @ weights
        curve = (x * (counts * p * (1 - p))[:, None]).T @ x + penalty
        weights = weights - np.linalg.solve(curve, slope)
    return weights[:-1], float(weights[-1])


def _refusing_at(p: Floats, labels: NDArray[np.bool_], sets: NDArray[np.str_]) -> float:
    """The highest threshold below which, in every set, few enough answerable questions fall."""
    lowest = [np.quantile(p[(sets == name) & labels], OVER_REFUSAL) for name in np.unique(sets[labels])]
    return round(float(min(lowest)), 3)


def _precise_from(p: Floats, labels: NDArray[np.bool_], counts: Floats) -> float:
    for threshold in np.arange(0.3, 0.99, 0.01):
        chosen = p >= threshold
        if chosen.any() and np.average(labels[chosen], weights=counts[chosen]) >= PRECISION:
            return round(float(threshold), 2)
    return 0.99


def _table(rows: Rows, names: Sequence[str]) -> Floats:
    return np.array([[row["signals"][name] for name in names] for row in rows], np.float64).reshape(-1, len(names))


def _sigmoid(x: Floats) -> Floats:
    p: Floats = 1 / (1 + np.exp(-np.clip(x, -40, 40)))
    return p
