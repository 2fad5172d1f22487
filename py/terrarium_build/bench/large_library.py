"""A library of made texts, filled, opened, added to and asked by the clock.

The same code runs inside the engine's worker, where Pyodide reads it as text, and natively as its peer. Texts have
the statistics of 10,000 real passages (SciFact's abstracts and HotpotQA's paragraphs, at most 130 words of each, by
this project's own terms): 112 terms a passage, 71 of them different; frequencies fall with the rank's power 0.81 up to
rank 1,000 and 1.42 after it; the terms of a question, eleven, stand 2.2 times in the library for each of its passages
(2.0 here). Vectors are made too. Nothing is embedded or chunked, and no token vectors are stored.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrarium.filters import Filter
from terrarium.indexes.postings import count_terms
from terrarium.indexing import Indexed
from terrarium.library import Library
from terrarium.model import Block, Chunk, Document
from terrarium.retrieval.funnel import Retriever, Search
from terrarium.storage.protocol import Kind, Store
from terrarium.storage.records import Record, packed_document
from terrarium.text import question_terms

DIMENSIONS = 384
PER_DOCUMENT, PER_PARENT = 50, 5  # chunks
VOCABULARY, KNEE = 300_000, 1000
DRAWN, AGAIN, ASKED = 76, 36, 11  # words of a text, how many of them come a second time, words of a question
SENTENCE = 16  # words
TOPICS, COLLECTIONS = 200, 10
BEST = 50
SYLLABLES = [consonant + vowel for consonant in "bdfgjklmnprtvz" for vowel in "aou"]


def vocabulary() -> list[str]:
    """Words that are their own terms, frequent ones short."""
    words = []
    for number in range(VOCABULARY):
        word, rest = SYLLABLES[number % len(SYLLABLES)], number // len(SYLLABLES)
        while rest:
            word, rest = word + SYLLABLES[rest % len(SYLLABLES)], rest // len(SYLLABLES)
        words.append(word + "k")
    return words


def shares() -> NDArray[np.float64]:
    """[VOCABULARY] Of all words up to each rank: what a random number is looked up in."""
    ranks = np.arange(1, VOCABULARY + 1)
    weights = np.where(ranks <= KNEE, ranks**-0.81, KNEE**-0.81 * (ranks / KNEE) ** -1.42)
    return np.cumsum(weights / weights.sum())


class Made:
    """Documents by number, and questions by number: always the same."""

    def __init__(self) -> None:
        self._words, self._shares = vocabulary(), shares()
        self._topics = np.random.default_rng(1).standard_normal((TOPICS, DIMENSIONS), np.float32)

    def document(self, number: int) -> tuple[Record, dict[Kind, dict[str, bytes]]]:
        """What a store keeps of it."""
        chance = np.random.default_rng([2, number])
        drawn = np.searchsorted(self._shares, chance.random((PER_DOCUMENT, DRAWN)))
        drawn = np.concatenate([drawn, drawn[:, chance.integers(0, DRAWN, AGAIN)]], axis=1)
        texts = [[self._words[n] for n in row] for row in drawn.tolist()]
        bodies = [
            " ".join(" ".join(words[i : i + SENTENCE]) + "." for i in range(0, len(words), SENTENCE)) for words in texts
        ]
        name = f"made {number}.txt"
        blocks = tuple(Block("paragraph", body) for body in bodies)
        document = Document(f"{number:064x}", name, "text", name, blocks, sum(map(len, bodies)))
        starts = document.block_starts
        ends = [start + len(body) for start, body in zip(starts, bodies, strict=True)]
        parents = [(starts[first], ends[first + PER_PARENT - 1]) for first in range(0, PER_DOCUMENT, PER_PARENT)]
        chunks = [
            Chunk(document.id, i, body, starts[i], ends[i], *parents[i // PER_PARENT]) for i, body in enumerate(bodies)
        ]
        vectors = self._near(chance, chance.integers(0, TOPICS, PER_DOCUMENT))
        indexed = Indexed(chunks, vectors, count_terms(texts))
        return packed_document(document, indexed, "made@1", collection=f"collection {number % COLLECTIONS}")

    def question(self, number: int) -> tuple[str, NDArray[np.float32]]:
        chance = np.random.default_rng([3, number])
        words = [self._words[n] for n in np.searchsorted(self._shares, chance.random(ASKED)).tolist()]
        return " ".join(words) + "?", self._near(chance, chance.integers(0, TOPICS, 1))[0]

    def _near(self, chance: np.random.Generator, topics: NDArray[np.integer]) -> NDArray[np.float32]:
        vectors = self._topics[topics] + 1.5 * chance.standard_normal((len(topics), DIMENSIONS), np.float32)
        unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


class MadeEmbedder:
    """Knows the vector of the question that is asked next, and nothing else."""

    id, dimensions, max_tokens, token_dimensions, unrelated = "made@1", DIMENSIONS, 256, 0, 0.0
    compatible, languages, tokenizer = frozenset({"made@1"}), (), None

    def __init__(self) -> None:
        self.next = np.zeros((1, DIMENSIONS), np.float32)

    async def embed(self, texts: Sequence[str], *_: object, **__: object) -> NDArray[np.float32]:
        return self.next[: len(texts)]


class Bench:
    """One library. Every method gives something that JSON can hold."""

    def __init__(self) -> None:
        self._made, self._embedder = Made(), MadeEmbedder()
        self._documents = self._questions = 0
        self._store: Store | None = None
        self._library: Library | None = None

    async def begin(self, path: str) -> dict[str, Any]:
        """An empty library: in the browser's store, or in a file at `path`."""
        if sys.platform == "emscripten":
            from terrarium.storage.indexeddb import IndexedDBStore  # noqa: PLC0415 (only there)

            self._store = IndexedDBStore(writable=True)  # the engine beside this has opened it
            return await self.open()
        from terrarium.storage.sqlite import SqliteStore  # noqa: PLC0415 (not in a tab)

        self._store = SqliteStore(Path(path))
        return await self.open()

    async def open(self) -> dict[str, Any]:
        """Read the library from the store, after letting go of what is in memory."""
        assert self._store is not None
        self._library = None
        begun = time.perf_counter()
        self._library = await Library.open(self._store, self._embedder)  # type: ignore[arg-type]
        return {"seconds": time.perf_counter() - begun, "documents": len(self._library.documents)}

    async def fill(self, chunks: int) -> dict[str, Any]:
        """Add documents until there are so many chunks. Milliseconds to add each, and bytes that are stored."""
        spent, stored = [], 0
        while self._documents * PER_DOCUMENT < chunks:
            one, size = await self._add()
            spent.append(one)
            stored += size
        return {"milliseconds": spent, "bytes": stored}

    async def ask(self, questions: int) -> dict[str, list[float]]:
        """Milliseconds of so many questions of each kind, none asked twice.

        `search` is the engine's own path from the question's words to passages, both rankings and their fusion;
        `in a collection` the same with a filter that admits a tenth of the documents.
        """
        library = self._filled
        some = library.matching(Filter(collections=frozenset({"collection 3"})))
        retriever = Retriever(library)

        async def lexical(words: str) -> None:
            library.lexical.search(question_terms(words, library.lexical.languages), BEST)

        async def dense(_words: str) -> None:
            library.vectors.search(self._embedder.next[0], BEST)

        async def search(words: str) -> None:
            await retriever.search(Search(words))

        async def filtered(words: str) -> None:
            await retriever.search(Search(words, within=some))

        kinds = {"lexical": lexical, "dense": dense, "search": search, "in a collection": filtered}
        spent: dict[str, list[float]] = {kind: [] for kind in kinds}
        for _ in range(questions):
            for kind, work in kinds.items():
                spent[kind].append(await self._timed(work))
        return spent

    async def add_and_ask(self, times: int) -> dict[str, list[float]]:
        """Milliseconds to add a document, then of the first question after it."""
        retriever = Retriever(self._filled)

        async def search(words: str) -> None:
            await retriever.search(Search(words))

        spent: dict[str, list[float]] = {"add": [], "search": []}
        for _ in range(times):
            spent["add"].append((await self._add())[0])
            spent["search"].append(await self._timed(search))
        return spent

    @property
    def _filled(self) -> Library:
        assert self._library is not None
        return self._library

    async def _timed(self, work: Callable[[str], Awaitable[None]]) -> float:
        words, self._embedder.next[0] = self._made.question(self._questions)
        self._questions += 1
        begun = time.perf_counter()
        await work(words)
        return (time.perf_counter() - begun) * 1000

    async def _add(self) -> tuple[float, int]:
        record, values = self._made.document(self._documents)
        self._documents += 1
        size = sum(len(value) for of_kind in values.values() for value in of_kind.values())
        begun = time.perf_counter()
        await self._filled.take(record, values)
        return (time.perf_counter() - begun) * 1000, size


benches: list[Bench] = []


async def call(name: str, argument: str | int | None = None) -> str:
    """What a method of the one bench gives, as JSON."""
    if not benches:
        benches.append(Bench())
    method = getattr(benches[0], name)
    return json.dumps(await (method() if argument is None else method(argument)))
