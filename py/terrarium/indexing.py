"""One document → chunks, vectors, postings: the slow part of adding, in steps that can be cancelled between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrarium.chunking import chunk_document, embedding_text
from terrarium.lexical import Postings, count_terms
from terrarium.model import Chunk, Document
from terrarium.runtime.protocols import Embedder
from terrarium.text import terms

BATCH = 8  # texts embedded at once: more gains nothing on WebAssembly and costs memory
_YIELD_EVERY = 64  # chunks whose terms are counted before the event loop has its turn

Progress = Callable[[int, int], None]  # done, total


@dataclass(frozen=True, slots=True, eq=False)
class Indexed:
    chunks: list[Chunk]
    vectors: NDArray[np.float32]  # [chunks, dimensions], unit length
    postings: Postings


async def index_document(document: Document, embedder: Embedder, progress: Progress | None = None) -> Indexed:
    """Chunk, embed and count. `progress` counts embedded chunks, which is where the time goes."""
    chunks = chunk_document(document, embedder.tokenizer)
    vectors = await _embed([embedding_text(chunk, document.title) for chunk in chunks], embedder, progress)
    return Indexed(chunks, vectors, await _count(chunks))


async def _embed(texts: Sequence[str], embedder: Embedder, progress: Progress | None) -> NDArray[np.float32]:
    report = progress or (lambda done, total: None)
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))  # like lengths together: little padding
    vectors = np.zeros((len(texts), embedder.dimensions), dtype=np.float32)
    report(0, len(texts))
    for start in range(0, len(texts), BATCH):
        rows = order[start : start + BATCH]
        vectors[rows] = await embedder.embed([texts[i] for i in rows])
        report(start + len(rows), len(texts))
        await asyncio.sleep(0)
    return vectors


async def _count(chunks: Sequence[Chunk]) -> Postings:
    """Terms of body and headings: a heading's words find every chunk below it."""
    counted: list[list[str]] = []
    for chunk in chunks:
        counted.append(terms("\n".join((chunk.text, *chunk.headings))))
        if len(counted) % _YIELD_EVERY == 0:
            await asyncio.sleep(0)
    return count_terms(counted)
