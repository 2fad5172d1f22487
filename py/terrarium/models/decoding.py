"""A causal language model, one forward pass at a time, its keys and values kept where the runtime made them.

The graph is one of the two that `terrarium_build.conversion` describes; `caches.py` knows how they differ. This module
picks no token; that is generation's part.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from terrarium.errors import ModelError
from terrarium.models.caches import caches_for
from terrarium.runtime.protocols import Cache, Session, Tokenizer


class CausalDecoder:
    """The Decoder over a graph with inputs `input_ids`, `rows` and those of its cache, and the output `logits`."""

    def __init__(
        self, id: str, session: Session, tokenizer: Tokenizer, *, kv_heads: int, head_size: int, max_tokens: int
    ) -> None:
        self.id = id
        self.tokenizer = tokenizer
        self.max_tokens = max_tokens
        self._session = session
        self._caches = caches_for(session, kv_heads=kv_heads, head_size=head_size, max_tokens=max_tokens)

    async def forward(
        self, ids: Sequence[int], cache: Cache | None, rows: int = 1
    ) -> tuple[NDArray[np.float32], Cache]:
        """Logits [rows, vocabulary] of the last positions, and the cache with `ids` added.

        `cache` stays valid; in the form for WebGPU longer ones do not. Raises ModelError past `max_tokens`, ValueError
        without ids, for more rows than ids, or with a cache that is not valid or not this decoder's.
        """
        total = (cache.length if cache else 0) + len(ids)
        if not ids:
            raise ValueError("forward() needs at least one token.")
        if not 0 < rows <= len(ids):
            raise ValueError(f"There are {len(ids)} rows of logits, not {rows}.")
        if total > self.max_tokens:
            raise ModelError(f"The text is too long for the model: {total} tokens of {self.max_tokens}.")
        step = self._caches.before(cache, len(ids))
        feeds = {"input_ids": np.array([ids], np.int64), "rows": np.array([rows], np.int64), **step.feeds}
        arrays, kept = await self._session.run(feeds, ["logits"], step.keep, step.into)
        logits = arrays["logits"].reshape(rows, -1).astype(np.float32, copy=False)
        return logits, self._caches.after(total, kept)

    async def release(self) -> None:
        """Give the model's memory back. Nothing of it can be used afterwards, its caches neither."""
        self._caches.release()
        await self._session.release()
