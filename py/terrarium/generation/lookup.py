"""Prompt lookup decoding: guess the next tokens from the prompt, check them in one pass, keep what agrees.

Answers quote their sources, and a pass over several tokens takes hardly longer than over one. So the tokens behind a
place of the prompt that reads as the answer ends are read together with the answer's newest token. The logits of each
say whether the guess for it is what would have been written anyway; from the first that is not, everything read is cut
off again. The text is that of plain decoding as far as a token's logits do not depend on what else is in the pass; in
the tab's graph for WebAssembly they do not, to the last bit.

Source: Saxena, Prompt Lookup Decoding, 2023 (assisted decoding without a second model).
Not here: guesses from what was written itself (a text that repeats itself is penalised), trees of guesses, sampling.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Container, Sequence

import numpy as np
from numpy.typing import NDArray

from terrarium.generation.wager import Wager
from terrarium.runtime.protocols import Cache, Decoder

LONGEST = 4  # tokens that are compared; what agrees for longer is hardly likelier to go on


class Lookup:
    """The runs of up to LONGEST tokens of one prompt, and where each ends.

    `closing` are the tokens that end a sentence: an answer seldom takes two sentences as they follow each other.
    """

    def __init__(self, ids: Sequence[int], closing: Container[int] = ()) -> None:
        self._ids, self._closing = list(ids), closing
        self._ends: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
        for end in range(1, len(ids)):
            for length in range(1, min(LONGEST, end) + 1):
                self._ends[tuple(ids[end - length : end])].append(end)

    def guess(self, written: Sequence[int]) -> tuple[list[int], int]:
        """The rest of the sentence behind the longest run of the prompt with which `written` ends; that run's length.

        Of several places the first one counts; ([], 0) when there is none.
        """
        for length in range(min(LONGEST, len(written)), 0, -1):
            if ends := self._ends.get(tuple(written[-length:])):
                return self._sentence(ends[0]), length
        return [], 0

    def _sentence(self, start: int) -> list[int]:
        rest = range(start, len(self._ids))
        end = next((at + 1 for at in rest if self._ids[at] in self._closing), len(self._ids))
        return self._ids[start:end]


class Ahead:
    """The logits behind each written token, several of them computed in one pass where a guess comes true.

    Owns the cache that it is given.
    """

    def __init__(self, decoder: Decoder, cache: Cache, lookup: Lookup, wager: Wager) -> None:
        self._decoder, self._cache, self._lookup, self._wager = decoder, cache, lookup, wager
        self._rows: NDArray[np.float32] = np.zeros((1, 0), np.float32)  # of the newest pass
        self._row = 0  # of these, the one behind the last written token
        self._guess: list[int] = []  # what follows row 0, 1, …; at least as far as it was checked
        self._agreed = 0  # tokens that matched before the guess
        self.passes = 0

    async def after(self, written: Sequence[int], most: int) -> NDArray[np.float32]:
        """Logits [vocabulary] behind the last of `written`. `most` more tokens can be of use."""
        if self._row < len(self._guess):
            hit = self._guess[self._row] == written[-1]
            self._wager.learn(self._agreed + self._row, hit)
            if hit and self._row + 1 < len(self._rows):
                self._row += 1
                return self._newest()
        await self._pass(written, most)
        return self._newest()

    def _newest(self) -> NDArray[np.float32]:
        row: NDArray[np.float32] = self._rows[self._row]
        return row

    async def _pass(self, written: Sequence[int], most: int) -> None:
        self._cache = self._cache.cut(self._cache.length - (len(self._rows) - 1 - self._row))
        guess, self._agreed = self._lookup.guess(written)
        room = self._decoder.max_tokens - self._cache.length - 1
        count = max(0, min(self._wager.tokens(self._agreed), len(guess), most - 1, room))
        # One guess more than is checked: whether it came true is seen anyway, also where none was worth a check.
        self._guess, self._row = guess[: count + 1], 0
        started = time.perf_counter()
        ids = [written[-1], *self._guess[:count]]
        self._rows, following = await self._decoder.forward(ids, self._cache, len(ids))
        self._wager.learn_time(len(ids), time.perf_counter() - started)
        self._cache.release()
        self._cache = following
        self.passes += 1

    def release(self) -> None:
        self._cache.release()
