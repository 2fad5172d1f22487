from __future__ import annotations

import numpy as np
import pytest

from terrarium.indexes.sign_codes import SignCodes
from terrarium.indexes.vectors import VectorIndex

DOCUMENTS = {"a": 700, "b": 1, "none": 0, "c": 4500}


def random_vectors() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(7)
    return {name: rng.normal(size=(rows, 24)).astype(np.float32) for name, rows in DOCUMENTS.items()}


def index_of(vectors: dict[str, np.ndarray]) -> VectorIndex:
    index = VectorIndex(next(iter(vectors.values())).shape[1])
    for name, rows in vectors.items():
        index.add(name, rows)
    return index


def cosines(vectors: dict[str, np.ndarray], query: np.ndarray) -> dict[tuple[str, int], float]:
    keys = [(name, number) for name, rows in vectors.items() for number in range(len(rows))]
    matrix = np.concatenate(list(vectors.values())).astype(np.float64)
    return dict(zip(keys, matrix @ query / np.linalg.norm(matrix, axis=1) / np.linalg.norm(query), strict=True))


def test_finds_the_highest_cosines() -> None:
    vectors = random_vectors()
    query = np.random.default_rng(8).normal(size=24)
    expected = sorted(cosines(vectors, query).items(), key=lambda item: -item[1])
    found = index_of(vectors).search(query, 10)
    assert [score for _, score in found] == pytest.approx([score for _, score in expected[:10]], abs=1e-3)


def test_removing_and_adding_again() -> None:
    vectors = random_vectors()
    query = vectors["c"][17]
    index = index_of(vectors)
    assert index.search(query, 1)[0][0] == ("c", 17)
    assert index.search(query, 1)[0][1] == pytest.approx(1, abs=1e-3)
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


def large_collection() -> tuple[dict[str, np.ndarray], np.ndarray]:
    """20,000 vectors around 40 topics, in documents of up to 900 rows, and questions near them."""
    rng = np.random.default_rng(9)
    topics = rng.normal(size=(40, 64))
    rows = topics[rng.integers(0, 40, 20_000)] + 1.5 * rng.normal(size=(20_000, 64))
    bounds = np.cumsum(rng.integers(1, 900, 60))
    parts = np.split(rows.astype(np.float32), bounds[bounds < len(rows)])
    return {f"d{n}": part for n, part in enumerate(parts)}, topics[:25] + rng.normal(size=(25, 64))


def brute_force(vectors: dict[str, np.ndarray], query: np.ndarray, k: int) -> list[tuple[tuple[str, int], float]]:
    return sorted(cosines(vectors, query).items(), key=lambda item: -item[1])[:k]


def test_a_large_index_finds_what_comparing_all_finds() -> None:
    vectors, queries = large_collection()
    index = index_of(vectors)
    missed = 0
    for query in queries[:10]:
        true = cosines(vectors, query)
        expected = sorted(true.items(), key=lambda item: -item[1])[:20]
        found = index.search(query, 20)
        missed += len({key for key, _ in expected} - {key for key, _ in found})
        assert [score for _, score in found] == pytest.approx([true[key] for key, _ in found], abs=1e-3)
        assert found[0][0] == expected[0][0]
    assert missed <= 2  # of 200


def test_a_large_index_filters_before_it_chooses_candidates() -> None:
    vectors, queries = large_collection()
    index = index_of(vectors)
    for count in (1, 3, 30):  # below and above the number of candidates
        some = dict(list(vectors.items())[5 : 5 + count])
        found = index.search(queries[0], 10, frozenset(some))
        expected = brute_force(some, queries[0], 10)
        assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=1e-3)


def test_documents_come_and_go_in_a_large_index() -> None:
    vectors, queries = large_collection()
    index = index_of(vectors)
    for name in list(vectors)[:-12:2]:
        del vectors[name]
        index.remove(name)
    for name in list(vectors)[: len(vectors) // 2]:
        index.remove(name)
        index.add(name, vectors[name])
    for name in list(vectors)[:-15]:
        del vectors[name]
        index.remove(name)
    assert len(index) == sum(map(len, vectors.values()))
    for query in queries[:5]:
        expected = brute_force(vectors, query, 10)
        assert [score for _, score in index.search(query, 10)] == pytest.approx([s for _, s in expected], abs=1e-3)


def test_adding_and_removing_leave_the_other_vectors_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, queries = large_collection()
    index = index_of(vectors)
    blocks = [block.vectors for block in index._blocks]
    monkeypatch.setattr(SignCodes, "of", None)  # making codes again would fail
    index.add("new", queries[:10])
    index.remove("d3")
    assert index.search(queries[3], 1)[0][0] == ("new", 3)
    assert all(before is now.vectors for before, now in zip(blocks, index._blocks, strict=True))
