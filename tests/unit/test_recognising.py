"""Scans: what is drawn, what becomes of the words, and that nothing changes until all of it is read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from tests.fixtures.pdf import Text, extracted

from terrarium.adding import add_file, read_to_add
from terrarium.drawing import Gray
from terrarium.errors import PasswordNeeded, TerrariumError, UnreadableFile
from terrarium.library import Library
from terrarium.models.scripted import HashingEmbedder
from terrarium.readers.local import LocalReader
from terrarium.readers.pdf.reading import PdfContent
from terrarium.recognising.commands import Recognising
from terrarium.recognition import SeenWord
from terrarium.storage.memory import MemoryStore

SCAN = b"%PDF-1.4 a scan"
PRINTED: list[Text] = [(50, 100, 10, "F1", "The first page has text of its own, as most pages have.")]


def words(text: str, y: float = 100, x: float = 100, confidence: float = 90) -> list[SeenWord]:
    """One line of print, 300 dots per inch: letters of 20 pixels, boxes of 39."""
    seen = []
    for word in text.split():
        seen.append(SeenWord(word, round(y), confidence, x, y, 20 * len(word), 39))
        x += 20 * (len(word) + 0.7)
    return seen


class Pdf:
    def __init__(self, pages: Sequence[Sequence[Text]]) -> None:
        self.pages, self.passwords = pages, list[str | None]()

    async def extract(self, data: bytes, password: str | None, on_page: Any = None) -> PdfContent:
        self.passwords.append(password)
        if on_page:
            on_page(1, 1)
        return PdfContent(*extracted(self.pages))


class Pages:
    """A drawer whose pages are A4 and 300 dots per inch, and the recogniser that reads them by their number."""

    def __init__(self, seen: dict[int, list[SeenWord]], password: str = "") -> None:
        self.seen, self.password = seen, password
        self.languages = ["eng", "deu", "chi_sim"]
        self.asked: list[tuple[int, int]] = []
        self.opened: list[Sequence[str]] = []
        self.closed = 0
        self.before: Callable[[int], Any] = lambda number: None

    async def open(self, given: Any, password: str | None = None) -> Any:
        if isinstance(given, list):
            self.opened.append(given)
            return SimpleNamespace(read=self.read, close=self.close)
        if self.password and password != self.password:
            raise PasswordNeeded("The file opens with a password only.", wrong=password is not None)
        return SimpleNamespace(gray=self.gray, close=self.close, count=9)

    async def gray(self, number: int, dpi: int) -> Gray:
        self.asked.append((number, dpi))
        return Gray(bytes([number]), (2500, 3500), (600.0, 840.0))

    async def read(self, page: Gray, heard: Callable[[float], None]) -> list[SeenWord]:
        number = page.data[0]
        heard(0.5)
        await asyncio.sleep(0)
        if done := self.before(number):
            await done
        return self.seen.get(number, [])

    def close(self) -> None:
        self.closed += 1


class Scene:
    """An open library that holds one scan, and the command."""

    def __init__(self, pages: Sequence[Sequence[Text]], seen: dict[int, list[SeenWord]], **more: Any) -> None:
        self.pages = Pages(seen, **more)
        self.pdf = Pdf(pages)
        self.events: list[dict[str, Any]] = []

    async def open(self, original: bytes | None = SCAN) -> Scene:
        reader = LocalReader(self.pdf)
        self.store = MemoryStore()
        self.library = await Library.open(self.store, HashingEmbedder())
        read = await reader.read(SCAN, "letters/scan.pdf")
        self.id = read.document.id
        await self.library.add(read.document, original, collection="letters")
        self.engine: Any = SimpleNamespace(
            library=self.library, reader=reader, pages=self.pages, recogniser=self.pages, adding=asyncio.Lock()
        )
        self.command = Recognising(self.engine, self.store)
        return self

    async def recognise(self, *languages: str, **more: Any) -> dict[str, Any]:
        args = {"document_id": self.id, "languages": list(languages or ("eng",)), **more}
        info: dict[str, Any] = (await self.command.handle("recognise", args, self.events.append))["document"]
        return info


def test_pages_without_text_are_read_and_the_document_takes_their_words() -> None:
    async def scenario() -> None:
        lines = [*words("The harbour was closed in", y=100), *words("1987 for a whole winter.", y=160)]
        scene = await Scene([PRINTED, [], []], {2: lines, 3: []}).open()
        before = scene.library.info(scene.id)
        assert before.warnings == ("no text layer on pages 2–3 (2 of 3 pages)",)

        info = await scene.recognise("eng", "deu")

        assert scene.pages.asked == [(2, 300), (3, 300)]
        assert scene.pages.opened == [["deu", "eng"]]
        assert scene.pages.closed == 2
        assert info["warnings"] == [
            "text recognised on page 2 from its picture (German and English): it may have mistakes",
            "no text found by recognition on page 3",
            "no text layer on page 3 (1 of 3 pages)",
        ]
        assert (info["id"], info["name"], info["collection"]) == (scene.id, "letters/scan.pdf", "letters")
        assert info["recognised"] == 1
        document = await scene.library.document(scene.id)
        assert [(block.page, block.text) for block in document.blocks] == [
            (1, PRINTED[0][4]),
            (2, "The harbour was closed in 1987 for a whole winter."),
        ]
        first = document.recognised[0]
        assert (first.text, first.page) == ("The", 2)
        # 2500 pixels are 600 points.
        assert [first.x, first.y, first.width, first.height] == pytest.approx([24, 24, 14.4, 9.36], rel=1e-4)
        assert await scene.library.original(scene.id) == SCAN
        found = scene.library.lexical.search(["harbour"], 5)
        assert len(found) == 1

    asyncio.run(scenario())


def test_progress_counts_pages_and_parts_of_them() -> None:
    async def scenario() -> None:
        scene = await Scene([[], []], {1: words("One page."), 2: words("And another.")}).open()
        await scene.recognise()
        steps = [event for event in scene.events if event["stage"] == "recognising"]
        assert [(step["done"], step["total"]) for step in steps] == [(0, 2), (0.5, 2), (1, 2), (1.5, 2), (2, 2)]
        assert steps[0]["seconds_left"] is None
        assert steps[-1]["seconds_left"] == 0
        assert {event["stage"] for event in scene.events} == {"recognising", "reading", "embedding"}

    asyncio.run(scenario())


def test_specks_and_pictures_are_no_words() -> None:
    async def scenario() -> None:
        blot = [replace(word, confidence=12) for word in words("~", y=100, x=900)]
        doubtful = [replace(word, confidence=0, line=100) for word in words("Ormsund 渡", x=500)]
        picture = [*words("© o < N", y=300, confidence=85), *words("SS arm", y=360, confidence=45)]
        scene = await Scene(
            [[]], {1: [*words("Real words here."), *doubtful, *blot, *picture, *words("7", y=420, confidence=95)]}
        ).open()
        await scene.recognise()
        document = await scene.library.document(scene.id)
        assert [word.text for word in document.recognised] == ["Real", "words", "here.", "Ormsund", "渡", "7"]

    asyncio.run(scenario())


def test_without_any_words_nothing_changes() -> None:
    async def scenario() -> None:
        scene = await Scene([[]], {1: words("?!", confidence=9)}).open()
        before = (scene.library.info(scene.id), scene.library.revision)
        with pytest.raises(TerrariumError, match="No text in English was found"):
            await scene.recognise()
        assert (scene.library.info(scene.id), scene.library.revision) == before
        assert scene.pages.closed == 2

    asyncio.run(scenario())


def test_stopped_between_pages_it_changes_nothing_and_ends_both_workers() -> None:
    async def scenario() -> None:
        scene = await Scene([[], []], {1: words("One."), 2: words("Two.")}).open()
        reached = asyncio.Event()

        def before(number: int) -> Any:
            if number == 2:
                reached.set()
                return asyncio.Event().wait()
            return None

        scene.pages.before = before
        task = asyncio.create_task(scene.recognise())
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert scene.pages.closed == 2
        assert scene.library.info(scene.id).warnings == ("no text layer (2 of 2 pages)",)
        assert (await scene.library.document(scene.id)).recognised == ()

    asyncio.run(scenario())


def test_recognised_again_in_another_language_the_new_words_stand_alone() -> None:
    async def scenario() -> None:
        scene = await Scene([PRINTED, []], {2: words("Uber die StraBe.")}).open()
        await scene.recognise("eng")
        scene.pages.seen = {2: words("Über die Straße.")}
        info = await scene.recognise("deu")
        assert [number for number, _ in scene.pages.asked] == [2, 2]
        assert (await scene.library.document(scene.id)).text.endswith("\nÜber die Straße.")
        assert info["warnings"] == ["text recognised on page 2 from its picture (German): it may have mistakes"]

    asyncio.run(scenario())


def test_added_again_for_another_embedder_its_words_stay() -> None:
    async def scenario() -> None:
        other = HashingEmbedder()
        other.id, other.compatible = "another@1", frozenset({"another@1"})
        scene = await Scene([PRINTED, []], {2: words("The harbour was closed.")}).open()
        await scene.recognise()
        library = await Library.open(scene.store, other)
        assert [info.name for info in library.needs_reindexing] == ["letters/scan.pdf"]
        read = await read_to_add(library, scene.engine.reader, SCAN, "scan.pdf")
        added = await add_file(library, read)
        assert not library.needs_reindexing
        assert added.document.warnings == (
            "text recognised on page 2 from its picture (English): it may have mistakes",
        )
        assert (await library.document(scene.id)).text.endswith("The harbour was closed.")

    asyncio.run(scenario())


def test_an_encrypted_file_asks_for_its_password_again() -> None:
    async def scenario() -> None:
        scene = await Scene([[]], {1: words("Secret words.")}, password="geheim").open()
        with pytest.raises(PasswordNeeded, match="opens with a password only") as missing:
            await scene.recognise()
        with pytest.raises(PasswordNeeded, match="does not open it") as other:
            await scene.recognise(password="open")
        assert (missing.value.wrong, other.value.wrong) == (False, True)
        await scene.recognise(password="geheim")
        assert scene.pdf.passwords[-1] == "geheim"
        assert (await scene.library.document(scene.id)).text == "Secret words."

    asyncio.run(scenario())


def test_it_says_why_it_cannot() -> None:
    async def scenario() -> None:
        scene = await Scene([[]], {1: words("Words.")}).open(original=None)
        with pytest.raises(TerrariumError, match="is not kept"):
            await scene.recognise()
        scene = await Scene([PRINTED], {}).open()
        with pytest.raises(TerrariumError, match="has text of its own"):
            await scene.recognise()
        with pytest.raises(TerrariumError, match="English, German and simplified Chinese"):
            await scene.recognise("tlh")
        scene.engine.recogniser = None
        with pytest.raises(TerrariumError, match="in the page only"):
            await scene.recognise()

    asyncio.run(scenario())


def test_a_document_that_goes_meanwhile_does_not_come_back() -> None:
    async def scenario() -> None:
        scene = await Scene([[]], {1: words("Words.")}).open()
        scene.pages.before = lambda number: scene.library.remove(scene.id)
        with pytest.raises(TerrariumError, match="was removed"):
            await scene.recognise()
        assert not scene.library.documents

    asyncio.run(scenario())


def test_a_page_that_breaks_a_worker_is_left_out_and_said() -> None:
    async def scenario() -> None:
        scene = await Scene([[], [], []], {1: words("One page."), 3: words("Another page.")}).open()

        async def fail() -> None:
            raise UnreadableFile("Text recognition failed (memory).")

        scene.pages.before = lambda number: fail() if number == 2 else None
        info = await scene.recognise()
        assert info["warnings"] == [
            "text recognised on pages 1, 3 from their pictures (English): it may have mistakes",
            "page 2: its text was not recognised. Text recognition failed (memory).",
            "no text layer on page 2 (1 of 3 pages)",
        ]
        assert scene.pages.opened == [["eng"], ["eng"]]  # a new one after the page that failed
        assert scene.pages.closed == 4

    asyncio.run(scenario())


def test_a_worker_that_fails_leaves_everything_as_it_was() -> None:
    async def scenario() -> None:
        scene = await Scene([[]], {1: words("Words.")}).open()

        async def fail() -> None:
            raise UnreadableFile("Text recognition failed (memory).")

        scene.pages.before = lambda number: fail()
        with pytest.raises(UnreadableFile):
            await scene.recognise()
        assert scene.pages.closed == 2
        assert scene.library.info(scene.id).warnings == ("no text layer (1 of 1 pages)",)

    asyncio.run(scenario())
