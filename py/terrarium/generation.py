"""Greedy decoding over a `Decoder`: prefill in pieces, repetition penalty, ends of an answer, loops.

Everything yields to the event loop between forward passes. In a tab one forward pass blocks the worker, so the time
of a prefill piece bounds how long a cancel waits: `Pace` keeps it near an eighth of a second. Cancelling is ordinary
asyncio task cancellation.

Not here: sampling (temperature is 0 by design), beams, batches.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from terrarium.runtime.protocols import Cache, Decoder
from terrarium.stream import REPLACEMENT, visible_text

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class GenerationSettings:
    """How a text is written."""

    max_new_tokens: int = 120
    repetition_penalty: float = 1.1


@dataclass(slots=True)
class Pace:
    """How many tokens of a prompt are read at once: learned from the device, kept from one prompt to the next.

    A 0.5B on one WASM thread takes about 90 ms a pass and 10 ms a token, so pieces of 8; a GPU reads 64 in one go.
    Below `least` the time of a whole prompt suffers more than a cancel gains.
    """

    tokens: int = 8
    least: int = 8
    most: int = 64
    seconds: float = 0.12  # of one piece, at most about 1.3 times this

    def learn(self, tokens: int, seconds: float) -> None:
        """Halve after a slow piece, double after a quick whole one."""
        if seconds > self.seconds * 1.3:
            self.tokens = max(self.least, self.tokens // 2)
        elif tokens == self.tokens and seconds < self.seconds * 0.5:
            self.tokens = min(self.most, self.tokens * 2)


@dataclass(frozen=True, slots=True)
class Generation:
    """What a decoder wrote: `raw` before any filter, `text` as it may be shown."""

    text: str
    raw: str
    tokens: int
    stopped_by: Literal["end", "stop_string", "budget", "loop"]
    prompt_tokens: int
    prefill_seconds: float
    decode_seconds: float


def _repeats(ids: Sequence[int], least: int = 24) -> bool:
    """Whether the text runs in a circle: its last `least` tokens repeat one pattern of at most a third of them."""
    tail = ids[-least:]
    return len(tail) == least and any(
        all(tail[i] == tail[i - period] for i in range(period, least)) for period in range(1, least // 3 + 1)
    )


def _pick(logits: NDArray[np.float32], written: Sequence[int], penalty: float) -> int:
    """The likeliest token after the penalty of Keskar et al. 2019 (CTRL) on what was written.

    The prompt's tokens are not penalised: an answer has to repeat the figures and names of its sources.
    """
    if written and penalty != 1.0:
        seen = np.unique(np.asarray(written[-64:], dtype=np.int64))
        values = logits[seen]
        logits = logits.copy()
        logits[seen] = np.where(values > 0, values / penalty, values * penalty)
    return int(np.argmax(logits))


async def prefill(
    decoder: Decoder, ids: Sequence[int], cache: Cache | None, pace: Pace, progress: Progress | None = None
) -> tuple[NDArray[np.float32], Cache]:
    """Run `ids` (at least one) through the decoder in pieces; logits of the last token, and the cache of all.

    The given cache stays valid; those in between are released.
    """
    logits: NDArray[np.float32] | None = None
    current = cache
    read = 0
    try:
        while read < len(ids):
            piece = ids[read : read + pace.tokens]
            started = time.perf_counter()
            logits, following = await decoder.forward(piece, current)
            pace.learn(len(piece), time.perf_counter() - started)
            if current is not None and current is not cache:
                current.release()
            current = following
            read += len(piece)
            if progress:
                progress(read, len(ids))
            await asyncio.sleep(0)
    except BaseException:
        if current is not None and current is not cache:
            current.release()
        raise
    if logits is None or current is None:
        raise ValueError("a prompt needs at least one token")
    return logits, current


class Generator:
    """A decoder with the fixed beginning of its prompts, whose keys and values are kept after the first use."""

    def __init__(
        self,
        decoder: Decoder,
        prefix: str,
        stop_ids: Sequence[int],
        settings: GenerationSettings | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.decoder = decoder
        self.settings = settings or GenerationSettings()
        self._stop_ids = frozenset(stop_ids)
        self._prefix_ids = self._encode(prefix)
        self._prefix_cache: Cache | None = None
        self._pace = pace or Pace()

    def _encode(self, text: str) -> list[int]:
        return [int(i) for i in self.decoder.tokenizer.encode_batch([text], special=False)[0]]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, for the budget of the prompt."""
        return [len(ids) for ids in self.decoder.tokenizer.encode_batch(texts, special=False)]

    async def warm_up(self, progress: Progress | None = None) -> None:
        """Compute the prefix once, so that the first question does not wait for it."""
        if self._prefix_cache is None and self._prefix_ids:
            _, self._prefix_cache = await prefill(self.decoder, self._prefix_ids, None, self._pace, progress)

    async def write(
        self,
        rest: str,
        *,
        on_prefill: Progress | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> Generation:
        """Continue prefix + `rest`. `on_text` gets the whole visible text so far, each time that it grew."""
        started = time.perf_counter()
        await self.warm_up(on_prefill)
        ids = self._encode(rest)
        logits, cache = await prefill(self.decoder, ids, self._prefix_cache, self._pace, on_prefill)
        prefilled = time.perf_counter()
        written: list[int] = []
        shown = ""
        stopped_by: Literal["end", "stop_string", "budget", "loop"] = "budget"
        try:
            while len(written) < self.settings.max_new_tokens:
                token = _pick(logits, written, self.settings.repetition_penalty)
                if token in self._stop_ids:
                    stopped_by = "end"
                    break
                written.append(token)
                text, ended = visible_text(self.decoder.tokenizer.decode(written))
                if on_text and text != shown:
                    on_text(text)
                shown = text
                if ended or _repeats(written):
                    stopped_by = "stop_string" if ended else "loop"
                    break
                logits, following = await self.decoder.forward([token], cache)
                cache.release()
                cache = following
                await asyncio.sleep(0)
        finally:
            cache.release()
        raw = self.decoder.tokenizer.decode(written)
        text, ended = visible_text(raw)
        return Generation(
            text=text if ended else raw.strip().rstrip(REPLACEMENT),
            raw=raw,
            tokens=len(written),
            stopped_by=stopped_by,
            prompt_tokens=len(self._prefix_ids) + len(ids),
            prefill_seconds=prefilled - started,
            decode_seconds=time.perf_counter() - prefilled,
        )
