"""Making one ranking of several: of scores where every item has them, of ranks where lists are all there is."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Item = TypeVar("Item", bound=Hashable)
Scores = NDArray[np.float32]  # [items]


def combined(signals: Sequence[Scores], weights: Sequence[float]) -> Scores:
    """The weighted mean of several scores of the same items, each scaled to mean 0 and deviation 1.

    A score that is NaN takes no part in its item's mean; an item without any gets 0. Unlike ranks, scores say by how
    much a passage is better (Bruch, Gai and Ingber, TOIS 2023; scaled as by Montague and Aslam, CIKM 2001).
    """
    known = np.array([~np.isnan(signal) for signal in signals])
    scaled = np.array([standardised(signal) for signal in signals])
    shares = np.array(weights, np.float32)[:, np.newaxis] * known
    mean: Scores = (np.where(known, scaled, 0) * shares).sum(axis=0) / np.maximum(shares.sum(axis=0), 1e-9)
    return mean.astype(np.float32)


def standardised(scores: Scores) -> Scores:
    """Less their mean, by their deviation; NaN stays NaN. Scores that tell nothing apart become 0."""
    known = scores[~np.isnan(scores)]
    if not len(known):
        return scores
    deviation = float(known.std())
    scaled: Scores = (scores - known.mean()) / (deviation if deviation > 1e-6 else 1e6)
    return scaled.astype(np.float32)


def reciprocal_rank_fusion(rankings: Sequence[Sequence[Item]], k: int = 60) -> list[tuple[Item, float]]:
    """Σ 1 / (k + rank) over the rankings, best first (Cormack, Clarke and Büttcher, SIGIR 2009).

    Ties go to the item with the better single rank, then to the one of the earlier ranking.
    """
    scores: dict[Item, float] = {}
    best: dict[Item, int] = {}
    for ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + 1 / (k + rank)
            best[item] = min(best.get(item, rank), rank)
    order = sorted(scores, key=lambda item: (-scores[item], best[item]))  # stable: first seen first
    return [(item, scores[item]) for item in order]
