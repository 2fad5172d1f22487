"""Every default of retrieval, frozen before scoring: change one only with numbers that show why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    candidates: int = 50  # taken from each first-stage ranking, and kept after fusion
    lexical_share: float = 0.4  # of the fused score; the dense one has the rest, and each a third after reranking
    named: float = 3.0  # added for holding the identifiers or the quotation asked for; scores have deviation 1
    bm25_k1: float = 1.5
    bm25_b: float = 0.75
    rerank_min: int = 12  # reranked even on the slowest device
    rerank_max: int = 50
    rerank_budget_seconds: float = 1.0  # for passages whose token vectors must be computed; others cost nothing
    # "stored" writes them when a document is indexed, about 9 kB a chunk; "computed" makes them anew at each question.
    token_vectors: Literal["stored", "computed"] = "stored"
