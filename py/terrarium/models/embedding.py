"""Texts → vectors, by a sentence encoder whose graph gives both a vector a text and a vector a token.

Texts run in batches of similar length. A text's vector does not depend on its batch: padding is masked and the int8
graphs scale each row by itself. A model that was trained to read questions and passages differently gets its own
prefix before each. This module does not decide what is embedded (title, headings): chunking does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from terrarium.runtime.protocols import Kind, Progress, Session, Tokenizer

BATCH = 4  # larger ones gain nothing in WebAssembly, pad more and take more memory
ENCODED_AT_ONCE = 128  # texts tokenized between two turns of the event loop: a tenth of a second in the tab
PADDING_ID = 0
LEVELS = 7  # of four bits: what the largest element of a token's vector becomes


class SentenceEmbedder:
    """The Embedder over a graph with inputs input_ids, attention_mask and output sentence.

    With `token_dimensions` it has the outputs token_vectors (of unit length) and question_vectors too.
    """

    def __init__(
        self,
        id: str,
        session: Session,
        tokenizer: Tokenizer,
        *,
        dimensions: int,
        max_tokens: int,
        token_dimensions: int = 0,
        earlier: Collection[str] = (),
        prefixes: Mapping[Kind, str] | None = None,
        unrelated: float = 0.0,
        languages: Collection[str] = (),
    ) -> None:
        self.id = id
        self.compatible = frozenset({id, *earlier})
        self.token_dimensions = token_dimensions
        self.tokenizer = tokenizer
        self.dimensions = dimensions
        self.max_tokens = max_tokens
        self.unrelated = unrelated
        self.languages = languages
        self._session = session
        self._prefixes = prefixes or {}
        # The last question, its vector, and its tokens' where the graph gives them: searching, matching sentences and
        # each corrective step ask for the same ones.
        self._asked: tuple[str, NDArray[np.float32], NDArray[np.float32] | None] | None = None

    async def embed(
        self, texts: Sequence[str], progress: Progress | None = None, *, kind: Kind = "passage"
    ) -> NDArray[np.float32]:
        """[len(texts), dimensions], rows of unit length. The event loop gets a turn after each batch."""
        question = texts[0] if kind == "question" and len(texts) == 1 else None
        if question is not None and self._asked is not None and self._asked[0] == question:
            return self._asked[1].copy()
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        with_tokens = question is not None and self.token_dimensions > 0
        names = ["sentence", "question_vectors"] if with_tokens else ["sentence"]
        tokens = None
        async for places, lengths, outputs in self._batches(texts, names, kind, progress):
            vectors[places] = outputs["sentence"]
            if with_tokens:
                weighed = outputs["question_vectors"][0, _inner(lengths[0])]
                tokens = weighed / np.linalg.norm(weighed, axis=1).sum()
        if question is not None:
            self._asked = (question, vectors.copy(), tokens)
        return vectors

    async def embed_with_tokens(
        self, texts: Sequence[str], progress: Progress | None = None, *, kind: Kind = "passage"
    ) -> tuple[NDArray[np.float32], list[NDArray[np.int8]]]:
        """As `embed`, and from the same run the vectors of each text's tokens: [tokens, token_dimensions].

        Those are levels from -7 to 7, so that two fit into a byte: a direction, whose length says nothing. The markers
        take no part.
        """
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        tokens: list[NDArray[np.int8]] = [np.zeros((0, self.token_dimensions), np.int8)] * len(texts)
        async for places, lengths, outputs in self._batches(texts, ["sentence", "token_vectors"], kind, progress):
            vectors[places] = outputs["sentence"]
            for place, length, rows in zip(places, lengths, outputs["token_vectors"], strict=True):
                inner = rows[_inner(length)]
                tokens[place] = np.rint(inner * (LEVELS / np.abs(inner).max(axis=1, keepdims=True))).astype(np.int8)
        return vectors, tokens

    async def question_tokens(self, question: str) -> NDArray[np.float32]:
        """[tokens, token_dimensions]: each vector as long as its token counts; the lengths sum to 1.

        A question that was embedded just now costs no run of the model: its search gave these too.
        """
        await self.embed([question], kind="question")
        assert self._asked is not None and self._asked[2] is not None
        return self._asked[2]

    async def _batches(
        self, texts: Sequence[str], outputs: Sequence[str], kind: Kind, progress: Progress | None
    ) -> AsyncIterator[tuple[list[int], list[int], dict[str, NDArray[np.float32]]]]:
        """Places in `texts`, their token counts, and the outputs' rows, one batch after another."""
        report = progress or (lambda done, total: None)
        report(0, len(texts))
        ids = await self._encode([self._prefixes.get(kind, "") + text for text in texts])
        order = sorted(range(len(texts)), key=lambda place: len(ids[place]))
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            lengths = [len(ids[place]) for place in places]
            tokens = np.full((len(places), max(lengths)), PADDING_ID, np.int64)
            for row, place in enumerate(places):
                tokens[row, : lengths[row]] = ids[place]
            mask = (np.arange(tokens.shape[1]) < np.array(lengths)[:, None]).astype(np.int64)
            arrays, _ = await self._session.run({"input_ids": tokens, "attention_mask": mask}, outputs)
            yield places, lengths, {name: arrays[name].astype(np.float32, copy=False) for name in outputs}
            report(start + len(places), len(texts))
            await asyncio.sleep(0)

    async def _encode(self, texts: Sequence[str]) -> list[NDArray[np.int32]]:
        ids: list[NDArray[np.int32]] = []
        for start in range(0, len(texts), ENCODED_AT_ONCE):
            batch = self.tokenizer.encode_batch(texts[start : start + ENCODED_AT_ONCE], special=True)
            ids += [self._cut(one) for one in batch]
            await asyncio.sleep(0)
        return ids

    def _cut(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        """At most `max_tokens`, the end marker kept."""
        return ids if len(ids) <= self.max_tokens else np.append(ids[: self.max_tokens - 1], ids[-1])


def _inner(length: int) -> slice:
    """The tokens between the markers. An empty text has nothing else; they stand in for its tokens then."""
    return slice(1, length - 1) if length > 2 else slice(0, length)
