from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

import bm25s
import numpy as np
import pytest

from terrarium.indexes.lexical import LexicalIndex
from terrarium.indexes.postings import Run, count_terms, merged
from terrarium.indexes.segments import Key
from terrarium.text import terms

Texts = Sequence[Sequence[str]]


def index_of(documents: Mapping[str, Texts], languages: Mapping[str, str] | None = None) -> LexicalIndex:
    index = LexicalIndex()
    for name, chunks in documents.items():
        index.add(name, count_terms(chunks, (languages or {}).get(name, "")))
    return index


def keys_of(documents: Mapping[str, Texts]) -> list[Key]:
    return [(name, number) for name, texts in documents.items() for number in range(len(texts))]


def chunks_of(documents: Mapping[str, Texts]) -> list[Sequence[str]]:
    return [chunk for texts in documents.values() for chunk in texts]


def reference(chunks: Texts, query: Sequence[str]) -> list[float]:
    model = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    model.index([list(chunk) for chunk in chunks], show_progress=False)
    return [float(score) for score in model.get_scores(list(query))]


def random_texts(seed: int, chunks: int, vocabulary: int = 60) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    return [[f"t{n}" for n in rng.zipf(1.3, rng.integers(1, 50)) if n < vocabulary] or ["t1"] for _ in range(chunks)]


def assert_equals_reference(index: LexicalIndex, documents: Mapping[str, Texts], query: Sequence[str]) -> None:
    chunks = chunks_of(documents)
    assert_scores(dict(index.search(query, len(chunks))), documents, reference(chunks, query))


def assert_scores(found: Mapping[Key, float], documents: Mapping[str, Texts], expected: Sequence[float]) -> None:
    keys = keys_of(documents)
    assert set(found) == {key for key, score in zip(keys, expected, strict=True) if score > 0}
    for key, score in zip(keys, expected, strict=True):
        assert found.get(key, 0.0) == pytest.approx(score, rel=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_equals_bm25s_on_random_texts(seed: int) -> None:
    documents = {"a": random_texts(seed, 40), "b": random_texts(seed + 100, 1), "c": random_texts(seed + 200, 25)}
    index = index_of(documents)
    for query in (["t1"], ["t3", "t5", "t40"], ["t2", "t2", "t9"]):  # t1 and t2 are frequent, t40 is rare
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


@pytest.mark.parametrize("seed", range(4))
def test_any_order_of_adding_removing_and_asking_equals_bm25s(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("terrarium.indexes.segments._TOLERATED", 10)  # so that dead rows are cleared away meanwhile
    chance = np.random.default_rng(seed)
    index, now = LexicalIndex(), dict[str, Texts]()
    for step in range(60):
        if now and chance.random() < 0.45:
            name = str(chance.choice(list(now)))
            index.remove(name)
            del now[name]
        else:
            name = f"{step}"
            now[name] = random_texts(1000 * seed + step, int(chance.choice([1, 2, 3, 40])))
            index.add(name, count_terms(now[name]))
        if now and chance.random() < 0.6:
            assert_equals_reference(index, now, ["t1", "t2", "t30"])
    assert index.chunks == len(chunks_of(now))


def test_adding_a_document_does_not_move_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    moved = 0

    def counted(runs: Sequence[Run]) -> Run:
        nonlocal moved
        moved += sum(map(len, runs))
        return merged(runs)

    monkeypatch.setattr("terrarium.indexes.inverted_index.merged", counted)
    index = index_of({"large": random_texts(1, 2000, 500)})
    index.search(["t1"], 1)
    large, moved = moved, 0
    for number in range(64):
        index.add(f"{number}", count_terms([["t1", "t2", f"own{number}"]]))
        assert index.search([f"own{number}"], 1)[0][0] == (f"{number}", 0)
    assert moved <= 64 * 3 * 7 < large, "a posting moves once for each doubling"


def test_a_term_of_hundreds_in_one_chunk() -> None:
    documents: dict[str, Texts] = {"a": [["x", "y"]], "b": [["x"] * 300 + ["y"]], "c": [["x"] * 70_000]}
    index = LexicalIndex()
    for name, chunks in documents.items():
        index.add(name, count_terms(chunks))
        index.search(["x"], 1)
    assert_equals_reference(index, documents, ["x", "y"])
    assert index.chunk_terms(("c", 0)) == {"x": 70_000}


def test_columns_are_forgotten_when_they_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("terrarium.indexes.lexical._KEPT", 200)
    documents = {"a": random_texts(3, 30)}
    index = index_of(documents)
    for query in (["t1", "t2"], ["t3", "t4", "t1"], ["t1", "t2"]):
        assert_equals_reference(index, documents, query)


def test_each_language_has_words_of_its_own() -> None:
    documents = {name: random_texts(seed, 15) for seed, name in enumerate(["en1", "de1", "en2", "fr1"])}
    index = index_of(documents, {name: name[:2] for name in documents})
    assert index.languages == {"en", "de", "fr"}
    words = {"en": ["t1", "t5"], "de": ["t2", "t2", "t5"], "": ["t3"]}  # French documents: those of no language
    by_language = {code: reference(chunks_of(documents), query) for code, query in words.items()}
    languages = [name[:2] if name[:2] in words else "" for name, _ in keys_of(documents)]
    expected = [by_language[language][row] for row, language in enumerate(languages)]
    assert_scores(dict(index.search(words, 100)), documents, expected)
    assert index.search({"en": ["t1"]}, 100, within={"de1", "fr1"}) == []


def test_weighted_terms_are_added() -> None:
    documents = {"a": random_texts(5, 25), "b": random_texts(6, 25)}
    index = index_of(documents)
    chunks = chunks_of(documents)
    expected = [
        plain + 0.5 * first + 2 * second
        for plain, first, second in zip(
            *[reference(chunks, one) for one in (["t1", "t4"], ["t4"], ["t9"])], strict=True
        )
    ]
    assert_scores(dict(index.search(["t1", "t4"], 100, weights={"t4": 0.5, "t9": 2.0})), documents, expected)


def test_rarity_and_contents() -> None:
    index = index_of({"a": [["x", "y", "x"], ["x"]], "b": [["z"]]})
    assert (index.chunks_with("x"), index.holds("x"), index.holds("unknown")) == (2, True, False)
    assert index.idf("z") == pytest.approx(np.log(1 + (3 - 1 + 0.5) / (1 + 0.5)))
    assert index.idf("unknown") == 0.0
    assert index.chunk_terms(("a", 0)) == {"x": 2, "y": 1}
    index.remove("a")
    assert (index.holds("x"), index.chunks, index.idf("x")) == (False, 1, 0.0)
    assert index.chunk_terms(("b", 0)) == {"z": 1}


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
