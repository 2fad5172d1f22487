from __future__ import annotations

from typing import Any

import pytest

from terrarium.fusion import blend, reciprocal_rank_fusion


def test_reciprocal_rank_fusion_by_hand() -> None:
    fused = reciprocal_rank_fusion([["a", "b", "c"], ["c", "d"]])
    expected: list[Any] = [
        ("c", pytest.approx(1 / 63 + 1 / 61)),
        ("a", pytest.approx(1 / 61)),
        ("b", pytest.approx(1 / 62)),
        ("d", pytest.approx(1 / 62)),
    ]
    assert fused == expected


def test_fusion_ties_go_to_the_better_single_rank() -> None:
    # 1/(0+1) + nothing = 1/2 + 1/2: equal sums, "a" was first once.
    fused = reciprocal_rank_fusion([["a", "b"], ["c", "b"]], k=0)
    assert [item for item, _ in fused] == ["a", "c", "b"]


def test_fusion_of_nothing() -> None:
    assert reciprocal_rank_fusion([]) == []
    assert reciprocal_rank_fusion([[], ["a"]]) == [("a", 1 / 61)]


def test_blend_by_hand() -> None:
    fused = [("a", 0.9), ("b", 0.8), ("c", 0.5), ("d", 0.4)]
    reranked = {"a": -2.0, "b": 0.0, "c": 1.0, "d": 2.0}
    expected: list[Any] = [
        ("a", pytest.approx(0.75 * 1.0 + 0.25 * 0.0)),
        ("b", pytest.approx(0.75 * 0.8 + 0.25 * 0.5)),
        ("d", pytest.approx(0.60 * 0.0 + 0.40 * 1.0)),
        ("c", pytest.approx(0.75 * 0.2 + 0.25 * 0.75)),
    ]
    assert blend(fused, reranked) == expected


def test_blend_shares_change_after_ranks_3_and_10() -> None:
    fused = [(n, float(20 - n)) for n in range(12)]
    scores = dict(blend(fused, {n: float(n == 11) for n in range(12)} | {0: 1.0}))
    assert scores[0] == pytest.approx(1)
    assert scores[2] == pytest.approx(0.75 * 9 / 11)
    assert scores[3] == pytest.approx(0.60 * 8 / 11)
    assert scores[9] == pytest.approx(0.60 * 2 / 11)
    assert scores[10] == pytest.approx(0.40 * 1 / 11)
    assert scores[11] == pytest.approx(0.60)


def test_blend_keeps_the_order_when_the_reranker_tells_nothing_apart() -> None:
    fused = [(n, 1 / (60 + n)) for n in range(30)]
    assert [item for item, _ in blend(fused, dict.fromkeys(range(30), 0.3))] == list(range(30))


def test_blend_leaves_out_what_was_not_reranked() -> None:
    fused = [("a", 3.0), ("b", 2.0), ("c", 1.0)]
    assert [item for item, _ in blend(fused, {"a": 0.1, "b": 0.2})] == ["a", "b"]
    assert blend(fused, {}) == []
