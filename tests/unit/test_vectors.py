from __future__ import annotations

import numpy as np
import pytest

from terrarium.vectors import VectorIndex

DOCUMENTS = {"a": 700, "b": 1, "none": 0, "c": 4500}


def random_vectors() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(7)
    return {name: rng.normal(size=(rows, 24)).astype(np.float32) for name, rows in DOCUMENTS.items()}


def index_of(vectors: dict[str, np.ndarray], dtype: type = np.float32) -> VectorIndex:
    index = VectorIndex(24, dtype)
    for name, rows in vectors.items():
        index.add(name, rows)
    return index


def cosines(vectors: dict[str, np.ndarray], query: np.ndarray) -> dict[tuple[str, int], float]:
    return {
        (name, number): float(row @ query / np.linalg.norm(row) / np.linalg.norm(query))
        for name, rows in vectors.items()
        for number, row in enumerate(rows.astype(np.float64))
    }


@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float32, 1e-6), (np.float16, 1e-3)])
def test_finds_the_highest_cosines(dtype: type, tolerance: float) -> None:
    vectors = random_vectors()
    query = np.random.default_rng(8).normal(size=24)
    expected = sorted(cosines(vectors, query).items(), key=lambda item: -item[1])
    found = index_of(vectors, dtype).search(query, 10)
    assert [score for _, score in found] == pytest.approx([score for _, score in expected[:10]], abs=tolerance)
    if dtype is np.float32:
        assert [key for key, _ in found] == [key for key, _ in expected[:10]]


def test_removing_and_adding_again() -> None:
    vectors = random_vectors()
    query = vectors["c"][17]
    index = index_of(vectors)
    assert index.search(query, 1)[0][0] == ("c", 17)
    assert index.search(query, 1)[0][1] == pytest.approx(1)
    index.remove("a")
    assert index.search(query, 1)[0][0] == ("c", 17)
    index.remove("c")
    assert [key for key, _ in index.search(query, 10)] == [("b", 0)]
    index.add("c", vectors["c"])
    assert index.search(query, 1)[0][0] == ("c", 17)
    assert len(index) == 4501


def test_filter_comes_before_the_best_k() -> None:
    vectors = random_vectors()
    found = index_of(vectors).search(vectors["c"][0], 5, within={"b"})
    assert [key for key, _ in found] == [("b", 0)]


def test_equal_vectors_keep_their_order() -> None:
    index = index_of({"a": np.ones((50, 24), np.float32)})
    assert [key for key, _ in index.search(np.ones(24), 3)] == [("a", 0), ("a", 1), ("a", 2)]


def test_empty_index_and_zero_vectors() -> None:
    assert VectorIndex(24).search(np.ones(24), 5) == []
    assert index_of({"a": np.zeros((1, 24), np.float32)}).search(np.ones(24), 5) == [(("a", 0), 0.0)]


def test_other_dimensions_are_refused() -> None:
    with pytest.raises(ValueError, match="24 dimensions"):
        VectorIndex(24).add("a", np.ones((2, 25), np.float32))
