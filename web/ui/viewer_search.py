"""The field that searches the document that is open: how often it was found, and the way from one place to the next."""

import asyncio

from ui import dom, engine
from ui.dom import button, h

TYPING_SECONDS = 0.25


class Search:
    """`found()` is called when the matches changed or another one is looked at."""

    def __init__(self, found: object) -> None:
        self._found = found
        self._document = None
        self._typed = self._all = 0  # changes of the query, and all matches of the last one
        # Not an <input>: see composer.py on what Chromium asks about the fields of a page.
        box = {"contenteditable": "plaintext-only", "role": "searchbox", "spellcheck": "false", "tabindex": "0"}
        actions = {"data_input": "find-text", "data_keydown": "find-key"}
        self._field = h("div", "find find-text", aria_label="Find in this document", **box, **actions)
        self._count = h("span", "quiet small find-count", role="status")
        back = button("Previous match (Shift+Enter)", "previous-match", css="ghost", symbol="back", only_symbol=True)
        forward = button("Next match (Enter)", "next-match", css="ghost", symbol="forward", only_symbol=True)
        close = button("Close the search (Esc)", "close-find", css="ghost", symbol="close", only_symbol=True)
        self.element = h(
            "div", "viewer-find", self._field, self._count, back, forward, close, role="search", hidden=True
        )
        dom.on("find-text", lambda *_: self._later())
        dom.on("find-key", lambda _, event: self._key(event))
        dom.on("previous-match", lambda *_: self._step(-1))
        dom.on("next-match", lambda *_: self._step(1))

    @property
    def is_open(self) -> bool:
        return not self.element.hidden

    def open(self, document: object) -> None:
        self._document = document
        dom.show(self.element, True)
        self._field.focus()
        if self._field.textContent.strip():
            self._later()

    def close(self) -> None:
        """Take the marks away."""
        dom.show(self.element, False)
        self._typed += 1
        document, self._document = self._document, None
        if document and document.found:
            document.found, document.current = [], -1
            self._found()

    def _key(self, event: object) -> None:
        if event.key == "Enter":
            event.preventDefault()
            self._step(-1 if event.shiftKey else 1)

    def _later(self) -> None:
        """Search when nothing was typed for a moment."""
        self._typed += 1
        number = self._typed

        async def search() -> None:
            await asyncio.sleep(TYPING_SECONDS)
            if number == self._typed:
                await self._search(number)

        dom.spawn(search())

    async def _search(self, number: int) -> None:
        document, query = self._document, self._field.textContent.strip()
        start = document.focus()[0]
        if query:
            result = engine.plain(await engine.call("find", {"document_id": document.id, "query": query}))
        else:
            result = {"matches": [], "count": 0}
        if number != self._typed:
            return
        document.found = [(begin, end) for begin, end, _ in result["matches"]]
        document.found_pages = [page or 0 for _, _, page in result["matches"]]
        self._all = result["count"]
        # The first one from where the person is looking.
        later = [place for place, one in enumerate(document.found) if one[0] >= start]
        document.current = later[0] if later else 0 if document.found else -1
        self._say(query)
        self._found()

    def _step(self, by: int) -> None:
        document = self._document
        if document and document.found:
            document.current = (document.current + by) % len(document.found)
            self._say("…")
            self._found()

    def _say(self, query: str) -> None:
        document = self._document
        if document.found:
            self._count.textContent = f"{document.current + 1} of {self._all:,}"
        else:
            self._count.textContent = "Not found" if query else ""
