"""One document → chunks, vectors, postings: the slow part of adding, in steps that can be cancelled between."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from terrarium.chunks.chunking import chunk_document, embedding_text
from terrarium.indexes.postings import Postings, count_terms
from terrarium.model import Chunk, Document
from terrarium.runtime.protocols import Embedder, Progress
from terrarium.text import terms

_YIELD_EVERY = 64  # chunks whose terms are counted before the event loop has its turn


@dataclass(frozen=True, slots=True, eq=False)
class Indexed:
    chunks: list[Chunk]
    vectors: NDArray[np.float32]  # [chunks, dimensions], unit length
    postings: Postings
    tokens: list[NDArray[np.int8]] = field(default_factory=list)  # of each chunk, where asked for: [tokens, dimensions]


async def index_document(
    document: Document, embedder: Embedder, progress: Progress | None = None, *, tokens: bool = False
) -> Indexed:
    """Chunk, embed and count. `progress` counts embedded chunks, which is where the time goes.

    `tokens`: the vectors of the chunks' tokens too, which the same run gives.
    """
    chunks = chunk_document(document, embedder.tokenizer)
    texts = [embedding_text(chunk, document.title) for chunk in chunks]
    if tokens:
        vectors, of_tokens = await embedder.embed_with_tokens(texts, progress)
        return Indexed(chunks, vectors, await _count(chunks, document.language), of_tokens)
    return Indexed(chunks, await embedder.embed(texts, progress), await _count(chunks, document.language))


async def _count(chunks: Sequence[Chunk], language: str) -> Postings:
    """Terms of body, headings and lead: a heading's words find every chunk below it."""
    counted: list[list[str]] = []
    for chunk in chunks:
        counted.append(terms("\n".join((chunk.text, *chunk.headings, chunk.lead)), language))
        if len(counted) % _YIELD_EVERY == 0:
            await asyncio.sleep(0)
    return count_terms(counted, language)
