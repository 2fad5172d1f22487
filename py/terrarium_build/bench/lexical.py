"""Lexical search against bm25s, natively, over the same terms: indexing 10,000 chunks and asking 200 questions."""

from __future__ import annotations

import time
from typing import NamedTuple

import bm25s
import numpy as np
from numpy.typing import NDArray

from terrarium.indexes.lexical import LexicalIndex
from terrarium.indexes.postings import count_terms
from terrarium_build.bench.figures import Figure
from terrarium_build.paths import BuildError, say

ROUNDS = 5
CHUNKS, TERMS_PER_CHUNK, VOCABULARY = 10_000, 100, 30_000
CHUNKS_PER_DOCUMENT = 50
QUERIES, TERMS_PER_QUERY, BEST = 200, 6, 50


class Run(NamedTuple):
    """Seconds to index, milliseconds a question, and the best score of each question."""

    indexing: float
    asking: float
    best: NDArray[np.float32]


def lexical_figures(rounds: int = ROUNDS) -> list[Figure]:
    """Raises BuildError when the two disagree about the best scores: they would not be doing the same work."""
    chance = np.random.default_rng(20)
    chunks = _texts(chance, CHUNKS, TERMS_PER_CHUNK)
    queries = _texts(chance, QUERIES, TERMS_PER_QUERY)
    ours: list[Run] = []
    theirs: list[Run] = []
    for number in range(rounds):
        say(f"Lexical search, round {number + 1} of {rounds}")
        ours.append(_ours(chunks, queries))
        theirs.append(_bm25s(chunks, queries))
    if not np.allclose(ours[0].best, theirs[0].best, rtol=1e-4, atol=1e-4):
        raise BuildError("The lexical index and bm25s give different scores to the same chunks; the benchmark is void.")
    peer = f"bm25s {bm25s.__version__} with numpy"
    indexing, asking = zip(*[(run.indexing, run.asking) for run in ours], strict=True)
    peer_indexing, peer_asking = zip(*[(run.indexing, run.asking) for run in theirs], strict=True)
    return [
        Figure(f"Lexical index of {CHUNKS:,} chunks", "s", peer, indexing, peer_indexing),
        Figure("Lexical search, one question", "ms", peer, asking, peer_asking),
    ]


def _texts(chance: np.random.Generator, count: int, length: int) -> list[list[str]]:
    """Terms as frequent as words are: the second half as frequent as the first, and so on (Zipf)."""
    weights = 1 / np.arange(1, VOCABULARY + 1)
    numbers = chance.choice(VOCABULARY, size=(count, length), p=weights / weights.sum())
    return [[f"t{number}" for number in row] for row in numbers.tolist()]


def _ours(chunks: list[list[str]], queries: list[list[str]]) -> Run:
    begun = time.perf_counter()
    index = LexicalIndex()
    for start in range(0, len(chunks), CHUNKS_PER_DOCUMENT):
        index.add(str(start), count_terms(chunks[start : start + CHUNKS_PER_DOCUMENT]))
    index.search(["t1"], 1)  # the first question after a change computes the scores
    indexed = time.perf_counter()
    found = [index.search(query, BEST) for query in queries]
    asked = time.perf_counter()
    best = np.array([hits[0][1] if hits else 0 for hits in found], np.float32)
    return Run(indexed - begun, (asked - indexed) * 1000 / len(queries), best)


def _bm25s(chunks: list[list[str]], queries: list[list[str]]) -> Run:
    begun = time.perf_counter()
    index = bm25s.BM25(k1=1.5, b=0.75, method="lucene", backend="numpy")
    index.index(chunks, show_progress=False)
    indexed = time.perf_counter()
    # All at once is its quickest way.
    _, scores = index.retrieve(queries, k=BEST, show_progress=False, backend_selection="numpy")
    asked = time.perf_counter()
    return Run(indexed - begun, (asked - indexed) * 1000 / len(queries), scores[:, 0].astype(np.float32))
