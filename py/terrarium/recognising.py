"""The engine's command for scans: pages without text are drawn, read by text recognition, and indexed like any other.

Nothing of the document changes until all of it is read: stopped or failed, it stays as it was. What was recognised is
said in its warnings. Not recognised: pages that have text of their own, pictures beside that text, handwriting.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from terrarium.drawing import Gray, PageDrawer
from terrarium.errors import PasswordNeeded, TerrariumError
from terrarium.events import Emit, progress_of
from terrarium.library import Library
from terrarium.model import Document, Word
from terrarium.readers.pdf_warnings import numbers
from terrarium.readers.reader import FileReader
from terrarium.recognition import Recogniser, SeenWord
from terrarium.storage.protocol import Store
from terrarium.views import info_view

DOTS_PER_INCH = 300
# A line counts as text for one word that is as sure as this (0–100); others are mostly specks, rules and pictures that
# were taken for letters. In a line of text a doubtful word stays: a reader sees it, where a gap would not be seen.
SURE = 60
SURE_LETTER = 90  # where that word is a single letter or digit
SPECK = 30  # below, a single letter is none
LANGUAGES: Mapping[str, str] = {"eng": "English", "deu": "German", "chi_sim": "simplified Chinese"}

ELSEWHERE = "Text recognition works in the page only. Open the library there."
NOT_KEPT = (
    "The file of “{name}” is not kept in this library, so its pages cannot be drawn. Remove it, then add the file."
)
HAS_TEXT = "Every page of “{name}” has text of its own: there is nothing to recognise."
NOTHING_FOUND = (
    "No text in {languages} was found in the pictures of “{name}”, and nothing was changed. Choose another language if "
    "it is in one; handwriting and pages that lie on their side cannot be read."
)
GONE = "“{name}” was removed while its text was being recognised."


class Recognisable(Protocol):
    """What this needs of the engine."""

    reader: FileReader
    pages: PageDrawer | None
    recogniser: Recogniser | None
    adding: asyncio.Lock

    @property
    def library(self) -> Library: ...


class Recognising:
    """`handle` runs the command "recognise"."""

    def __init__(self, engine: Recognisable, _store: Store) -> None:
        self._engine = engine
        self._reading = asyncio.Lock()  # one document at a time: two would take twice as long, and twice the memory

    async def handle(self, _command: str, args: dict[str, Any], emit: Emit) -> dict[str, Any]:
        """Read the pages without text: {document_id, languages: ["eng", …], password?}.

        Pages that were recognised before are read anew. Raises PasswordNeeded for an encrypted file, as no password is
        kept, and UnreadableFile.
        """
        engine, library = self._engine, self._engine.library
        if engine.pages is None or engine.recogniser is None:
            raise TerrariumError(ELSEWHERE)
        old, languages = await library.document(args["document_id"]), chosen(args["languages"], engine.recogniser)
        data = await library.original(old.id)
        if data is None:
            raise TerrariumError(NOT_KEPT.format(name=old.name))
        pages = pages_to_recognise(old)
        if not pages:
            raise TerrariumError(HAS_TEXT.format(name=old.name))
        password = args.get("password")
        words = await self._words(old, data, password, pages, languages, emit)
        if not words:
            raise TerrariumError(NOTHING_FOUND.format(name=old.name, languages=listed(languages)))
        async with engine.adding:
            told = progress_of(emit, "reading")
            read = await engine.reader.read(data, old.name, password=password, progress=told, words=words)
            if old.id not in library.documents:
                raise TerrariumError(GONE.format(name=old.name))
            document = replace(read.document, warnings=(*read.document.warnings, *said(pages, words, languages)))
            info = await library.add(document, None, progress_of(emit, "embedding"), anew=True)
        return {"document": info_view(info)}

    async def _words(
        self,
        document: Document,
        data: bytes,
        password: str | None,
        pages: Sequence[int],
        languages: Sequence[str],
        emit: Emit,
    ) -> list[Word]:
        assert self._engine.pages and self._engine.recogniser
        if self._reading.locked():
            emit({"type": "progress", "stage": "waiting", "done": 0, "total": 0})
        async with self._reading:
            return await self._read(document, data, password, pages, languages, emit)

    async def _read(
        self,
        document: Document,
        data: bytes,
        password: str | None,
        pages: Sequence[int],
        languages: Sequence[str],
        emit: Emit,
    ) -> list[Word]:
        assert self._engine.pages and self._engine.recogniser
        told = told_of(len(pages), emit)
        told(0, 0.0)
        opened = recognition = None
        try:
            opened = await self._engine.pages.open(data, password)
            recognition = await self._engine.recogniser.open(languages)
            found: list[Word] = []
            for done, number in enumerate(pages):
                gray = await opened.gray(number, DOTS_PER_INCH)
                seen = await recognition.read(gray, lambda part, done=done: told(done, part))  # type: ignore[misc]
                found += placed(seen, gray, number)
                told(done + 1, 0.0)
            return found
        except PasswordNeeded as error:
            tried = "The password does not open it." if error.wrong else "It opens with a password only."
            what = f"“{document.name}” is encrypted. {tried} Enter the password to recognise its text."
            raise PasswordNeeded(what, wrong=error.wrong) from error
        finally:
            for worker in (opened, recognition):
                if worker is not None:
                    worker.close()


def chosen(languages: Sequence[str], recogniser: Recogniser) -> list[str]:
    """English last: Tesseract tries the languages in turn, and other models know its letters too."""
    there = [code for code in languages if code in recogniser.languages]
    if not there:
        raise TerrariumError("Choose a language that the page can recognise: " + listed(recogniser.languages) + ".")
    return sorted(dict.fromkeys(there), key=lambda code: code == "eng")


def pages_to_recognise(document: Document) -> list[int]:
    """Pages on which nothing was read but what recognition read."""
    printed = {block.page for block in document.blocks if not block.hidden}
    printed -= {word.page for word in document.recognised}
    return [number for number in range(1, (document.pages or 0) + 1) if number not in printed]


def placed(seen: Sequence[SeenWord], page: Gray, number: int) -> list[Word]:
    """Pixels → points, without what is hardly anything."""
    across, down = (points / pixels for points, pixels in zip(page.points, page.pixels, strict=True))
    lines = {
        word.line for word in seen if word.confidence >= (SURE if is_word(word) else SURE_LETTER) and letters(word)
    }
    return [
        Word(number, word.text, word.x * across, word.y * down, word.width * across, word.height * down)
        for word in seen
        if word.line in lines and word.text.strip() and (is_word(word) or word.confidence >= SPECK)
    ]


def letters(word: SeenWord) -> int:
    return sum(map(str.isalnum, word.text))


def is_word(word: SeenWord) -> bool:
    """More than one letter or digit; one of a script that has thousands of them is enough."""
    return letters(word) > (0 if word.text > "\u2e80" else 1)


def said(pages: Sequence[int], words: Sequence[Word], languages: Sequence[str]) -> list[str]:
    """What a person must know of it."""
    read = {word.page for word in words}
    with_text = [page for page in pages if page in read]
    where = f"on {numbers(with_text)} from {'its picture' if len(with_text) == 1 else 'their pictures'}"
    warnings = [f"text recognised {where} ({listed(languages)}): it may have mistakes"]
    without = [page for page in pages if page not in read]
    return [*warnings, f"no text found by recognition on {numbers(without)}"] if without else warnings


def listed(languages: Sequence[str]) -> str:
    names = [LANGUAGES.get(code, code) for code in languages]
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def told_of(total: int, emit: Emit) -> Callable[[int, float], None]:
    """What is called with (pages done, part of the next): a progress event with the time that is left."""
    began = time.perf_counter()

    def tell(done: int, part: float) -> None:
        at = done + part
        left = (time.perf_counter() - began) * (total - at) / at if at else None
        emit({"type": "progress", "stage": "recognising", "done": at, "total": total, "seconds_left": left})

    return tell
