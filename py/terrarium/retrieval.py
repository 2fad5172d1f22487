"""The funnel: question → BM25 and dense rankings → fusion → reranking of the first → blend → passages.

Searching and asking call this one function, so they cannot disagree. Every list is kept for the trace. What it does
not do: judge whether the passages answer the question (evidence), or fill a prompt with them (context).
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from terrarium.fusion import blend, reciprocal_rank_fusion
from terrarium.library import Library
from terrarium.model import Passage, Placing
from terrarium.rerank_stage import rerank
from terrarium.runtime.protocols import Progress, Reranker
from terrarium.segments import Hit, Key
from terrarium.settings import RetrievalSettings
from terrarium.text import identifiers, normalise, terms

_REMEMBERED = 8  # questions


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What one question found. `stages` holds each stage's whole list, in the order in which the stages ran."""

    question: str
    stages: dict[str, list[Hit]]  # "lexical", "dense", ("exact",) "fusion", "rerank", "blend"
    fused: tuple[Passage, ...]  # before reranking, duplicates folded
    passages: tuple[Passage, ...]  # the result, best first
    probabilities: Mapping[Key, float] = field(default_factory=dict)  # of reranked passages, by a calibrated reranker

    def record(self) -> dict[str, Any]:
        """The lists for a trace: {stage: [{document, chunk, rank, score}]}, with a probability where there is one."""
        lists = {
            stage: [
                {"document": document_id, "chunk": number, "rank": rank, "score": round(score, 6)}
                for rank, ((document_id, number), score) in enumerate(hits, start=1)
            ]
            for stage, hits in self.stages.items()
        }
        for entry, (key, _) in zip(lists.get("rerank", ()), self.stages.get("rerank", ()), strict=True):
            if key in self.probabilities:
                entry["probability"] = round(self.probabilities[key], 4)
        return lists


class Retriever:
    """Retrieval over one library. Without a reranker the fused order is the result.

    Where token vectors must be computed, how many passages are reranked follows the device's speed as measured, so a
    repeated question could come out in another order: the last few results are remembered until the library changes.
    """

    def __init__(
        self,
        library: Library,
        reranker: Reranker | None = None,
        settings: RetrievalSettings | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.library = library
        self._reranker = reranker
        self._settings = settings or RetrievalSettings()
        self._clock = clock
        self._remembered: OrderedDict[tuple[Any, ...], Retrieval] = OrderedDict()

    async def retrieve(
        self,
        question: str,
        *,
        within: Collection[str] | None = None,
        on_fused: Callable[[list[Passage]], None] | None = None,
        progress: Progress | None = None,
    ) -> Retrieval:
        """The best passages for a question, of the documents whose ids are in `within` (None: of all).

        `on_fused` is called once, with what the first stages found, before the reranker runs; `progress` counts
        reranked passages. An empty library or question gives an empty retrieval.
        """
        key = (question, self.library.revision, None if within is None else frozenset(within))
        known = self._remembered.get(key)
        if known is not None:
            self._remembered.move_to_end(key)
            if on_fused:
                on_fused(list(known.fused))
            return known

        stages = await self._first_stages(question, within)
        fused = self._passages(stages)
        if on_fused:
            on_fused(list(fused))
        passages = fused
        probabilities: Mapping[Key, float] = {}
        if self._reranker is not None and fused:
            stages["rerank"] = await rerank(
                question, fused, self.library, self._reranker, self._settings, self._clock, progress
            )
            stages["blend"] = blend(stages["fusion"], dict(stages["rerank"]))
            judged = {hit: self._reranker.probability(score) for hit, score in stages["rerank"]}
            probabilities = {hit: value for hit, value in judged.items() if value is not None}
            passages = self._blended(fused, stages, probabilities)

        retrieval = Retrieval(question, stages, tuple(fused), tuple(passages), probabilities)
        self._remembered[key] = retrieval
        while len(self._remembered) > _REMEMBERED:
            self._remembered.popitem(last=False)
        return retrieval

    async def _first_stages(self, question: str, within: Collection[str] | None) -> dict[str, list[Hit]]:
        library, limit = self.library, self._settings.candidates
        # The only wait comes first: from the searches to the passages the library must not change.
        asked = [question] if len(library.vectors) and question.strip() else []
        vectors = await library.embedder.embed(asked, kind="question")
        words = terms(question)
        stages = {"lexical": library.lexical.search(words, limit, within)}
        spoken = self._spoken(within)
        stages["dense"] = [hit for vector in vectors for hit in library.vectors.search(vector, limit, spoken)]
        if named := identifiers(question):
            # An embedding cannot tell E-4711/b from E-4712/b: passages that hold what was named count once more.
            stages["exact"] = library.lexical.search(words, limit, within, holding=named)
        rankings = [[key for key, _ in hits] for hits in stages.values()]
        stages["fusion"] = self._folded(reciprocal_rank_fusion(rankings, self._settings.rrf_k))[:limit]
        return stages

    def _spoken(self, within: Collection[str] | None) -> Collection[str] | None:
        """Without documents in languages that the embedder does not know: its order of them would push words aside.

        nDCG@10 on XQuAD, words alone against both fused: Chinese 0.963 and 0.611, German 0.920 and 0.849 (MiniLM).
        """
        languages = self.library.embedder.languages
        if not languages:
            return within
        known = {i for i, info in self.library.documents.items() if not info.language or info.language in languages}
        return known if within is None else known.intersection(within)

    def _folded(self, hits: Sequence[Hit]) -> list[Hit]:
        """Without passages whose text a better one has already: boilerplate, copies of a file."""
        first: dict[str, Hit] = {}
        for key, score in hits:
            first.setdefault(normalise(self.library.chunk(key).text), (key, score))
        return list(first.values())

    def _passages(self, stages: dict[str, list[Hit]]) -> list[Passage]:
        placings = _placings(stages)
        return [
            Passage(self.library.chunk(key), self.library.info(key[0]), score, placings[key])
            for key, score in stages["fusion"]
        ]

    @staticmethod
    def _blended(
        fused: Sequence[Passage], stages: dict[str, list[Hit]], probabilities: Mapping[Key, float]
    ) -> list[Passage]:
        """The reranked passages in their new order, then the others in the fused order, scored below them all."""
        placings = _placings(stages)
        for key, probability in probabilities.items():
            placings[key]["rerank"] = replace(placings[key]["rerank"], probability=probability)
        by_key = {passage.chunk.key: passage for passage in fused}
        blended = [replace(by_key.pop(key), score=score, placings=placings[key]) for key, score in stages["blend"]]
        floor = blended[-1].score
        rest = [
            replace(passage, score=floor - rank, placings=placings[passage.chunk.key])
            for rank, passage in enumerate(by_key.values(), start=1)
        ]
        return blended + rest


def _placings(stages: dict[str, list[Hit]]) -> dict[Key, dict[str, Placing]]:
    """Each passage's rank and score in every stage that saw it."""
    found: dict[Key, dict[str, Placing]] = {}
    for stage, hits in stages.items():
        for rank, (key, score) in enumerate(hits, start=1):
            found.setdefault(key, {})[stage] = Placing(rank, score)
    return found
