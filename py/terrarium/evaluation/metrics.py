"""Ranking metrics of one question, by trec_eval's definitions. Averages are the caller's: it knows what to leave out.

A metric reads where each relevant item stands (`found_in` a ranking, or looked up by whoever judges passages) and how
relevant it is. Items with a gain of 0 or less are not relevant and not among them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np


class Relevant(NamedTuple):
    """One relevant item: its 1-based rank, None where the list does not have it, and its graded relevance."""

    rank: int | None
    gain: int = 1


def found_in(ranking: Iterable[str], gains: Mapping[str, int]) -> list[Relevant]:
    """The relevant items of `gains` in a ranking of ids, best first, without repetitions."""
    ranks = {item: rank for rank, item in enumerate(ranking, start=1)}
    return [Relevant(ranks.get(item), gain) for item, gain in gains.items() if gain > 0]


def trec_order(scores: Mapping[str, float]) -> list[str]:
    """Ids by falling score. trec_eval keeps scores in single precision and puts the larger id first among equals."""
    return sorted(sorted(scores, reverse=True), key=lambda item: -np.float32(scores[item]))


def recall_at(relevant: Sequence[Relevant], k: int) -> float:
    """Share of the relevant items among the first k (trec_eval `recall_k`)."""
    return sum(_within(relevant, k)) / _number(relevant)


def hit_at(relevant: Sequence[Relevant], k: int) -> float:
    """1 when a relevant item is among the first k, else 0 (trec_eval `success_k`)."""
    return float(_number(relevant) > 0 and any(_within(relevant, k)))


def all_at(relevant: Sequence[Relevant], k: int) -> float:
    """1 when every relevant item is among the first k, else 0: a question that needs two paragraphs needs both."""
    return float(_number(relevant) > 0 and all(_within(relevant, k)))


def reciprocal_rank(relevant: Sequence[Relevant]) -> float:
    """1 / rank of the first relevant item, 0 when there is none (trec_eval `recip_rank`)."""
    _number(relevant)
    return max((1 / item.rank for item in relevant if item.rank), default=0.0)


def ndcg_at(relevant: Sequence[Relevant], k: int) -> float:
    """Discounted gain of the first k over the best possible (trec_eval `ndcg_cut_k`: linear gain, log2(rank + 1)).

    Never above 1, also where two quotes stand in one passage.
    """
    ideal = sorted((item.gain for item in relevant), reverse=True)[: min(k, _number(relevant))]
    best = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(ideal, start=1))
    found = sum(item.gain / math.log2(item.rank + 1) for item in relevant if item.rank and item.rank <= k)
    return min(found / best, 1.0)


def auc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """The chance that a value of the first is larger than one of the second, equal ones counting half.

    The area under the ROC curve (Mann and Whitney's U over the number of pairs); nan without values on either side.
    """
    if not positive or not negative:
        return math.nan
    ordered = np.sort(np.asarray(negative, float))
    below = np.searchsorted(ordered, positive, side="left")
    up_to = np.searchsorted(ordered, positive, side="right")
    return float((below + up_to).sum() / 2 / len(positive) / len(negative))


def _within(relevant: Sequence[Relevant], k: int) -> list[bool]:
    return [item.rank is not None and item.rank <= k for item in relevant]


def _number(relevant: Sequence[Relevant]) -> int:
    if not relevant:
        raise ValueError("a question without relevant passages has no score: leave it out")
    return len(relevant)
