"""Two runs of a person's questions beside each other: the paired test of each measure, and which questions changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from terrarium.evaluation.listing import READ
from terrarium.evaluation.own_questions import best_rank
from terrarium.evaluation.report import compare
from terrarium.evaluation.statistics import paired

# Of the answers; a question counts where both runs have the measure.
MEASURES = ("answered", "correct", "faithfulness", "relevancy", "context_precision", "context_recall")

Row = Mapping[str, Any]


def compare_runs(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """{"shared", "stages", "answers", "changed"} over the questions that both asked in the same words.

    Differences are second minus first, each with its 95 % interval and the p of `statistics.paired`; nothing is
    corrected for how many measures there are.
    """
    earlier = {(row["id"], row["question"]): row for row in first["questions"]}
    pairs = [(earlier[key], row) for row in second["questions"] if (key := (row["id"], row["question"])) in earlier]
    before, after = ({**run, "questions": list(rows)} for run, rows in _sides(first, second, pairs))
    return {
        "shared": len(pairs),
        "stages": compare(before, after),
        "answers": {name: found for name in (*MEASURES, "seconds") if (found := _difference(pairs, name))},
        "changed": [_change(one, other) for one, other in pairs if _state(one) != _state(other)],
    }


def _sides(
    first: Mapping[str, Any], second: Mapping[str, Any], pairs: Sequence[tuple[Row, Row]]
) -> tuple[tuple[Mapping[str, Any], list[Row]], tuple[Mapping[str, Any], list[Row]]]:
    return (first, [one for one, _ in pairs]), (second, [other for _, other in pairs])


def _difference(pairs: Sequence[tuple[Row, Row]], name: str) -> dict[str, Any] | None:
    values = [(_measure(one, name), _measure(other, name)) for one, other in pairs]
    both = [(float(one), float(other)) for one, other in values if one is not None and other is not None]
    return asdict(paired([one for one, _ in both], [other for _, other in both])) if both else None


def _measure(row: Row, name: str) -> float | None:
    found: float | None = row["timings"].get("total") if name == "seconds" else (row.get("answer") or {}).get(name)
    return found


def _change(one: Row, other: Row) -> dict[str, Any]:
    before, after = _state(one), _state(other)
    better = _worth(other, after) - _worth(one, before)
    return {"id": other["id"], "question": other["question"], "before": before, "after": after, "better": better}


def _state(row: Row) -> dict[str, Any]:
    """What a person would call another outcome: found among what is read or not, refused or not, correct or not."""
    rank = best_rank(row, "final")
    answer = row.get("answer") or {}
    refused = not answer["answered"] if answer else bool((row["judgement"] or {}).get("refused"))
    return {"read": rank <= READ if rank else False, "refused": refused, "correct": answer.get("correct")}


def _worth(row: Row, state: Mapping[str, Any]) -> int:
    """To tell better from worse: a right refusal counts as a right answer."""
    right = state["refused"] != row["answerable"]
    return int(right) + int(state["read"]) + 2 * int(bool(state["correct"]))
