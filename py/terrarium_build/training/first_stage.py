"""First stages over one corpus: BM25, exact cosine, their fusion by ranks. What measuring a head starts from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrarium.indexes.lexical import LexicalIndex
from terrarium.indexes.postings import count_terms
from terrarium.indexes.vectors import VectorIndex
from terrarium.retrieval.fusion import reciprocal_rank_fusion
from terrarium.settings import RetrievalSettings
from terrarium.text import identifiers, terms

Ranking = list[tuple[int, float]]  # (passage's position in the corpus, score), best first
_ONLY = "corpus"  # the one document that holds every passage


@dataclass(frozen=True, slots=True)
class Candidates:
    lexical: Ranking
    dense: Ranking
    fused: Ranking


class FirstStage:
    def __init__(self, passages: Sequence[str], vectors: NDArray[np.floating]) -> None:
        """`vectors`: [passages, dimensions]."""
        settings = RetrievalSettings()
        self._settings = settings
        self._lexical = LexicalIndex(settings.bm25_k1, settings.bm25_b)
        self._lexical.add(_ONLY, count_terms(terms(passage) for passage in passages))
        self._dense = VectorIndex(vectors.shape[1])
        self._dense.add(_ONLY, vectors)

    def search(self, question: str, vector: NDArray[np.floating]) -> Candidates:
        """The first of both rankers, and what the question names once more; nothing is folded."""
        limit = self._settings.candidates
        words = terms(question)
        lexical = _numbers(self._lexical.search(words, limit))
        dense = _numbers(self._dense.search(vector.astype(np.float32), limit))
        rankings = [lexical, dense]
        if named := identifiers(question):
            rankings.append(_numbers(self._lexical.search(words, limit, holding=named)))
        fused = reciprocal_rank_fusion([[place for place, _ in one] for one in rankings])
        return Candidates(lexical, dense, fused[:limit])


def _numbers(hits: Sequence[tuple[tuple[str, int], float]]) -> Ranking:
    return [(number, score) for (_, number), score in hits]
