"""Sources → prompt → written text → sentences that stand. One text for each thing asked, one after the other.

A question of several parts is written part by part, each from the sources that bear on it, with the budget shared: the
small generator answers one of two things asked in one prompt (docs/retrieval.md). What was cut off by the budget or
by a loop ends with its last whole sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from terrarium.answers.citations import Checked, check_answer
from terrarium.answers.sentence_scores import lacks_what_is_asked
from terrarium.answers.splitting import plain
from terrarium.generation.generator import Generation, Generator
from terrarium.generation.prompt import prompt_prefix, prompt_rest
from terrarium.judging.gathering import Gathered
from terrarium.model import Passage, Sentence
from terrarium.retrieval.context import Source, choose_sources
from terrarium.retrieval.matches import SentenceMatch
from terrarium.runtime.protocols import Embedder, Progress, Reranker
from terrarium.sentences import sentence_spans
from terrarium.trace import Trace

CUT_SHORT = {
    "budget": "The answer was cut short: it had reached the greatest length. Ask for less at a time to see the rest.",
    "loop": "The answer was cut short: the writer had begun to repeat itself.",
}
LOST = "The written sentence with what you asked for is not supported by your documents, so they are quoted instead."
_WHOLE = re.compile(r"[.!?…。！？][\"'”’»)\]*_]*(?:\s*\[\d{1,2}(?:\s*,\s*\d{1,2})*\])*[.。]?\s*$|\|\s*$|```\s*$")


@dataclass(frozen=True, slots=True)
class Written:
    """What stands of a written answer, its citations numbered as the evidence list is.

    `parts` are the sentences on each thing asked (`Gathered.asked`), none where nothing stands.
    """

    parts: tuple[tuple[Sentence, ...], ...]
    removed: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Draft:
    """One text before its check. `sources` in the order of the numbers that it cites."""

    question: str
    sources: tuple[Source, ...]
    rest: str
    generation: Generation
    text: str  # whole sentences only


class Writer:
    """Writes and checks the answer to what was gathered. `source_tokens` is the budget of all passages together."""

    def __init__(
        self,
        generator: Generator,
        reranker: Reranker | None,
        source_tokens: int,
        text_of: Callable[[str], str],
        embedder: Embedder,
        trace: Trace,
    ) -> None:
        self._generator, self._reranker = generator, reranker
        self._source_tokens, self._text_of, self._embedder = source_tokens, text_of, embedder
        self._trace = trace

    async def write(self, found: Gathered, on_prefill: Progress, on_text: Callable[[str], None]) -> Written:
        """`on_text` gets the whole visible text so far, not yet checked. Raises ModelError."""
        drafts: dict[int, _Draft] = {}
        with self._trace.stage("generation"):
            for place, (question, matches) in enumerate(found.asked):
                before = "".join(f"{draft.text}\n\n" for draft in drafts.values() if draft.text)
                sources = await self._sources(found.passages, matches, len(found.asked))
                if sources:
                    shown = partial(_behind, before, on_text)
                    drafts[place] = await self._draft(question, sources, on_prefill, shown)
        self._note(tuple(drafts.values()))
        with self._trace.stage("check"):
            checked = {place: await self._checked(draft) for place, draft in drafts.items()}
        lost = {place for place, one in checked.items() if lost_what_was_asked(drafts[place].question, one)}
        self._trace.note(support=[support for one in checked.values() for support in one.supports])
        parts = [
            tuple(_numbered(sentence, drafts[place].sources) for sentence in checked[place].sentences)
            if place in drafts and place not in lost
            else ()
            for place in range(len(found.asked))
        ]
        stopped = [draft.generation.stopped_by for draft in drafts.values()]
        notes = [CUT_SHORT[stop] for stop in stopped if stop in CUT_SHORT] + [LOST] * bool(lost)
        removed = dict.fromkeys(sentence for one in checked.values() for sentence in one.removed)
        return Written(tuple(parts), tuple(removed), tuple(dict.fromkeys(notes)))

    async def _sources(
        self, passages: Sequence[Passage], matches: Sequence[Sequence[SentenceMatch]], parts: int
    ) -> tuple[Source, ...]:
        budget = self._source_tokens // parts
        count = self._generator.count_tokens
        return tuple(await choose_sources(passages, matches, count, budget, self._text_of, self._embedder))

    async def _draft(
        self, question: str, sources: tuple[Source, ...], on_prefill: Progress, on_text: Callable[[str], None]
    ) -> _Draft:
        rest = prompt_rest([source.text for source in sources], question)
        written = await self._generator.write(rest, on_prefill=on_prefill, on_text=on_text)
        return _Draft(question, sources, rest, written, whole_sentences(written))

    async def _checked(self, draft: _Draft) -> Checked:
        by_source = {k: source.passage for k, source in enumerate(draft.sources, start=1)}
        return await check_answer(draft.text, by_source, draft.question, self._reranker)

    def _note(self, drafts: Sequence[_Draft]) -> None:
        """The first text's prompt and raw output stand for themselves; of several, all are under “writings”."""
        records = [
            {
                "question": draft.question,
                "sources": [_source_record(source) for source in draft.sources],
                "prompt": prompt_prefix() + draft.rest,
                "generation": _generation_record(draft.generation),
            }
            for draft in drafts
        ]
        for first in records[:1]:
            self._trace.note(sources=first["sources"], prompt=first["prompt"], generation=first["generation"])
        if len(records) > 1:
            self._trace.note(writings=records)


def _behind(before: str, on_text: Callable[[str], None], text: str) -> None:
    on_text(before + text)


def lost_what_was_asked(question: str, checked: Checked) -> bool:
    """Whether the number, date or name that was asked for was only in what was taken out."""
    if not checked.sentences or not lacks_what_is_asked(question, ""):  # nothing of such a kind is asked for
        return False
    stated = any(not lacks_what_is_asked(question, plain(text)) for text in checked.removed)
    return stated and all(lacks_what_is_asked(question, plain(one.text)) for one in checked.sentences)


def whole_sentences(written: Generation) -> str:
    """The text; of one that was broken off what stands before its unfinished last sentence."""
    spans = sentence_spans(written.text)
    if written.stopped_by in ("end", "stop_string") or not spans or _WHOLE.search(written.text):
        return written.text
    return written.text[: spans[-1][0]].rstrip()


def _numbered(sentence: Sentence, sources: Sequence[Source]) -> Sentence:
    return replace(sentence, citations=tuple(sources[k - 1].number for k in sentence.citations))


def _source_record(source: Source) -> dict[str, Any]:
    return {"number": source.number, "start": source.start, "end": source.end, "text": source.text}


def _generation_record(written: Generation) -> dict[str, Any]:
    return {
        "raw": written.raw,
        "text": written.text,
        "tokens": written.tokens,
        "passes": written.passes,
        "stopped_by": written.stopped_by,
        "prompt_tokens": written.prompt_tokens,
        "prefill_seconds": round(written.prefill_seconds, 3),
        "decode_seconds": round(written.decode_seconds, 3),
    }
