"""Looking at a document: what is opened, drawn, kept and closed, on a drawer that plays its part."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from terrarium.drawing import Drawn, Gray, Item, PageItems
from terrarium.errors import PasswordNeeded, TerrariumError, UnreadableFile
from terrarium.model import Block, Document, DocumentInfo
from terrarium.viewing.commands import Viewed, Viewing
from terrarium.viewing.sheets import sheets_view

PARAGRAPHS = (Block("paragraph", "The fee is due.", 1), Block("paragraph", "Late fee: 5.", 2))
RULES = Document("rules", "rules.pdf", "pdf", "", PARAGRAPHS, 9, pages=2, labels=("i", "1"))
NOTES = Document("notes", "notes.txt", "text", "", (Block("paragraph", "No pages here."),), 9)
GONE = Document("gone", "gone.pdf", "pdf", "", (Block("paragraph", "Text only.", 1),), 9, pages=1)
CELLS = (
    Block("table_row", "a: 1 | c: 2", row=2, cells=((0, 3, 4), (2, 10, 11))),
    Block("table_row", "b: 3", row=3, cells=((1, 3, 4),)),
)
ROWS = Document("rows", "rows.csv", "csv", "", CELLS, 9)


class Pages:
    """An `OpenPages`: page 2 is damaged."""

    def __init__(self, log: list[str]) -> None:
        self.count, self._log = 2, log

    async def draw(self, page: int, width: int) -> Drawn:
        self._log.append(f"draw {page} {width}")
        if page == 2:
            raise UnreadableFile("Page 2 could not be drawn: it is damaged.")
        return Drawn(7, (width, 2 * width), (300.0, 600.0))

    async def gray(self, page: int, dpi: int) -> Gray:
        raise AssertionError("the viewer recognises nothing")

    async def items(self, page: int) -> PageItems:
        self._log.append(f"items {page}")
        return PageItems((Item("The fee is due.", 50, 100, 80, 10),), (300.0, 600.0))

    def close(self) -> None:
        self._log.append("close")


class Drawer:
    def __init__(self, password: str = "") -> None:
        self.log: list[str] = []
        self._password = password

    async def open(self, data: bytes, password: str | None = None) -> Pages:
        if self._password and password != self._password:
            raise PasswordNeeded("The file opens with a password only.", wrong=bool(password))
        self.log.append(f"open {data.decode()}")
        return Pages(self.log)


class Library:
    def __init__(self) -> None:
        self.kept = {one.id: one for one in (RULES, NOTES, GONE, ROWS)}
        self.documents = {one.id: DocumentInfo(one.id, one.name, one.kind, "", 9, 1) for one in self.kept.values()}

    async def document(self, document_id: str) -> Document:
        return self.kept[document_id]

    async def original(self, document_id: str) -> bytes | None:
        return None if document_id == "gone" else document_id.encode()


def viewing(drawer: Drawer | None) -> Viewing:
    return Viewing(cast(Viewed, SimpleNamespace(library=Library(), pages=drawer)), cast(Any, None))


async def call(viewing: Viewing, command: str, document_id: str = "rules", **args: Any) -> dict[str, Any]:
    return await viewing.handle(command, {"document_id": document_id, **args}, lambda event: None)


def test_a_page_is_drawn_with_its_size_and_label_and_the_document_is_opened_once() -> None:
    async def scenario() -> None:
        drawer = Drawer()
        viewer = viewing(drawer)
        assert (await call(viewer, "document"))["drawn"]
        page = await call(viewer, "page", page=1, width=600)
        size = {"width": 300.0, "height": 600.0}
        assert page == {"page": 1, "pages": 2, "label": "i", **size, "bitmap": 7, "lacking": False}
        await call(viewer, "page", page=1, width=900)
        assert drawer.log == ["open rules", "draw 1 600", "draw 1 900"]

    asyncio.run(scenario())


def test_marks_of_many_ranges_ask_for_the_pages_letters_once() -> None:
    async def scenario() -> None:
        drawer = Drawer()
        viewer = viewing(drawer)
        found = await call(viewer, "marks", page=1, ranges=[[0, 15], [4, 7], [16, 20]])
        assert [len(boxes) for boxes in found["boxes"]] == [1, 1, 0]
        await call(viewer, "marks", page=1, ranges=[[0, 3]])
        assert drawer.log == ["open rules", "items 1"]

    asyncio.run(scenario())


def test_another_document_closing_and_a_damaged_page_end_the_drawer() -> None:
    async def scenario() -> None:
        drawer = Drawer()
        viewer = viewing(drawer)
        await call(viewer, "page", page=1, width=10)
        await call(viewer, "document", "notes")
        await call(viewer, "page", page=1, width=10)
        await call(viewer, "close_pages")
        assert drawer.log == ["open rules", "draw 1 10", "close"] * 2
        with pytest.raises(UnreadableFile, match=r"it is damaged\. The text is shown instead"):
            await call(viewer, "page", page=2, width=10)
        assert drawer.log[-1] == "close"
        await call(viewer, "page", page=1, width=10)
        assert drawer.log[-2:] == ["open rules", "draw 1 10"]

    asyncio.run(scenario())


def test_what_has_no_pages_says_why() -> None:
    async def scenario() -> None:
        viewer = viewing(Drawer())
        assert not (await call(viewer, "document", "notes"))["drawn"]
        with pytest.raises(UnreadableFile, match="no pages that could be drawn"):
            await call(viewer, "page", "notes", page=1, width=10)
        with pytest.raises(UnreadableFile, match="Only the text of “gone.pdf” was kept"):
            await call(viewer, "page", "gone", page=1, width=10)
        with pytest.raises(TerrariumError, match="no longer in the library"):
            await call(viewer, "page", "nowhere", page=1, width=10)
        assert not (await call(viewing(None), "document"))["drawn"]

    asyncio.run(scenario())


def test_a_password_is_asked_for_and_kept_while_the_document_is_open() -> None:
    async def scenario() -> None:
        drawer = Drawer("sesame")
        viewer = viewing(drawer)
        with pytest.raises(PasswordNeeded, match="Enter it to see the pages") as asked:
            await call(viewer, "page", page=1, width=10)
        assert not asked.value.wrong
        with pytest.raises(PasswordNeeded, match="does not open it") as again:
            await call(viewer, "page", page=1, width=10, password="open")
        assert again.value.wrong
        await call(viewer, "page", page=1, width=10, password="sesame")
        await call(viewer, "page", page=1, width=20)
        await call(viewer, "close_pages")
        with pytest.raises(PasswordNeeded):
            await call(viewer, "page", page=1, width=10)

    asyncio.run(scenario())


def test_a_document_that_was_read_anew_is_shown_as_it_is_now() -> None:
    async def scenario() -> None:
        library = Library()
        viewer = Viewing(cast(Viewed, SimpleNamespace(library=library, pages=None)), cast(Any, None))
        assert (await call(viewer, "find", query="locker"))["count"] == 0
        recognised = Block("paragraph", "The key is in locker 88.", 2)
        library.kept["rules"] = replace(RULES, blocks=(*PARAGRAPHS, recognised))
        library.documents["rules"] = replace(library.documents["rules"], chunks=2, recognised=1)
        assert (await call(viewer, "find", query="locker"))["count"] == 1

    asyncio.run(scenario())


def test_matches_come_with_their_pages() -> None:
    async def scenario() -> None:
        found = await call(viewing(None), "find", query="FEE")
        assert found == {"matches": [[4, 7, 1], [21, 24, 2]], "count": 2}

    asyncio.run(scenario())


def test_a_table_without_sheets_is_one_sheet_of_the_columns_that_it_uses() -> None:
    async def scenario() -> None:
        view = await call(viewing(None), "document", "rows")
        assert view["sheets"] == [{"name": "", "first": 0, "end": 2, "columns": [0, 1, 2], "rows": None}]
        assert view["blocks"][0]["cells"] == [[0, 3, 4], [2, 10, 11]]

    asyncio.run(scenario())


def test_tables_side_by_side_share_their_rows_and_what_is_hidden_is_a_sheet_of_its_own() -> None:
    def row(number: int, column: int) -> Block:
        return Block("table_row", "x", row=number, cells=((column, 0, 1),))

    blocks = (Block("heading", "Staff"), row(3, 0), row(4, 0), row(3, 5), row(9, 5), Block("heading", "Pay"), row(1, 0))
    hidden = (Block("paragraph", "Hidden notes", hidden=True), Block("paragraph", "more", hidden=True))
    view = sheets_view(Document("id", "a.xlsx", "xlsx", "", blocks + hidden, 1))
    assert view == [
        {"name": "Staff", "first": 1, "end": 5, "columns": [0, 5], "rows": [[1, 3], [2], [4]]},
        {"name": "Pay", "first": 6, "end": 7, "columns": [0], "rows": None},
        {"name": "Not visible", "first": 7, "end": 9, "columns": [], "rows": None},
    ]
