"""Small models that are no models: deterministic, quick, and able to be told to fail."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from terrarium.model import Block, Document
from terrarium.runtime.protocols import Kind, Progress


class WordTokenizer:
    """One token a word."""

    def encode_batch(self, texts: Sequence[str], *, special: bool) -> list[NDArray[np.int32]]:
        return [np.arange(len(text.split()) + 2 * special, dtype=np.int32) for text in texts]

    def decode(self, ids: Sequence[int]) -> str:
        raise NotImplementedError

    def token_id(self, token: str) -> int | None:
        return None


class HashEmbedder:
    """A text's vector is the sum of random vectors of its words: texts that share words are near each other."""

    def __init__(
        self,
        id: str = "hash@1",
        dimensions: int = 64,
        fail_after: int | None = None,
        token_dimensions: int = 0,
        earlier: Collection[str] = (),
    ) -> None:
        self.id, self.dimensions, self.max_tokens = id, dimensions, 256
        self.compatible, self.token_dimensions, self.unrelated = frozenset({id, *earlier}), token_dimensions, 0.0
        self.languages: tuple[str, ...] = ()
        self.tokenizer = WordTokenizer()
        self.batches: list[list[str]] = []
        self._fail_after = fail_after

    async def embed(
        self, texts: Sequence[str], progress: Progress | None = None, *, kind: Kind = "passage"
    ) -> NDArray[np.float32]:
        """In batches of eight, each with a turn for others and a call of `progress`, as the real one does."""
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        if progress:
            progress(0, len(texts))
        for start in range(0, len(texts), 8):
            if self._fail_after is not None and len(self.batches) >= self._fail_after:
                raise RuntimeError("the model broke")
            batch = list(texts[start : start + 8])
            self.batches.append(batch)
            for row, text in enumerate(batch, start):
                for word in text.lower().split():
                    vectors[row] += self._word(word)
            if progress:
                progress(start + len(batch), len(texts))
            await asyncio.sleep(0)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        return vectors

    async def embed_with_tokens(
        self, texts: Sequence[str], progress: Progress | None = None, *, kind: Kind = "passage"
    ) -> tuple[NDArray[np.float32], list[NDArray[np.int8]]]:
        """A token's vector is made of the signs of its word's."""
        tokens = [
            np.array([np.sign(self._word(word)[: self.token_dimensions]) for word in text.lower().split()], np.int8)
            for text in texts
        ]
        return await self.embed(texts, progress, kind=kind), tokens

    def _word(self, word: str) -> NDArray[np.float64]:
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "little")
        return np.random.default_rng(seed).normal(size=self.dimensions)


def document(name: str, *paragraphs: str, title: str = "", pages: bool = False) -> Document:
    """A document of one section: a heading, and paragraphs long enough to be chunks of their own."""
    blocks = [Block("heading", title or name, page=1 if pages else None, level=1)]
    blocks += [Block("paragraph", text, page=n if pages else None) for n, text in enumerate(paragraphs, start=1)]
    digest = hashlib.sha256("\n".join([name, *paragraphs]).encode()).hexdigest()
    return Document(digest, name, "text", title or name, tuple(blocks), size=1000, warnings=("A warning.",))


def filler(words: int, seed: int) -> str:
    """Sentences of words that mean nothing."""
    rng = np.random.default_rng(seed)
    sentences = [" ".join(f"w{n}" for n in rng.integers(0, 900, 9)).capitalize() + "." for _ in range(words // 9)]
    return " ".join(sentences)
