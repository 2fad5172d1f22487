"""One question of a set, asked of the product itself: what each stage listed, and where in it the answer is.

"bm25" and "dense" are the first stages searched deeper than the product does, so that recall@100 says what a better
fusion could find. "hybrid" and "reranked" are the product's own lists, "final" what it rests an answer on after judging
and correcting.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from terrarium.answers.answering import Answerer
from terrarium.evaluation.listing import Listing, listing
from terrarium.evaluation.questions import Question, shows
from terrarium.filters import Filter
from terrarium.indexes.segments import Hit
from terrarium.judging.gathering import Gathered
from terrarium.library import Library
from terrarium.model import Passage
from terrarium.questions.cleaning import clean_question
from terrarium.retrieval.context import choose_sources
from terrarium.retrieval.first_stages import Search
from terrarium.retrieval.strips import CountTokens
from terrarium.text import normalise, question_terms
from terrarium.trace import Trace

Stage = Literal["bm25", "dense", "hybrid", "reranked", "final"]
STAGES: tuple[Stage, ...] = get_args(Stage)
RANKERS: tuple[Stage, ...] = ("bm25", "dense")  # whose lists are their own
DEEP = 300  # passages taken of each first stage: enough for 100 documents


@dataclass(frozen=True, slots=True)
class Outcome:
    question: Question
    stages: Mapping[Stage, Listing] = field(default_factory=dict)  # empty where nothing is to be found
    sources: float | None = None  # share of the evidence in what the generator would read
    judgement: Mapping[str, Any] | None = None  # None where nobody judged
    steps: Sequence[Mapping[str, Any]] = ()

    @property
    def refused(self) -> bool | None:
        """Whether no answer would be given; None where nobody judged."""
        return None if self.judgement is None else bool(self.judgement["refused"])


class Asker:
    """Asks the questions of one set. Without "final" among `stages` nothing is judged or corrected.

    `count_tokens` is the generator's, None where there is none: then nothing is said of sources.
    `own_passages` searches each question's own documents only.
    """

    def __init__(
        self,
        answerer: Answerer,
        stages: Sequence[Stage],
        count_tokens: CountTokens | None = None,
        own_passages: bool = False,
    ) -> None:
        self._answerer, self._stages, self._count_tokens = answerer, stages, count_tokens
        self._by_name = {info.name: name for name, info in self._library.documents.items()} if own_passages else None

    @property
    def _library(self) -> Library:
        return self._answerer.library

    async def ask(self, question: Question, trace: Trace | None = None) -> Outcome:
        """A `trace` is filled where something is judged ("final")."""
        within = None if self._by_name is None else frozenset(self._by_name[name] for name in question.own)
        lists: dict[Stage, list[Passage]] = {}
        gathered = None
        if "final" in self._stages:
            chosen = None if within is None else Filter(documents=within)
            gathered = await self._answerer.gather(question.text, filter=chosen, trace=trace)
            first = gathered.first
            kept = {passage.chunk.key for passage in gathered.passages}
            rest = [passage for passage in gathered.retrieval.passages if passage.chunk.key not in kept]
            lists["final"] = [*gathered.passages, *rest]
        elif question.gains or question.evidence:
            first = await self._answerer.retriever.search(Search(clean_question(question.text), within=within))
        else:
            return Outcome(question)
        lists |= {"hybrid": list(first.fused), "reranked": list(first.passages)}
        judged: dict[str, Any] = {}
        if gathered is not None:
            judged = {"judgement": _judgement(gathered), "steps": _steps(gathered)}
        if not (question.gains or question.evidence):
            return Outcome(question, **judged)
        lists |= await self._rankers(first.question, within)
        listings = {stage: listing(question, lists[stage], by_score=stage in RANKERS) for stage in self._stages}
        return Outcome(question, listings, await self._sources(question, gathered), **judged)

    async def _rankers(self, question: str, within: frozenset[str] | None) -> dict[Stage, list[Passage]]:
        """Each first stage alone, as the product asks it and deeper: nothing is fused or folded."""
        library = self._library
        words = question_terms(question, library.lexical.languages)
        (vector,) = await library.embedder.embed([question], kind="question")
        return {
            "bm25": self._passages(library.lexical.search(words, DEEP, within)),
            "dense": self._passages(library.vectors.search(vector, DEEP, library.spoken(within))),
        }

    def _passages(self, hits: Iterable[Hit]) -> list[Passage]:
        library = self._library
        return [Passage(library.chunk(key), library.info(key[0]), score) for key, score in hits]

    async def _sources(self, question: Question, gathered: Gathered | None) -> float | None:
        """Of the evidence, or of the answers any, what stands in the sources that the generator would read."""
        if gathered is None or self._count_tokens is None or not (question.evidence or question.answers):
            return None
        budget, text_of = self._answerer.settings.source_tokens, self._library.text
        embedder = self._answerer.library.embedder
        sources = await choose_sources(
            gathered.passages, gathered.matches, self._count_tokens, budget, text_of, embedder
        )
        if question.evidence:
            shown = [
                any(shows(source.text, source.passage.document.name, evidence) for source in sources)
                for evidence in question.evidence
            ]
            return sum(shown) / len(shown)
        texts = [normalise(source.text) for source in sources if source.passage.document.name in question.gains]
        return float(any(normalise(answer) in text for answer in question.answers for text in texts))


def _judgement(gathered: Gathered) -> dict[str, Any]:
    judged = gathered.judgement
    if judged is None:
        return {"verdict": "incorrect", "probability": 0.0, "reasons": ["nothing was found"], "refused": True}
    return {
        "verdict": judged.verdict,
        "probability": round(judged.probability, 6),
        "reasons": list(judged.reasons),
        "signals": {name: round(value, 6) for name, value in judged.signals.items()},
        "out_of_scope": judged.out_of_scope,
        "refused": judged.verdict == "incorrect",
    }


def _steps(gathered: Gathered) -> list[dict[str, Any]]:
    return [
        {"name": step.name, "before": step.verdict_before, "after": step.verdict_after, "gained": step.gained}
        for step in gathered.steps
    ]
