"""Late interaction: a passage is as good as the best match that each token of the question finds in it.

Khattab and Zaharia, ColBERT, 2020, with the token vectors of the embedder instead of a model trained for it. The
vectors of [CLS] and [SEP] take no part: reordering the first 24 of dense search (SciFact, 100 questions, nDCG@10 0.636)
gives 0.689 without them and 0.672 with them.

A passage's token vectors are kept in memory, within a bound, so a passage that comes up again costs no model run.
Scores lie in [-1, 1] and are no probabilities: compare them within one question only.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from terrarium.embedding import Progress, SentenceEmbedder
from terrarium.runtime.protocols import Session

CACHE_BYTES = 64 * 2**20  # about 450 passages of 190 tokens
Vectors = NDArray[np.float16]


class LateInteraction:
    """The Reranker over a graph with inputs question, passages, mask and output scores, and an embedder."""

    def __init__(
        self, id: str, session: Session, embedder: SentenceEmbedder, *, cache_bytes: int = CACHE_BYTES
    ) -> None:
        self.id = f"{id}+{embedder.id}"
        self._session = session
        self._embedder = embedder
        self._seen = _Recent(cache_bytes)

    async def score(
        self, question: str, passages: Sequence[str], progress: Progress | None = None
    ) -> NDArray[np.float32]:
        """[len(passages)]. `progress` counts passages whose vectors are ready."""
        if not passages:
            return np.zeros(0, np.float32)
        (asked,) = await self._embedder.token_vectors([question])
        vectors = await self._vectors(passages, progress)
        lengths = np.array([len(one) for one in vectors])
        padded = np.zeros((len(vectors), lengths.max(), self._embedder.dimensions), np.float32)
        for row, one in enumerate(vectors):
            padded[row, : len(one)] = one
        mask = (np.arange(padded.shape[1]) < lengths[:, None]).astype(np.float32)
        feeds = {"question": _without_markers(asked), "passages": padded, "mask": mask}
        arrays, _ = await self._session.run(feeds, ["scores"])
        return arrays["scores"].astype(np.float32, copy=False)

    async def _vectors(self, passages: Sequence[str], progress: Progress | None) -> list[Vectors]:
        wanted = dict.fromkeys(passages)
        found = {text: vectors for text in wanted if (vectors := self._seen.get(text)) is not None}
        missing = [text for text in wanted if text not in found]
        ready = len(found)

        def report(done: int, _: int) -> None:
            if progress:
                progress(ready + done, len(wanted))

        report(0, 0)
        made = await self._embedder.token_vectors(missing, report)
        for text, full in zip(missing, made, strict=True):
            found[text] = _without_markers(full).astype(np.float16)
            self._seen.put(text, found[text])
        return [found[text] for text in passages]


def _without_markers(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """An empty text has nothing but its markers; they stand in for it then."""
    return vectors[1:-1] if len(vectors) > 2 else vectors


class _Recent:
    """Token vectors by passage; the least recently used go when the bound in bytes is passed."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._bytes = 0
        self._entries: OrderedDict[str, Vectors] = OrderedDict()

    def get(self, text: str) -> Vectors | None:
        if text in self._entries:
            self._entries.move_to_end(text)
        return self._entries.get(text)

    def put(self, text: str, vectors: Vectors) -> None:
        self._entries[text] = vectors
        self._bytes += vectors.nbytes
        while self._bytes > self._limit:
            _, oldest = self._entries.popitem(last=False)
            self._bytes -= oldest.nbytes
