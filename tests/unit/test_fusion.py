from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from terrarium.retrieval.fusion import combined, reciprocal_rank_fusion, standardised


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


def numbers(*values: float) -> Any:
    return np.array(values, np.float32)


def test_standardised_has_mean_0_and_deviation_1() -> None:
    scaled = standardised(numbers(3, 5, np.nan, 10))
    assert np.isnan(scaled[2])
    known = scaled[~np.isnan(scaled)]
    assert known.mean() == pytest.approx(0, abs=1e-6)
    assert known.std() == pytest.approx(1)
    assert known[1] == pytest.approx((5 - 6) / np.std([3, 5, 10]))


@pytest.mark.parametrize("scores", [(0.3, 0.3, 0.3), (7.0,)])
def test_scores_that_tell_nothing_apart_become_0(scores: tuple[float, ...]) -> None:
    assert not np.any(standardised(numbers(*scores)))
    assert standardised(numbers()).shape == (0,)


def test_combined_by_hand() -> None:
    # Scaled: -1, 1, 0, 0 over all four (mean 2), and -1, 1 over the last two.
    root = 2**0.5
    first, second = numbers(2 - root, 2 + root, 2, 2), numbers(np.nan, np.nan, 4, 8)
    expected = [-root, root, 0.75 * -1, 0.75 * 1]
    assert combined([first / 1, second], [0.25, 0.75]) == pytest.approx(numbers(*expected), abs=1e-5)


def test_what_no_ranker_knows_is_in_the_middle() -> None:
    assert combined([numbers(1, 3, np.nan)], [1.0]).tolist() == [-1, 1, 0]
    assert combined([numbers(np.nan, np.nan)], [1.0]).tolist() == [0, 0]


def test_scores_say_by_how_much() -> None:
    """By ranks the second would win: it is second twice, the first is first and third."""
    words, meaning = numbers(9, 2, 1.9, 1), numbers(0.5, 0.6, 0.61, 0.1)
    assert int(np.argmax(combined([words, meaning], [0.5, 0.5]))) == 0
