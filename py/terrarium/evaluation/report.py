"""What the outcomes of an evaluation come to: means by stage and by kind, refusals, and how sure they are. As JSON.

Means are over the questions that have something to find; questions about files that the library does not hold are left
out and counted, never scored 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from terrarium.evaluation.asking import Outcome, Stage
from terrarium.evaluation.metrics import auc
from terrarium.evaluation.statistics import interval, paired

VERDICTS = ("incorrect", "ambiguous", "correct")
COMPARED = ("ndcg@10", "mrr", "recall@3", "recall@10", "all@4")  # of each stage, with a p each

Means = dict[str, float]


def summary(outcomes: Sequence[Outcome], stages: Sequence[Stage]) -> dict[str, Any]:
    """{"stages", "intervals", "by_kind", "refusal", "questions"}: the result of a run without its settings."""
    scored = [outcome for outcome in outcomes if outcome.stages]
    found: dict[str, Any] = {
        "scored": len(scored),
        "stages": {stage: means(scored, stage) for stage in stages},
        "intervals": {stage: _intervals(scored, stage) for stage in stages},
        "by_kind": {kind: _of_kind(outcomes, stages, kind) for kind in sorted({one.question.kind for one in outcomes})},
    }
    judged = [outcome for outcome in outcomes if outcome.judgement is not None]
    if judged:
        found["refusal"] = refusals(judged)
        found["steps"] = corrections(judged)
    return {**found, "questions": [record(outcome) for outcome in outcomes]}


def means(outcomes: Sequence[Outcome], stage: Stage) -> Means:
    """Of each measure that any question has, over the questions that have it."""
    return {name: sum(values) / len(values) for name, values in _values(outcomes, stage).items()}


def refusals(judged: Sequence[Outcome]) -> dict[str, Any]:
    """Recall by unanswerable kind, over-refusal on the answerable, precision and recall of all, and the judge's AUC.

    recall: refused of the unanswerable. precision: unanswerable of the refused. over_refusal: refused of the
    answerable. auc: that an answerable question gets a higher probability than an unanswerable one. A share of nothing
    is None.
    """
    unanswerable = [one for one in judged if not one.question.answerable]
    answerable = [one for one in judged if one.question.answerable]
    refused = [one for one in judged if one.refused]
    kinds = sorted({one.question.kind for one in unanswerable})
    return {
        **{kind: _share_refused([one for one in unanswerable if one.question.kind == kind]) for kind in kinds},
        "over_refusal": _share_refused(answerable),
        "recall": _share_refused(unanswerable),
        "precision": _share([not one.question.answerable for one in refused]) if unanswerable else None,
        "auc": auc(*map(_probabilities, (answerable, unanswerable))) if answerable and unanswerable else None,
        "verdicts": {kind: _verdicts(judged, kind) for kind in sorted({one.question.kind for one in judged})},
    }


def corrections(judged: Sequence[Outcome]) -> dict[str, dict[str, int]]:
    """Of each corrective step: questions on which it was tried, answerable and other ones whose verdict it raised.

    What the steps together did to the evidence is the difference between the stages "reranked" and "final".
    """
    found: dict[str, dict[str, int]] = {}
    for one in judged:
        for step in one.steps:
            counts = found.setdefault(step["name"], {"tried": 0, "raised_answerable": 0, "raised_unanswerable": 0})
            counts["tried"] += 1
            raised = VERDICTS.index(step["after"]) > VERDICTS.index(step["before"])
            counts["raised_answerable" if one.question.answerable else "raised_unanswerable"] += raised
    return found


def compare(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Paired tests of two runs' JSON over the questions that both scored: {stage: {measure: {mean, low, high, p}}}.

    Differences are second minus first.
    """
    one, other = ({row["id"]: row["stages"] for row in run["questions"] if row["stages"]} for run in (first, second))
    shared = [question for question in other if question in one]
    found: dict[str, Any] = {}
    for stage in second["stages"]:
        if shared and all(stage in one[question] for question in shared):
            found[stage] = {
                name: asdict(paired(_measured(one, shared, stage, name), _measured(other, shared, stage, name)))
                for name in COMPARED
            }
    return found


def _of_kind(outcomes: Sequence[Outcome], stages: Sequence[Stage], kind: str) -> dict[str, Any]:
    """The measures of the last stage, what the generator would read, the share refused, and every stage's measures."""
    chosen = [outcome for outcome in outcomes if outcome.question.kind == kind]
    scored = [outcome for outcome in chosen if outcome.stages]
    read = [outcome.sources for outcome in chosen if outcome.sources is not None]
    found: dict[str, Any] = {"questions": len(chosen), "scored": len(scored)}
    if scored:
        found |= means(scored, stages[-1])
        found["stages"] = {stage: means(scored, stage) for stage in stages}
    if read:
        found["evidence@sources"] = sum(read) / len(read)
    if any(outcome.judgement for outcome in chosen):
        found["refused"] = _share_refused(chosen)
    return found


def _verdicts(judged: Sequence[Outcome], kind: str) -> dict[str, int]:
    found = [one.judgement["verdict"] for one in judged if one.judgement and one.question.kind == kind]
    return {verdict: found.count(verdict) for verdict in VERDICTS}


def _probabilities(judged: Sequence[Outcome]) -> list[float]:
    return [one.judgement["probability"] for one in judged if one.judgement]


def _measured(stages: Mapping[str, Any], questions: Sequence[str], stage: str, name: str) -> list[float]:
    return [stages[question][stage]["measures"][name] for question in questions]


def _values(outcomes: Sequence[Outcome], stage: Stage) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for outcome in outcomes:
        for name, value in outcome.stages[stage].measures.items():
            found.setdefault(name, []).append(value)
    return found


def _intervals(outcomes: Sequence[Outcome], stage: Stage) -> dict[str, tuple[float, float]]:
    return {name: interval(values) for name, values in _values(outcomes, stage).items()}


def _share_refused(outcomes: Sequence[Outcome]) -> float | None:
    return _share([bool(outcome.refused) for outcome in outcomes])


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None


def record(outcome: Outcome) -> dict[str, Any]:
    """One question of a result: its ranks by stage, its judgement and steps."""
    question = outcome.question
    return {
        "id": question.id,
        "kind": question.kind,
        "question": question.text,
        "answerable": question.answerable,
        "stages": {stage: asdict(listing) for stage, listing in outcome.stages.items()},
        "sources": outcome.sources,
        "judgement": outcome.judgement,
        "steps": list(outcome.steps),
    }
