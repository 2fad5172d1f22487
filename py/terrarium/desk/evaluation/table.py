"""`python -m terrarium.desk.evaluation.table RUN.json…`: the tables of docs/evaluation.md, from the command's JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from terrarium.evaluation.answer_tables import answer_tables
from terrarium.evaluation.asking import STAGES
from terrarium.evaluation.markdown import number, table

Run = Mapping[str, Any]


def tables(runs: Sequence[Run]) -> str:
    """By stage, by kind where a run has several, and what the judge did where it was asked."""
    scored = [run for run in runs if run["scored"]]
    parts = [by_stage(scored)]
    parts += [by_kind(run) for run in scored if sum("stages" in of for of in run["by_kind"].values()) > 1]
    if judged := [run for run in runs if any(not row["answerable"] for row in run["questions"]) and "refusal" in run]:
        parts.append(refusals(judged))
    if answered := [run for run in runs if "answers" in run]:
        parts += answers(answered)
    return "\n\n".join(parts)


def answers(runs: Sequence[Run]) -> list[str]:
    """What the answers of each mode came to."""
    named = {f"{_name(run)}, {mode}": of for run in runs for mode, of in run["answers"]["by_mode"].items()}
    return ["\n".join(table(head, rows)) for head, rows in answer_tables(named)]


def by_stage(runs: Sequence[Run]) -> str:
    """nDCG@10 of each stage with the half width of its interval, then measures of the last stage."""
    last = ("hit@3", "recall@10", "all@4")

    def cell(run: Run, stage: str) -> str:
        if not run["stages"].get(stage):
            return ""
        low, high = run["intervals"][stage]["ndcg@10"]
        return f"{run['stages'][stage]['ndcg@10']:.3f} ± {(high - low) / 2:.3f}"

    rows = []
    for run in runs:
        means = run["stages"][list(run["stages"])[-1]]
        recall = [number(run["stages"].get(stage, {}).get("recall@100")) for stage in ("bm25", "dense")]
        cells = [cell(run, stage) for stage in STAGES]
        rows.append([_name(run), str(run["scored"]), *cells, *(number(means[name]) for name in last), *recall])
    head = ["nDCG@10", "questions", *STAGES, *(f"{name}, last" for name in last), "recall@100 bm25", "dense"]
    return "\n".join(table(head, rows))


def by_kind(run: Run) -> str:
    """Evidence among the first 3 by stage, then of the last stage the first 10 and what the generator would read."""
    rows = [
        [
            kind,
            str(of["scored"]),
            *(number(of["stages"].get(stage, {}).get("evidence@3")) for stage in STAGES),
            number(of.get("evidence@10")),
            number(of.get("evidence@sources")),
        ]
        for kind, of in run["by_kind"].items()
        if "stages" in of
    ]
    head = [f"evidence@3, {_name(run)}", "questions", *STAGES, "first 10", "in what is read"]
    return "\n".join(table(head, rows))


def refusals(runs: Sequence[Run]) -> str:
    rows = []
    for run in runs:
        found = run["refusal"]
        kinds = [kind for kind in found["verdicts"] if kind in found]
        counts = {kind: run["by_kind"][kind]["questions"] for kind in kinds}
        shares = ", ".join(f"{kind} {number(found[kind])} of {counts[kind]}" for kind in kinds)
        rows.append([_name(run), shares, *(number(found[name]) for name in ("over_refusal", "precision", "auc"))])
    return "\n".join(table(["judge", "refused", "over-refusal", "precision", "AUC"], rows))


def _name(run: Run) -> str:
    one = run["set"]
    facts = [run["models"]["embedder"].partition("@")[0]]
    facts += [f"{one['half']} half"] if one["half"] else []
    facts += [f"{one['each']} of each kind"] if one.get("each") else []
    facts += ["own passages"] if one["own_passages"] else []
    return f"{one['name']} ({', '.join(facts)})"


if __name__ == "__main__":
    print(tables([json.loads(Path(path).read_text(encoding="utf-8")) for path in sys.argv[1:]]))
