"""One JSON record a turn: what was asked, what each stage found, what the generator read and wrote, what was shown.

A record holds text of the person's documents. It stays in the store until the person downloads it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

FORMAT = 1


class Trace:
    """Collects one turn. `timings` are seconds by stage, in the order in which the stages ended."""

    def __init__(self, question: str) -> None:
        self.id = uuid4().hex
        self._started = time.perf_counter()
        self.timings: dict[str, float] = {}
        self.record: dict[str, Any] = {
            "format": FORMAT,
            "id": self.id,
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "question": question,
        }

    def note(self, **fields: Any) -> None:
        """Add fields to the record."""
        self.record.update(fields)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage, also when it fails or is cancelled."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.timings[name] = round(time.perf_counter() - started, 4)

    def mark(self, name: str) -> None:
        """Note how long after the question something happened: evidence shown, first word shown."""
        self.timings[name] = round(time.perf_counter() - self._started, 4)

    def close(self) -> bytes:
        """The record as one line of JSON (without the line end), UTF-8."""
        self.mark("total")
        self.record["timings"] = self.timings
        return json.dumps(self.record, ensure_ascii=False, separators=(",", ":")).encode()
