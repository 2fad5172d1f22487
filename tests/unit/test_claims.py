"""The local judge's workshop: agreement by the book, weights that point the right way, labels that belong to a run."""

from __future__ import annotations

import asyncio

import pytest

from terrarium.models.scripted import ScriptedDecoder
from terrarium_build.claims.agreement import HEAD, accuracy, contexts_of, hand_labels, kappa, row
from terrarium_build.claims.fit import Labelled, weights
from terrarium_build.claims.yes_no import YesNoJudge


def test_kappa_of_the_textbook():
    # 50 proposals, two readers: 20 times both yes, 15 both no, 5 and 10 each alone: 0.7 agree, 0.5 by chance.
    first = [True] * 20 + [True] * 5 + [False] * 10 + [False] * 15
    second = [True] * 20 + [False] * 5 + [True] * 10 + [False] * 15
    assert accuracy(first, second) == pytest.approx(0.7)
    assert kappa(first, second) == pytest.approx(0.4)
    assert kappa([True, True], [True, True]) == 0


def test_a_row_says_what_a_no_is_worth():
    cells = row("judge", [True, False, False, True], [True, True, False, False])
    assert len(cells) == len(HEAD)
    assert cells == ["judge", "4", "2", "0.50", "0.00", "0.50", "0.50"]


def labelled(supported: bool, words: float, noise: float, kind: str = "k") -> Labelled:
    signals = {"closest": noise, "figures": words, "names": 1 - words}
    return Labelled(kind, supported, [signals, {"closest": 0.0, "figures": 0.0, "names": 0.0}])


def test_weights_point_the_right_way_or_are_left_out():
    rows = [labelled(True, 0.9 + n / 100, n % 3 / 3) for n in range(9)]
    rows += [labelled(False, 0.3 + n / 100, n % 3 / 3) for n in range(9)]
    found = weights(rows)
    assert found["figures"] > 1
    assert "names" not in found, "it falls where the label rises"


def test_a_rare_kind_counts_as_much_as_a_frequent_one():
    many = [labelled(False, 0.5, 0.0, "many")] * 90
    few = [labelled(False, 0.8, 0.0, "few")] * 2
    yes = [labelled(True, 0.7, 0.0)] * 8
    alone, both = (weights([*yes, *other], ("figures",)) for other in (many, [*many, *few]))
    assert both["figures"] < alone["figures"]


def test_what_a_generator_wrote_counts_as_much_as_all_that_was_made():
    made = [labelled(True, 0.9, 0.0), *[labelled(False, 0.2, 0.0, f"kind {n}") for n in range(30)]]
    written = [labelled(False, 0.8, 0.0, "written"), labelled(True, 0.9, 0.0, "written")]
    alone, both = weights(made), weights([*made, *written])
    assert both["figures"] < alone["figures"]


def test_yes_or_no_is_read_from_the_next_token():
    async def body() -> None:
        sure = YesNoJudge(ScriptedDecoder(lambda prompt: "yes" if "Claim: Cats" in prompt else "no"))
        assert await sure.supported("Cats sleep.", ["Cats sleep a lot."]) > 0.9
        assert await sure.supported("Dogs sleep.", ["Cats sleep a lot."]) < 0.1
        assert await sure.supported("Dogs sleep.", []) == 0

    asyncio.run(body())


def test_contexts_are_found_by_question_and_sentence():
    shown = {"sentences": [{"text": "A.", "read": ["context"]}]}
    uncited = {"sentences": [{"text": "A.", "read": []}]}
    row = {"id": "q", "kind": "k", "question": "?", "both": shown, "raw": uncited}
    run = {"set": {"name": "s"}, "answered": [row]}
    assert contexts_of([run]) == {("s", "q", "A."): ["context"]}


def test_no_sentence_is_labelled_twice():
    labels = [(one.set, one.id, one.sentence) for one in hand_labels()]
    assert len(labels) == len(set(labels))
