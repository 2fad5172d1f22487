"""The dialog in which a person chooses the documents that questions go to. What is ticked holds at once."""

import time

from ui import dom, words
from ui.dom import button, h
from ui.inside import Inside
from ui.scope import ADDED, NO_COLLECTION

LISTED = 100  # documents drawn at once; the others are found by typing
SEARCHED_FROM = 9  # documents, from which the list has a box to search in


def _choice(kind: str, group: str, name: str, label: str, chosen: bool) -> object:
    data = {"data_group": group, "data_name": name, "data_change": "scope-choice"}
    box = h("input", type=kind, name=f"scope-{group}", checked=chosen, **data)
    return h("label", "choice", box, h("span", "", label))


def _counted(infos: list, key: str) -> list:
    """(name, how many documents) pairs, by name."""
    counts = {}
    for info in infos:
        name = info.get(key) or ""
        counts[name] = counts.get(name, 0) + 1
    return sorted(counts.items())


class ScopePanel:
    """Edits a Scope; `changed()` is called after every change."""

    def __init__(self, scope: object, library: object, changed: object) -> None:
        self._scope, self._library, self._changed = scope, library, changed
        self._body = h("div", "panel-body")
        self._count = h("p", "scope-count", role="status")
        everything = button("All documents", "scope-all", css="plain")
        foot = h("div", "scope-foot", self._count, everything, button("Done", "close-dialog", css="primary"))
        close = button("Close", "close-dialog", css="ghost", symbol="close", only_symbol=True)
        head = h("div", "panel-head", h("h2", "", "Where to look", id="scope-title"), close)
        self.element = h(
            "dialog", "panel scope", head, self._body, foot, id="scope-panel", aria_labelledby="scope-title"
        )
        dom.on("open-scope", lambda *_: self.open())
        dom.on("scope-choice", lambda element, _: self._chosen(element))
        dom.on("scope-all", lambda *_: self._all())
        dom.on("scope-find", lambda element, _: self._list(element.textContent))

    def open(self) -> None:
        self._draw()
        self.element.showModal()

    def _draw(self) -> None:
        infos, scope = self._library.documents, self._scope
        parts = []
        collections = _counted(infos, "collection")
        if len(collections) > 1 or (collections and collections[0][0]):
            choices = [("collections", name, name or NO_COLLECTION, number) for name, number in collections]
            parts.append(self._group("Collection", choices))
        kinds = [("kinds", kind, words.KINDS.get(kind, kind.upper()), n) for kind, n in _counted(infos, "kind")]
        if len(kinds) > 1:
            parts.append(self._group("Kind of file", kinds))
        times = [_choice("radio", "added", days, label, scope.days == days) for days, label in ADDED]
        parts.append(h("fieldset", "choices", h("legend", "", "Added"), times))
        self._documents = h("div", "choice-list")
        find = None
        if len(infos) >= SEARCHED_FROM:
            # Not an <input>: see composer.py on what Chromium asks about the fields of a page.
            box = {"contenteditable": "plaintext-only", "role": "searchbox", "spellcheck": "false", "tabindex": "0"}
            find = h("div", "find", aria_label="Find a document", data_input="scope-find", **box)
        parts.append(h("fieldset", "choices", h("legend", "", "Documents"), find, self._documents))
        dom.replace(self._body, parts)
        self._list("")
        self._say()

    def _group(self, title: str, choices: list) -> object:
        boxes = [
            _choice("checkbox", group, name, f"{label} ({number})", name in self._scope.chosen[group])
            for group, name, label, number in choices
        ]
        return h("fieldset", "choices", h("legend", "", title), boxes)

    def _list(self, typed: str) -> None:
        """The documents with the typed letters in their names, the chosen ones first."""
        wanted, chosen = typed.strip().lower(), self._scope.chosen["documents"]
        found = [info for info in self._library.documents if wanted in info["name"].lower()]
        found.sort(key=lambda info: (info["id"] not in chosen, info["name"].lower()))
        boxes = [
            _choice("checkbox", "documents", info["id"], info["name"], info["id"] in chosen) for info in found[:LISTED]
        ]
        more = len(found) - LISTED
        note = (
            f"and {more} more: type a part of the name" if more > 0 else "" if found else "No document has that name."
        )
        dom.replace(self._documents, boxes, h("p", "quiet small", note) if note else None)

    def _chosen(self, element: object) -> None:
        self._scope.choose(element.dataset.group, element.dataset.name, element.checked)
        self._say()
        self._changed()

    def _all(self) -> None:
        self._scope.clear()
        self._draw()
        self._changed()

    def _say(self) -> None:
        infos = self._library.documents
        named = Inside(infos).with_inside(self._scope.chosen["documents"])
        number = sum(self._scope.admits(info, time.time(), named) for info in infos)
        found = f"Questions go to {number} of {words.count(len(infos), 'document')}."
        self._count.textContent = found if number or not infos else "No document meets all of this."
        self._count.classList.toggle("bad", not number and bool(infos))
