"""What answers came to, as tables: by mode, RAGAS' four, by kind of question, and seconds by stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from terrarium.evaluation.markdown import number, table
from terrarium.evaluation.scores import MEANS

FIGURES = (
    "answered",
    "correct",
    "right",
    "unsupported_sentences",
    "citation_precision",
    "over_refusal",
    "refusal_recall",
    "refusal_precision",
)
BY_KIND = ("answers", "answered", "correct", "unsupported_sentences", "citation_precision")

Summary = Mapping[str, Any]  # of `answers_summary`
Table = tuple[list[str], list[list[str]]]  # head, rows


def answer_lines(result: Mapping[str, Any]) -> list[str]:
    """All tables of a run as Markdown, none when it answered nothing."""
    found = result.get("answers")
    if not found:
        return []
    lines = ["", f"Answers by {found['generator']}; judge: {found['judge']}."]
    for head, rows in answer_tables(found["by_mode"]):
        lines += ["", *table(head, rows)]
    return lines


def answer_tables(named: Mapping[str, Summary]) -> list[Table]:
    """Of summaries by name."""
    return [_figures(named.items()), _ragas(named.items()), _by_kind(named.items()), _seconds(named.items())]


def _figures(named: Iterable[tuple[str, Summary]]) -> Table:
    rows = [
        [name, str(of["questions"]), *(number(of[one]) for one in FIGURES), str(of["sentences"])] for name, of in named
    ]
    return ["answers", "questions", *map(_words, FIGURES), "sentences"], rows


def _ragas(named: Iterable[tuple[str, Summary]]) -> Table:
    return ["RAGAS", *map(_words, MEANS)], [[name, *(number(of[one]) for one in MEANS)] for name, of in named]


def _by_kind(named: Iterable[tuple[str, Summary]]) -> Table:
    rows = [
        [
            f"{name}, {kind}",
            str(one["questions"]),
            str(one["answers"]),
            *(number(one[figure]) for figure in BY_KIND[1:]),
        ]
        for name, of in named
        for kind, one in of["by_kind"].items()
    ]
    return ["by kind", "questions", *map(_words, BY_KIND)], rows


def _seconds(named: Iterable[tuple[str, Summary]]) -> Table:
    """Medians over the questions that had the stage."""
    found = [(name, of["seconds"]) for name, of in named if of["seconds"]]
    stages = list(dict.fromkeys(stage for _, of in found for stage in of))
    rows = [[name, *(number(of.get(stage)) for stage in stages)] for name, of in found]
    return ["median seconds", *map(_words, stages)], rows


def _words(name: str) -> str:
    return name.replace("_", " ")
