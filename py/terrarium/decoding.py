"""A causal language model, one forward pass at a time, its keys and values kept where the runtime made them.

The graph is the one that `terrarium_build.conversion.decoder_graph` describes. This module picks no token; that is
generation's part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrarium.errors import ModelError
from terrarium.runtime.protocols import Array, Cache, Session, Tensor, Tokenizer


@dataclass(frozen=True, slots=True)
class KeyValues:
    """The Cache of a CausalDecoder: each layer's keys and values by the names of the graph's inputs."""

    length: int
    tensors: Mapping[str, Tensor]

    def release(self) -> None:
        for tensor in self.tensors.values():
            tensor.release()


class CausalDecoder:
    """The Decoder over a graph with inputs past.i.k, past.i.v and outputs logits, present.i.k, present.i.v."""

    def __init__(
        self, id: str, session: Session, tokenizer: Tokenizer, *, kv_heads: int, head_size: int, max_tokens: int
    ) -> None:
        self.id = id
        self.tokenizer = tokenizer
        self.max_tokens = max_tokens
        self._session = session
        self._present = tuple(name for name in session.outputs if name.startswith("present."))
        nothing = np.zeros((1, kv_heads, 0, head_size), np.float32)
        self._empty = {_past(name): nothing for name in self._present}

    async def forward(self, ids: Sequence[int], cache: Cache | None) -> tuple[NDArray[np.float32], Cache]:
        """Logits [vocabulary] of the last position, and the cache with `ids` added; `cache` stays valid.

        Raises ModelError past `max_tokens`, ValueError without ids or with another decoder's cache.
        """
        past = self._past_of(cache)
        total = (cache.length if cache else 0) + len(ids)
        if not ids:
            raise ValueError("forward() needs at least one token.")
        if total > self.max_tokens:
            raise ModelError(f"The text is too long for the model: {total} tokens of {self.max_tokens}.")
        feeds: dict[str, Array | Tensor] = {
            "input_ids": np.array([ids], np.int64),
            **past,
        }
        arrays, kept = await self._session.run(feeds, ["logits"], self._present)
        logits = arrays["logits"].reshape(-1).astype(np.float32, copy=False)
        return logits, KeyValues(total, {_past(name): tensor for name, tensor in kept.items()})

    def _past_of(self, cache: Cache | None) -> Mapping[str, Array | Tensor]:
        if cache is None:
            return self._empty
        if not isinstance(cache, KeyValues):
            raise ValueError("This cache was made by another kind of decoder.")
        return cache.tensors


def _past(present: str) -> str:
    return present.replace("present.", "past.", 1)
