"""Ranking metrics, by trec_eval's definitions, against figures worked out by hand."""

from __future__ import annotations

import math

import pytest

from terrarium.evaluation.metrics import hit_at, ndcg_at, recall_at, reciprocal_rank


def test_by_hand() -> None:
    ranking = ["x", "a", "y", "b"]
    gains = {"a": 1, "b": 3, "c": 2, "x": 0}
    assert recall_at(ranking, gains, 3) == pytest.approx(1 / 3)
    assert recall_at(ranking, gains, 10) == pytest.approx(2 / 3)
    assert hit_at(ranking, gains, 1) == 0
    assert hit_at(ranking, gains, 2) == 1
    assert reciprocal_rank(ranking, gains) == 0.5
    assert reciprocal_rank(["x", "y"], gains) == 0
    ideal = 3 + 2 / math.log2(3) + 1 / 2
    assert ndcg_at(ranking, gains, 10) == pytest.approx((1 / math.log2(3) + 3 / math.log2(5)) / ideal)
    assert ndcg_at(ranking, gains, 3) == pytest.approx((1 / math.log2(3)) / ideal)
    assert ndcg_at(["b", "c", "a"], gains, 10) == pytest.approx(1)


def test_nothing_relevant_is_not_scored() -> None:
    with pytest.raises(ValueError, match="leave it out"):
        ndcg_at(["a"], {"a": 0}, 10)
