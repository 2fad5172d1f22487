"""The blend by rank position that the tables of models/late-interaction.md were measured with.

The product has since gone over to scores (terrarium/retrieval/fusion.py), which need those of all candidates by
both rankers.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)

# (last fusion rank, share of the fusion score): a strong first-stage hit outweighs the reranker, a weak one does not.
# The idea and the figures are those of github.com/tobi/qmd.
BLEND_SHARES: tuple[tuple[float, float], ...] = ((3, 0.75), (10, 0.60), (float("inf"), 0.40))


def blend(fused: Sequence[tuple[Item, float]], reranked: Mapping[Item, float]) -> list[tuple[Item, float]]:
    """Order the items that have a reranker's score by a mixture of both scores, best first.

    Both are scaled to [0, 1] over these items, and mixed by the item's rank in `fused`. Items without a reranker's
    score are left out. Ties keep the order of `fused`; so does a reranker that tells nothing apart.
    """
    both = [(rank, item, score) for rank, (item, score) in enumerate(fused, start=1) if item in reranked]
    first = _scaled([score for _, _, score in both])
    second = _scaled([reranked[item] for _, item, _ in both])
    mixed = []
    for (rank, item, _), fusion, rerank in zip(both, first, second, strict=True):
        share = next(share for last, share in BLEND_SHARES if rank <= last)
        mixed.append((item, share * fusion + (1 - share) * rerank))
    return sorted(mixed, key=lambda pair: -pair[1])


def _scaled(scores: Sequence[float]) -> list[float]:
    if not scores:
        return []
    low, high = min(scores), max(scores)
    return [(score - low) / (high - low) if high > low else 0.0 for score in scores]
