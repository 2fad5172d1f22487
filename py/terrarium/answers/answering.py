"""The one pipeline: question → evidence → quotes → written text → checked sentences, or a refusal that says why.

The generator is called only when the judge finds the evidence worth it (`gathering.py`, `refusals.py`). What it writes
is shown as it comes, marked as not yet checked; what stays is what `citations.check_answer` lets stand. When nothing
stands, the sentences of the documents that answer best are the answer. Modes: “quote” calls no generator, “both” shows
quotes at once and writes then, “answer” writes and quotes only when it must.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from terrarium.answers.conflicts import find_conflicts
from terrarium.answers.documents import Documents
from terrarium.answers.notes import NO_WRITER, WRITER_FAILED, on_missing, on_uncovered
from terrarium.answers.pages import first_spans, with_exact_pages
from terrarium.answers.quoting import quote_passages
from terrarium.answers.refusals import refusal, refused_with, without_text
from terrarium.answers.writing import Writer, Written
from terrarium.errors import DeviceLost, ModelError
from terrarium.events import Emit, progress_of
from terrarium.filters import Filter
from terrarium.generation.generator import Generator
from terrarium.judging.gathering import Gathered, Gatherer
from terrarium.library import Library
from terrarium.model import Answer, Conflict, Refusal, RefusalCode, Sentence
from terrarium.questions.follow_ups import Turn
from terrarium.request import Mode
from terrarium.retrieval.funnel import Retrieval, Retriever
from terrarium.trace import Trace
from terrarium.views import sentences_view


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """`source_tokens`: budget of passages in the prompt, ≈ 6 s of reading on one WASM thread; and on WebGPU."""

    source_tokens: int = 350
    source_tokens_webgpu: int = 900


class Answerer:
    """Answers questions over one library. Without a generator every answer is a quotation."""

    def __init__(
        self,
        library: Library,
        retriever: Retriever,
        generator: Generator | None,
        models: Mapping[str, Any],
        settings: AnswerSettings | None = None,
    ) -> None:
        self.library = library
        self.retriever = retriever
        self.generator = generator
        self.models = models
        self.settings = settings or AnswerSettings()
        self._generator_arrived: asyncio.Event | None = None

    @property
    def generator_coming(self) -> bool:
        """Whether a generator is being loaded."""
        return self._generator_arrived is not None

    @contextmanager
    def expecting_generator(self) -> Iterator[None]:
        """While this lasts, questions that want a written answer wait for `generator` to be set."""
        self._generator_arrived = asyncio.Event()
        try:
            yield
        finally:
            self._generator_arrived.set()
            self._generator_arrived = None

    async def answer(
        self, question: str, mode: Mode, emit: Emit, *, turns: Sequence[Turn] = (), filter: Filter | None = None
    ) -> tuple[Answer, Trace]:
        """Answer one question; `emit` gets the events that the page shows on the way.

        Raises nothing of its own: no answer is a `Refusal` in the `Answer`. Cancelling the task stops it between two
        forward passes.
        """
        trace = Trace(question)
        trace.note(mode=mode)
        found = await self._gather(question, turns, filter, emit, trace, None if mode == "quote" else self.generator)
        if code := refused_with(found, len(self.library.documents)):
            return self._refused(trace, found, code, filter)
        with trace.stage("quoting"):
            documents = Documents(self.library)
            by_part = await self._quotes(found, documents)
            quotes = _once(by_part)
        if not quotes:  # passages without a sentence to rest on: headings, questions, what is addressed to the model
            return self._refused(trace, found, "not_found", filter)
        with trace.stage("conflicts"):
            conflicts = await self._conflicts(found, documents)
        if mode == "quote":
            return self._closed(trace, found, "quoted", quotes, quotes, conflicts)
        if mode == "both":
            emit({"type": "quoted", "quotes": sentences_view(quotes)})
            trace.mark("quoted")
        written, notes = await self._written(trace, found, emit)
        if any(written.parts):
            # A thing asked on which nothing written stands is answered by its best quote.
            parts = [own or quoted[:1] for own, quoted in zip(written.parts, by_part, strict=True)]
            sentences = await with_exact_pages(_once(parts), found.passages, documents)
            shown = quotes if mode == "both" else ()
            return self._closed(trace, found, "generated", sentences, shown, conflicts, written.removed, notes)
        return self._closed(trace, found, "quoted", quotes, quotes, conflicts, written.removed, notes)

    async def gather(
        self,
        question: str,
        *,
        turns: Sequence[Turn] = (),
        filter: Filter | None = None,
        emit: Emit = lambda event: None,
        trace: Trace | None = None,
    ) -> Gathered:
        """Everything of `answer` that comes before a word is written. A `trace` is filled on the way."""
        return await self._gather(question, turns, filter, emit, trace or Trace(question), self.generator)

    async def search(self, question: str, *, turns: Sequence[Turn] = (), filter: Filter | None = None) -> Retrieval:
        """The passages that `answer` would rest on: the same cleaning, the same funnel, the same order."""
        try:
            found = await self.gather(question, turns=turns, filter=filter)
        except DeviceLost:  # passages are found without a generator too
            found = await self._gather(question, turns, filter, lambda event: None, Trace(question), None)
        return found.retrieval

    async def _gather(
        self,
        question: str,
        turns: Sequence[Turn],
        filter: Filter | None,
        emit: Emit,
        trace: Trace,
        generator: Generator | None,
    ) -> Gathered:
        gatherer = Gatherer(self.library, self.retriever, generator if generator and generator.rephrases else None)
        return await gatherer.gather(question, turns=turns, filter=filter, emit=emit, trace=trace)

    async def _quotes(self, found: Gathered, documents: Documents) -> list[tuple[Sentence, ...]]:
        """For each thing asked."""
        reranker, passages = self.retriever.reranker, found.passages
        return [
            await with_exact_pages(
                await quote_passages(question, passages, matches, reranker, documents), passages, documents
            )
            for question, matches in found.asked
        ]

    async def _conflicts(self, found: Gathered, documents: Documents) -> tuple[Conflict, ...]:
        conflicts = [
            one for question, matches in found.asked for one in find_conflicts(question, found.passages, matches)
        ]
        return tuple(
            [
                Conflict(one.about, await with_exact_pages(one.statements, found.passages, documents))
                for one in dict.fromkeys(conflicts)
            ]
        )

    async def _written(self, trace: Trace, found: Gathered, emit: Emit) -> tuple[Written, tuple[str, ...]]:
        """What stands of the written answer, and the notes on it. Raises DeviceLost: the engine asks once more."""
        if self._generator_arrived:
            emit({"type": "progress", "stage": "loading", "done": 0, "total": 1})
            with trace.stage("loading"):
                await self._generator_arrived.wait()
        nothing = Written(((),), (), ())
        if self.generator is None:
            return nothing, (NO_WRITER,)

        def on_text(text: str) -> None:
            if "first_word" not in trace.timings:
                trace.mark("first_word")
            emit({"type": "writing", "text": text})

        budget = self._source_tokens(self.generator)
        writer = Writer(
            self.generator, self.retriever.reranker, budget, self.library.text, self.library.embedder, trace
        )
        try:
            written = await writer.write(found, progress_of(emit, "reading"), on_text)
        except DeviceLost:
            raise
        except ModelError as error:
            return nothing, (WRITER_FAILED, str(error))
        return written, (*written.notes, *on_missing(found, written))

    def _refused(self, trace: Trace, found: Gathered, code: RefusalCode, filter: Filter | None) -> tuple[Answer, Trace]:
        admitted = self.library.matching(filter)
        asked = [info for info in self.library.documents.values() if admitted is None or info.id in admitted]
        return self._closed(trace, found, "refused", refused=refusal(found, code, without_text(asked)))

    def _closed(
        self,
        trace: Trace,
        found: Gathered,
        mode: Literal["generated", "quoted", "refused"],
        sentences: tuple[Sentence, ...] = (),
        quotes: tuple[Sentence, ...] = (),
        conflicts: tuple[Conflict, ...] = (),
        removed: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
        refused: Refusal | None = None,
    ) -> tuple[Answer, Trace]:
        stated = [statement for one in conflicts for statement in one.statements]
        answer = Answer(
            found.cleaned,
            sentences,
            first_spans([*sentences, *stated]),
            found.passages,
            mode,
            refused,
            removed,
            resolved="" if found.resolved == found.question else found.resolved,
            parts=found.parts if len(found.parts) > 1 else (),
            judgement=found.judgement,
            steps=found.steps,
            quotes=quotes,
            conflicts=conflicts,
            notes=(*notes, *on_uncovered(found)) if refused is None else (),
        )
        # Noted at the end: a generator that was waited for is one of them.
        trace.note(models=dict(self.models))
        return answer, trace

    def _source_tokens(self, generator: Generator) -> int:
        backends = self.models.get("backends") or {}
        on_processor = backends.get(generator.decoder.id.partition("@")[0], "wasm") == "wasm"
        return self.settings.source_tokens if on_processor else self.settings.source_tokens_webgpu


def _once(parts: Iterable[tuple[Sentence, ...]]) -> tuple[Sentence, ...]:
    """The sentences of all parts in order: two parts of a question may be answered by the same one."""
    found: dict[str, Sentence] = {}
    for sentence in (one for part in parts for one in part):
        found.setdefault(sentence.text, sentence)
    return tuple(found.values())
