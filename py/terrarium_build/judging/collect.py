"""The signals of every question of a set, as `Evidence` gives them in the engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from terrarium.desk.evaluation.embeddings import CachedEmbedder
from terrarium.judging.corrective import PASSAGES
from terrarium.judging.signals import Evidence
from terrarium.library import Library
from terrarium.models.catalogue import open_embedder, open_reranker
from terrarium.questions.cleaning import clean_question
from terrarium.retrieval.funnel import Retriever
from terrarium.retrieval.matches import match_sentences
from terrarium.runtime.native import NativeRuntime
from terrarium.runtime.protocols import Reranker
from terrarium.settings import RetrievalSettings
from terrarium.storage.memory import MemoryStore

from .sets import JudgeSet, is_development

RERANKED = "minilm-l6"  # the embedder that has a reranker


async def open_set(
    one: JudgeSet, embedder_id: str, models: Path | None, embeddings: Path
) -> tuple[Library, Reranker | None]:
    """The set's library, its vectors remembered in the folder `embeddings`."""
    runtime = NativeRuntime(models, threads=1)
    inner = await open_embedder(runtime, embedder_id)
    embedder = CachedEmbedder(inner, embeddings)
    reranker = await open_reranker(runtime, embedder) if embedder_id == RERANKED else None
    library = await Library.open(MemoryStore(), embedder, RetrievalSettings())
    for document in one.documents:
        await library.add(document)
    return library, reranker


async def answers(one: JudgeSet, embedder_id: str, models: Path | None, embeddings: Path) -> list[dict[str, Any]]:
    """One row a question: id, set, kind, bucket, question, development, signals."""
    library, reranker = await open_set(one, embedder_id, models, embeddings)
    retriever = Retriever(library, reranker)
    rows = []
    for case in one.cases:
        cleaned = clean_question(case.question)
        found = await retriever.retrieve(cleaned, within=case.within)
        passages = found.passages[:PASSAGES]
        matches = await match_sentences(cleaned, passages, library.embedder)
        evidence = Evidence(cleaned, found, passages, matches, library)
        rows.append(
            {
                "set": case.family or one.name,
                "id": case.id,
                "kind": case.kind,
                "bucket": case.bucket or case.kind,
                "question": case.question,
                "development": is_development(case.id),
                "signals": {name: round(value, 5) for name, value in evidence.signals.items()} if passages else {},
            }
        )
    return rows


def write_rows(rows: list[dict[str, Any]], path: Path) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def read_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
