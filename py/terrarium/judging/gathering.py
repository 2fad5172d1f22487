"""Everything before a word is written: the question made whole and clean, searched, judged, searched again if need be.

Asking, searching and measuring call `Gatherer.gather`, so they cannot disagree about what was found. Corrective steps
run until the judge is content, they are spent, or their time is (`corrective.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from terrarium.events import Emit, progress_of
from terrarium.filters import Filter
from terrarium.generation.generator import Generator
from terrarium.judging.corrective import PASSAGES, STEPS, Corrector
from terrarium.library import Library
from terrarium.model import Judgement, Passage, Step
from terrarium.questions.cleaning import clean_question
from terrarium.questions.follow_ups import Turn
from terrarium.questions.parts import split_question
from terrarium.questions.rewriting import understand
from terrarium.retrieval.context import SentenceMatch
from terrarium.retrieval.funnel import Retrieval, Retriever, Search
from terrarium.trace import Trace
from terrarium.views import passages_view


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was found for one question. `matches` are the sentences of `passages`, which are the best few."""

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
        resolved = await understand(question, turns, self.generator, progress_of(emit, "understanding"))
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

        corrector = Corrector(search, self.library, self.retriever, self.generator, self.steps)
        with trace.stage("judge"):
            found = await corrector.judged(first)
        with trace.stage("corrective"):
            if len(parts) > 1:
                found = await corrector.with_parts(found, parts)
            found = await corrector.corrected(found, progress_of(emit, "searching"))
        show(found.passages, True)
        steps = tuple(corrector.steps)
        trace.note(
            judgement=asdict(found.judgement),
            steps=[asdict(step) for step in steps],
            passages=[list(passage.chunk.key) for passage in found.passages],
        )
        return Gathered(
            question,
            resolved.question,
            cleaned,
            parts,
            first,
            found.retrieval,
            found.judgement,
            steps,
            found.passages,
            found.matches,
        )
