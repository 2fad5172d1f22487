"""What rises beside the best passage, and that the best one stays."""

from __future__ import annotations

import asyncio

from tests.unit.retrieval_fakes import HashEmbedder, document

from terrarium.indexes.segments import Hit
from terrarium.library import Library
from terrarium.retrieval.complement import complemented
from terrarium.storage.memory import MemoryStore
from terrarium.text import question_terms

QUESTION = "Where was the director of Silent Harbour born?"
FILM = document("film", "Silent Harbour is a film of 1961. Its director was Ilse Brandau.")
PERSON = document("Ilse Brandau", "She was raised in Lindau and left school early.")
OTHERS = [document(f"other {n}", f"Harbour towns were silent when ferry {n} stopped.") for n in range(6)]


def names_in_order(question: str, scores: dict[str, float]) -> list[str]:
    """The documents, given in an order with scores, as `complemented` orders them."""

    async def run() -> list[str]:
        library = await Library.open(MemoryStore(), HashEmbedder())
        for one in (FILM, PERSON, *OTHERS):
            await library.add(one)
        ids = {info.name: document_id for document_id, info in library.documents.items()}
        hits: list[Hit] = [((ids[name], 0), score) for name, score in scores.items()]
        found = complemented(hits, question_terms(question, library.lexical.languages), library)
        assert sorted(key for key, _ in found) == sorted(key for key, _ in hits)
        assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
        return [library.info(key[0]).name for key, _ in found]

    return asyncio.run(run())


def test_a_passage_that_the_best_one_names_rises() -> None:
    scores = {"film": 3.0, **{f"other {n}": 0.3 - n / 20 for n in range(6)}, "Ilse Brandau": 0.1}
    assert names_in_order(QUESTION, scores)[:2] == ["film", "Ilse Brandau"]


def test_the_best_passage_stays_whatever_the_others_add() -> None:
    scores = {"other 0": 1.01, "film": 1.0, "Ilse Brandau": 0.9, "other 1": 0.8}
    assert names_in_order(QUESTION, scores)[0] == "other 0"


def test_what_the_best_one_lacks_of_the_question_rises() -> None:
    scores = {"other 0": 1.0, "other 1": 0.5, "other 2": 0.4, "film": 0.1}
    assert names_in_order("Which film of 1961 shows harbour towns?", scores)[:2] == ["other 0", "film"]


def test_a_far_better_passage_is_not_overtaken() -> None:
    scores = {"film": 9.0, "other 0": 8.0, "other 1": 7.9, "Ilse Brandau": 0.1}
    assert names_in_order(QUESTION, scores)[-1] == "Ilse Brandau"


def test_few_passages_and_a_question_of_no_known_word_are_left_as_they_are() -> None:
    assert names_in_order(QUESTION, {"film": 1.0, "other 0": 0.5}) == ["film", "other 0"]
    assert names_in_order(QUESTION, {}) == []
    assert names_in_order("xyz?", {"other 0": 1.0, "other 1": 0.9, "other 2": 0.8})[0] == "other 0"


def test_a_repetition_of_the_best_does_not_rise() -> None:
    """Six passages say nearly the same: the one that says something else of the question comes second."""
    scores = {**{f"other {n}": 1.0 - n / 20 for n in range(6)}, "film": 0.4}
    assert names_in_order("Which film of 1961 shows harbour towns?", scores)[:2] == ["other 0", "film"]
