"""Ranking metrics of one question, by trec_eval's definitions. Averages are the caller's: it knows what to leave out.

A ranking is a list of ids, best first, without repetitions. Gains map ids to graded relevance; ids that are absent
or have a gain of 0 or less are not relevant.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence


def recall_at(ranking: Sequence[str], gains: Mapping[str, int], k: int) -> float:
    """Share of the relevant ids among the first k (trec_eval `recall_k`)."""
    relevant = _relevant(gains)
    return len(relevant.intersection(ranking[:k])) / len(relevant)


def hit_at(ranking: Sequence[str], gains: Mapping[str, int], k: int) -> float:
    """1 when a relevant id is among the first k, else 0 (trec_eval `success_k`)."""
    return float(not _relevant(gains).isdisjoint(ranking[:k]))


def reciprocal_rank(ranking: Sequence[str], gains: Mapping[str, int]) -> float:
    """1 / rank of the first relevant id, 0 when there is none (trec_eval `recip_rank`)."""
    relevant = _relevant(gains)
    return next((1 / rank for rank, item in enumerate(ranking, start=1) if item in relevant), 0.0)


def ndcg_at(ranking: Sequence[str], gains: Mapping[str, int], k: int) -> float:
    """Discounted gain of the first k over the best possible (trec_eval `ndcg_cut_k`: linear gain, log2(rank + 1))."""
    ideal = sorted((gains[item] for item in _relevant(gains)), reverse=True)
    found = [max(gains.get(item, 0), 0) for item in ranking]
    return _discounted(found[:k]) / _discounted(ideal[:k])


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def _relevant(gains: Mapping[str, int]) -> set[str]:
    relevant = {item for item, gain in gains.items() if gain > 0}
    if not relevant:
        raise ValueError("a question without relevant passages has no score: leave it out")
    return relevant
