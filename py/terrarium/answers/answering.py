"""The one pipeline: question → evidence → sources → written text → checked sentences, or a refusal that says why.

The generator is called only when the judge finds the evidence worth it (`gathering.py`). What it writes is shown as it
comes, marked as not yet checked; what stays is what `citations.check_answer` lets stand. When nothing stands, the
closest sentences of the documents are quoted instead.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from terrarium.answers.citations import check_answer, quote_passages
from terrarium.errors import DeviceLost
from terrarium.events import Emit, progress_of
from terrarium.filters import Filter
from terrarium.generation.generator import Generation, Generator
from terrarium.generation.prompt import prompt_prefix, prompt_rest
from terrarium.judging.gathering import Gathered, Gatherer
from terrarium.library import Library
from terrarium.model import Answer, Passage, Refusal, RefusalCode, Sentence, Span
from terrarium.questions.follow_ups import Turn
from terrarium.request import Mode
from terrarium.retrieval.context import choose_sources
from terrarium.retrieval.funnel import Retrieval, Retriever
from terrarium.trace import Trace

# What happened, and what to do next; the judge's reasons stand between the two.
REFUSALS: Mapping[RefusalCode, tuple[str, str]] = {
    "empty_library": ("There are no documents yet.", "Drop files onto the page, then ask again."),
    "nothing_retrieved": (
        "None of your documents has a passage that shares anything with this question.",
        "Try other words, or add the document that covers it.",
    ),
    "not_found": (
        "Your documents do not seem to answer this.",
        "The nearest passages are shown; if one of them does answer it, ask with that passage's own words.",
    ),
    "out_of_scope": (
        "Your documents are not about this.",
        "Ask about something that stands in them, or add the document that covers it.",
    ),
    "asked_to_ignore": (
        "Answers come from your documents only, so they are not left aside.",
        "Ask about something that stands in them.",
    ),
    "asked_for_instructions": (
        "This asks for the instructions that the writer works by, not for something in your documents.",
        "They are shown with each answer under “How was this made”. Ask about something that stands in your documents.",
    ),
}
NOTHING_FILTERED = "No document passes the filter. Widen it, then ask again."


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
        generator = None if mode == "quote" else self.generator
        found = await self._gather(question, turns, filter, emit, trace, generator)
        if code := self._refused_with(found):
            return self._refuse(trace, found, code)
        if mode != "quote" and self._generator_arrived:
            emit({"type": "progress", "stage": "loading", "done": 0, "total": 1})
            with trace.stage("loading"):
                await self._generator_arrived.wait()
        if mode == "quote" or self.generator is None:
            return await self._quote(trace, found)
        return await self._write(trace, found, self.generator, emit)

    async def gather(
        self,
        question: str,
        *,
        turns: Sequence[Turn] = (),
        filter: Filter | None = None,
        emit: Emit = lambda event: None,
    ) -> Gathered:
        """Everything of `answer` that comes before a word is written."""
        return await self._gather(question, turns, filter, emit, Trace(question), self.generator)

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

    def _refused_with(self, found: Gathered) -> RefusalCode | None:
        """Why the generator is not called, None when it may be."""
        if not self.library.documents:
            return "empty_library"
        if found.judgement is None:
            return "nothing_retrieved"
        if found.judgement.verdict == "incorrect":
            return "out_of_scope" if found.judgement.out_of_scope else "not_found"
        return None

    async def _write(self, trace: Trace, found: Gathered, generator: Generator, emit: Emit) -> tuple[Answer, Trace]:
        question, passages = found.cleaned, found.passages
        budget, text_of = self._source_tokens(generator), self.library.text
        sources = choose_sources(passages, found.matches, generator.count_tokens, budget, text_of)
        rest = prompt_rest([source.text for source in sources], question)

        def on_text(text: str) -> None:
            if "first_word" not in trace.timings:
                trace.mark("first_word")
            emit({"type": "writing", "text": text})

        with trace.stage("generation"):
            written = await generator.write(rest, on_prefill=progress_of(emit, "reading"), on_text=on_text)
        trace.note(prompt=prompt_prefix() + rest, generation=_generation_record(written))
        with trace.stage("check"):
            by_source = {k: source.passage for k, source in enumerate(sources, start=1)}
            checked = check_answer(written.text, by_source, question)
        trace.note(support=list(checked.supports))
        if not checked.sentences:
            return await self._quote(trace, found, checked.removed)
        number = {k: source.number for k, source in enumerate(sources, start=1)}
        sentences = tuple(Sentence(s.text, tuple(number[k] for k in s.citations)) for s in checked.sentences)
        citations = {number[k]: span for k, span in checked.citations.items()}
        citations = await self._with_exact_pages(citations, passages)
        return self._closed(trace, _answer(found, "generated", sentences, citations, removed=checked.removed))

    async def _quote(self, trace: Trace, found: Gathered, removed: tuple[str, ...] = ()) -> tuple[Answer, Trace]:
        sentences, citations = quote_passages(found.passages, found.matches)
        citations = await self._with_exact_pages(citations, found.passages)
        answer = _answer(found, "quoted", sentences, citations, removed=removed)
        return self._closed(trace, dataclasses.replace(answer, quotes=sentences))

    def _refuse(self, trace: Trace, found: Gathered, code: RefusalCode) -> tuple[Answer, Trace]:
        happened, advice = REFUSALS[code]
        reasons = found.judgement.reasons if found.judgement else ()
        message = " ".join((happened, *reasons, advice))
        if code == "nothing_retrieved" and found.excluded:
            message = NOTHING_FILTERED
        return self._closed(trace, _answer(found, "refused", (), {}, refusal=Refusal(code, message)))

    def _closed(self, trace: Trace, answer: Answer) -> tuple[Answer, Trace]:
        # Noted at the end: a generator that was waited for is one of them.
        trace.note(models=dict(self.models), answer=answer.text, answer_mode=answer.mode, removed=list(answer.removed))
        if answer.refusal:
            trace.note(refusal=answer.refusal.code)
        return answer, trace

    def _source_tokens(self, generator: Generator) -> int:
        backends = self.models.get("backends") or {}
        on_processor = backends.get(generator.decoder.id.partition("@")[0], "wasm") == "wasm"
        return self.settings.source_tokens if on_processor else self.settings.source_tokens_webgpu

    async def _with_exact_pages(self, citations: Mapping[int, Span], passages: Sequence[Passage]) -> dict[int, Span]:
        """A chunk may run over a page's end: name the page that the quote itself begins on."""
        exact = dict(citations)
        for number, span in citations.items():
            chunk = passages[number - 1].chunk
            inside = chunk.start <= span.start < chunk.end  # else it is from what surrounds the passage
            if chunk.page is not None and (not inside or chunk.last_page not in (None, chunk.page)):
                document = await self.library.document(span.document_id)
                exact[number] = dataclasses.replace(span, page=document.page_at(span.start))
        return exact


def _answer(
    found: Gathered,
    mode: Literal["generated", "quoted", "refused"],
    sentences: tuple[Sentence, ...],
    citations: Mapping[int, Span],
    *,
    refusal: Refusal | None = None,
    removed: tuple[str, ...] = (),
) -> Answer:
    return Answer(
        found.cleaned,
        sentences,
        citations,
        found.passages,
        mode,
        refusal,
        removed,
        resolved="" if found.resolved == found.question else found.resolved,
        parts=found.parts if len(found.parts) > 1 else (),
        judgement=found.judgement,
        steps=found.steps,
    )


def _generation_record(written: Generation) -> dict[str, Any]:
    return {
        "raw": written.raw,
        "tokens": written.tokens,
        "passes": written.passes,
        "stopped_by": written.stopped_by,
        "prompt_tokens": written.prompt_tokens,
        "prefill_seconds": round(written.prefill_seconds, 3),
        "decode_seconds": round(written.decode_seconds, 3),
    }
