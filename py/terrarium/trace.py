"""One JSON record a turn: what was asked, what each stage found, what the generator read and wrote, what was shown.

Each thing is noted where it is made; `recording.py` adds what the request, the answer and the library hold.
`docs/trace.md` lists the fields. A record holds text of the person's documents. It stays in the store until the person
forgets it or newer ones take its place (`shelf.py`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

FORMAT = 2


class Trace:
    """Collects one turn.

    `timings` are seconds by name: how long a stage took, how long after the question a mark was set. `stages` and
    `marks` say when: stages nest and overlap, so a waterfall needs the start of each, in seconds after the question.
    """

    def __init__(self, question: str, clock: Callable[[], float] = time.perf_counter) -> None:
        self.id = uuid4().hex
        self._clock = clock
        self._started = clock()
        self.timings: dict[str, float] = {}
        self.stages: list[dict[str, Any]] = []  # {name, start, seconds}, in the order of their starts
        self.marks: dict[str, float] = {}
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
        """Time a stage, also when it fails or is cancelled. One that is entered again is timed for itself."""
        started = self._clock()
        entry: dict[str, Any] = {"name": name, "start": round(started - self._started, 4)}
        self.stages.append(entry)
        try:
            yield
        finally:
            entry["seconds"] = round(self._clock() - started, 4)
            self.timings[name] = round(sum(s.get("seconds", 0.0) for s in self.stages if s["name"] == name), 4)

    def mark(self, name: str) -> None:
        """Note how long after the question something happened: evidence shown, first word shown."""
        self.marks[name] = self.timings[name] = round(self._clock() - self._started, 4)

    def close(self) -> bytes:
        """The record as one line of JSON (without the line end), UTF-8."""
        self.mark("total")
        self.note(timings=self.timings, stages=self.stages, marks=self.marks)
        return json.dumps(self.record, ensure_ascii=False, separators=(",", ":")).encode()
