"""Search again while the judge is not content: each step, what it changed, and when to stop.

A step's passages are merged with those there are, and taken when the judge finds the whole clearly more likely to
answer: the best of several tries flatters. Passages that may answer already keep their place before them. What the
steps bring and what they let through is in `models/judge.md`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from terrarium.generation.generator import Generator
from terrarium.guards.instructions import blanked
from terrarium.indexes.segments import Key
from terrarium.judging.expansion import expanded, opened
from terrarium.judging.judge import judge
from terrarium.judging.rephrasing import rephrase
from terrarium.judging.signals import Evidence
from terrarium.library import Library
from terrarium.model import Judgement, Passage, Step, Verdict
from terrarium.retrieval.funnel import Retrieval, Retriever, Search, merged
from terrarium.retrieval.matches import SentenceMatch, agreeing, flagged, match_sentences, only_orders

PASSAGES = 4  # that are judged and shown; the generator reads of the first of them
SECONDS = 1.0  # after which no further step begins
CONTENT = 0.5  # from this probability on the judge is: an answer is more likely than none
GAIN = 0.05  # of probability, for a step's passages to be taken
KEPT = 2  # passages of an ambiguous first search that stay in front
WIDER = 200  # candidates of each retriever
STEPS = ("expanded", "wider", "surroundings", "words_only", "meaning_only", "rephrased", "other_collections")
_ORDERS = "What was found only gives orders to a program that reads it."
_ORDER: dict[Verdict, int] = {"incorrect": 0, "ambiguous": 1, "correct": 2}


@dataclass(frozen=True, slots=True)
class Attempt:
    """A retrieval, the few passages taken of it, and what the judge says of them."""

    retrieval: Retrieval
    passages: tuple[Passage, ...]
    matches: tuple[tuple[SentenceMatch, ...], ...]
    judgement: Judgement


@dataclass(slots=True)
class Corrector:
    """The attempts at one question. `steps` are those made so far."""

    search: Search
    library: Library
    retriever: Retriever
    generator: Generator | None = None
    allowed: Sequence[str] = STEPS
    clock: Callable[[], float] = time.perf_counter
    steps: list[Step] = field(default_factory=list)
    _known: dict[tuple[Key, int], tuple[SentenceMatch, ...]] = field(default_factory=dict)

    async def judged(self, retrieval: Retrieval, passages: Sequence[Passage] | None = None) -> Attempt:
        """What the judge says of a retrieval's best few passages, or of the passages given in their place."""
        chosen = tuple(retrieval.passages if passages is None else passages)[:PASSAGES]
        new = [p for p in chosen if (p.chunk.key, p.chunk.start) not in self._known]
        for passage, found in zip(
            new, await match_sentences(self.search.question, new, self.library.embedder), strict=True
        ):
            self._known[passage.chunk.key, passage.chunk.start] = found
        matches = tuple(agreeing(chosen, [self._known[p.chunk.key, p.chunk.start] for p in chosen]))
        chosen = tuple(flagged(passage, found) for passage, found in zip(chosen, matches, strict=True))
        evidence = Evidence(self.search.question, retrieval, [_read(one) for one in chosen], matches, self.library)
        judgement = judge(evidence)
        if chosen and all(map(only_orders, matches)):
            judgement = replace(judgement, verdict="incorrect", probability=0.0, reasons=(_ORDERS,))
        return Attempt(retrieval, chosen, matches, judgement)

    async def with_parts(self, current: Attempt, parts: Sequence[str]) -> Attempt:
        """Each part of the question searched by itself; the best passage of each is among the few."""
        started = self.clock()
        found = [await self.retriever.search(replace(self.search, question=part)) for part in parts]
        together = merged(current.retrieval, found)
        first = list(dict.fromkeys(one.passages[0].chunk.key for one in found if one.passages))
        by_key = {passage.chunk.key: passage for passage in together.passages}
        ordered = [by_key.pop(key) for key in first if key in by_key] + list(by_key.values())
        after = await self.judged(replace(together, passages=tuple(ordered)))
        self._note("parts", self.search.question, current, after, started)
        return after

    async def corrected(self, current: Attempt, progress: Callable[[int, int], None]) -> Attempt:
        """The best of the steps' attempts: until the judge is content, they are spent, or their time is."""
        began = self.clock()
        if current.judgement.out_of_scope:  # not even the words are there: what else would be?
            return current
        for number, name in enumerate(self.allowed):
            if current.judgement.probability >= CONTENT or self.clock() - began > SECONDS:
                break
            progress(number, len(self.allowed))
            await asyncio.sleep(0)  # a step may find everything known and wait for nothing: this lets a cancel through
            current = await self._step(name, current)
        return current

    async def _step(self, name: str, current: Attempt) -> Attempt:
        started = self.clock()
        make: dict[str, Callable[[Attempt], Awaitable[Search | None]]] = {
            "expanded": self._expanded,
            "rephrased": self._rephrased,
            "other_collections": self._unfiltered,
        }
        fixed = {
            "wider": replace(self.search, candidates=WIDER),
            "words_only": replace(self.search, rankers=("lexical",)),
            "meaning_only": replace(self.search, rankers=("dense",)),
        }
        if name == "surroundings":
            after = await self.judged(current.retrieval, opened(current.passages, self.library))
            return self._better(name, self.search.question, current, after, started)
        search = fixed[name] if name in fixed else await make[name](current)
        if search is None:
            return current
        found = await self.retriever.search(search)
        if name == "other_collections":
            return self._elsewhere(current, await self.judged(found), started)
        after = await self.judged(_behind(current, merged(current.retrieval, [found])))
        return self._better(name, search.question, current, after, started)

    async def _expanded(self, current: Attempt) -> Search | None:
        return expanded(self.search, current.passages, self.library)

    async def _rephrased(self, current: Attempt) -> Search | None:
        """Only of what will be answered: a question that is refused never reaches the generator."""
        if self.generator is None or current.judgement.verdict == "incorrect":
            return None
        other = await rephrase(self.search.question, self.generator)
        return replace(self.search, question=other) if other else None

    async def _unfiltered(self, current: Attempt) -> Search | None:
        return None if self.search.within is None else replace(self.search, within=None)

    def _better(self, name: str, question: str, before: Attempt, after: Attempt, started: float) -> Attempt:
        kept = after if after.judgement.probability >= before.judgement.probability + GAIN else before
        self._note(name, question, before, kept, started)
        return kept

    def _elsewhere(self, before: Attempt, after: Attempt, started: float) -> Attempt:
        """What the filter keeps out is never mixed in: when it would answer better, that is said."""
        outside = [p for p in after.passages if p.document.id not in (self.search.within or ())]
        better = _ORDER[after.judgement.verdict] > _ORDER[before.judgement.verdict]
        if not outside or not better:
            self._note("other_collections", self.search.question, before, before, started)
            return before
        reason = f"“{outside[0].document.name}”, which the filter leaves out, seems to answer it."
        judgement = replace(before.judgement, reasons=(*before.judgement.reasons, reason))
        self._note("other_collections", self.search.question, before, after, started)
        return replace(before, judgement=judgement)

    def _note(self, name: str, question: str, before: Attempt, after: Attempt, started: float) -> None:
        known = {(passage.chunk.key, passage.chunk.start) for passage in before.passages}
        gained = sum((passage.chunk.key, passage.chunk.start) not in known for passage in after.passages)
        self.steps.append(
            Step(
                name,
                question,
                before.judgement.verdict,
                after.judgement.verdict,
                gained,
                round(self.clock() - started, 3),
            )
        )


def _read(passage: Passage) -> Passage:
    """A passage as the judge reads it: its instructions to a model say nothing about the question."""
    if not passage.flags:
        return passage
    text = blanked(passage.chunk.text, [(flag.start, flag.end) for flag in passage.flags])
    return replace(passage, chunk=replace(passage.chunk, text=text))


def _behind(current: Attempt, found: Retrieval) -> Retrieval:
    """What was found, behind the best passages of an attempt that may answer already."""
    if current.judgement.verdict == "incorrect":
        return found
    first = current.passages[:KEPT]
    known = {passage.chunk.key for passage in first}
    return replace(found, passages=(*first, *(p for p in found.passages if p.chunk.key not in known)))
