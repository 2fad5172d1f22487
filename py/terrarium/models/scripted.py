"""Models that follow a script: quick, exact, no weights. For tests, and for trying the pipeline without a download.

They keep to the protocols, so whatever runs on them runs on real models. They understand nothing: a test that passes on
them says that the parts fit, not that an answer is good.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrarium.models.caches import cut_length
from terrarium.runtime.protocols import Cache, Kind, Progress

MARKERS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
ANSWER_BEGINS = "<|im_start|>assistant\n"
BYTES = 256


class ByteTokenizer:
    """One token a byte of UTF-8, and one for each chat marker."""

    def __init__(self, markers: Sequence[str] = MARKERS) -> None:
        self._ids = {marker: BYTES + number for number, marker in enumerate(markers)}
        self._split = re.compile("(" + "|".join(map(re.escape, markers)) + ")")
        self.vocabulary = BYTES + len(markers)

    def encode_batch(self, texts: Sequence[str], *, special: bool) -> list[NDArray[np.int32]]:
        """`special` changes nothing: there are no markers around a text."""
        parts = (self._split.split(text) for text in texts)
        return [np.array([i for part in one for i in self._encode(part)], np.int32) for one in parts]

    def decode(self, ids: Sequence[int]) -> str:
        return bytes(int(i) for i in ids if i < BYTES).decode("utf-8", errors="replace")

    def decode_all(self, ids: Sequence[int]) -> str:
        """The text with its chat markers."""
        markers = {number: marker for marker, number in self._ids.items()}
        data = b"".join(bytes([i]) if i < BYTES else markers[i].encode() for i in ids)
        return data.decode("utf-8", errors="replace")

    def token_id(self, token: str) -> int | None:
        return self._ids.get(token)

    def _encode(self, part: str) -> list[int]:
        return [self._ids[part]] if part in self._ids else list(part.encode("utf-8"))


@dataclass(slots=True)
class SeenTokens:
    """The Cache of a ScriptedDecoder. `released` lets a test see that nothing is left behind."""

    ids: tuple[int, ...]
    released: bool = False

    @property
    def length(self) -> int:
        return len(self.ids)

    def cut(self, length: int) -> SeenTokens:
        self.ids = self.ids[: cut_length(self, length)]
        return self

    def release(self) -> None:
        self.released = True


class ScriptedDecoder:
    """After the last `begins` of its text it writes the reply, token by token, then `ends`.

    `reply` is a text, or a function of the prompt. `prompts` holds each prompt that got a reply, `caches` every cache
    that was made.
    """

    def __init__(
        self,
        reply: str | Callable[[str], str],
        *,
        begins: str = ANSWER_BEGINS,
        ends: str = "<|im_end|>",
        max_tokens: int = 65536,
    ) -> None:
        self.id = "scripted@1"
        self.tokenizer = ByteTokenizer()
        self.max_tokens = max_tokens
        self.prompts: list[str] = []
        self.caches: list[SeenTokens] = []
        self._reply = reply
        self._begins = self._encode(begins)
        self.end = self._encode(ends)[0]

    async def forward(
        self, ids: Sequence[int], cache: Cache | None, rows: int = 1
    ) -> tuple[NDArray[np.float32], Cache]:
        """Logits are 10 for the scripted token and 0 for all others. A released cache raises ValueError."""
        before: tuple[int, ...] = ()
        if cache is not None:
            if not isinstance(cache, SeenTokens) or cache.released:
                raise ValueError("The cache was released or is not this decoder's.")
            before = cache.ids
        seen = SeenTokens((*before, *map(int, ids)))
        self.caches.append(seen)
        logits = np.zeros((rows, self.tokenizer.vocabulary), np.float32)
        for row in range(rows):
            logits[row, self._next(seen.ids[: seen.length - rows + 1 + row])] = 10
        return logits, seen

    async def release(self) -> None:
        """Nothing to give back."""

    def _next(self, ids: tuple[int, ...]) -> int:
        size = len(self._begins)
        starts = (at for at in range(len(ids) - size, -1, -1) if ids[at : at + size] == self._begins)
        start = next(starts, None)
        if start is None:
            return self.end
        prompt, written = ids[: start + size], len(ids) - start - size
        text = self.tokenizer.decode_all(prompt)
        if written == 0:
            self.prompts.append(text)
        reply = self._encode(self._reply if isinstance(self._reply, str) else self._reply(text))
        return reply[written] if written < len(reply) else self.end

    def _encode(self, text: str) -> tuple[int, ...]:
        return tuple(self.tokenizer.encode_batch([text], special=False)[0].tolist())


class HashingEmbedder:
    """A text's vector counts its words in `dimensions` bins: texts that share words are near, and nothing else is."""

    def __init__(self, dimensions: int = 64, max_tokens: int = 256) -> None:
        self.id = "hashing@1"
        self.compatible = frozenset({self.id})
        self.dimensions = dimensions
        self.token_dimensions = 0
        self.max_tokens = max_tokens
        self.unrelated = 0.0
        self.languages: tuple[str, ...] = ()
        self.tokenizer = WordTokenizer()

    async def embed(
        self, texts: Sequence[str], progress: Progress | None = None, *, kind: Kind = "passage"
    ) -> NDArray[np.float32]:
        """An empty text gets the first unit vector. `kind` changes nothing."""
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, ids in enumerate(self.tokenizer.encode_batch(texts, special=False)):
            np.add.at(vectors[row], ids[: self.max_tokens] % self.dimensions, 1)
        vectors[~vectors.any(axis=1), 0] = 1
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        if progress:
            progress(len(texts), len(texts))
        return vectors

    async def embed_with_tokens(
        self, texts: Sequence[str], progress: Progress | None = None, *, kind: Kind = "passage"
    ) -> tuple[NDArray[np.float32], list[NDArray[np.int8]]]:
        """As `embed`; there are no vectors of tokens."""
        return await self.embed(texts, progress, kind=kind), [np.zeros((0, 0), np.int8) for _ in texts]


class WordTokenizer:
    """One token a word or sign; its id is a hash, so it can be decoded only after this tokenizer has seen it."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}

    def encode_batch(self, texts: Sequence[str], *, special: bool) -> list[NDArray[np.int32]]:
        """`special` adds a token before and one after."""
        words = (re.findall(r"\w+|[^\w\s]", text.lower()) for text in texts)
        return [self._ids(["[CLS]", *one, "[SEP]"] if special else one) for one in words]

    def decode(self, ids: Sequence[int]) -> str:
        return " ".join(self._texts[int(i)] for i in ids)

    def token_id(self, token: str) -> int | None:
        return next((i for i, text in self._texts.items() if text == token), None)

    def _ids(self, words: Sequence[str]) -> NDArray[np.int32]:
        ids = [zlib.crc32(word.encode()) & 0x7FFFFFFF for word in words]
        self._texts.update(zip(ids, words, strict=True))
        return np.array(ids, np.int32)
