"""The `FileReader` of the desk and of tests: it reads in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from terrarium.model import Word
from terrarium.readers.content import ReadFile
from terrarium.readers.pdf.reading import PdfExtractor
from terrarium.readers.reading import read_file


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
