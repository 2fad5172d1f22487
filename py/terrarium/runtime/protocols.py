"""What the engine asks of a place that runs models, and of the models themselves.

A `Runtime` opens ONNX graphs and tokenizers by the names of their files; everything above it (embedding,
reranking, decoding) is numpy code that does not know whether it runs in a tab or at the desk.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.generic]


class Tensor(Protocol):
    """A result that stays where the runtime made it (WASM heap, GPU) until it is fed back or released."""

    def release(self) -> None: ...


class Session(Protocol):
    """One loaded ONNX graph. Calls queue: neither making a session nor running one is re-entrant in onnxruntime-web."""

    @property
    def inputs(self) -> tuple[str, ...]: ...

    @property
    def outputs(self) -> tuple[str, ...]: ...

    async def run(
        self, feeds: Mapping[str, Array | Tensor], fetch: Collection[str], keep: Collection[str] = ()
    ) -> tuple[dict[str, Array], dict[str, Tensor]]:
        """Run the graph; return the outputs named in `fetch` as arrays and those in `keep` as handles."""
        ...

    async def release(self) -> None: ...


class Tokenizer(Protocol):
    """Text ↔ token ids, never truncated, never padded: who has a limit applies it."""

    def encode_batch(self, texts: Sequence[str], *, special: bool) -> list[NDArray[np.int32]]:
        """Ids of each text. `special` adds the model's own markers ([CLS] … [SEP])."""
        ...

    def decode(self, ids: Sequence[int]) -> str:
        """Text of the ids, special tokens left out. An unfinished UTF-8 sequence gives U+FFFD."""
        ...

    def token_id(self, token: str) -> int | None: ...


class Runtime(Protocol):
    """A place that runs models. Files are named as in `models/*.toml`."""

    @property
    def name(self) -> str:
        """For the trace: "onnxruntime 1.32.0, cpu" or "onnxruntime-web 1.30.0, wasm"."""
        ...

    def has(self, file: str) -> bool: ...

    async def session(self, graph: str, data: str | None = None) -> Session:
        """Load the graph, with its external weights when `data` names them. Raises ModelError."""
        ...

    def tokenizer(self, file: str) -> Tokenizer: ...

    def read_text(self, file: str) -> str: ...


class Embedder(Protocol):
    """Texts → vectors of unit length."""

    @property
    def id(self) -> str:
        """Name and SHA-256 of the graph: vectors of two ids are never compared."""
        ...

    @property
    def dimensions(self) -> int: ...

    @property
    def max_tokens(self) -> int:
        """Tokens of one text that the model reads, markers included. Longer texts are cut by `embed`."""
        ...

    @property
    def tokenizer(self) -> Tokenizer: ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """[len(texts), dimensions], rows of unit length, in the order given."""
        ...


class Reranker(Protocol):
    """(question, passage) → how well the passage answers; higher is better, comparable within one question."""

    @property
    def id(self) -> str: ...

    async def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """[len(passages)]."""
        ...


class Cache(Protocol):
    """Keys and values of the tokens that a decoder has seen. Immutable: one cache may be continued many times."""

    @property
    def length(self) -> int: ...

    def release(self) -> None: ...


class Decoder(Protocol):
    """A causal language model, one forward pass at a time."""

    @property
    def id(self) -> str: ...

    @property
    def tokenizer(self) -> Tokenizer: ...

    @property
    def max_tokens(self) -> int: ...

    async def forward(self, ids: Sequence[int], cache: Cache | None) -> tuple[NDArray[np.float32], Cache]:
        """Logits [vocabulary] of the last position, and the cache with `ids` added. `cache` stays valid."""
        ...
