"""The engine's commands for looking at a document: its text, its pages drawn, where a quote stands on them, searching.

One PDF is kept open for drawing: the one that was looked at last, until another one is, until the viewer is closed, and
for as long as somebody may still turn its pages. Imported when the first document is opened.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from terrarium.drawing import Drawn, Item, OpenPages, PageDrawer
from terrarium.errors import PasswordNeeded, TerrariumError, UnreadableFile
from terrarium.events import Emit
from terrarium.library import Library
from terrarium.model import Document, DocumentInfo
from terrarium.storage.protocol import Store
from terrarium.viewing.finding import find
from terrarium.viewing.marks import items_of, marks
from terrarium.viewing.sheets import sheets_view
from terrarium.views import document_view

IDLE_SECONDS = 300.0
KEPT_PAGES = 50  # whose letters are remembered, for going from match to match

NOT_DRAWN = "“{name}” has no pages that could be drawn. Its text is shown instead."
NOT_KEPT = "Only the text of “{name}” was kept; it is shown instead. Add the file again to see its pages."
ENCRYPTED = "“{name}” is encrypted, and its password is not kept. {what}"


class Viewed(Protocol):
    """What is needed of the engine."""

    @property
    def library(self) -> Library: ...

    @property
    def pages(self) -> PageDrawer | None: ...


@dataclass(slots=True)
class Shown:
    """The document that is looked at."""

    document: Document
    info: DocumentInfo  # of the library when it was read from there
    pages: OpenPages | None = None
    items: dict[int, list[Item]] = field(default_factory=dict)


class Viewing:
    """`handle` runs "document", "page", "marks", "find" and "close_pages"."""

    def __init__(self, engine: Viewed, _store: Store) -> None:
        self._engine = engine
        self._shown: Shown | None = None
        self._opening = asyncio.Lock()
        self._idle: asyncio.TimerHandle | None = None
        self._commands: Mapping[str, Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]] = {
            "document": self.document,
            "page": self.page,
            "marks": self.marks,
            "find": self.find,
            "close_pages": self.close_pages,
        }

    async def handle(self, command: str, args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """As `Engine.handle`."""
        return await self._commands[command](args)

    async def document(self, args: dict[str, Any]) -> dict[str, Any]:
        """A document's text, block by block: {document_id}. `drawn` says whether it has pages that `page` may draw."""
        document = (await self._show(args["document_id"])).document
        drawn = document.kind == "pdf" and self._engine.pages is not None
        view = document_view(document, self._engine.library.documents[document.id])
        return view | {"drawn": drawn, "sheets": sheets_view(document)}

    async def page(self, args: dict[str, Any]) -> dict[str, Any]:
        """A page as a picture: {document_id, page, width in pixels, password?}.

        The result has the picture (`bitmap`, an ImageBitmap in the page), the page's size in points, its label where
        that is not its number, how many pages there are, and whether letters are `lacking`, which are drawn as boxes.
        Raises PasswordNeeded, and UnreadableFile with a sentence.
        """
        shown = await self._show(args["document_id"])
        number = int(args["page"])
        async with self._opening:
            pages = await self._pages(shown, args.get("password"))
            try:
                drawn: Drawn = await pages.draw(number, max(1, int(args["width"])))
            except UnreadableFile as error:
                self._close(shown)
                raise UnreadableFile(f"{error} The text is shown instead.") from error
        labels = shown.document.labels
        width, height = drawn.points
        return {
            "page": number,
            "pages": pages.count,
            "label": labels[number - 1] if number <= len(labels) else "",
            "width": width,
            "height": height,
            "bitmap": drawn.bitmap,
            "lacking": drawn.lacking,
        }

    async def marks(self, args: dict[str, Any]) -> dict[str, Any]:
        """Where parts of the text stand on a page: {document_id, page, ranges: [[start, end], …], password?}.

        `boxes` has a list of [x, y, width, height] in points for each range, empty where it is not on the page.
        """
        shown = await self._show(args["document_id"])
        number = int(args["page"])
        items = await self._items(shown, number, args.get("password"))
        boxes = [marks(shown.document, items, number, start, end) for start, end in args["ranges"]]
        return {"boxes": [[list(box) for box in of_range] for of_range in boxes]}

    async def find(self, args: dict[str, Any]) -> dict[str, Any]:
        """What a person types, in a document: {document_id, query}. `matches` are [start, end, page or None] in its
        text, the first of them where there are very many; `count` is of all.
        """
        document = (await self._show(args["document_id"])).document
        found, count = find(document.text, str(args["query"]))
        starts = document.block_starts
        blocks = (document.blocks[bisect_right(starts, start) - 1] for start, _ in found)
        matches = [[start, end, block.page] for (start, end), block in zip(found, blocks, strict=True)]
        return {"matches": matches, "count": count}

    async def close_pages(self, _args: dict[str, Any]) -> dict[str, Any]:
        """Nobody looks at a document any more."""
        self._forget()
        return {}

    async def _show(self, document_id: str) -> Shown:
        """The document, read from the store when it is another one than before, or another text of it: recognised."""
        info = self._engine.library.documents.get(document_id)
        if info is None:
            raise TerrariumError("This document is no longer in the library.")
        if self._shown is None or self._shown.info != info:
            document = await self._engine.library.document(document_id)
            self._forget()
            self._shown = Shown(document, info)
        self._stay()
        return self._shown

    async def _pages(self, shown: Shown, password: str | None) -> OpenPages:
        """What draws the document; opened when it is not open."""
        if shown.pages is None:
            name = shown.document.name
            drawer = self._engine.pages
            if shown.document.kind != "pdf" or drawer is None:
                raise UnreadableFile(NOT_DRAWN.format(name=name))
            data = await self._engine.library.original(shown.document.id)
            if data is None:
                raise UnreadableFile(NOT_KEPT.format(name=name))
            try:
                shown.pages = await drawer.open(data, password)
            except PasswordNeeded as error:
                what = "This one does not open it." if error.wrong else "Enter it to see the pages."
                raise PasswordNeeded(ENCRYPTED.format(name=name, what=what), wrong=error.wrong) from error
            if shown is not self._shown:  # closed, or another one opened, while it was being opened
                self._close(shown)
                raise UnreadableFile(f"“{name}” was closed.")
        return shown.pages

    async def _items(self, shown: Shown, number: int, password: str | None) -> list[Item]:
        if number not in shown.items:
            recognised = items_of(shown.document.recognised, number)
            if not recognised:
                async with self._opening:
                    recognised = list((await (await self._pages(shown, password)).items(number)).items)
            if len(shown.items) == KEPT_PAGES:
                shown.items.clear()
            shown.items[number] = recognised
        return shown.items[number]

    def _stay(self) -> None:
        if self._idle:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._forget)

    def _forget(self) -> None:
        if self._shown:
            self._close(self._shown)
        self._shown = None

    def _close(self, shown: Shown) -> None:
        if shown.pages:
            shown.pages.close()
        shown.pages = None
