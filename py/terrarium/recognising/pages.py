"""The pages of one file, drawn and read one after the other by two workers that are ended with it.

A page that takes too long or breaks a worker is left out; both workers are made anew for the next.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from terrarium.drawing import OpenPages, PageDrawer
from terrarium.errors import PasswordNeeded, UnreadableFile
from terrarium.events import Emit
from terrarium.model import Word
from terrarium.recognising.words import placed
from terrarium.recognition import Recogniser, Recognition

DOTS_PER_INCH = 300


@dataclass(slots=True)
class Recognised:
    words: list[Word] = field(default_factory=list)
    failed: dict[int, str] = field(default_factory=dict)  # page → why


class PictureReader:
    """Reads one file. `close` ends both workers, whatever they are doing."""

    def __init__(
        self, drawer: PageDrawer, recogniser: Recogniser, data: bytes, password: str | None, languages: Sequence[str]
    ) -> None:
        self._drawer, self._recogniser = drawer, recogniser
        self._data, self._password, self._languages = data, password, languages
        self._pages: OpenPages | None = None
        self._recognition: Recognition | None = None

    async def read(self, pages: Sequence[int], emit: Emit) -> Recognised:
        """Raises PasswordNeeded; UnreadableFile when no page could be read."""
        told = told_of(len(pages), emit)
        told(0, 0.0)
        found = Recognised()
        try:
            for done, number in enumerate(pages):
                drawn, recognition = await self._open()
                try:
                    gray = await drawn.gray(number, DOTS_PER_INCH)
                    seen = await recognition.read(gray, partial(told, done))
                    found.words += placed(seen, gray, number)
                except UnreadableFile as error:
                    if len(pages) == 1:
                        raise
                    found.failed[number] = str(error)
                    self.close()
                told(done + 1, 0.0)
        finally:
            self.close()
        if len(found.failed) == len(pages):
            raise UnreadableFile(found.failed[pages[0]])
        return found

    async def _open(self) -> tuple[OpenPages, Recognition]:
        self._pages = self._pages or await self._drawer.open(self._data, self._password)
        self._recognition = self._recognition or await self._recogniser.open(self._languages)
        return self._pages, self._recognition

    def close(self) -> None:
        for worker in (self._pages, self._recognition):
            if worker is not None:
                worker.close()
        self._pages = self._recognition = None


def asking_for(name: str, error: PasswordNeeded) -> PasswordNeeded:
    """The same in words for the person."""
    tried = "The password does not open it." if error.wrong else "It opens with a password only."
    what = f"“{name}” is encrypted. {tried} Enter the password to recognise its text."
    return PasswordNeeded(what, wrong=error.wrong)


def told_of(total: int, emit: Emit) -> Callable[[int, float], None]:
    """What is called with (pages done, part of the next): a progress event with the time that is left."""
    began = time.perf_counter()

    def tell(done: int, part: float) -> None:
        at = done + part
        left = (time.perf_counter() - began) * (total - at) / at if at else None
        emit({"type": "progress", "stage": "recognising", "done": at, "total": total, "seconds_left": left})

    return tell
