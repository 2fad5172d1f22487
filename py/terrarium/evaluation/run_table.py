"""A run as a table of comma-separated values, a line for each question: for a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from terrarium.csv_table import csv_table
from terrarium.evaluation.own_questions import best_rank

SCORES = ("answered", "mode", "correct", "faithfulness", "relevancy", "context_precision", "context_recall")
COLUMNS = ("id", "kind", "question", "answerable", "verdict", "rank", "lost", "answer", *SCORES, "seconds")


def run_table(run: Mapping[str, Any]) -> str:
    """`rank` is that of the evidence in what stands after correction; what is not known is an empty cell."""
    return csv_table([COLUMNS, *(_line(row) for row in run["questions"])])


def _line(row: Mapping[str, Any]) -> list[object]:
    answer = row.get("answer") or {}
    verdict, rank = (row["judgement"] or {}).get("verdict"), best_rank(row, "final")
    about = [row["id"], row["kind"], row["question"], row["answerable"], verdict, rank, row["lost"]]
    scores = [answer.get(name) for name in SCORES]
    return [*about, answer.get("text"), *scores, row["timings"].get("total")]
