"""Texts → vectors, by a sentence encoder whose graph gives both a vector a text and a vector a token.

Texts run in batches of similar length. A text's vector does not depend on its batch: padding is masked and the int8
graphs scale each row by itself. This module does not decide what is embedded (title, headings): chunking does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from terrarium.runtime.protocols import Session, Tokenizer

Progress = Callable[[int, int], None]  # (done, total)

BATCH = 8  # larger ones gain nothing in WebAssembly and double the memory
PADDING_ID = 0


class SentenceEmbedder:
    """The Embedder over a graph with inputs input_ids, attention_mask and outputs sentence, token_vectors."""

    def __init__(self, id: str, session: Session, tokenizer: Tokenizer, *, dimensions: int, max_tokens: int) -> None:
        self.id = id
        self.tokenizer = tokenizer
        self.dimensions = dimensions
        self.max_tokens = max_tokens
        self._session = session

    async def embed(self, texts: Sequence[str], progress: Progress | None = None) -> NDArray[np.float32]:
        """[len(texts), dimensions], rows of unit length. The event loop gets a turn after each batch."""
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        done = 0
        async for places, _, batch in self._batches(texts, "sentence"):
            vectors[places] = batch
            done += len(places)
            if progress:
                progress(done, len(texts))
        return vectors

    async def token_vectors(self, texts: Sequence[str], progress: Progress | None = None) -> list[NDArray[np.float32]]:
        """For each text [tokens, dimensions], rows of unit length, the markers' vectors first and last."""
        vectors: list[NDArray[np.float32]] = [np.zeros((0, self.dimensions), np.float32)] * len(texts)
        done = 0
        async for places, lengths, batch in self._batches(texts, "token_vectors"):
            for place, length, rows in zip(places, lengths, batch, strict=True):
                vectors[place] = rows[:length].copy()
            done += len(places)
            if progress:
                progress(done, len(texts))
        return vectors

    async def _batches(
        self, texts: Sequence[str], output: str
    ) -> AsyncIterator[tuple[list[int], list[int], NDArray[np.float32]]]:
        """Places in `texts`, their token counts, and the output's rows, one batch after another."""
        ids = [self._cut(one) for one in self.tokenizer.encode_batch(texts, special=True)]
        order = sorted(range(len(texts)), key=lambda place: len(ids[place]))
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            lengths = [len(ids[place]) for place in places]
            tokens = np.full((len(places), max(lengths)), PADDING_ID, np.int64)
            for row, place in enumerate(places):
                tokens[row, : lengths[row]] = ids[place]
            mask = (np.arange(tokens.shape[1]) < np.array(lengths)[:, None]).astype(np.int64)
            arrays, _ = await self._session.run({"input_ids": tokens, "attention_mask": mask}, [output])
            yield places, lengths, arrays[output].astype(np.float32, copy=False)
            await asyncio.sleep(0)

    def _cut(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        """At most `max_tokens`, the end marker kept."""
        return ids if len(ids) <= self.max_tokens else np.append(ids[: self.max_tokens - 1], ids[-1])
