"""The documents of the library as rows: each opens on a click, and asks before it is removed.

Of a library of thousands some rows are drawn at a time: all of them would hold the page up for seconds.
"""

from ui import dom, engine, words
from ui.dom import button, h
from ui.rows import document_row, removal_question


ROWS = 100  # drawn at a time


class DocumentList:
    """`opened(document_id, element)` is called on a click, `changed()` when a document came or went."""

    def __init__(self, changed: object, opened: object) -> None:
        self.documents = []
        self._drawn = 0  # so many of the documents, from the first, have rows
        self.element = h("ul", "rows", aria_label="Documents")
        self.total = h("p", "quiet small")
        self._more_text = h("span", "quiet small")
        self._more = h("li", "rest", self._more_text, button("Show more", "more-documents", css="link"))
        self._changed = changed
        dom.on("open-document", lambda element, _: opened(element.closest("li").dataset.document, element))
        dom.on("more-documents", lambda *_: self._draw_more())
        dom.on("ask-remove", lambda element, _: self._ask_remove(element.closest("li")))
        dom.on("keep", lambda element, _: self._keep(element.closest("li")))
        dom.on("remove", lambda element, _: dom.spawn(self._remove(element.closest("li"))))

    def open(self, documents: list) -> None:
        """Show these, the newest first."""
        self.documents = sorted(documents, key=lambda info: -(info.get("added") or 0))
        self.element.replaceChildren()
        self._drawn = 0
        self._draw_more()

    def _draw_more(self) -> None:
        self._more.remove()
        rows = [document_row(info) for info in self.documents[self._drawn : self._drawn + ROWS]]
        dom.fill(self.element, rows, self._more)
        self._drawn += len(rows)
        self._count()

    def add(self, info: dict) -> None:
        """Put a document at the top; a row of the same one, indexed anew, goes."""
        self._forget(info["id"])
        self.documents.insert(0, info)
        self.element.prepend(document_row(info))
        self._drawn += 1
        self._count()

    def find(self, document_id: str) -> dict:
        """The document's DocumentInfo, or {} when it has been removed."""
        for info in self.documents:
            if info["id"] == document_id:
                return info
        return {}

    def _count(self) -> None:
        more = len(self.documents) - self._drawn
        self._more_text.textContent = f"and {words.count(more, 'document')} more"
        dom.show(self._more, more > 0)
        self.total.textContent = words.count(len(self.documents), "document") if self.documents else ""
        self._changed()

    def _ask_remove(self, row: object) -> None:
        name = row.querySelector(".name").textContent
        sure = removal_question(name)
        row.classList.add("asking")
        row.append(sure)
        sure.querySelector("button").focus()

    def _keep(self, row: object) -> None:
        row.querySelector(".sure").remove()
        row.classList.remove("asking")
        row.querySelector(".row-open").focus()

    async def _remove(self, row: object) -> None:
        document_id = row.dataset.document
        try:
            await engine.call("remove", {"document_id": document_id})
        except engine.EngineError as error:
            self._keep(row)
            dom.toast(error.message, bad=True)
            return
        self._forget(document_id)
        self._count()
        dom.announce("Removed.")

    def _forget(self, document_id: str) -> None:
        self.documents = [info for info in self.documents if info["id"] != document_id]
        for row in list(self.element.children):
            if row.getAttribute("data-document") == document_id:
                row.remove()
                self._drawn -= 1
