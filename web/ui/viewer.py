"""The right column: a document's text with the quote marked, drawn a window of blocks at a time."""

from ui import dom, engine, marking, words
from ui.dom import button, h

WINDOW = 60  # blocks drawn around the mark, and added at an edge
NEAR_EDGE = 200  # pixels from the end of the text at which the next blocks are added

HIDDEN = "Not visible in the original; never used for answers: "
FLAGGED_BEGINS = "Addressed to the model, not read: "
TAGS = {"paragraph": "p", "list_item": "p", "table_row": "p", "code": "pre", "quote": "blockquote"}


class Viewer:
    """Shows one place of one document. A place is {document_id, document, page, start, end, number?, flags?}."""

    def __init__(self, opened: object, closed: object) -> None:
        self._opened, self._closed = opened, closed
        self._blocks = None  # the engine's array, left on the JavaScript side: a long document has tens of thousands
        self._total = 0
        self._document_id = ""
        self._first = self._end = 0
        self._places, self._place = [], 0
        self._came_from = None
        self._serial = 0
        self.element = self._draw()
        dom.on("close-viewer", lambda *_: self.close())
        dom.on("previous-place", lambda *_: self._step(-1))
        dom.on("next-place", lambda *_: self._step(1))
        dom.on("earlier-text", lambda *_: self._earlier())
        dom.on("later-text", lambda *_: self._later())

    def _draw(self) -> object:
        self._title = h("h2", "", id="viewer-title", tabindex="-1")
        self._where = h("p", "quiet small")
        self._count = h("span", "quiet small")
        back = button("Previous passage", "previous-place", css="ghost", symbol="back", only_symbol=True)
        forward = button("Next passage", "next-place", css="ghost", symbol="forward", only_symbol=True)
        self._steps = h("div", "steps", back, self._count, forward)
        close = button("Close the document (Esc)", "close-viewer", css="ghost", symbol="close", only_symbol=True)
        head = h("div", "panel-head", h("div", "viewer-names", self._title, self._where), self._steps, close)
        self._text = h("div", "document-text")
        self._before = button("Earlier text", "earlier-text", css="plain edge")
        self._after = button("Later text", "later-text", css="plain edge")
        named = {"role": "region", "aria_labelledby": "viewer-title", "tabindex": "0"}
        self._scroller = h("div", "scroll", self._before, self._text, self._after, **named)
        self._scroller.addEventListener("scroll", lambda _: self._scrolled())
        return h("aside", "viewer", head, self._scroller, id="viewer", hidden=True, aria_labelledby="viewer-title")

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
        self._closed()
        if self._came_from and self._came_from.isConnected:
            self._came_from.focus()

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
        number = f"Passage {place['number']}" if place.get("number") else ""
        self._where.textContent = " · ".join(part for part in (number, words.pages(place.get("page"))) if part)
        dom.show(self._steps, len(self._places) > 1)
        self._count.textContent = f"{self._place + 1} of {len(self._places)}"
        if place["document_id"] != self._document_id:
            dom.replace(self._text, h("p", "quiet", "Opening …"))
            dom.show(self._before, False)
            dom.show(self._after, False)
            try:
                result = await engine.call("document", {"document_id": place["document_id"]})
            except engine.EngineError as error:
                self._document_id = ""
                dom.replace(self._text, h("p", "quiet", error.message))
                return
            if serial != self._serial:
                return
            self._blocks, self._total = result.blocks, result.blocks.length
            self._document_id = place["document_id"]
        index = marking.block_at(lambda number: self._blocks[number].start, self._total, place["start"])
        self._first, self._end = marking.window_around(index, self._total, WINDOW)
        dom.replace(self._text, self._drawn(self._first, self._end))
        self._edges()
        mark = self._text.querySelector("mark")
        if mark and place["end"] > place["start"]:
            above = mark.getBoundingClientRect().top - self._scroller.getBoundingClientRect().top
            self._scroller.scrollTop += above - self._scroller.clientHeight / 3
            dom.announce(f"{name}, {words.pages(place.get('page')) or 'text'}: {mark.textContent}")
        else:
            self._scroller.scrollTop = 0

    def _drawn(self, first: int, end: int) -> list:
        place = self._places[self._place]
        page = self._blocks[first - 1].page if first > 0 else None
        elements = []
        for block in engine.plain(self._blocks.slice(first, end)):
            if block.get("page") and block["page"] != page:
                page = block["page"]
                elements.append(h("p", "page-break", words.pages(page)))
            elements.append(_element(block, place))
        return elements

    def _edges(self) -> None:
        dom.show(self._before, self._first > 0)
        dom.show(self._after, self._end < self._total)

    def _later(self) -> None:
        end = min(self._total, self._end + WINDOW)
        dom.fill(self._text, self._drawn(self._end, end))
        self._end = end
        self._edges()

    def _earlier(self) -> None:
        first = max(0, self._first - WINDOW)
        height = self._scroller.scrollHeight
        holder = h("div", "", self._drawn(first, self._first))
        for element in reversed(list(holder.children)):
            self._text.prepend(element)
        self._first = first
        self._edges()
        self._scroller.scrollTop += self._scroller.scrollHeight - height

    def _scrolled(self) -> None:
        if not self._document_id or self.element.hidden:
            return
        left = self._scroller.scrollHeight - self._scroller.scrollTop - self._scroller.clientHeight
        if left < NEAR_EDGE and self._end < self._total:
            self._later()


def _element(block: dict, place: dict) -> object:
    """One block of the document, with what the place covers of it marked."""
    ranges = [(start, end, "flagged") for start, end in place.get("flags") or []]
    ranges.append((place["start"], place["end"], "mark"))
    kind = block["kind"]
    tag = f"h{min(6, 2 + (block.get('level') or 1))}" if kind == "heading" else TAGS.get(kind, "p")
    element = h(tag, kind, [_piece(*one) for one in marking.cut_at(block["text"], block["start"], ranges)])
    if block.get("hidden"):
        element.classList.add("hidden-text")
        element.prepend(h("span", "hidden-note", HIDDEN))
    if kind == "list_item" and block.get("level"):
        element.dataset.level = str(min(4, block["level"]))
    return element


def _piece(text: str, name: str) -> object:
    if name == "flagged":
        return h("span", "flagged", h("span", "unseen", FLAGGED_BEGINS), text)
    return h("mark", "", text) if name else text
