"""Small models that are no models: deterministic, quick, and able to be told to fail."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from terrarium.model import Block, Document


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

    def __init__(self, id: str = "hash@1", dimensions: int = 64, fail_after: int | None = None) -> None:
        self.id, self.dimensions, self.max_tokens = id, dimensions, 256
        self.tokenizer = WordTokenizer()
        self.batches: list[list[str]] = []
        self._fail_after = fail_after

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self._fail_after is not None and len(self.batches) >= self._fail_after:
            raise RuntimeError("the model broke")
        self.batches.append(list(texts))
        await asyncio.sleep(0)
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                vectors[row] += self._word(word)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        return vectors

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
