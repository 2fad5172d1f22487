"""The funnel: question → BM25 and dense rankings → fusion → reranking of the first → blend → what goes beside the best.

Searching and asking call this one function, so they cannot disagree. Every list is kept for the trace. `merged` makes
one retrieval of several: of a question's parts, or of a first attempt and a corrected one. What it does not do: judge
whether the passages answer the question (evidence), or fill a prompt with them (context).
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from terrarium.indexes.segments import Hit, Key
from terrarium.library import Library
from terrarium.model import Passage, Placing
from terrarium.retrieval.complement import complemented
from terrarium.retrieval.duplicates import firsts
from terrarium.retrieval.first_stages import RANKERS, Candidates, Ranker, Search, first_stages
from terrarium.retrieval.fusion import combined, reciprocal_rank_fusion
from terrarium.retrieval.rerank_stage import rerank
from terrarium.runtime.protocols import Progress, Reranker
from terrarium.settings import RetrievalSettings

__all__ = ["RANKERS", "Ranker", "Retrieval", "Retriever", "Search", "merged"]

_REMEMBERED = 16  # searches: one question may take several
_MERGED_K = 1


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What one question found. `stages` holds each stage's whole list, in the order in which the stages ran."""

    question: str
    stages: dict[str, list[Hit]]  # "lexical", "dense", "exact", "phrase", "fusion", "rerank", "blend", "complement"
    fused: tuple[Passage, ...]  # before reranking, duplicates folded
    passages: tuple[Passage, ...]  # the result, best first
    probabilities: Mapping[Key, float] = field(default_factory=dict)  # of reranked passages, by a calibrated reranker

    def record(self, beside: Retrieval | None = None) -> dict[str, Any]:
        """The lists for a trace: {stage: [{document, chunk, rank, score}]}, with a probability where there is one.

        `beside` leaves out the lists that are the other retrieval's too.
        """
        stages = {
            stage: hits for stage, hits in self.stages.items() if beside is None or beside.stages.get(stage) != hits
        }
        lists = {
            stage: [
                {"document": document_id, "chunk": number, "rank": rank, "score": round(score, 6)}
                for rank, ((document_id, number), score) in enumerate(hits, start=1)
            ]
            for stage, hits in stages.items()
        }
        for entry, (key, _) in zip(lists.get("rerank", ()), stages.get("rerank", ()), strict=True):
            if key in self.probabilities:
                entry["probability"] = round(self.probabilities[key], 4)
        return lists

    def folded(self) -> list[dict[str, Any]]:
        """For a trace: the passages that say nothing new, each with the [document, chunk] that it was folded into."""
        return [
            {"document": copy.chunk.document_id, "chunk": copy.chunk.number, "into": list(passage.chunk.key)}
            for passage in self.passages
            for copy in passage.also
        ]


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
        self.reranker = reranker
        self._settings = settings or RetrievalSettings()
        self._clock = clock
        self._remembered: OrderedDict[tuple[Any, ...], Retrieval] = OrderedDict()

    def forget(self) -> None:
        """Search anew from now on what was searched lately: for whoever measures how long it takes."""
        self._remembered.clear()

    async def retrieve(
        self,
        question: str,
        *,
        within: Collection[str] | None = None,
        on_fused: Callable[[list[Passage]], None] | None = None,
        progress: Progress | None = None,
    ) -> Retrieval:
        """The short form of `search`: a question, and the ids of the documents that are searched."""
        chosen = None if within is None else frozenset(within)
        return await self.search(Search(question, within=chosen), on_fused=on_fused, progress=progress)

    async def search(
        self,
        search: Search,
        *,
        on_fused: Callable[[list[Passage]], None] | None = None,
        progress: Progress | None = None,
    ) -> Retrieval:
        """The best passages.

        `on_fused` is called once, with what the first stages found, before the reranker runs; `progress` counts
        reranked passages. An empty library or question gives an empty retrieval.
        """
        extra = tuple(sorted(search.extra.items()))
        key = (search.question, extra, search.rankers, search.candidates, search.within, self.library.revision)
        known = self._remembered.get(key)
        if known is not None:
            self._remembered.move_to_end(key)
            if on_fused:
                on_fused(list(known.fused))
            return known

        found = await first_stages(search, self.library, self._settings)
        stages, revision = found.stages, self.library.revision
        fused = _passages(found, self.library)
        if on_fused:
            on_fused(list(fused))
        probabilities: Mapping[Key, float] = {}
        hits = stages["fusion"]
        if self.reranker is not None and fused:
            settings = replace(self._settings, rerank_max=max(self._settings.rerank_max, search.candidates or 0))
            stages["rerank"] = await rerank(
                search.question, fused, self.library, self.reranker, settings, self._clock, progress
            )
            hits = stages["blend"] = self._blended(found, dict(stages["rerank"]))
            judged = {hit: self.reranker.probability(score) for hit, score in stages["rerank"]}
            probabilities = {hit: value for hit, value in judged.items() if value is not None}
        # A document may have gone while the reranker ran; then nothing more is read from the library.
        unchanged = self.library.revision == revision
        stages["complement"] = complemented(hits, found.words, self.library) if unchanged else list(hits)
        passages = _ordered(fused, stages, probabilities)

        retrieval = Retrieval(search.question, stages, tuple(fused), tuple(passages), probabilities)
        self._remembered[key] = retrieval
        while len(self._remembered) > _REMEMBERED:
            self._remembered.popitem(last=False)
        return retrieval

    def _blended(self, found: Candidates, reranked: Mapping[Key, float]) -> list[Hit]:
        """The reranked passages by all scores, the reranker's left out where it does not know the language."""
        spoken = self.library.spoken()
        known = [key in reranked and (spoken is None or key[0] in spoken) for key in found.keys]
        scores = [reranked[key] if knows else np.nan for key, knows in zip(found.keys, known, strict=True)]
        signals = [*found.signals.values(), np.array(scores, np.float32)]
        mixed = combined(signals, [1.0] * len(signals)) + found.bonus
        by_key = dict(zip(found.keys, mixed.tolist(), strict=True))
        hits = [(key, by_key[key]) for key, _ in found.stages["fusion"] if key in reranked]
        return sorted(hits, key=lambda hit: -hit[1])


def _passages(found: Candidates, library: Library) -> list[Passage]:
    placings = _placings(found.stages)

    def passage(key: Key, score: float, also: tuple[Passage, ...] = ()) -> Passage:
        return Passage(library.chunk(key), library.info(key[0]), score, placings.get(key, {}), also)

    return [
        passage(key, score, tuple(passage(copy, 0.0) for copy in found.copies.get(key, ())))
        for key, score in found.stages["fusion"]
    ]


def _ordered(
    fused: Sequence[Passage], stages: dict[str, list[Hit]], probabilities: Mapping[Key, float]
) -> list[Passage]:
    """The passages of the last stage in its order, then the others in the fused order, scored below them all."""
    placings = _placings(stages)
    for key, probability in probabilities.items():
        placings[key]["rerank"] = replace(placings[key]["rerank"], probability=probability)
    by_key = {passage.chunk.key: passage for passage in fused}
    last = [replace(by_key.pop(key), score=score, placings=placings[key]) for key, score in stages["complement"]]
    floor = last[-1].score if last else 0.0
    rest = [
        replace(passage, score=floor - rank, placings=placings[passage.chunk.key])
        for rank, passage in enumerate(by_key.values(), start=1)
    ]
    return last + rest


def merged(first: Retrieval, others: Sequence[Retrieval]) -> Retrieval:
    """One retrieval of several over the same library: the passages of all, fused by rank, under the first's question.

    For a question's parts and for corrected attempts. What one of them has first comes to stand beside what two have
    third: these are final orders, of which the first few count, and with the constant that suits long candidate lists
    (60) whatever both know of would push it down by dozens. A passage keeps the placings of the retrieval that
    ranked it best, and the best probability. Copies are folded over all of them.
    """
    every = [first, *others]
    best: dict[Key, tuple[int, Passage]] = {}
    probabilities: dict[Key, float] = {}
    for one in every:
        for rank, passage in enumerate(one.passages):
            key = passage.chunk.key
            if key not in best or rank < best[key][0]:
                best[key] = (rank, passage)
        for key, value in one.probabilities.items():
            probabilities[key] = max(value, probabilities.get(key, 0.0))
    fused = reciprocal_rank_fusion([[passage.chunk.key for passage in one.passages] for one in every], _MERGED_K)
    passages = [
        replace(best[key][1], score=score, placings={**best[key][1].placings, "merged": Placing(rank, score)})
        for rank, (key, score) in enumerate(fused, start=1)
    ]
    kept: dict[int, Passage] = {}
    for place, better in enumerate(firsts([passage.chunk for passage in passages])):
        if better == place:
            kept[place] = passages[place]
        else:
            also = {copy.chunk.key: copy for copy in (*kept[better].also, passages[place], *passages[place].also)}
            kept[better] = replace(kept[better], also=tuple(also.values()))
    return Retrieval(
        first.question, {**first.stages, "merged": fused}, first.fused, tuple(kept.values()), probabilities
    )


def _placings(stages: dict[str, list[Hit]]) -> dict[Key, dict[str, Placing]]:
    """Each passage's rank and score in every stage that saw it."""
    found: dict[Key, dict[str, Placing]] = {}
    for stage, hits in stages.items():
        for rank, (key, score) in enumerate(hits, start=1):
            found.setdefault(key, {})[stage] = Placing(rank, score)
    return found
