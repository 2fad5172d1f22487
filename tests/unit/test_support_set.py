"""The support check's labelled set: rules that keep or change what a sentence says, and the figures over it."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from terrarium_build.support import changes, same
from terrarium_build.support.examples import made
from terrarium_build.support.fit import fit
from terrarium_build.support.passages import Base
from terrarium_build.support.report import report


@pytest.mark.parametrize(
    ("change", "sentence", "changed"),
    [
        (same.clause_order, "In 1990, the mill closed for good.", "The mill closed for good in 1990."),
        (same.active, "The mill was designed by Ana Bauer.", "Ana Bauer designed the mill."),
        (same.shortened, "The mill (built in oak) is tall.", "The mill is tall."),
        (same.style, "It costs six euros.", "It costs 6 euros."),
        (same.synonyms, "The town bought the mill.", "The town purchased the mill."),
        (changes.unit, "It takes 5 days to dry.", "It takes 5 weeks to dry."),
        (changes.denied, "The mill is open.", "The mill is not open."),
        (changes.affirmed, "The mill is not open.", "The mill is open."),
        (changes.comparison, "It opens before noon.", "It opens after noon."),
        (changes.duty, "Guests must sign.", "Guests may sign."),
        (changes.only, "The mill is open.", "The mill is only open."),
    ],
)
def test_changes(change: Callable[[str, random.Random], str | None], sentence: str, changed: str):
    assert change(sentence, random.Random(0)) == changed
    assert change("Nothing fits here", random.Random(0)) in (None, "Nothing fits here")


def test_a_changed_number_is_another_one():
    changed = changes.number("It has 64 rooms.", random.Random(0))
    assert changed is not None
    assert changed != "It has 64 rooms."
    assert changed.startswith("It has ")


def test_names_change_places():
    sentence = "The painter Ana Bauer taught the young Rosa Klein in Bonn."
    assert changes.exchanged(sentence, random.Random(0)) == "The painter Rosa Klein taught the young Ana Bauer in Bonn."


def test_every_example_holds_its_label_and_its_passages():
    sentence = "The mill was designed by Ana Bauer in 1990 and has 64 rooms."
    base = Base(
        "own",
        "Mill",
        "Mill",
        "en",
        sentence,
        (f"{sentence} Rosa Klein paints.", "The Town Hall is old."),
        "Who designed the mill?",
        ("Ana Bauer",),
    )
    examples = list(made([base]))
    kinds = {one.kind: one for one in examples}
    assert kinds["itself"].supported and kinds["itself"].sentence == sentence
    assert not kinds["number"].supported and kinds["number"].sentence != sentence
    assert kinds["question with its answer"].sentence == "Ana Bauer designed the mill."
    assert all(len(one.passages) == len(one.titles) == 2 for one in examples)
    assert examples == list(made([base])), "the same every time"


def row(supported: bool, kept: bool, closeness: float, kind: str = "itself") -> dict[str, object]:
    check = {"overlap": 0.8, "grounding": 0.85, "closeness": closeness, "faults": []}
    return {"supported": supported, "kept": kept, "kind": kind, "language": "en", "checks": [check]}


def test_the_threshold_parts_what_is_near_from_what_is_far():
    chosen = fit([row(True, True, 0.72), row(True, True, 0.7), row(False, False, 0.58), row(False, False, 0.5)])
    assert 0.58 < chosen["NEAR"] <= 0.7


def test_the_report_counts_both_kinds_of_error():
    text = report([row(True, True, 0.9), row(True, False, 0.9), row(False, False, 0.1), row(False, True, 0.9)])
    assert "precision 0.500, recall 0.500, F1 0.500; supported sentences kept 0.500" in text
    assert "| **not supported** | 2 | 0.500 |" in text
