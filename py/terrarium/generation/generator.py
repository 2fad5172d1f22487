"""Greedy decoding over a `Decoder`: repetition penalty, ends of an answer, circles. `lookup.py` makes it quicker.

Everything yields to the event loop between forward passes. Cancelling is ordinary asyncio task cancellation.

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

from terrarium.generation.lookup import Ahead, Lookup
from terrarium.generation.prefill import Pace, prefill
from terrarium.generation.prompt import given_to, shown_by_examples
from terrarium.generation.stream import CHAT_TOKENS, CONTROL_TOKENS, OWN_TOKENS, visible_text
from terrarium.generation.wager import Wager
from terrarium.runtime.protocols import Cache, Decoder, Progress

SENTENCE_ENDS = (".", "!", "?", "。", "！", "？")
# The text's own end, the beginning of something else, no tokens left, a text that repeats itself, a control token.
Stop = Literal["end", "stop_string", "budget", "loop", "control"]


@dataclass(frozen=True, slots=True)
class GenerationSettings:
    """How a text is written."""

    max_new_tokens: int = 120
    repetition_penalty: float = 1.1


@dataclass(frozen=True, slots=True)
class Generation:
    """What a decoder wrote: `raw` before any filter, `text` as it may be shown."""

    text: str
    raw: str
    tokens: int
    stopped_by: Stop
    prompt_tokens: int
    prefill_seconds: float
    decode_seconds: float
    passes: int = 0  # forward passes while writing; fewer than tokens where guesses came true


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


class Generator:
    """A decoder with the fixed beginning of its prompts, whose keys and values are kept after the first use."""

    def __init__(
        self,
        decoder: Decoder,
        prefix: str,
        stop_ids: Sequence[int],
        settings: GenerationSettings | None = None,
        pace: Pace | None = None,
        wager: Wager | None = None,
        rephrases: bool = False,
    ) -> None:
        """`rephrases`: whether it may put questions into other words, which takes seconds before passages are shown."""
        self.decoder = decoder
        self.rephrases = rephrases
        self.settings = settings or GenerationSettings()
        self._stop_ids = frozenset(stop_ids)
        known = {token: decoder.tokenizer.token_id(token) for token in CONTROL_TOKENS}
        # A tokenizer leaves its control tokens out of the text, so they are known by their ids first.
        self._control_ids = frozenset(i for i in known.values() if i is not None) - self._stop_ids
        self._tokens = (*CHAT_TOKENS, *(token for token in OWN_TOKENS if known[token] is not None))
        self._prefix_ids = self._encode(prefix)
        self._prefix_cache: Cache | None = None
        self._pace = pace or Pace()
        self._wager = wager or Wager()
        self._beside: dict[tuple[str, GenerationSettings], Generator] = {}

    async def write_line(
        self, task: str, examples: Sequence[tuple[str, str]], given: str, settings: GenerationSettings
    ) -> str:
        """The first line written for another task than answering, shown by (given, written) of some turns.

        Each task has its own prefix on the same decoder, computed once.
        """
        prefix = shown_by_examples(task, examples)
        if (prefix, settings) not in self._beside:
            other = Generator(self.decoder, prefix, tuple(self._stop_ids), settings, self._pace, self._wager)
            self._beside[prefix, settings] = other
        written = await self._beside[prefix, settings].write(given_to(given))
        return written.text.strip().partition("\n")[0].strip()

    def _encode(self, text: str) -> list[int]:
        return [int(i) for i in self.decoder.tokenizer.encode_batch([text], special=False)[0]]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, for the budget of the prompt."""
        return [len(ids) for ids in self.decoder.tokenizer.encode_batch(texts, special=False)]

    def _closing(self, ids: Sequence[int]) -> set[int]:
        """Those of the tokens that end a sentence or a line."""
        texts = {token: self.decoder.tokenizer.decode([token]) for token in set(ids)}
        return {token for token, text in texts.items() if "\n" in text or text.rstrip().endswith(SENTENCE_ENDS)}

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
        ahead = Ahead(self.decoder, cache, Lookup(ids, self._closing(ids)), self._wager)
        written: list[int] = []
        shown = ""

        def show(text: str) -> None:
            nonlocal shown
            if on_text and text != shown:
                on_text(text)
            shown = text

        stopped_by: Stop = "budget"
        try:
            while True:
                token = _pick(logits, written, self.settings.repetition_penalty)
                if token in self._stop_ids or token in self._control_ids:
                    stopped_by = "end" if token in self._stop_ids else "control"
                    break
                written.append(token)
                text, cut = visible_text(self.decoder.tokenizer.decode(written), tokens=self._tokens)
                show(text)
                if cut or _repeats(written):
                    stopped_by = cut or "loop"
                    break
                left = self.settings.max_new_tokens - len(written)
                if left <= 0:
                    break
                logits = await ahead.after(written, left)
                await asyncio.sleep(0)
        finally:
            ahead.release()
        raw = self.decoder.tokenizer.decode(written)
        text, _ = visible_text(raw, final=True, tokens=self._tokens)
        show(text)
        return Generation(
            text=text,
            raw=raw,
            tokens=len(written),
            stopped_by=stopped_by,
            prompt_tokens=len(self._prefix_ids) + len(ids),
            prefill_seconds=prefilled - started,
            decode_seconds=time.perf_counter() - prefilled,
            passes=ahead.passes,
        )
