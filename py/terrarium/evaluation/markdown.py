"""A result of `terrarium evaluate` as Markdown: for the terminal and for the report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

SHOWN = ("ndcg@10", "mrr", "hit@3", "recall@3", "recall@10", "recall@100", "all@4")
BY_KIND = ("hit@1", "evidence@1", "evidence@3", "evidence@10", "recall@3", "evidence@sources", "refused")


def to_markdown(result: Mapping[str, Any]) -> str:
    one = result["set"]
    lines = [
        f"# {one['name']}",
        "",
        f"{one['questions']} questions ({result['scored']} with something to find) over {one['documents']} documents "
        f"in {one['passages']} passages. Embedder: {result['models']['embedder']}.",
        "",
        *stage_table(result),
        "",
        *kind_table(result),
        *refusal_lines(result),
        *(f"\nLeft out, {reason}: {', '.join(ids)}." for reason, ids in one["left_out"].items()),
        *([f"\nNot read: {', '.join(one['unreadable'])}."] if one["unreadable"] else []),
        *compared_table(result),
    ]
    return "\n".join(lines)


def stage_table(result: Mapping[str, Any]) -> list[str]:
    """One row a stage, the 95 % interval of the mean in brackets."""
    names = [name for name in SHOWN if any(name in means for means in result["stages"].values())]

    def cell(stage: str, name: str) -> str:
        low, high = result["intervals"][stage][name]
        return f"{result['stages'][stage][name]:.3f} [{low:.3f}, {high:.3f}]"

    rows = [[stage, *(cell(stage, name) for name in names)] for stage, means in result["stages"].items() if means]
    return table(["stage", *names], rows)


def kind_table(result: Mapping[str, Any]) -> list[str]:
    kinds = result["by_kind"]
    names = [name for name in BY_KIND if any(name in means for means in kinds.values())]
    rows = [[kind, str(of["questions"]), *(number(of.get(name)) for name in names)] for kind, of in kinds.items()]
    return table(["kind", "questions", *names], rows)


def refusal_lines(result: Mapping[str, Any]) -> list[str]:
    found = result.get("refusal")
    if not found:
        return []
    shares = ", ".join(f"{name} {number(value)}" for name, value in found.items() if name != "verdicts")
    names = ("correct", "ambiguous", "incorrect")
    rows = [[kind, *(str(counts[name]) for name in names)] for kind, counts in found["verdicts"].items()]
    return ["", f"Refusal: {shares}.", "", *table(["verdict", *names], rows), *step_table(result)]


def step_table(result: Mapping[str, Any]) -> list[str]:
    """Corrective steps: on how many questions, and whose verdict they raised."""
    rows = [[name, *(str(value) for value in counts.values())] for name, counts in result["steps"].items()]
    return ["", *table(["step", "tried", "raised, answerable", "raised, unanswerable"], rows)] if rows else []


def compared_table(result: Mapping[str, Any]) -> list[str]:
    compared = {stage: of for stage, of in result.get("compared", {}).items() if stage != "with"}
    if not compared:
        return []
    rows = [
        [stage, name, f"{one['mean']:+.4f} [{one['low']:+.4f}, {one['high']:+.4f}]", f"{one['p']:.4f}"]
        for stage, of in compared.items()
        for name, one in of.items()
    ]
    return ["", f"Against {result['compared']['with']}:", "", *table(["stage", "measure", "difference", "p"], rows)]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in rows)]


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
