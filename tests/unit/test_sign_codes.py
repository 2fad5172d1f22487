from __future__ import annotations

import numpy as np
import pytest

from terrarium.indexes.sign_codes import SignCodes


@pytest.mark.parametrize("dimensions", [24, 64, 384])
def test_the_estimate_is_the_product_with_signs_and_a_rounded_query(dimensions: int) -> None:
    rng = np.random.default_rng(dimensions)
    vectors = (rng.normal(size=(300, dimensions)) + rng.normal(size=dimensions)).astype(np.float32)
    query = rng.normal(size=dimensions).astype(np.float32)
    mean = vectors.mean(axis=0)
    share = query @ mean / (mean @ mean)
    rest = query - share * mean  # rounded to sixteen levels; what lies along the mean is not
    rounded = np.round(rest / np.abs(rest).max() * 7) * np.abs(rest).max() / 7
    expected = []
    for vector in vectors:
        difference = vector - mean
        signs = np.where(difference > 0, 1.0, -1.0)
        # So much of the signs' direction that its part along the difference is the difference itself.
        scaled = signs * (difference @ difference) / (difference @ signs)
        expected.append(query @ mean + share * mean @ difference + rounded @ scaled)
    np.testing.assert_allclose(SignCodes.of(vectors).estimate(query), expected, rtol=1e-3, atol=1e-3)


def test_estimates_are_right_on_average() -> None:
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(4000, 384)).astype(np.float32) + 0.5
    query = rng.normal(size=384).astype(np.float32)
    wrong = SignCodes.of(vectors).estimate(query) - vectors @ query
    assert abs(wrong.mean()) < 0.05 * (vectors @ query).std()
    assert wrong.std() < (vectors @ query).std()


def test_equal_vectors_and_a_query_of_zeros() -> None:
    vectors = np.full((3, 24), 0.5, np.float32)
    assert SignCodes.of(vectors).estimate(np.ones(24, np.float32)).tolist() == [12, 12, 12]
    assert SignCodes.of(vectors).estimate(np.zeros(24, np.float32)).tolist() == [0, 0, 0]


def test_vectors_that_share_a_direction_are_told_apart() -> None:
    rng = np.random.default_rng(6)
    shared = rng.normal(size=384)
    vectors = (shared + 0.4 * rng.normal(size=(4000, 384))).astype(np.float32)
    query = (shared + 0.4 * vectors[7] + 0.4 * rng.normal(size=384)).astype(np.float32)
    exact, estimate = vectors @ query, SignCodes.of(vectors).estimate(query)
    assert np.corrcoef(exact, estimate)[0, 1] > 0.9
