"""Everything before a word is written: the question made whole and clean, searched, judged, searched again if need be.

Asking, searching and measuring call `Gatherer.gather`, so they cannot disagree about what was found. Corrective steps
run until the judge is content, they are spent, or their time is (`corrective.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from terrarium.events import Emit, progress_of
from terrarium.filters import Filter
from terrarium.generation.generator import Generator
from terrarium.judging.corrective import PASSAGES, STEPS, Attempt, Corrector
from terrarium.library import Library
from terrarium.model import Judgement, Passage, Step
from terrarium.questions.cleaning import clean_question
from terrarium.questions.demands import demanded
from terrarium.questions.follow_ups import Turn
from terrarium.questions.parts import split_question
from terrarium.questions.rewriting import understand
from terrarium.retrieval.funnel import Retrieval, Retriever, Search
from terrarium.retrieval.matches import SentenceMatch
from terrarium.trace import Trace
from terrarium.views import passages_view


@dataclass(frozen=True, slots=True)
class Part:
    """One of several things that a question asks: what the judge says of it alone.

    `matches` are the sentences of all passages shown, held against this part.
    """

    question: str
    judgement: Judgement
    matches: tuple[tuple[SentenceMatch, ...], ...]

    @property
    def covered(self) -> bool:
        return self.judgement.verdict != "incorrect"


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was found for one question. `matches` are the sentences of `passages`, which are the best few.

    `judged_parts` are there when a question asks several things, each judged by itself. One that the documents answer
    in part is not refused: the judgement is then that of its best part.
    """

    question: str  # as typed
    resolved: str  # made whole from the turns before, else the same
    cleaned: str
    parts: tuple[str, ...]  # one when the question asks one thing
    first: Retrieval  # of the cleaned question alone
    retrieval: Retrieval  # with what its parts and the corrective steps added
    judgement: Judgement | None  # None: nothing was found that could be judged
    steps: tuple[Step, ...]
    passages: tuple[Passage, ...]
    matches: tuple[tuple[SentenceMatch, ...], ...]
    excluded: bool = False  # by a filter that no document passes
    judged_parts: tuple[Part, ...] = ()

    @property
    def covered(self) -> tuple[Part, ...]:
        """The parts that the documents answer; none where the question asks one thing, or was only judged whole."""
        return tuple(part for part in self.judged_parts if part.covered)

    @property
    def asked(self) -> tuple[tuple[str, tuple[tuple[SentenceMatch, ...], ...]], ...]:
        """What is to be answered, one thing after the other: (question, matches of all passages)."""
        return tuple((part.question, part.matches) for part in self.covered) or ((self.cleaned, self.matches),)


@dataclass(frozen=True, slots=True)
class Gatherer:
    """Finds and judges evidence in one library. A generator may rewrite what the rules cannot, and ask in other words.

    `steps` are the corrective steps that may be taken, in their order.
    """

    library: Library
    retriever: Retriever
    generator: Generator | None = None
    steps: Sequence[str] = STEPS

    async def gather(
        self, question: str, *, turns: Sequence[Turn] = (), filter: Filter | None = None, emit: Emit, trace: Trace
    ) -> Gathered:
        """`emit` gets the passages as they are found: once before reranking, once (`final`) when they are settled."""
        generator = None if demanded(question) else self.generator  # what is refused for its words is never written to
        resolved = await understand(question, turns, generator, progress_of(emit, "understanding"))
        if resolved.rule:
            emit({"type": "understood", "question": resolved.question})
        cleaned = clean_question(resolved.question)
        parts = split_question(cleaned)
        trace.note(resolved=resolved.question, rule=resolved.rule, cleaned=cleaned, parts=list(parts))

        def show(passages: Sequence[Passage], final: bool) -> None:
            if not passages:
                return
            emit({"type": "evidence", "passages": passages_view(passages[:PASSAGES]), "final": final})
            trace.mark("evidence_final" if final else "evidence_first")

        search = Search(cleaned, within=self.library.matching(filter))
        with trace.stage("retrieval"):
            first = await self.retriever.search(
                search, on_fused=lambda fused: show(fused, False), progress=progress_of(emit, "reranking")
            )
        trace.note(retrieval=first.record())
        if not first.passages:
            excluded = search.within is not None and not search.within
            return Gathered(question, resolved.question, cleaned, parts, first, first, None, (), (), (), excluded)

        corrector = Corrector(search, self.library, self.retriever, generator, self.steps)
        with trace.stage("judge"):
            found = await corrector.judged(first)
        with trace.stage("corrective"):
            if len(parts) > 1:
                found = await corrector.with_parts(found, parts)
            found = await corrector.corrected(found, progress_of(emit, "searching"))
        with trace.stage("parts"):
            judged_parts = await self._judged_parts(search, found, parts)
        show(found.passages, True)
        steps = tuple(corrector.steps)
        judgement = _of_best_part(found.judgement, judged_parts)
        trace.note(
            judgement=asdict(judgement),
            judged_parts=[{"question": part.question, **asdict(part.judgement)} for part in judged_parts],
            steps=[asdict(step) for step in steps],
            corrected=found.retrieval.record(beside=first),
            folded=found.retrieval.folded(),
        )
        return Gathered(
            question,
            resolved.question,
            cleaned,
            parts,
            first,
            found.retrieval,
            judgement,
            steps,
            found.passages,
            found.matches,
            judged_parts=judged_parts,
        )

    async def _judged_parts(self, search: Search, found: Attempt, parts: Sequence[str]) -> tuple[Part, ...]:
        """Each part held against the passages shown; nothing for a question that asks one thing."""
        if len(parts) < 2 or found.judgement.out_of_scope:
            return ()
        judged = []
        for part in parts:
            alone = replace(search, question=part)
            corrector = Corrector(alone, self.library, self.retriever)
            attempt = await corrector.judged(await self.retriever.search(alone), found.passages)
            judged.append(Part(part, attempt.judgement, attempt.matches))
        return tuple(judged)


def _of_best_part(judgement: Judgement, parts: Sequence[Part]) -> Judgement:
    """The judgement on the whole, or of its best part where that one is answered and the whole is not."""
    covered = [part.judgement for part in parts if part.covered]
    if judgement.verdict != "incorrect" or not covered:
        return judgement
    return max(covered, key=lambda one: one.probability)
