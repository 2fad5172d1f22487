"""The one pipeline: question → evidence → sources → written text → checked sentences, or a refusal that says why.

The generator is called only when a passage comes close to the question. What it writes is shown as it comes, marked as
not yet checked; what stays is what `citations.check_answer` lets stand. When nothing stands, the closest sentences of
the documents are quoted instead.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from terrarium.citations import check_answer, quote_passages
from terrarium.context import SentenceMatch, choose_sources, closeness, match_sentences
from terrarium.generation import Generation, Generator
from terrarium.library import Library
from terrarium.model import Answer, Passage, Refusal, Sentence, Span
from terrarium.prompt import prompt_prefix, prompt_rest
from terrarium.question import clean_question
from terrarium.retrieval import Retrieval, Retriever
from terrarium.trace import Trace
from terrarium.views import passages_view

Emit = Callable[[dict[str, Any]], None]
Mode = Literal["answer", "quote"]

REFUSALS = {
    "empty_library": "There are no documents yet. Drop files onto the page, then ask again.",
    "nothing_retrieved": "None of your documents has a passage that shares anything with this question. "
    "Try other words, or add the document that covers it.",
    "not_found": "Your documents do not seem to answer this. The nearest passages are shown; "
    "if one of them does answer it, ask with that passage's own words.",
}


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """`source_tokens`: budget of passages in the prompt, ≈ 6 s of reading on one WASM thread.

    `least_closeness` of the best sentence to the question (see `context.SentenceMatch`) below which nothing is
    written or quoted: read off 50 questions over 18 manuals, where it lets 31 of 33 answerable ones through and stops 6
    of 8 out of scope. It is no calibrated judge: questions about things that the documents only touch on pass it.
    """

    source_tokens: int = 350
    passages: int = 4
    least_closeness: float = 0.45


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

    async def answer(self, question: str, mode: Mode, emit: Emit) -> tuple[Answer, Trace]:
        """Answer one question; `emit` gets the events that the page shows on the way.

        Raises nothing of its own: no answer is a `Refusal` in the `Answer`. Cancelling the task stops it between two
        forward passes.
        """
        trace = Trace(question)
        cleaned = clean_question(question)
        trace.note(cleaned=cleaned, mode=mode)
        if not self.library.documents:
            return self._refuse(trace, cleaned, (), "empty_library")

        passages = await self._retrieve(cleaned, emit, trace)
        if not passages:
            return self._refuse(trace, cleaned, (), "nothing_retrieved")
        with trace.stage("sentences"):
            matches = await match_sentences(cleaned, passages, self.library.embedder)
        if closeness(matches) < self.settings.least_closeness:
            return self._refuse(trace, cleaned, passages, "not_found")
        if mode == "answer" and self._generator_arrived:
            emit({"type": "progress", "stage": "loading", "done": 0, "total": 1})
            with trace.stage("loading"):
                await self._generator_arrived.wait()
        if mode == "quote" or self.generator is None:
            return await self._quote(trace, cleaned, passages, matches)
        return await self._write(trace, cleaned, passages, matches, self.generator, emit)

    async def search(self, question: str) -> Retrieval:
        """The retrieval of `answer` alone: the same cleaning, the same funnel, the same order."""
        return await self.retriever.retrieve(clean_question(question))

    async def _retrieve(self, question: str, emit: Emit, trace: Trace) -> tuple[Passage, ...]:
        limit = self.settings.passages

        def show(passages: Sequence[Passage], final: bool) -> None:
            emit({"type": "evidence", "passages": passages_view(passages[:limit]), "final": final})
            trace.mark("evidence_final" if final else "evidence_first")

        with trace.stage("retrieval"):
            retrieval = await self.retriever.retrieve(
                question,
                on_fused=lambda fused: show(fused, False),
                progress=progress_of(emit, "reranking"),
            )
        trace.note(retrieval=retrieval.record())
        passages = tuple(retrieval.passages[:limit])
        if passages:
            show(passages, True)
        return passages

    async def _write(
        self,
        trace: Trace,
        question: str,
        passages: tuple[Passage, ...],
        matches: Sequence[Sequence[SentenceMatch]],
        generator: Generator,
        emit: Emit,
    ) -> tuple[Answer, Trace]:
        sources = choose_sources(passages, matches, generator.count_tokens, self.settings.source_tokens)
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
            return await self._quote(trace, question, passages, matches, checked.removed)
        number = {k: source.number for k, source in enumerate(sources, start=1)}
        sentences = tuple(Sentence(s.text, tuple(number[k] for k in s.citations)) for s in checked.sentences)
        citations = {number[k]: span for k, span in checked.citations.items()}
        citations = await self._with_exact_pages(citations, passages)
        answer = Answer(question, sentences, citations, passages, "generated", removed=checked.removed)
        return self._closed(trace, answer)

    async def _quote(
        self,
        trace: Trace,
        question: str,
        passages: tuple[Passage, ...],
        matches: Sequence[Sequence[SentenceMatch]],
        removed: tuple[str, ...] = (),
    ) -> tuple[Answer, Trace]:
        sentences, citations = quote_passages(passages, matches)
        citations = await self._with_exact_pages(citations, passages)
        return self._closed(trace, Answer(question, sentences, citations, passages, "quoted", removed=removed))

    def _refuse(
        self,
        trace: Trace,
        question: str,
        passages: tuple[Passage, ...],
        code: Literal["empty_library", "nothing_retrieved", "not_found"],
    ) -> tuple[Answer, Trace]:
        refusal = Refusal(code, REFUSALS[code])
        return self._closed(trace, Answer(question, (), {}, passages, "refused", refusal))

    def _closed(self, trace: Trace, answer: Answer) -> tuple[Answer, Trace]:
        # Noted at the end: a generator that was waited for is one of them.
        trace.note(models=dict(self.models), answer=answer.text, answer_mode=answer.mode, removed=list(answer.removed))
        if answer.refusal:
            trace.note(refusal=answer.refusal.code)
        return answer, trace

    async def _with_exact_pages(self, citations: Mapping[int, Span], passages: Sequence[Passage]) -> dict[int, Span]:
        """A chunk may run over a page's end: name the page that the quote itself begins on."""
        exact = dict(citations)
        for number, span in citations.items():
            chunk = passages[number - 1].chunk
            if chunk.last_page not in (None, chunk.page):
                document = await self.library.document(span.document_id)
                exact[number] = dataclasses.replace(span, page=document.page_at(span.start))
        return exact


def progress_of(emit: Emit, stage: str) -> Callable[[int, int], None]:
    """What a stage calls with (done, total): it becomes a progress event."""
    return lambda done, total: emit({"type": "progress", "stage": stage, "done": done, "total": total})


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
