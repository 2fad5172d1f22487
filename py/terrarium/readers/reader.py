"""Where files are read: in this process, or (`reader_web.py`) in a worker that can be killed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from terrarium.model import Word
from terrarium.readers.content import ReadFile


class FileReader(Protocol):
    async def read(
        self,
        data: bytes,
        name: str,
        *,
        password: str | None = None,
        progress: Callable[[int, int], None] | None = None,
        words: Sequence[Word] = (),
    ) -> ReadFile:
        """See `reading.read_file`, whose errors it raises."""
        ...
