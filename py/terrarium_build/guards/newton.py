"""Ridge logistic regression by Newton's method, and the threshold that keeps quiet."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STEPS = 30


def newton(
    calm: Floats, alarming: Floats, ridge: float, *, share: float, near: tuple[Floats, float] | None = None
) -> tuple[Floats, float]:
    """(weights, intercept) that tell rows of `alarming` from rows of `calm`, sooner from some that are `near`.

    `share` is the weight of all alarming rows beside that of all calm ones.
    """
    x = np.concatenate([calm, alarming])
    x = np.column_stack([x, np.ones(len(x))])
    labels = np.repeat([0.0, 1.0], [len(calm), len(alarming)])
    counts = np.repeat([1.0, share * len(calm) / len(alarming)], [len(calm), len(alarming)])
    penalty = np.full(x.shape[1], ridge)
    penalty[-1] = 1e-6
    weights = np.zeros(x.shape[1]) if near is None else np.append(*near)
    for _ in range(STEPS):
        p = sigmoid(x @ weights)
        slope = x.T @ (counts * (p - labels)) + penalty * weights
        curvature = (x * (counts * p * (1 - p))[:, None]).T @ x + np.diag(penalty)
        step = np.linalg.solve(curvature, slope)
        weights -= step
        if np.abs(step).max() < 1e-5:
            break
    return weights[:-1], float(weights[-1])


def quiet_from(totals: Floats, alarms: float) -> float:
    """The lowest probability, in hundredths, from which on at most that share of the rows are."""
    for hundredth in range(50, 100):
        if (sigmoid(totals) >= hundredth / 100).mean() <= alarms:
            return hundredth / 100
    return 0.99


def sigmoid(x: Floats) -> Floats:
    """Of each, without overflow."""
    found: Floats = 1 / (1 + np.exp(-np.clip(x, -30, 30)))
    return found
