"""Rankings of whole collections with known relevant documents, in the format of BEIR, scored by nDCG@10.

`first_stages` makes the runs of the product's own rankers: BM25 over its terms, cosine over an embedder's vectors, and
both fused. Another ranker's run, made by whoever calls, is scored and shown beside them. Each document is one passage
(title, then text), so this measures ranking and not chunking; what an embedder cuts off a long text it does not see.

Format: Thakur et al., BEIR, 2021: corpus.jsonl, queries.jsonl and qrels/test.tsv in one folder.
"""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from terrarium.evaluation.metrics import ndcg_at
from terrarium.fusion import reciprocal_rank_fusion
from terrarium.lexical import LexicalIndex, count_terms
from terrarium.runtime.protocols import Embedder
from terrarium.settings import RetrievalSettings
from terrarium.text import terms

DEPTH = 100  # documents kept of each ranking
CUTOFF = 10

Run = Mapping[str, Sequence[tuple[str, float]]]  # question id → (document id, score), best first


@dataclass(frozen=True, slots=True)
class Collection:
    """`gains`: for each question the relevance of the documents that were judged."""

    name: str
    documents: Mapping[str, str]
    questions: Mapping[str, str]
    gains: Mapping[str, Mapping[str, int]]


def load_collection(folder: Path) -> Collection:
    """Questions without a relevant document are left out: they have no score."""
    gains: dict[str, dict[str, int]] = {}
    with (folder / "qrels" / "test.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            gains.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
    judged = {question: found for question, found in gains.items() if max(found.values()) > 0}
    corpus, queries = (_lines(folder / f"{name}.jsonl") for name in ("corpus", "queries"))
    documents = {entry["_id"]: titled(entry.get("title") or "", entry["text"]) for entry in corpus}
    questions = {entry["_id"]: entry["text"] for entry in queries if entry["_id"] in judged}
    return Collection(folder.name, documents, questions, {question: judged[question] for question in questions})


def titled(title: str, text: str) -> str:
    """Title and text on two lines, as in a chunk."""
    return f"{title.strip()}\n{text.strip()}" if title.strip() else text.strip()


def scores(collection: Collection, run: Run) -> dict[str, float]:
    """nDCG@10 of each question."""
    return {
        question: ndcg_at([document for document, _ in run[question]], gains, CUTOFF)
        for question, gains in collection.gains.items()
    }


@dataclass(slots=True)
class Stages:
    """The runs over one collection by the ranker's name, and how many documents a second each embedder read."""

    runs: dict[str, Run] = field(default_factory=dict)
    rates: dict[str, float] = field(default_factory=dict)


async def first_stages(
    collection: Collection, embedders: Sequence[Embedder], settings: RetrievalSettings | None = None
) -> Stages:
    settings = settings or RetrievalSettings()
    stages = Stages()
    lexical = stages.runs["BM25"] = lexical_run(collection, settings)
    for embedder in embedders:
        name = embedder.id.partition("@")[0]
        begun = time.perf_counter()
        documents = await embedder.embed(list(collection.documents.values()))
        stages.rates[name] = len(documents) / (time.perf_counter() - begun)
        questions = await embedder.embed(list(collection.questions.values()), kind="question")
        dense = stages.runs[name] = _nearest(collection, questions @ documents.T)
        stages.runs[f"BM25 + {name}"] = fused_run([lexical, dense], settings)
    return stages


def lexical_run(collection: Collection, settings: RetrievalSettings) -> Run:
    index = LexicalIndex(settings.bm25_k1, settings.bm25_b)
    index.add("", count_terms([terms(text) for text in collection.documents.values()]))
    ids = list(collection.documents)
    return {
        question: [(ids[number], score) for (_, number), score in index.search(terms(text), DEPTH)]
        for question, text in collection.questions.items()
    }


def fused_run(runs: Sequence[Run], settings: RetrievalSettings) -> Run:
    """Reciprocal rank fusion of what each run gives the product: its first `candidates`."""
    fused: dict[str, list[tuple[str, float]]] = {}
    for question in runs[0]:
        rankings = [[document for document, _ in run[question][: settings.candidates]] for run in runs]
        fused[question] = reciprocal_rank_fusion(rankings, settings.rrf_k)
    return fused


def markdown(results: Sequence[tuple[Collection, Stages]]) -> str:
    """One row a collection, one column a ranker, the mean nDCG@10 in each cell."""
    names = list(results[0][1].runs)
    rates = list(results[0][1].rates)
    head = ["nDCG@10", "documents", "questions", *names, *(f"{name}, documents/s" for name in rates)]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for collection, stages in results:
        values = [f"{np.mean(list(scores(collection, run).values())):.3f}" for run in stages.runs.values()]
        speeds = [f"{stages.rates[name]:.1f}" for name in rates]
        sizes = [f"{len(collection.documents):,}", f"{len(collection.questions):,}"]
        lines.append(f"| {' | '.join([collection.name, *sizes, *values, *speeds])} |")
    return "\n".join(lines)


def to_json(results: Sequence[tuple[Collection, Stages]]) -> str:
    """Every question's score by collection and ranker, for paired tests."""
    found = {
        collection.name: {
            "ndcg@10": {name: scores(collection, run) for name, run in stages.runs.items()},
            "documents_per_second": stages.rates,
        }
        for collection, stages in results
    }
    return json.dumps(found, ensure_ascii=False)


def _nearest(collection: Collection, cosines: NDArray[np.float32]) -> Run:
    ids = list(collection.documents)
    order = np.argsort(-cosines, axis=1, kind="stable")[:, :DEPTH]
    return {
        question: [(ids[number], float(row[number])) for number in best]
        for question, row, best in zip(collection.questions, cosines, order, strict=True)
    }


def _lines(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]
