from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

import bm25s
import numpy as np
import pytest

from terrarium.lexical import LexicalIndex, count_terms
from terrarium.text import terms

Texts = Sequence[Sequence[str]]


def index_of(documents: Mapping[str, Texts]) -> LexicalIndex:
    index = LexicalIndex()
    for name, chunks in documents.items():
        index.add(name, count_terms(chunks))
    return index


def reference(chunks: Texts, query: Sequence[str]) -> list[float]:
    model = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    model.index([list(chunk) for chunk in chunks], show_progress=False)
    return [float(score) for score in model.get_scores(list(query))]


def random_texts(seed: int, chunks: int, vocabulary: int = 60) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    return [[f"t{n}" for n in rng.zipf(1.3, rng.integers(1, 50)) if n < vocabulary] or ["t1"] for _ in range(chunks)]


def assert_equals_reference(index: LexicalIndex, documents: Mapping[str, Texts], query: Sequence[str]) -> None:
    chunks = [chunk for texts in documents.values() for chunk in texts]
    keys = [(name, number) for name, texts in documents.items() for number in range(len(texts))]
    expected = reference(chunks, query)
    found = dict(index.search(query, len(chunks)))
    assert set(found) == {key for key, score in zip(keys, expected, strict=True) if score > 0}
    for key, score in zip(keys, expected, strict=True):
        assert found.get(key, 0.0) == pytest.approx(score, rel=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_equals_bm25s_on_random_texts(seed: int) -> None:
    documents = {"a": random_texts(seed, 40), "b": random_texts(seed + 100, 1), "c": random_texts(seed + 200, 25)}
    index = index_of(documents)
    for query in (["t1"], ["t3", "t5", "t40"], ["t2", "t2", "t9"]):
        assert_equals_reference(index, documents, query)


def test_equals_bm25s_on_real_texts(data_dir: Path) -> None:
    folder = data_dir / "data/beir/scifact"
    with (folder / "corpus.jsonl").open() as lines:
        corpus = [json.loads(line) for line in islice(lines, 400)]
    with (folder / "queries.test.jsonl").open() as lines:
        queries = [json.loads(line)["text"] for line in islice(lines, 20)]
    documents = {row["_id"]: [terms(row["title"] + " " + row["text"])] for row in corpus}
    index = index_of(documents)
    vocabulary = {term for (chunk,) in documents.values() for term in chunk}
    for query in queries:  # bm25s raises when no term is known
        assert_equals_reference(index, documents, [term for term in terms(query) if term in vocabulary])


def test_adding_and_removing_equals_building_anew() -> None:
    documents = {name: random_texts(seed, 12) for seed, name in enumerate("abcd")}
    index = index_of(documents)
    index.search(["t1"], 3)
    index.remove("b")
    index.search(["t1"], 3)
    index.remove("d")
    index.add("e", count_terms(random_texts(9, 7)))
    now: dict[str, Texts] = {"a": documents["a"], "c": documents["c"], "e": random_texts(9, 7)}
    assert_equals_reference(index, now, ["t1", "t4", "t7"])


def test_best_k_are_the_first_of_the_whole_list_and_ties_keep_their_order() -> None:
    index = index_of({"a": [["x"]] * 30, "b": [["x", "x"]] + [["x"]] * 10})
    whole = index.search(["x"], 100)
    assert len(whole) == 41
    assert whole[1:31] == [(("a", n), whole[1][1]) for n in range(30)]
    for k in (1, 2, 7, 40):
        assert index.search(["x"], k) == whole[:k]


def test_filter_comes_before_the_best_k() -> None:
    index = index_of({"a": [["x", "x"]] * 500, "b": [["x", "y", "z", "y"]], "c": [["y"]]})
    assert [key for key, _ in index.search(["x"], 5, within={"b", "c"})] == [("b", 0)]
    assert index.search(["x"], 5, within=set()) == []


def test_chunks_that_must_hold_terms() -> None:
    index = index_of({"a": [["x", "y"], ["x"], ["y", "z"], ["x", "z", "y"]]})
    assert sorted(key for key, _ in index.search(["x", "y"], 9, holding=["y"])) == [("a", 0), ("a", 2), ("a", 3)]
    assert [key for key, _ in index.search(["x"], 9, holding=["y", "z"])] == [("a", 3)]
    assert index.search(["x"], 9, holding=["unknown"]) == []


def test_nothing_matches() -> None:
    assert index_of({"a": [["x"]]}).search(["unknown"], 5) == []
    assert index_of({"a": [["x"]]}).search([], 5) == []
    assert LexicalIndex().search(["x"], 5) == []


def test_documents_and_chunks_without_terms() -> None:
    documents: dict[str, Texts] = {"empty": [], "blank": [[], ["x"]], "full": [["x", "y"], []]}
    index = index_of(documents)
    assert [key for key, _ in index.search(["x"], 5)] == [("blank", 1), ("full", 0)]
    assert index_of({"blank": [[]]}).search(["x"], 5) == []


def test_a_document_is_added_once() -> None:
    index = index_of({"a": [["x"]]})
    with pytest.raises(ValueError, match="already"):
        index.add("a", count_terms([["x"]]))
