"""One run of a person's questions over the open library: asked one by one, told as it goes, kept when it ends.

The lock for answering is taken for one question at a time, so that a question asked meanwhile comes next.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Literal, Protocol
from uuid import uuid4

from terrarium.answers.answering import Answerer
from terrarium.errors import StorageError, TerrariumError
from terrarium.evaluation.answers import AnswerScorer
from terrarium.evaluation.asking import STAGES, Asker
from terrarium.evaluation.local_judge import LocalJudge
from terrarium.evaluation.own_questions import as_questions
from terrarium.evaluation.question_rows import Row
from terrarium.evaluation.running import Mode, OwnRun, figures
from terrarium.evaluation.runs import Run, Runs, seen
from terrarium.events import Emit
from terrarium.model import Answer
from terrarium.recording import found
from terrarium.request import Request
from terrarium.settings import RetrievalSettings
from terrarium.shelf import TraceShelf
from terrarium.trace import Trace

NO_WRITER = (
    "Written answers need the writer, which is not loaded. Wait until it is ready, load one under “What runs here”, or "
    "ask for quotes."
)
EMPTY = "There are no documents yet. Add some, then ask your questions of them."
NOTHING_HERE = "None of these questions can be asked: the library does not hold the documents that they name."


class Asked(Protocol):
    """What is needed of the engine."""

    answering: asyncio.Lock

    @property
    def answerer(self) -> Answerer: ...

    async def answered(self, request: Request, emit: Emit, run: str = "") -> tuple[Answer, Trace]:
        """Answer and keep the trace; the caller holds `answering`."""
        ...


class Sitting:
    """`run` may be cancelled: what was asked until then is kept, as a run that is not complete."""

    def __init__(self, engine: Asked, runs: Runs, shelf: TraceShelf, name: str, mode: Mode, *, made: bool) -> None:
        self._engine, self._runs, self._shelf = engine, runs, shelf
        self._name, self._mode, self._made = name, mode, made
        self._id = uuid4().hex[:12]
        self._left_out: Mapping[str, Sequence[str]] = {}
        self._total = 0

    async def run(self, rows: Sequence[Row], emit: Emit) -> Run:
        """Raises TerrariumError when there is nothing to ask or to ask it of."""
        library = self._engine.answerer.library
        if not library.documents:
            raise TerrariumError(EMPTY)
        questions, self._left_out = as_questions(rows, library.documents.values())
        if not questions:
            raise TerrariumError(NOTHING_HERE)
        if self._mode == "answer" and self._engine.answerer.generator is None:
            raise TerrariumError(NO_WRITER)
        self._total = len(questions)
        asking = self._asking()
        try:
            started = time.perf_counter()
            for done, question in enumerate(questions):
                left = (time.perf_counter() - started) / done * (self._total - done) if done else None
                emit({"type": "progress", "stage": "asking", "done": done, "total": self._total, "seconds_left": left})
                async with self._engine.answering:
                    self._engine.answerer.retriever.forget()
                    trace = Trace(question.text)
                    row = await asking.ask(question, trace)
                    if self._mode == "retrieval":
                        await self._keep_found(trace)
                emit({"type": "asked", "row": seen(row)})
        finally:
            result = self._result(asking) if asking.rows else None
            if result:
                with suppress(StorageError):  # a store that cannot be written: the result is shown all the same
                    await self._runs.keep(result)
        assert result is not None
        return result

    def _asking(self) -> OwnRun:
        answerer = self._engine.answerer
        generator, library, reranker = answerer.generator, answerer.library, answerer.retriever.reranker
        asker = Asker(answerer, STAGES, generator.count_tokens if generator else None)
        if self._mode == "retrieval":
            return OwnRun(asker, None, None, self._mode)
        judge = LocalJudge(library.embedder)
        writes = self._mode == "answer"
        scorer = AnswerScorer(judge, library.embedder, generator if writes else None, reranker)
        mode: Literal["answer", "quote"] = "answer" if writes else "quote"

        async def answer(question: str) -> tuple[Answer, Trace]:
            return await self._engine.answered(Request(question, mode), lambda event: None, self._id)

        return OwnRun(asker, answer, scorer, self._mode, judge.id)

    async def _keep_found(self, trace: Trace) -> None:
        """The record of a question that was searched and not answered."""
        library = self._engine.answerer.library
        trace.note(found=found(trace.record, library), mode="retrieval", answer="", answer_mode="")
        with suppress(StorageError):
            await self._shelf.put(trace, self._id)

    def _result(self, asking: OwnRun) -> Run:
        answerer, number, result = self._engine.answerer, len(asking.rows), asking.result()
        infos = answerer.library.documents.values()
        held = {"documents": len(infos), "passages": sum(info.chunks for info in infos)}
        about = {"name": self._name, "format": "questions", **held, "questions": number, "left_out": self._left_out}
        return {
            "id": self._id,
            "date": time.time(),
            "name": self._name,
            "mode": self._mode,
            "made": self._made,
            "asked": number,
            "total": self._total,
            "library": held,
            "figures": figures(result),
            "set": {**about, "unreadable": []},
            "models": dict(answerer.models),
            "settings": {"retrieval": asdict(RetrievalSettings()), "answer": asdict(answerer.settings)},
            **result,
        }
