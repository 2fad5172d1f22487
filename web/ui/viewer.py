"""The right column: a document at the place that was cited, as its pages look or as its text, and the search in it."""

from ui import dom, engine, words
from ui.dom import button, h
from ui.viewer_document import OpenDocument
from ui.viewer_grid import GridView
from ui.viewer_pages import PageView
from ui.viewer_search import Search
from ui.viewer_text import TextView

PAGE, TEXT = "page", "text"
LACKING = "Some letters are drawn as boxes: neither the file nor this browser has their font. They are under “Text”."
NOT_ON_PAGE = "This passage was not found among the letters of the drawn page. It is marked in the text."


class Viewer:
    """Shows one place of one document. A place is {document_id, document, page, start, end, number?, flags?}."""

    def __init__(self, opened: object, closed: object) -> None:
        self._opened, self._closed = opened, closed
        self._document = None
        self._places, self._place = [], 0
        self._came_from = None
        self._serial = 0
        self._wanted = PAGE  # what the person looks at, where a document has both
        self._text, self._grid = TextView(), GridView()
        self._pages = PageView(self._turned, self._not_drawn)
        self._search = Search(self._found)
        self.element = self._draw()
        dom.on("close-viewer", lambda *_: self.close())
        dom.on("previous-place", lambda *_: self._step(-1))
        dom.on("next-place", lambda *_: self._step(1))
        dom.on("view-as", lambda element, _: self._view_as(element.dataset.view))
        dom.on("turn-page", lambda element, _: self._pages.turn(int(element.dataset.by)))
        dom.on("zoom", lambda element, _: self._pages.zoom(int(element.dataset.by)))
        dom.on("open-find", lambda *_: self._find())
        dom.on("close-find", lambda *_: self._close_find())
        dom.on("unlock-pages", self._unlock)
        self.element.addEventListener("keydown", self._key)

    def _draw(self) -> object:
        self._title = h("h2", "", id="viewer-title", tabindex="-1")
        self._where = h("p", "quiet small")
        self._count = h("span", "quiet small")
        back = button("Previous passage", "previous-place", css="ghost", symbol="back", only_symbol=True)
        forward = button("Next passage", "next-place", css="ghost", symbol="forward", only_symbol=True)
        self._steps = h("div", "steps", back, self._count, forward)
        find = button("Find in this document (Ctrl+F)", "open-find", css="ghost", symbol="find", only_symbol=True)
        close = button("Close the document (Esc)", "close-viewer", css="ghost", symbol="close", only_symbol=True)
        head = h("div", "panel-head", h("div", "viewer-names", self._title, self._where), self._steps, find, close)
        self._note = h("div", "viewer-note", role="status", hidden=True)
        parts = [head, self._draw_tools(), self._search.element, self._note]
        parts += [view.element for view in (self._pages, self._text, self._grid)]
        return h("aside", "viewer", parts, id="viewer", hidden=True, aria_labelledby="viewer-title")

    def _draw_tools(self) -> object:
        self._views = {
            view: h("button", "view-as", label, type="button", data_action="view-as", data_view=view)
            for view, label in ((PAGE, "Page"), (TEXT, "Text"))
        }
        self._page = h("span", "quiet small page-number")
        turning = h(
            "div",
            "tool-group",
            _tool("Previous page", "turn-page", -1, "back"),
            self._page,
            _tool("Next page", "turn-page", 1, "forward"),
        )
        sizes = (("Smaller", -1, "smaller"), ("As wide as the view", 0, "fit"), ("Larger", 1, "new"))
        zooming = h("div", "tool-group", [_tool(label, "zoom", by, symbol) for label, by, symbol in sizes])
        self._page_tools = h("div", "page-tools", turning, zooming)
        choice = h("div", "view-choice", list(self._views.values()), role="group", aria_label="Show the document as")
        self._tools = h("div", "viewer-tools", choice, self._page_tools, hidden=True)
        return self._tools

    @property
    def is_open(self) -> bool:
        return not self.element.hidden

    def open(self, places: list, place: int, came_from: object) -> None:
        """Show `places[place]`; the arrows go through the others. Focus comes back to `came_from` on closing."""
        self._places, self._place = places, place
        if came_from:
            self._came_from = came_from
        dom.show(self.element, True)
        self._opened()
        dom.spawn(self._show())
        self._title.focus()

    def close(self) -> None:
        if not self.is_open:
            return
        dom.show(self.element, False)
        self._search.close()
        self._pages.forget()
        self._document = None
        dom.spawn(engine.call("close_pages", {}))
        self._closed()
        if self._came_from and self._came_from.isConnected:
            self._came_from.focus()

    def escape(self) -> None:
        """The key Escape: first the search goes, then the document."""
        if self._search.is_open:
            self._close_find()
        else:
            self.close()

    def _step(self, by: int) -> None:
        self._place = (self._place + by) % len(self._places)
        dom.spawn(self._show())

    async def _show(self) -> None:
        place = self._places[self._place]
        self._serial += 1
        serial = self._serial
        _, name = words.split_name(place["document"])
        self._title.textContent = name
        self._title.title = place["document"]
        dom.show(self._steps, len(self._places) > 1)
        self._count.textContent = f"{self._place + 1} of {len(self._places)}"
        if self._document is None or place["document_id"] != self._document.id:
            document = await self._read(place["document_id"], serial)
            if not document:
                return
            self._search.close()
            self._document = document
        document = self._document
        number = f"Passage {place['number']}" if place.get("number") else ""
        page = document.page_name(place.get("page"))
        self._where.textContent = " · ".join(part for part in (number, page) if part)
        document.quote = (place["start"], place["end"])
        document.flags = place.get("flags") or []
        document.current = -1
        await self._go()

    async def _read(self, document_id: str, serial: int) -> object:
        """The document with its text; None when it cannot be had, or another one is wanted meanwhile."""
        self._document = None
        self._as(TEXT)
        self._tell("")
        self._text.say("Opening …")
        try:
            result = await engine.call("document", {"document_id": document_id})
        except engine.EngineError as error:
            if serial == self._serial:
                self._text.say(error.message)
            return None
        return OpenDocument(document_id, result) if serial == self._serial else None

    async def _go(self) -> None:
        """Bring what is in focus into sight, in the view that is wanted."""
        document, serial = self._document, self._serial
        start, end = document.focus()
        self._tell("")
        if document.drawn and self._wanted == PAGE:
            self._as(PAGE)
            page = self._places[self._place].get("page") if document.current < 0 else None
            shown = await self._pages.show(document, page or document.page_at(start) or 1)
            if not shown or serial != self._serial:
                return
            said = document.text(start, end)
            if self._pages.lacking:
                self._tell(LACKING)
            elif said and not self._pages.marked:
                self._tell(NOT_ON_PAGE)
        else:
            self._as(TEXT)
            said = (self._grid if document.sheets else self._text).show(document)
        if said:
            page = document.page_name(document.page_at(start))
            dom.announce(f"{self._title.textContent}, {page or 'text'}: {said}")

    def _as(self, view: str) -> None:
        """Show this view, and the tools that it has."""
        document = self._document
        grid = bool(document and document.sheets)
        dom.show(self._pages.element, view == PAGE)
        dom.show(self._text.element, view == TEXT and not grid)
        dom.show(self._grid.element, view == TEXT and grid)
        dom.show(self._tools, bool(document and document.drawn))
        self._page_tools.style.visibility = "visible" if view == PAGE else "hidden"
        for name, element in self._views.items():
            element.setAttribute("aria-pressed", "true" if name == view else "false")

    def _view_as(self, view: str) -> None:
        self._wanted = view
        dom.spawn(self._go())

    def _turned(self, page: int) -> None:
        label = self._document.labels[page - 1] if page <= len(self._document.labels) else ""
        self._page.textContent = f"{label or page} of {self._document.pages}"

    def _found(self) -> None:
        if self.is_open and self._document:
            dom.spawn(self._go())

    def _find(self) -> None:
        if self._document:
            self._search.open(self._document)

    def _close_find(self) -> None:
        self._search.close()
        self._title.focus()

    def _key(self, event: object) -> None:
        if event.key == "f" and (event.ctrlKey or event.metaKey) and self._document:
            event.preventDefault()
            self._find()

    def _tell(self, sentence: str, *more: object) -> None:
        """A sentence above the document."""
        dom.replace(self._note, h("p", "", sentence) if sentence else None, *more)
        dom.show(self._note, bool(sentence))

    def _not_drawn(self, error: object) -> None:
        """Nothing of the pages can be drawn: the text, and why. A password is kept while the document is open."""
        self._as(TEXT)
        self._text.show(self._document)
        form = None
        if error.kind == "PasswordNeeded":
            label = f"Password of {self._title.textContent}"
            field = h(
                "input", type="password", required=True, autocomplete="off", aria_label=label, placeholder="Password"
            )
            form = h("form", "unlock", field, h("button", "plain", "Open", type="submit"), data_submit="unlock-pages")
        self._tell(error.message, form)

    def _unlock(self, element: object, event: object) -> None:
        event.preventDefault()
        self._pages.unlock(element.querySelector("input").value)
        self._view_as(PAGE)


def _tool(label: str, action: str, by: int, symbol: str) -> object:
    made = button(label, action, css="ghost", symbol=symbol, only_symbol=True)
    made.dataset.by = str(by)
    return made
