"""Recall of the evidence, stage by stage: is it among the first 3 and 10 passages, before and after reranking?

No model judges anything here. Questions without evidence (uncovered, out of scope) and questions about files that the
library does not hold are left out and counted, never scored 0.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from terrarium.evaluation.questions import Question, holds
from terrarium.model import Passage
from terrarium.retrieval import Retriever

CUTOFFS = (3, 10)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question: for each piece of its evidence the rank of the first passage that shows it, None for none."""

    id: str
    kind: str
    question: str
    before: tuple[int | None, ...]  # ranks after fusion
    after: tuple[int | None, ...]  # ranks after reranking


@dataclass(frozen=True, slots=True)
class Score:
    """Mean recall of the evidence over some questions."""

    questions: int
    before: dict[int, float]  # by cutoff
    after: dict[int, float]


@dataclass(frozen=True, slots=True)
class Report:
    outcomes: tuple[Outcome, ...]
    left_out: dict[str, list[str]]  # reason → question ids

    def score(self, kind: str | None = None) -> Score:
        """Of the questions of one kind, or of all."""
        chosen = [outcome for outcome in self.outcomes if kind in (None, outcome.kind)]
        before = {k: _mean([_recall(outcome.before, k) for outcome in chosen]) for k in CUTOFFS}
        after = {k: _mean([_recall(outcome.after, k) for outcome in chosen]) for k in CUTOFFS}
        return Score(len(chosen), before, after)

    @property
    def kinds(self) -> list[str]:
        return sorted({outcome.kind for outcome in self.outcomes})

    def to_json(self) -> str:
        scores = {kind: asdict(self.score(kind)) for kind in self.kinds}
        whole = {"all": asdict(self.score()), "kinds": scores, "left_out": self.left_out}
        return json.dumps({**whole, "questions": [asdict(outcome) for outcome in self.outcomes]}, ensure_ascii=False)

    def to_markdown(self) -> str:
        head = [f"recall@{k} {stage}" for stage in ("fusion", "reranked") for k in CUTOFFS]
        lines = [f"| kind | questions | {' | '.join(head)} |", "|---|" + "---|" * (len(head) + 1)]
        for kind in [*self.kinds, None]:
            score = self.score(kind)
            values = [f"{stage[k]:.3f}" for stage in (score.before, score.after) for k in CUTOFFS]
            lines.append(f"| {kind or 'all'} | {score.questions} | {' | '.join(values)} |")
        lines += ["", *(f"Left out, {reason}: {len(ids)}." for reason, ids in self.left_out.items())]
        if missed := [outcome for outcome in self.outcomes if _recall(outcome.after, max(CUTOFFS)) < 1]:
            lines += ["", f"Not among the first {max(CUTOFFS)}:"]
            lines += [
                f"* {outcome.id} ({outcome.kind}): {outcome.question} "
                f"(fusion: {_ranks(outcome.before)}, reranked: {_ranks(outcome.after)})"
                for outcome in missed
            ]
        return "\n".join(lines)


async def evaluate_retrieval(retriever: Retriever, questions: Sequence[Question]) -> Report:
    """Ask every question that has evidence in the library's documents."""
    files = {info.name.rsplit("/", 1)[-1] for info in retriever.library.documents.values()}
    outcomes: list[Outcome] = []
    left_out: dict[str, list[str]] = {}
    for question in questions:
        if not question.evidence:
            left_out.setdefault("nothing to find", []).append(question.id)
        elif not all(evidence.file in files for evidence in question.evidence):
            left_out.setdefault("about files that the library does not hold", []).append(question.id)
        else:
            retrieval = await retriever.retrieve(question.text)
            before, after = (_first_ranks(question, found) for found in (retrieval.fused, retrieval.passages))
            outcomes.append(Outcome(question.id, question.kind, question.text, before, after))
    return Report(tuple(outcomes), left_out)


def _first_ranks(question: Question, passages: Sequence[Passage]) -> tuple[int | None, ...]:
    return tuple(
        next((rank for rank, passage in enumerate(passages, start=1) if holds(passage, evidence)), None)
        for evidence in question.evidence
    )


def _recall(ranks: Sequence[int | None], k: int) -> float:
    return sum(rank is not None and rank <= k for rank in ranks) / len(ranks)


def _ranks(ranks: Sequence[int | None]) -> str:
    return ", ".join("not found" if rank is None else f"rank {rank}" for rank in ranks)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else float("nan")
