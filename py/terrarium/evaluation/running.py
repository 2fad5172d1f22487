"""A person's questions asked of the open library one after another, and what they came to so far, at any time.

The result has the shape of `terrarium evaluate --json` (set, models, settings, stages, intervals, refusal, questions,
answers), and beside it what a page needs: `latency` by stage, and of each question its answer, its trace and the stage
that lost it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal

import numpy as np

from terrarium.evaluation.answers import AnswerScorer, texts_of
from terrarium.evaluation.asking import STAGES, Asker, Outcome
from terrarium.evaluation.local_judge import AGREEMENT
from terrarium.evaluation.own_questions import lost_at
from terrarium.evaluation.question_rows import Row
from terrarium.evaluation.questions import Question
from terrarium.evaluation.report import record, summary
from terrarium.evaluation.scores import AnswerScores, answers_summary
from terrarium.model import Answer
from terrarium.trace import Trace

Mode = Literal["retrieval", "quote", "answer"]

Ask = Callable[[str], Awaitable[tuple[Answer, Trace]]]


class OwnRun:
    """`answer` asks the product itself, None where only retrieval is looked at. Whoever calls `ask` holds the lock."""

    def __init__(
        self, asker: Asker, answer: Ask | None, scorer: AnswerScorer | None, mode: Mode, judge: str = ""
    ) -> None:
        self._asker, self._answer, self._scorer, self._mode, self._judge = asker, answer, scorer, mode, judge
        self._outcomes: list[Outcome] = []
        self._scores: list[AnswerScores] = []
        self.rows: list[Row] = []

    async def ask(self, question: Question, trace: Trace) -> Row:
        """One question's row. `trace` gets what was found; of a question that is answered the answer's own counts.

        The answer comes before the lists: what is searched is remembered, and its seconds are to be a person's.
        """
        answered = await self._answer(question.text) if self._answer else None
        outcome = await self._asker.ask(question, trace)
        row = record(outcome)
        if answered and self._scorer:
            answer, trace = answered
            scores = await self._scorer.score(question, answer, seconds=trace.timings)
            row["answer"] = {**texts_of(answer), **asdict(scores)}
            self._scores.append(scores)
        self._outcomes.append(outcome)
        self.rows.append({**row, "trace": trace.id, "timings": dict(trace.timings), "lost": lost_at(row)})
        return self.rows[-1]

    def result(self) -> dict[str, Any]:
        """Of what was asked so far, as JSON."""
        found = {**summary(self._outcomes, STAGES), "questions": self.rows, "latency": latency(self.rows)}
        if self._scores:
            about = {"mode": self._mode, "judge": self._judge, "agreement": AGREEMENT}
            found["answers"] = about | answers_summary(self._scores)
        return found


def latency(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """{stage: {median, p90, questions}} in seconds over the questions that had the stage."""
    stages = dict.fromkeys(stage for row in rows for stage in row["timings"])
    found = {}
    for stage in stages:
        seconds = [row["timings"][stage] for row in rows if stage in row["timings"]]
        middle, late = np.percentile(seconds, [50, 90])
        found[stage] = {"median": round(float(middle), 4), "p90": round(float(late), 4), "questions": len(seconds)}
    return found


def figures(result: Mapping[str, Any]) -> dict[str, float | None]:
    """The few numbers that a list of runs shows of each."""
    stages, answers = result["stages"].get("final", {}), result.get("answers", {})
    refusal = result.get("refusal", {})
    return {
        "found": stages.get("all@4"),
        "mrr": stages.get("mrr"),
        "correct": answers.get("right"),
        "over_refusal": answers.get("over_refusal", refusal.get("over_refusal")),
    }
