"""The questions of a run that went worst, for a person to read: what is wrong with them tells which layer fails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SHOWN = 15


def worst_found(result: Mapping[str, Any], count: int = SHOWN) -> list[Mapping[str, Any]]:
    """Those whose last stage did worst by nDCG@10, below 1 only; among equals those that an earlier stage had."""
    last = list(result["stages"])[-1]

    def key(row: Mapping[str, Any]) -> tuple[float, float]:
        return row["stages"][last]["measures"]["ndcg@10"], -max(of["measures"]["mrr"] for of in row["stages"].values())

    missed = [row for row in result["questions"] if row["stages"] and row["stages"][last]["measures"]["ndcg@10"] < 1]
    return sorted(missed, key=key)[:count]


def wrongly_judged(result: Mapping[str, Any], count: int = SHOWN) -> list[Mapping[str, Any]]:
    """Answerable questions that were refused and others that were not, the surest mistakes first."""
    wrong = [
        row
        for row in result["questions"]
        if row["judgement"] and row["judgement"]["refused"] == bool(row["answerable"])
    ]
    return sorted(wrong, key=lambda row: -abs(row["judgement"]["probability"] - 0.5))[:count]


def worst_lines(result: Mapping[str, Any]) -> list[str]:
    """Both as Markdown."""
    lines: list[str] = []
    if found := worst_found(result):
        lines += ["", "## Worst found", ""]
        lines += [f"* {row['id']} ({row['kind']}): {row['question']} ({_ranks(row)})" for row in found]
    if wrong := wrongly_judged(result):
        lines += ["", "## Wrongly judged", ""]
        lines += [
            f"* {row['id']} ({row['kind']}): {row['question']} ({row['judgement']['verdict']}, "
            f"{row['judgement']['probability']:.2f}; {'; '.join(row['judgement']['reasons'])})"
            for row in wrong
        ]
    return lines


def _ranks(row: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{stage}: {'/'.join('–' if rank is None else str(rank) for rank in of['ranks'].values())}"
        for stage, of in row["stages"].items()
    )
