"""Ranking metrics, by trec_eval's definitions: against figures worked out by hand and against ir_measures."""

from __future__ import annotations

import math

import ir_measures
import numpy as np
import pytest
from ir_measures import RR, R, Success, nDCG

from terrarium.evaluation.metrics import (
    Relevant,
    all_at,
    auc,
    found_in,
    hit_at,
    ndcg_at,
    recall_at,
    reciprocal_rank,
    trec_order,
)


def test_by_hand():
    gains = {"a": 1, "b": 3, "c": 2, "x": 0}
    relevant = found_in(["x", "a", "y", "b"], gains)
    assert relevant == [Relevant(2, 1), Relevant(4, 3), Relevant(None, 2)]
    assert recall_at(relevant, 3) == pytest.approx(1 / 3)
    assert recall_at(relevant, 10) == pytest.approx(2 / 3)
    assert (hit_at(relevant, 1), hit_at(relevant, 2)) == (0, 1)
    assert (all_at(relevant, 10), all_at(relevant[:2], 4), all_at(relevant[:2], 3)) == (0, 1, 0)
    assert reciprocal_rank(relevant) == 0.5
    assert reciprocal_rank(found_in(["x", "y"], gains)) == 0
    ideal = 3 + 2 / math.log2(3) + 1 / 2
    assert ndcg_at(relevant, 10) == pytest.approx((1 / math.log2(3) + 3 / math.log2(5)) / ideal)
    assert ndcg_at(relevant, 3) == pytest.approx((1 / math.log2(3)) / ideal)
    assert ndcg_at(found_in(["b", "c", "a"], gains), 10) == pytest.approx(1)


def test_two_quotes_in_one_passage_are_no_more_than_everything():
    assert ndcg_at([Relevant(1), Relevant(1)], 10) == 1


def test_nothing_relevant_is_not_scored():
    with pytest.raises(ValueError, match="leave it out"):
        ndcg_at(found_in(["a"], {"a": 0}), 10)


def test_equal_to_ir_measures_on_random_runs_with_ties():
    chance = np.random.default_rng(4)
    runs: dict[str, dict[str, float]] = {}
    judged: dict[str, dict[str, int]] = {}
    for question in map(str, range(60)):
        names = [f"d{n}" for n in chance.permutation(150)]
        # Scores that differ in double precision only are equal to trec_eval.
        scores = chance.integers(0, 12, 120) + chance.choice([0.0, 1e-12], 120)
        runs[question] = dict(zip(names, scores.tolist(), strict=False))
        marks = chance.choice(names, 9, replace=False)
        judged[question] = dict(zip(marks.tolist(), chance.choice([0, 1, 2, 3], 9).tolist(), strict=True))
    ours = {
        nDCG @ 10: lambda relevant: ndcg_at(relevant, 10),
        RR: reciprocal_rank,
        R @ 5: lambda relevant: recall_at(relevant, 5),
        R @ 100: lambda relevant: recall_at(relevant, 100),
        Success @ 3: lambda relevant: hit_at(relevant, 3),
    }
    expected = list(ir_measures.iter_calc(list(ours), judged, runs))
    assert len(expected) == len(ours) * 60
    compared = 0
    for one in expected:
        relevant = found_in(trec_order(runs[one.query_id]), judged[one.query_id])
        if relevant:
            compared += 1
            assert ours[one.measure](relevant) == pytest.approx(one.value, abs=1e-6), one
    assert compared > 250


def test_auc_counts_pairs():
    assert auc([0.9, 0.8], [0.1, 0.2]) == 1
    assert auc([0.5], [0.5]) == 0.5
    assert auc([0.9, 0.3], [0.5, 0.3]) == pytest.approx((2 + 0.5) / 4)
    assert math.isnan(auc([], [0.1]))
