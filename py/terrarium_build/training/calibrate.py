"""From a late-interaction score to the probability that the passage answers the question: a logistic regression.

It looks at the score alone, so a probability does not depend on what else was found.
Fitted on held-out training questions, against what retrieval really offers for them.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .first_stage import FirstStage
from .head import Head, maxsim, rounded
from .sets import AnswerSet, RetrievalSet
from .states import Known

Floats = NDArray[np.float64]
STEPS = 50
RIDGE = 1e-3  # keeps a perfectly separated sample finite
BINS = 10


@dataclass(frozen=True, slots=True)
class Calibration:
    """p = 1 / (1 + exp(-(slope · score + intercept)))"""

    slope: float
    intercept: float

    def probability(self, scores: Floats) -> Floats:
        p: Floats = 1 / (1 + np.exp(-(self.slope * scores + self.intercept)))
        return p

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")


def held_out_rows(one: RetrievalSet, states: Known, head: Head, offered: int = 8) -> tuple[Floats, NDArray[np.bool_]]:
    """Scores and labels of the first passages that retrieval offers for each question of the set."""
    stage = FirstStage(one.passages, states.sentence[[states.place[text] for text in one.passages]])
    scores, right = [], []
    for question, gains in zip(one.questions, one.gains, strict=True):
        found = stage.search(question, states.sentence[states.place[question]]).fused[:offered]
        for place, _ in found:
            scores.append(_score(question, one.passages[place], states, head))
            right.append(place in gains)
    return np.array(scores), np.array(right)


def answer_rows(one: AnswerSet, states: Known, head: Head) -> tuple[Floats, NDArray[np.bool_]]:
    scores = [_score(question, passage, states, head) for question, passage, _ in one.rows]
    return np.array(scores), np.array([right for _, _, right in one.rows])


def report(name: str, calibration: Calibration, scores: Floats, right: NDArray[np.bool_]) -> str:
    p = calibration.probability(scores)
    base = float(right.mean())
    return (
        f"{name}: {len(right)} passages, {base:.2f} of them answer; AUC {auc(p, right):.3f}, "
        f"Brier {brier(p, right):.3f} (of the share alone {base * (1 - base):.3f}), "
        f"ECE {calibration_error(p, right):.3f}"
    )


def _score(question: str, passage: str, states: Known, head: Head) -> float:
    asked, found = (states.hidden(states.place[text], head.layers) for text in (question, passage))
    return maxsim(head.question(asked), rounded(head.passage(found)))


def fit(scores: Floats, right: NDArray[np.bool_]) -> Calibration:
    """Maximum likelihood by Newton's method on the standardised score."""
    mean, spread = float(scores.mean()), max(float(scores.std()), 1e-9)
    x = np.column_stack([(scores - mean) / spread, np.ones(len(scores))])
    weights = np.zeros(2)
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-(x @ weights)))
        slope = x.T @ (p - right) + RIDGE * weights
        curve = (x * (p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(2)
        weights = weights - np.linalg.solve(curve, slope)
    return Calibration(float(weights[0] / spread), float(weights[1] - weights[0] * mean / spread))


def brier(p: Floats, answers: NDArray[np.bool_]) -> float:
    return float(np.mean((p - answers) ** 2))


def calibration_error(p: Floats, answers: NDArray[np.bool_]) -> float:
    """ECE: |mean probability - share of answers| in ten bins of equal width, weighted by their sizes."""
    bins = np.minimum((p * BINS).astype(int), BINS - 1)
    gaps = [abs(float(p[bins == one].sum() - answers[bins == one].sum())) for one in range(BINS)]
    return sum(gaps) / len(p)


def auc(p: Floats, answers: NDArray[np.bool_]) -> float:
    """The chance that an answering passage has the higher probability; ties count half."""
    _, place, count = np.unique(p, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - (count - 1) / 2)[place]  # mean rank of equal values
    positive, negative = int(answers.sum()), int((~answers).sum())
    return float((rank[answers].sum() - positive * (positive + 1) / 2) / (positive * negative))
