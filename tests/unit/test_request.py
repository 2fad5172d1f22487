"""What the page sends with a question is checked, and what is wrong is said in a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from terrarium.errors import TerrariumError
from terrarium.filters import Filter
from terrarium.questions.follow_ups import Turn
from terrarium.request import MOST_TURNS, Request


def test_everything_that_can_be_sent():
    request = Request.of(
        {
            "question": "Why?",
            "mode": "quote",
            "turns": [{"question": "Is smoking allowed?", "answer": "No."}, {"question": "Where?"}],
            "filter": {"kinds": ["pdf"], "added_from": 5},
            "limit": 3,
        }
    )
    turns = (Turn("Is smoking allowed?", "No."), Turn("Where?"))
    assert request == Request("Why?", "quote", turns, Filter(kinds=frozenset({"pdf"}), added_from=5.0), 3)


def test_a_question_is_enough():
    assert Request.of({"question": "Why?"}) == Request("Why?")
    assert Request.of({"question": "Why?", "turns": None, "filter": None}) == Request("Why?")


def test_the_newest_turns_are_kept():
    turns = [{"question": f"Question {number}?"} for number in range(MOST_TURNS + 3)]
    kept = Request.of({"question": "Why?", "turns": turns}).turns
    assert len(kept) == MOST_TURNS
    assert kept[-1].question == turns[-1]["question"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"question": " "}, "There is no question"),
        ({"question": None}, "There is no question"),
        ({"mode": "sing"}, "kind of answer “sing”"),
        ({"limit": 0}, "limit “0”"),
        ({"limit": True}, "limit “True”"),
        ({"turns": "Why?"}, "earlier turns"),
        ({"turns": [{"answer": "No."}]}, "earlier turns"),
        ({"turns": [{"question": "Who?", "answer": None}]}, "earlier turns"),
        ({"filter": ["pdf"]}, "filter is not understood"),
        ({"filter": {"colour": ["red"]}}, "colour"),
        ({"filter": {"kinds": "pdf"}}, "kinds"),
    ],
)
def test_what_is_wrong_is_said(wrong: dict[str, Any], said: str):
    with pytest.raises(TerrariumError, match=said):
        Request.of({"question": "Why?"} | wrong)
