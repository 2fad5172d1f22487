"""Reading a prompt in pieces, so that a cancel does not wait for the whole of it.

In a tab one forward pass blocks the worker, so the time of a piece bounds how long a cancel waits. In the graph for
WebAssembly the pieces change no bit of what is read (see `PlainAttention` in `terrarium_build.conversion`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrarium.runtime.protocols import Cache, Decoder, Progress


@dataclass(slots=True)
class Pace:
    """How many tokens of a prompt are read at once: learned from the device, kept from one prompt to the next.

    A 0.5B on one WASM thread reads 50, 63, 74 and 79 tokens a second in pieces of 8, 16, 32 and 64, which take 0.16,
    0.26, 0.43 and 0.8 s. So it settles at 32: a prompt of 400 tokens is read in 5.4 s instead of 8, and a cancel waits
    for 0.2 s on average.
    """

    tokens: int = 16
    least: int = 8
    most: int = 64
    seconds: float = 0.35  # of one piece, at most about 1.3 times this

    def learn(self, tokens: int, seconds: float) -> None:
        """Halve after a slow piece; double after a whole one if twice the tokens (1.65 times the time) are not slow."""
        limit = self.seconds * 1.3
        if seconds > limit:
            self.tokens = max(self.least, self.tokens // 2)
        elif tokens == self.tokens and seconds * 1.65 < limit:
            self.tokens = min(self.most, self.tokens * 2)


async def prefill(
    decoder: Decoder, ids: Sequence[int], cache: Cache | None, pace: Pace, progress: Progress | None = None
) -> tuple[NDArray[np.float32], Cache]:
    """Run `ids` (at least one) through the decoder in pieces; logits [vocabulary] of the last, and the cache of all.

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
    return logits[-1], current
