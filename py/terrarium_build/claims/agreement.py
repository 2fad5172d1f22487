"""How far a judge and a person agree: accuracy, Cohen's kappa, and what each side's yes and no are worth."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from terrarium.desk.evaluation.sets import HALVES, EvaluationSet
from terrarium.evaluation.facts import states_fact

LABELS = Path(__file__).with_name("hand_labels.jsonl")
FACTS = Path(__file__).with_name("fact_labels.jsonl")
HEAD = ("judge", "labels", "yes", "accuracy", "kappa", "no found", "of its no's right")


@dataclass(frozen=True, slots=True)
class HandLabel:
    """What a person said of one sentence of an answer: whether the passages beside it state it."""

    set: str
    id: str  # of the question
    sentence: str
    supported: bool


def hand_labels(path: Path = LABELS) -> list[HandLabel]:
    return [HandLabel(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def fact_rows(chosen: EvaluationSet, path: Path = FACTS) -> list[list[str]]:
    """Of each half of a set, how often `states_fact` says what a person said of the answers in the file."""
    labels = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows = []
    for half in HALVES:
        questions = {question.id: question for question in chosen.half(half).questions}
        found = [one for one in labels if one["set"] == chosen.name and one["id"] in questions]
        said = [bool(states_fact(questions[one["id"]], one["answer"])) for one in found]
        if found:
            rows.append(row(f"right by its words, {half}", said, [one["right"] for one in found]))
    return rows


def contexts_of(runs: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str, str], list[str]]:
    """By (set, question's id, sentence): what it cites in the first mode of the runs in which it cites anything."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for run in runs:
        for row in run["answered"]:
            for shown in (value for value in row.values() if isinstance(value, dict)):
                for one in (one for one in shown["sentences"] if one["read"]):
                    found.setdefault((run["set"]["name"], row["id"], one["text"]), one["read"])
    return found


def accuracy(said: Sequence[bool], labels: Sequence[bool]) -> float:
    return sum(a == b for a, b in zip(said, labels, strict=True)) / len(labels)


def kappa(said: Sequence[bool], labels: Sequence[bool]) -> float:
    """Cohen 1960: agreement beyond that of two who say yes as often, and know nothing. 0 where that is everything."""
    yes, really = sum(said) / len(said), sum(labels) / len(labels)
    chance = yes * really + (1 - yes) * (1 - really)
    return (accuracy(said, labels) - chance) / (1 - chance) if chance < 1 else 0.0


def row(name: str, said: Sequence[bool], labels: Sequence[bool]) -> list[str]:
    """Under `HEAD`."""
    noes = [label for verdict, label in zip(said, labels, strict=True) if not verdict]
    wrong = [verdict for verdict, label in zip(said, labels, strict=True) if not label]
    shares = (accuracy(said, labels), kappa(said, labels), _share(not v for v in wrong), _share(not v for v in noes))
    return [name, str(len(labels)), str(sum(labels)), *(f"{share:.2f}" for share in shares)]


def _share(values: Any) -> float:
    found = list(values)
    return sum(found) / len(found) if found else float("nan")
