from __future__ import annotations

from typing import Any

import pytest

from terrarium_build.training.blending import blend


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
