"""How far a long run is, on standard error: standard output holds the result alone."""

from __future__ import annotations

import sys
import time

_EVERY = 1.0  # seconds between two writings


class Progress:
    """One line for each stage, written over at most once a second."""

    def __init__(self) -> None:
        self._stage, self._last = "", 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if stage != self._stage:
            self.end()
            self._stage = stage
        elif now - self._last < _EVERY and done < total:
            return
        self._last = now
        print(f"\r{stage}: {done} of {total}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._stage:
            print(file=sys.stderr)
        self._stage = ""
