"""What one stage listed for one question: where in it the relevant documents or quotes stand, and the measures of that.

A document stands where its best passage stands, one that was folded into another right behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from terrarium.evaluation.metrics import (
    Relevant,
    all_at,
    found_in,
    hit_at,
    ndcg_at,
    recall_at,
    reciprocal_rank,
    trec_order,
)
from terrarium.evaluation.questions import Evidence, Question, holds
from terrarium.model import Passage

CUTOFFS = (1, 3, 5, 10, 20, 100)
READ = 4  # passages that an answer may rest on
TOP = 5  # passages of each list that are kept for reading
EXCERPT = 100  # characters


@dataclass(frozen=True, slots=True)
class Listing:
    """One stage's list for one question."""

    measures: Mapping[str, float]
    ranks: Mapping[str, int | None]  # of each relevant document, or of each quote
    top: Sequence[Mapping[str, Any]]  # the first passages, for a person to look at


def listing(question: Question, passages: Sequence[Passage], *, by_score: bool) -> Listing:
    """`by_score`: the list is a ranker's alone, and documents with equal scores stand as trec_eval puts them."""
    measures: dict[str, float] = {}
    evidence = [Relevant(_first_showing(passages, one)) for one in question.evidence]
    if question.gains:
        names = _documents(passages, by_score)
        relevant = found_in(names, question.gains)
        ranks = {name: one.rank for name, one in zip(_relevant_names(question), relevant, strict=True)}
        # An answer rests on passages: two of one document leave room for fewer documents.
        read = found_in(_documents(passages[:READ]), question.gains)
    else:
        relevant = read = evidence
        ranks = {one.quote: found.rank for one, found in zip(question.evidence, evidence, strict=True)}
    for k in CUTOFFS:
        measures[f"recall@{k}"] = recall_at(relevant, k)
        measures[f"hit@{k}"] = hit_at(relevant, k)
        if evidence:
            measures[f"evidence@{k}"] = recall_at(evidence, k)
    measures |= {"mrr": reciprocal_rank(relevant), "ndcg@10": ndcg_at(relevant, 10), f"all@{READ}": all_at(read, READ)}
    return Listing(measures, ranks, [_shown(passage) for passage in passages[:TOP]])


def _relevant_names(question: Question) -> list[str]:
    return [name for name, gain in question.gains.items() if gain > 0]


def _documents(passages: Iterable[Passage], by_score: bool = False) -> list[str]:
    """Names of documents, each at its best passage."""
    best: dict[str, float] = {}
    for passage in passages:
        for one in (passage, *passage.also):
            best.setdefault(one.document.name, passage.score)
    return trec_order(best) if by_score else list(best)


def _first_showing(passages: Sequence[Passage], evidence: Evidence) -> int | None:
    return next(
        (
            rank
            for rank, passage in enumerate(passages, start=1)
            if any(holds(one, evidence) for one in (passage, *passage.also))
        ),
        None,
    )


def _shown(passage: Passage) -> dict[str, Any]:
    chunk = passage.chunk
    text = " ".join(chunk.text.split())[:EXCERPT]
    return {"document": passage.document.name, "page": chunk.page, "chunk": chunk.number, "text": text}
