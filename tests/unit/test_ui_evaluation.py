"""What the check on one's own questions says: measures, differences, outcomes. The page's modules, under CPython."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from tests.unit.page_modules import page_module, spaced

from terrarium.evaluation.asking import STAGES
from terrarium.evaluation.own_questions import Loss
from terrarium.evaluation.running import Mode


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> Any:
    return page_module(monkeypatch, "evaluation_words")


def row(**fields: Any) -> dict[str, Any]:
    judgement = {"verdict": "correct", "refused": False}
    return {"answerable": True, "judgement": judgement, "stages": {}, "lost": None, **fields}


def test_everything_that_the_engine_may_say_has_words(words: Any):
    assert {name for name, _, _ in words.STAGES} == set(STAGES)
    assert {name for name, _, _ in words.MODES} == set(get_args(Mode))
    assert set(words.LOST) == set(get_args(Loss))


def test_shares_and_means(words: Any):
    assert [spaced(words.share(value)) for value in (0, 0.834, 0.835, 1, None)] == ["0 %", "83 %", "84 %", "100 %", "–"]
    assert spaced(words.mean("mrr", 0.651)) == "0.65"
    assert spaced(words.mean("recall@3", 0.651)) == "65 %"


@pytest.mark.parametrize(
    ("name", "found", "said"),
    [
        ("recall@3", (0.08, -0.012, 0.171, 0.0904), "+8 points (−1 to +17), p = 0.090"),
        ("mrr", (-0.004, -0.02, 0.0, 0.5), "0 (−0.02 to 0), p = 0.50"),
        ("seconds", (-1.24, -2.0, -0.4, 0.0001), "−1.2 s (−2.0 to −0.4), p < 0.001"),
    ],
)
def test_a_difference_has_its_sign_its_interval_and_its_p(words: Any, name: str, found: tuple[float, ...], said: str):
    given = dict(zip(("mean", "low", "high", "p"), found, strict=True))
    assert spaced(words.difference(name, given)) == said


def test_progress_says_how_long_only_when_that_is_known(words: Any):
    assert spaced(words.progress(12, 40, 183)) == "12 of 40, about 3 min left"
    assert words.progress(0, 40, None) == "0 of 40"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "answers"),
        ({"judgement": {"verdict": "incorrect", "refused": True}}, "refused"),
        ({"answerable": False}, "not refused"),
        ({"answerable": False, "judgement": {"verdict": "incorrect", "refused": True}}, "rightly refused"),
        ({"answer": {"answered": True, "correct": True}}, "correct"),
        ({"answer": {"answered": True, "correct": False}}, "wrong"),
        ({"answer": {"answered": True, "correct": None}}, "answered"),
        ({"answer": {"answered": False, "correct": None}}, "refused"),
    ],
)
def test_the_outcome_of_a_question(words: Any, fields: dict[str, Any], said: str):
    assert words.outcome(row(**fields)) == said


def test_a_run_in_a_line(words: Any):
    head = {"mode": "quote", "asked": 7, "total": 40, "library": {"documents": 1}, "figures": {"correct": 0.5}}
    assert (
        spaced(words.about(head)) == "Quotes · stopped after 7 of 40 questions · 1 document · 50 % answered correctly"
    )
    assert words.rank(row(stages={"final": {"ranks": {"a": 7, "b": None, "c": 3}}})) == "3"
    assert words.rank(row()) == "–"
