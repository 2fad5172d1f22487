"""The documents of the library as rows: each opens on a click, and asks before it is removed.

Below a file stand those that are inside of it, folded away where they are many. Of a library of thousands some rows are
drawn at a time: all of them would hold the page up for seconds.
"""

from ui import dom, engine, words
from ui.dom import button, h
from ui.inside import Inside, is_folded
from ui.recognise import Recognise
from ui.rows import document_row, removal_question


ROWS = 100  # drawn at a time


class DocumentList:
    """`opened(document_id, element)` is called on a click, `changed()` when a document came or went."""

    def __init__(self, changed: object, opened: object) -> None:
        self.documents = []
        self._inside = Inside([])
        self._folded = {}  # what the person chose, by id
        self._visible = []  # (document, depth) of those that have rows or would have, were they drawn
        self._drawn = 0  # so many of them, from the first, are
        self.element = h("ul", "rows", aria_label="Documents")
        self.total = h("p", "quiet small")
        self._more_text = h("span", "quiet small")
        self._more = h("li", "rest", self._more_text, button("Show more", "more-documents", css="link"))
        self._changed = changed
        self._recognise = Recognise(self._replace)
        dom.on("open-document", lambda element, _: opened(element.closest("li").dataset.document, element))
        dom.on("more-documents", lambda *_: self._draw_more())
        dom.on("ask-remove", lambda element, _: self._ask_remove(element.closest("li")))
        dom.on("fold", lambda element, _: self._fold(element))
        dom.on("keep", lambda element, _: self._keep(element.closest("li")))
        dom.on("remove", lambda element, _: dom.spawn(self._remove(element.closest("li"))))

    def open(self, documents: list) -> None:
        """Show these, the newest first."""
        self.documents = newest_first(documents)
        self._drawn = 0
        self._draw()

    def _draw(self) -> None:
        """Everything anew, as many rows as there were."""
        self._inside = inside = Inside(self.documents)
        self._visible = inside.rows(inside.tops, self._folded)
        rows = max(self._drawn, ROWS)
        self.element.replaceChildren()
        self._drawn = 0
        self._draw_more(rows)

    def _draw_more(self, number: int = ROWS) -> None:
        self._more.remove()
        rows = [self._row(info, depth) for info, depth in self._visible[self._drawn : self._drawn + number]]
        dom.fill(self.element, rows, self._more)
        self._drawn += len(rows)
        self._count()

    def _of_all(self) -> object:
        if self._inside is None:
            self._inside = Inside(self.documents)
        return self._inside

    def _row(self, info: dict, depth: int) -> object:
        inside = self._of_all()
        folded = is_folded(info["id"], len(inside.below(info["id"])), self._folded)
        row = document_row(info, inside.count(info["id"]), folded, inside.where(info), depth)
        control = self._recognise.control(info)
        if control:
            row.classList.add("scanned")
            row.append(control)
        return row

    def _replace(self, info: dict) -> None:
        """A document whose text was recognised, where it stands."""
        self.documents = [info if one["id"] == info["id"] else one for one in self.documents]
        self._draw()

    def add(self, info: dict, enclosed: list) -> None:
        """Put a document with those inside of it at the top."""
        came = newest_first([info] + enclosed)
        known = {one["id"] for one in self.documents}
        if any(one["id"] in known for one in came):
            self.learn(came)
            return
        self.documents = came + self.documents
        self._inside = Inside(came)  # of these alone: a folder brings hundreds of files, one after another
        rows = self._inside.rows([info], self._folded)
        self._visible = rows + self._visible
        for one, depth in reversed(rows):
            self.element.prepend(self._row(one, depth))
        self._drawn += len(rows)
        self._inside = None
        self._count()

    def learn(self, infos: list) -> None:
        """Documents of which some are there already and have changed."""
        known = {info["id"]: info for info in infos}
        there = [known.pop(info["id"], info) for info in self.documents]
        self.documents = [info for info in infos if info["id"] in known] + there
        self._draw()

    def find(self, document_id: str) -> dict:
        """The document's DocumentInfo, or {} when it has been removed."""
        for info in self.documents:
            if info["id"] == document_id:
                return info
        return {}

    def _count(self) -> None:
        more = len(self._visible) - self._drawn
        self._more_text.textContent = f"and {words.count(more, 'document')} more"
        dom.show(self._more, more > 0)
        self.total.textContent = words.count(len(self.documents), "document") if self.documents else ""
        self._changed()

    def _ask_remove(self, row: object) -> None:
        if row.querySelector(".sure"):
            return
        name = row.querySelector(".name").textContent
        sure = removal_question(name, len(self._of_all().going(row.dataset.document)) - 1)
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
            gone = engine.plain(await engine.call("remove", {"document_id": document_id}))["removed"]
        except engine.EngineError as error:
            self._keep(row)
            dom.toast(error.message, bad=True)
            return
        self._forget(gone)
        dom.announce("Removed." if len(gone) < 2 else f"{words.count(len(gone), 'document')} removed.")

    def _forget(self, ids: list) -> None:
        gone = set(ids)
        going = [info for info in self.documents if info["id"] in gone]
        left = [info for info in self.documents if info["id"] not in gone]
        self.documents = [outside(info, gone) for info in left]
        if any(info.get("within") for info in going if info["id"] == ids[0]) or left != self.documents:
            self._draw()  # rows of others change, too
            return
        self._inside = None
        self._visible = [row for row in self._visible if row[0]["id"] not in gone]
        for row in list(self.element.children):
            if row.getAttribute("data-document") in gone:
                row.remove()
                self._drawn -= 1
        self._count()

    def _fold(self, control: object) -> None:
        document_id = control.closest("li").dataset.document
        below = len(self._of_all().below(document_id))
        self._folded[document_id] = not is_folded(document_id, below, self._folded)
        self._draw()
        same = ".fold" if control.classList.contains("fold") else ".row-open"
        for row in list(self.element.children):
            if row.getAttribute("data-document") == document_id:
                row.querySelector(same).focus()


def newest_first(documents: list) -> list:
    """As the engine gives them, the oldest first, from the other end. MicroPython takes half a minute to sort 5,000
    that are in order."""
    dates = [info.get("added") or 0 for info in documents]
    if all(dates[place] <= dates[place + 1] for place in range(len(dates) - 1)):
        return documents[::-1]
    return sorted(documents, key=lambda info: -(info.get("added") or 0))


def outside(info: dict, gone: set) -> dict:
    """A document without the files in it that are gone."""
    within = info.get("within") or []
    return dict(info, within=[one for one in within if one not in gone]) if any(one in gone for one in within) else info
