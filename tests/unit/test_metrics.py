from __future__ import annotations

import math

import numpy as np
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


def test_equals_ir_measures() -> None:
    ir = pytest.importorskip("ir_measures")
    rng = np.random.default_rng(3)
    ids = [f"d{n}" for n in range(40)]
    for _ in range(30):
        gains = {name: int(gain) for name, gain in zip(ids, rng.integers(-1, 4, 40), strict=True) if gain != 1}
        ranking = [str(name) for name in rng.permutation(ids)[:25]]
        run = {"q": {name: float(-rank) for rank, name in enumerate(ranking)}}
        measures = {
            ir.nDCG @ 10: ndcg_at(ranking, gains, 10),
            ir.R @ 5: recall_at(ranking, gains, 5),
            ir.Success @ 3: hit_at(ranking, gains, 3),
            ir.RR: reciprocal_rank(ranking, gains),
        }
        expected = ir.calc_aggregate(list(measures), {"q": gains}, run)
        for measure, value in measures.items():
            assert value == pytest.approx(expected[measure]), str(measure)
