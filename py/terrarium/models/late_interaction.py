"""Late interaction: a passage is as good as the best match that each token of the question finds in it.

Khattab and Zaharia, ColBERT, 2020. The library keeps the passages' token vectors, so that scoring fifty of them is one
run of the embedder over the question and one small graph. Where it has none (a library indexed before, or without room
for them) they are computed here, one run of the embedder a passage, and kept in memory within a bound.

A question's vectors are as long as their tokens count, together 1, so that scores lie in [-1, 1]. They are comparable
within one question only; `probability` is what may be compared between questions.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from terrarium.runtime.protocols import Array, Candidate, Session, TokenEmbedder

CACHE_BYTES = 16 * 2**20  # of computed token vectors: about 1,000 passages of 130 tokens and 128 dimensions
Tokens = NDArray[np.int8]  # [tokens, dimensions], directions


class LateInteraction:
    """The Reranker over a graph with inputs question, passages and output scores, and an embedder.

    `calibration` (slope, intercept): probability = 1 / (1 + exp(-(slope · score + intercept))).
    """

    def __init__(
        self,
        id: str,
        session: Session,
        embedder: TokenEmbedder,
        *,
        calibration: tuple[float, float] | None = None,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        self.id = f"{id}+{embedder.id}"
        self._session = session
        self.embedder = embedder
        self._calibration = calibration
        self._seen = _Recent(cache_bytes)

    async def score(self, question: str, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        """[len(candidates)]."""
        if not candidates:
            return np.zeros(0, np.float32)
        asked = await self.embedder.question_tokens(question)
        passages = _stacked(await self._vectors(candidates))
        feeds: dict[str, Array] = {"question": asked, "passages": passages}
        arrays, _ = await self._session.run(feeds, ["scores"])
        return arrays["scores"].astype(np.float32, copy=False)

    def probability(self, score: float) -> float | None:
        if self._calibration is None:
            return None
        slope, intercept = self._calibration
        return 1 / (1 + math.exp(-(slope * score + intercept)))

    async def _vectors(self, candidates: Sequence[Candidate]) -> list[Tokens]:
        known: dict[str, Tokens] = {}
        missing: dict[str, None] = {}
        for one in candidates:
            vectors = self._seen.get(one.text) if one.tokens is None else one.tokens
            if vectors is None:
                missing[one.text] = None
            else:
                known[one.text] = vectors
        _, made = await self.embedder.embed_with_tokens(list(missing))
        for text, vectors in zip(missing, made, strict=True):
            known[text] = vectors
            self._seen.put(text, vectors)
        return [known[one.text] for one in candidates]


def _stacked(vectors: Sequence[Tokens]) -> Tokens:
    """[passages, tokens, dimensions]. Filled up with a passage's own first token, which changes no maximum."""
    longest = max(map(len, vectors))
    stacked = np.empty((len(vectors), longest, vectors[0].shape[1]), np.int8)
    for row, one in enumerate(vectors):
        stacked[row, : len(one)] = one
        stacked[row, len(one) :] = one[0]
    return stacked


class _Recent:
    """Token vectors by passage; the least recently used go when the bound in bytes is passed."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._bytes = 0
        self._entries: OrderedDict[str, Tokens] = OrderedDict()

    def get(self, text: str) -> Tokens | None:
        if text in self._entries:
            self._entries.move_to_end(text)
        return self._entries.get(text)

    def put(self, text: str, vectors: Tokens) -> None:
        self._entries[text] = vectors
        self._bytes += vectors.nbytes
        while self._bytes > self._limit:
            _, oldest = self._entries.popitem(last=False)
            self._bytes -= oldest.nbytes
