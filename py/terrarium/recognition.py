"""What reads the text of pictured pages, as the engine sees it: one worker a document, kept by whoever opened it.

The tab has one (`runtime/web_recogniser.py`); at the desk nothing is recognised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from terrarium.drawing import Gray


@dataclass(frozen=True, slots=True)
class SeenWord:
    """A word on a picture: pixels from its top left corner. The box is as high as the line's letters, see
    web/ocr_words.mjs."""

    text: str
    line: int  # of the page, in the order in which they are read
    confidence: float  # 0–100
    x: float
    y: float
    width: float
    height: float


class Recognition(Protocol):
    """A recogniser that has its languages."""

    async def read(self, page: Gray, heard: Callable[[float], None]) -> list[SeenWord]:
        """The page's words in the order in which they are read. `heard` is told how far it is, 0–1.

        Raises UnreadableFile when it fails or takes too long; it is of no use afterwards.
        """
        ...

    def close(self) -> None:
        """End it, whatever it is doing."""
        ...


class Recogniser(Protocol):
    @property
    def languages(self) -> Sequence[str]:
        """Those that came with the page, by Tesseract's codes: "eng", "deu", "chi_sim"."""
        ...

    async def open(self, languages: Sequence[str]) -> Recognition:
        """The first language is the one that most of the text is in. Raises UnreadableFile when it does not start."""
        ...
