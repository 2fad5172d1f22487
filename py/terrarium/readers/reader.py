"""Where files are read: in this process, or (`reader_web.py`) in a worker that can be killed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from terrarium.model import Word
from terrarium.readers import PdfExtractor, ReadFile, read_file


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
        """See `readers.read_file`, whose errors it raises."""
        ...


class LocalReader:
    """Reads in this process, without limits of time or memory of its own."""

    def __init__(self, pdf: PdfExtractor) -> None:
        self._pdf = pdf

    async def read(
        self,
        data: bytes,
        name: str,
        *,
        password: str | None = None,
        progress: Callable[[int, int], None] | None = None,
        words: Sequence[Word] = (),
    ) -> ReadFile:
        return await read_file(data, name, pdf=self._pdf, password=password, progress=progress, words=words)
