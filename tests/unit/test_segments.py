from __future__ import annotations

import numpy as np
import pytest

from terrarium.indexes.segments import Key, Segments


def brute_force(documents: dict[str, list[float]], k: int, within: set[str] | None = None) -> list[tuple[Key, float]]:
    rows = [((name, n), score) for name, scores in documents.items() for n, score in enumerate(scores)]
    kept = [row for row in rows if within is None or row[0][0] in within]
    return sorted(kept, key=lambda row: -row[1])[:k]  # stable, as equal scores keep their order


@pytest.mark.parametrize("seed", range(20))
def test_best_rows_after_any_adding_and_removing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    segments = Segments()
    documents: dict[str, list[float]] = {}
    scores = np.zeros(0, np.float32)
    for number in range(60):
        if documents and rng.random() < 0.4:
            gone = str(rng.choice(list(documents)))
            del documents[gone]
            rows = segments.remove(gone)
            assert rows.stop - rows.start in range(9)
        else:
            documents[str(number)] = rng.integers(0, 9, rng.integers(0, 9)).astype(np.float32).tolist()
            assert segments.add(str(number), len(documents[str(number)])) == len(scores)
            scores = np.concatenate([scores, np.array(documents[str(number)], np.float32)])
        if number % 20 == 19:
            scores = scores[segments.compact()]
            assert segments.alive == len(segments) == len(scores)
        within = frozenset(name for name in (*documents, "another") if rng.random() < 0.5)
        assert segments.alive == sum(map(len, documents.values()))
        assert segments.best(scores, 7, None) == brute_force(documents, 7)
        for _ in range(2):  # the second time from memory
            assert segments.best(scores, 7, segments.mask(within)) == brute_force(documents, 7, set(within))


def test_the_rows_of_a_document() -> None:
    segments = Segments()
    assert [segments.add(name, rows) for name, rows in (("a", 2), ("b", 0), ("c", 3))] == [0, 2, 2]
    assert segments.remove("b") == slice(2, 2)
    assert segments.remove("a") == slice(0, 2)
    assert (len(segments), segments.alive, segments.start("c"), segments.key(4)) == (5, 3, 2, ("c", 2))
    assert segments.compact().tolist() == [2, 3, 4]
    assert (len(segments), segments.start("c"), segments.key(2)) == (3, 0, ("c", 2))
    assert "a" not in segments


def test_a_mask_is_not_remembered_beyond_a_change() -> None:
    segments = Segments()
    segments.add("a", 1)
    wanted = frozenset({"a", "b"})
    assert segments.mask(wanted).tolist() == [True]
    segments.add("b", 1)
    assert segments.mask(wanted).tolist() == [True, True]
    segments.remove("a")
    assert segments.mask(wanted).tolist() == [False, True]
    changing = {"a"}
    assert segments.mask(changing).tolist() == [False, False]
    changing.add("b")
    assert segments.mask(changing).tolist() == [False, True]
    assert segments.mask(()).tolist() == [False, False]


def test_a_document_is_there_once() -> None:
    segments = Segments()
    segments.add("a", 1)
    with pytest.raises(ValueError, match="already"):
        segments.add("a", 1)


def test_numbering_anew_waits_until_it_pays() -> None:
    segments = Segments()
    segments.add("small", 10)
    segments.add("large", 5000)
    segments.remove("small")
    assert not segments.wasteful
    segments.remove("large")
    assert segments.wasteful
