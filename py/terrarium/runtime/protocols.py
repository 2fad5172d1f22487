"""What the engine asks of a place that runs models, and of the models themselves.

A `Runtime` opens ONNX graphs and tokenizers by the names of their files; everything above it (embedding,
reranking, decoding) is numpy code that does not know whether it runs in a tab or at the desk.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.generic]
Progress = Callable[[int, int], None]  # (done, total)
Kind = Literal["question", "passage"]
# Of the two for a graphics processor the second computes in float16 what may be.
Backend = Literal["wasm", "webgpu", "webgpu-f16"]


class Tensor(Protocol):
    """A result that stays where the runtime made it (WASM heap, GPU) until it is fed back or released."""

    def release(self) -> None: ...


class Session(Protocol):
    """One loaded ONNX graph. Calls queue: neither making a session nor running one is re-entrant in onnxruntime-web."""

    @property
    def inputs(self) -> tuple[str, ...]: ...

    @property
    def outputs(self) -> tuple[str, ...]: ...

    def allocate(self, dtype: type[np.generic], dims: Sequence[int]) -> Tensor:
        """Zeros where this session's results lie: a place to write results `into`. float32 and float16 only.

        Raises ModelError in the tab for "wasm", where results are copied out of onnxruntime's own memory.
        """
        ...

    async def run(
        self,
        feeds: Mapping[str, Array | Tensor],
        fetch: Collection[str],
        keep: Collection[str] = (),
        into: Mapping[str, Tensor] = MappingProxyType({}),
    ) -> tuple[dict[str, Array], dict[str, Tensor]]:
        """Run the graph; return the outputs named in `fetch` as arrays and those in `keep` as handles.

        Those named in `into` are written into the given tensors, of the output's type and shape. On WebGPU an operator
        that works in place (GroupQueryAttention on its keys and values) takes one tensor as input and as output.
        Raises ModelError; DeviceLost when the graphics processor is gone, which ends the session.
        """
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


@dataclass(frozen=True, slots=True)
class Accelerator:
    """A graphics processor, or why there is none to use."""

    refused: str = ""  # a sentence; "" when models may be tried on it
    name: str = ""  # as the browser describes it: verdicts are kept under this name
    binding: int = 0  # bytes of one matrix
    float16: bool = False  # whether its programs may compute in float16


class Runtime(Protocol):
    """A place that runs models. Files are named as in `models/*.toml`."""

    @property
    def name(self) -> str:
        """For the trace: "onnxruntime 1.32.0, cpu" or "onnxruntime-web 1.30.0, wasm build"."""
        ...

    def has(self, file: str) -> bool: ...

    async def session(self, graph: str, data: str | None = None, backend: Backend = "wasm") -> Session:
        """Load the graph, with its external weights when `data` names them. Raises ModelError.

        A runtime without a graphics processor runs a graph that was made for one on the CPU.
        """
        ...

    async def accelerator(self) -> Accelerator:
        """The graphics processor that the backends other than "wasm" would use."""
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
    def compatible(self) -> Collection[str]:
        """Its own id, and those of earlier graphs of the same weights, whose sentence vectors differ by rounding."""
        ...

    @property
    def dimensions(self) -> int: ...

    @property
    def token_dimensions(self) -> int:
        """Of one token's vector; 0 when the graph gives none."""
        ...

    @property
    def max_tokens(self) -> int:
        """Tokens of one text that the model reads, markers included. Longer texts are cut by `embed`."""
        ...

    @property
    def tokenizer(self) -> Tokenizer: ...

    @property
    def languages(self) -> Collection[str]:
        """The only ones that it knows, as ISO 639-1 codes; empty for a model of many languages."""
        ...

    @property
    def unrelated(self) -> float:
        """The cosine of texts that have nothing to do with each other: 0 for most models, far above it for some."""
        ...

    async def embed(
        self, texts: Sequence[str], progress: Progress | None = None, *, kind: Kind = "passage"
    ) -> NDArray[np.float32]:
        """[len(texts), dimensions], rows of unit length, in the order given. `kind` says what the texts are read as.

        The event loop gets a turn, and `progress` a call, after each batch.
        """
        ...

    async def embed_with_tokens(
        self, texts: Sequence[str], progress: Progress | None = None, *, kind: Kind = "passage"
    ) -> tuple[NDArray[np.float32], list[NDArray[np.int8]]]:
        """As `embed`, and of each text its tokens' directions: [tokens, token_dimensions], levels from -7 to 7."""
        ...


class TokenEmbedder(Embedder, Protocol):
    """An embedder whose graph gives a question's token vectors too, weighed: what late interaction reads."""

    async def question_tokens(self, question: str) -> NDArray[np.float32]:
        """[tokens, token_dimensions]: each vector as long as its token counts; the lengths sum to 1."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A passage to be reranked."""

    text: str  # as it was embedded
    tokens: NDArray[np.int8] | None = None  # its token vectors, where the library has them: `Library.token_vectors`


class Reranker(Protocol):
    """(question, passage) → how well the passage answers; higher is better, comparable within one question."""

    @property
    def id(self) -> str: ...

    async def score(self, question: str, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        """[len(candidates)]. Those without token vectors cost a run of a model each."""
        ...

    def probability(self, score: float) -> float | None:
        """That a passage with this score answers the question; None when the reranker was never calibrated."""
        ...


class Cache(Protocol):
    """Keys and values of the tokens that a decoder has seen. It may be continued many times, by one after the other."""

    @property
    def length(self) -> int: ...

    def cut(self, length: int) -> Cache:
        """This cache without the tokens behind the first `length` (at least one). Nothing is copied."""
        ...

    def release(self) -> None: ...


class Decoder(Protocol):
    """A causal language model, one forward pass at a time."""

    @property
    def id(self) -> str: ...

    @property
    def tokenizer(self) -> Tokenizer: ...

    @property
    def max_tokens(self) -> int: ...

    async def forward(
        self, ids: Sequence[int], cache: Cache | None, rows: int = 1
    ) -> tuple[NDArray[np.float32], Cache]:
        """Logits [rows, vocabulary] of the last positions, and the cache with `ids` added.

        `cache` stays valid. A longer one that began with it may not: a decoder may keep all its caches in one place.
        """
        ...

    async def release(self) -> None:
        """Give the model's memory back. Nothing of it can be used afterwards, its caches neither."""
        ...
