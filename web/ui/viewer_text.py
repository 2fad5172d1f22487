"""The text of a document, drawn a window of blocks at a time, with what is marked in it."""

from ui import dom, viewer_blocks
from ui.dom import button, h
from ui.marking import window_around

WINDOW = 60  # blocks drawn around the mark, and added at an edge
MOST = 300  # blocks that stay drawn
NEAR_EDGE = 200  # pixels from an end of the text at which the next blocks are added


class TextView:
    """`show` draws a document around the place that is to be seen."""

    def __init__(self) -> None:
        self._document = None
        self._first = self._end = 0
        self._text = h("div", "document-text")
        self._before = button("Earlier text", "earlier-text", css="plain edge")
        self._after = button("Later text", "later-text", css="plain edge")
        named = {"role": "region", "aria_labelledby": "viewer-title", "tabindex": "0"}
        self.element = h("div", "scroll", self._before, self._text, self._after, **named)
        self.element.addEventListener("scroll", lambda _: self._scrolled())
        dom.on("earlier-text", lambda *_: self._earlier())
        dom.on("later-text", lambda *_: self._later())

    def say(self, text: str) -> None:
        """A sentence in the place of the text."""
        self._document = None
        dom.replace(self._text, h("p", "quiet", text))
        dom.show(self._before, False)
        dom.show(self._after, False)

    def show(self, document: object) -> str:
        """Draw it with its focus a third from the top; what is marked there comes back."""
        self._document = document
        start, end = document.focus()
        self._first, self._end = window_around(document.block_at(start), document.total, WINDOW)
        dom.replace(self._text, self._drawn(self._first, self._end))
        self._edges()
        mark = self._text.querySelector("mark.current") or self._text.querySelector("mark.quote")
        if mark and end > start:
            above = mark.getBoundingClientRect().top - self.element.getBoundingClientRect().top
            self.element.scrollTop += above - self.element.clientHeight / 3
            return mark.textContent
        self.element.scrollTop = 0
        return ""

    def _drawn(self, first: int, end: int) -> list:
        blocks = self._document.blocks(first, end)
        if not blocks:
            return []
        ranges = self._document.ranges(blocks[0]["start"], blocks[-1]["start"] + len(blocks[-1]["text"]))
        before = self._document.page_before(first)
        return viewer_blocks.drawn(blocks, ranges, first, before, self._document.page_name)

    def _edges(self) -> None:
        dom.show(self._before, self._first > 0)
        dom.show(self._after, self._end < self._document.total)

    def _later(self) -> None:
        end = min(self._document.total, self._end + WINDOW)
        dom.fill(self._text, self._drawn(self._end, end))
        self._end = end
        if end - self._first > MOST:
            self._keep_place(lambda: self._forget(end - MOST, end))
        self._edges()

    def _earlier(self) -> None:
        first = max(0, self._first - WINDOW)

        def prepend() -> None:
            holder = h("div", "", self._drawn(first, self._first))
            for element in reversed(list(holder.children)):
                self._text.prepend(element)

        self._keep_place(prepend)
        self._first = first
        if self._end - first > MOST:
            self._forget(first, first + MOST)
        self._edges()

    def _keep_place(self, change: object) -> None:
        """Change what stands above, and let what is looked at stay where it is."""
        height = self.element.scrollHeight
        change()
        self.element.scrollTop += self.element.scrollHeight - height

    def _forget(self, first: int, end: int) -> None:
        """Take away what is drawn outside of these blocks, whole elements at a time: a table goes with its last row."""
        elements = list(self._text.children)
        lasts = [_last_block(element) for element in elements]
        kept = [place for place, last in enumerate(lasts) if last is not None and first <= last < end]
        for place, element in enumerate(elements):
            if not kept[0] <= place <= kept[-1]:
                element.remove()
        drawn = self._text.querySelectorAll("[data-block]")
        self._first, self._end = int(drawn[0].dataset.block), int(drawn[drawn.length - 1].dataset.block) + 1

    def _scrolled(self) -> None:
        view = self.element
        if not self._document or not view.clientHeight:
            return
        if view.scrollHeight - view.scrollTop - view.clientHeight < NEAR_EDGE and self._end < self._document.total:
            self._later()
        elif view.scrollTop < NEAR_EDGE and self._first > 0:
            self._earlier()


def _last_block(element: object) -> object:
    """Number of the last block that an element of the text draws, None for a page break."""
    numbered = element if element.dataset.block else element.querySelector("[data-block]:last-child")
    return int(numbered.dataset.block) if numbered else None
