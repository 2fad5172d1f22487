"""What a question can come to, in words. The page's module, under CPython."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from tests.unit.page_modules import page_module, spaced

from terrarium.model import RefusalCode
from terrarium.request import Mode


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> Any:
    return page_module(monkeypatch, "answer_words")


def test_every_kind_of_answer_and_of_refusal_has_its_words(words: Any) -> None:
    assert set(words.ASKED_FOR) == set(get_args(Mode))
    assert set(words.REFUSED) <= set(get_args(RefusalCode))
    assert words.outcome({"mode": "generated", "refusal": None}) == "Written from your documents"
    assert words.outcome({"mode": "refused", "refusal": {"code": "not_found"}}) == "No answer in your documents"
    assert words.outcome({"mode": "refused", "refusal": {"code": "asked_to_ignore"}}) == "Not answered"


def test_how_many_sentences_were_removed(words: Any) -> None:
    assert words.removed(1) == "1 sentence removed: no passage supports it"
    assert words.removed(2) == "2 sentences removed: no passage supports them"


def test_a_passage_says_which_searches_found_it(words: Any) -> None:
    both = {"lexical": [1, 9.5], "dense": [3, 0.6], "fusion": [1, 0.03]}
    assert words.found_by(both) == "Found by its words (rank 1) and its meaning (rank 3)"
    assert words.found_by({"dense": [2, 0.5]}) == "Found by its meaning (rank 2)"
    assert words.found_by({}) == ""


@pytest.mark.parametrize(("probability", "number"), [(0.0, 0), (0.024, 0), (0.026, 5), (0.834, 85), (1.0, 100)])
def test_a_chance_is_said_no_finer_than_it_is_known(words: Any, probability: float, number: int) -> None:
    assert spaced(words.chance(probability)) == f"The chance that the answer is in them is about {number} %."


@pytest.mark.parametrize(
    ("taken", "said"),
    [
        ({"name": "wider", "gained": 0}, "Looked at more passages: nothing new."),
        ({"name": "parts", "gained": 1}, "Searched each part of the question by itself: 1 new passage."),
        ({"name": "rephrased", "question": "q", "gained": 2}, "Searched in other words (“q”): 2 new passages."),
        ({"name": "a later one", "gained": 0}, "a later one: nothing new."),
    ],
)
def test_one_more_search(words: Any, taken: dict[str, object], said: str) -> None:
    assert words.step(taken) == said
