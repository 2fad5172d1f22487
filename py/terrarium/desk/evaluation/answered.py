"""A set's questions answered by the product, and what each mode shows of the answers scored.

The generator remembers its texts (`written.py`), so a run that was stopped goes on where it was. Seconds of writing are
those of the run that wrote.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, get_args

from terrarium.answers.answering import Answerer
from terrarium.desk.evaluation.embeddings import CachedEmbedder
from terrarium.desk.evaluation.prepared import Say, default_cache
from terrarium.desk.evaluation.written import open_remembering
from terrarium.evaluation.answers import AnswerScorer, read_passage, texts_of
from terrarium.evaluation.local_judge import LocalJudge
from terrarium.evaluation.questions import Question
from terrarium.evaluation.scores import AnswerScores, answers_summary
from terrarium.evaluation.shown import Shown, shown_as, writings
from terrarium.model import Answer
from terrarium.request import Mode
from terrarium.runtime.protocols import Runtime

MODES: tuple[Shown, ...] = get_args(Shown)


@dataclass(frozen=True, slots=True)
class Answered:
    """One question: of each mode the scores, and the row that a report keeps."""

    scores: Mapping[Shown, AnswerScores]
    rows: Mapping[Shown, Mapping[str, Any]]


class AnsweringRun:
    """Asks one question after another and scores what each of `modes` shows; `relevant` is the one whose relevancy is
    measured, as that costs a text more.
    """

    def __init__(
        self, answerer: Answerer, scorer: AnswerScorer, modes: Sequence[Shown], relevant: Shown | None = None
    ) -> None:
        self._answerer, self._scorer, self._modes, self._relevant = answerer, scorer, modes, relevant

    async def ask(self, question: Question) -> Answered:
        asked: Mode = "quote" if tuple(self._modes) == ("quote",) else "both"
        answer, trace = await self._answerer.answer(question.text, asked, lambda event: None)
        record = json.loads(trace.close())
        scores: dict[Shown, AnswerScores] = {}
        rows: dict[Shown, dict[str, Any]] = {}
        for mode in self._modes:
            shown = shown_as(mode, answer, record)
            seconds = _seconds(record) if mode == asked else {}
            scores[mode] = await self._scorer.score(question, shown, seconds=seconds, relevancy=mode == self._relevant)
            rows[mode] = _row(shown, scores[mode])
        return Answered(scores, rows)


async def answer_all(
    answerer: Answerer,
    embedder: CachedEmbedder,
    questions: Sequence[Question],
    modes: Sequence[Shown],
    generator: str,
    runtime: Runtime,
    say: Say,
) -> dict[str, Any]:
    """{"answers": the summary, "answered": a row for each question}. Raises ModelError without the generator."""
    writer = await open_remembering(runtime, generator, default_cache() / "written")
    answerer.generator = writer
    reranker = answerer.retriever.reranker
    judge = LocalJudge(embedder)
    run = AnsweringRun(answerer, AnswerScorer(judge, embedder, writer, reranker), modes, headline(modes))
    found: list[Answered] = []
    for question in questions:
        found.append(await run.ask(question))
        say("answering", len(found), len(questions))
    rows = [
        {"id": q.id, "kind": q.kind, "question": q.text, **one.rows} for q, one in zip(questions, found, strict=True)
    ]
    made = {"generator": writer.decoder.id, "judge": judge.id, "written": writer.computed}
    return {"answers": made | answers_result(found, modes), "answered": rows}


def answers_result(found: Sequence[Answered], modes: Sequence[Shown]) -> dict[str, Any]:
    """The summary of the mode that the page asks in, or of the first one; every mode's under "by_mode"."""
    by_mode = {mode: answers_summary([one.scores[mode] for one in found]) for mode in modes}
    return {"mode": headline(modes), **by_mode[headline(modes)], "by_mode": by_mode}


def headline(modes: Sequence[Shown]) -> Shown:
    return "both" if "both" in modes else modes[0]


def _seconds(record: Mapping[str, Any]) -> dict[str, float]:
    """The trace's timings, writing as long as it took when the text was written."""
    timings: dict[str, float] = dict(record["timings"])
    if texts := [one["generation"] for one in writings(record)]:
        reading, writing = (sum(one[f"{name}_seconds"] for one in texts) for name in ("prefill", "decode"))
        timings["total"] += reading + writing - timings["generation"]
        timings |= {"generation": reading + writing, "reading": reading, "writing": writing}
    return timings


def _row(answer: Answer, scores: AnswerScores) -> dict[str, Any]:
    return {
        **texts_of(answer),
        "sentences": [
            {
                "text": one.text,
                "citations": list(one.citations),
                "quotes": [span.quote for span in one.spans],
                "read": [read_passage(answer, number).chunk.text for number in one.citations],
            }
            for one in answer.sentences
        ],
        "scores": asdict(scores),
    }
