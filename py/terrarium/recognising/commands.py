"""The engine's command "recognise".

Nothing of the document changes until all of it is read: stopped or failed, it stays as it was. What was recognised is
said in its warnings. Not recognised: pages that have text of their own, pictures beside that text, handwriting.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from terrarium.drawing import PageDrawer
from terrarium.errors import PasswordNeeded, TerrariumError
from terrarium.events import Emit, progress_of
from terrarium.library import Library
from terrarium.model import Document
from terrarium.readers.pdf.warnings import numbers
from terrarium.readers.reader import FileReader
from terrarium.recognising.pages import PictureReader, Recognised, asking_for
from terrarium.recognition import Recogniser
from terrarium.storage.protocol import Store
from terrarium.views import info_view

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
NOT_THERE = "This document is no longer in the library. Add it again."
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
        if args["document_id"] not in library:
            raise TerrariumError(NOT_THERE)
        old, languages = await library.document(args["document_id"]), chosen(args["languages"], engine.recogniser)
        data = await library.original(old.id)
        if data is None:
            raise TerrariumError(NOT_KEPT.format(name=old.name))
        pages, password = pages_to_recognise(old), args.get("password")
        if not pages:
            raise TerrariumError(HAS_TEXT.format(name=old.name))
        if self._reading.locked():
            emit({"type": "progress", "stage": "waiting", "done": 0, "total": 0})
        async with self._reading:
            try:
                found = await PictureReader(engine.pages, engine.recogniser, data, password, languages).read(
                    pages, emit
                )
            except PasswordNeeded as error:
                raise asking_for(old.name, error) from error
        if not found.words:
            raise TerrariumError(NOTHING_FOUND.format(name=old.name, languages=listed(languages)))
        async with engine.adding:
            told = progress_of(emit, "reading")
            read = await engine.reader.read(data, old.name, password=password, progress=told, words=found.words)
            if old.id not in library:
                raise TerrariumError(GONE.format(name=old.name))
            document = replace(read.document, warnings=(*said(pages, found, languages), *read.document.warnings))
            info = await library.add(document, None, progress_of(emit, "embedding"), anew=True)
        return {"document": info_view(info)}


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


def said(pages: Sequence[int], found: Recognised, languages: Sequence[str]) -> list[str]:
    """What a person must know of it."""
    read = {word.page for word in found.words}
    with_text = [page for page in pages if page in read]
    where = f"on {numbers(with_text)} from {'its picture' if len(with_text) == 1 else 'their pictures'}"
    warnings = [f"text recognised {where} ({listed(languages)}): it may have mistakes"]
    if without := [page for page in pages if page not in read and page not in found.failed]:
        warnings.append(f"no text found by recognition on {numbers(without)}")
    warnings += [f"page {page}: its text was not recognised. {why}" for page, why in found.failed.items()]
    return warnings


def listed(languages: Sequence[str]) -> str:
    names = [LANGUAGES.get(code, code) for code in languages]
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
