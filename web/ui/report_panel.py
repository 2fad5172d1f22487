"""The dialog “What was read”: a row for each document and each file that failed, to filter, sort, open and save.

Of thousands of rows some are drawn at a time, as in the library's list.
"""

from pyscript import window

from ui import dom, engine, words
from ui.dialogs import dialog
from ui.dom import button, h
from ui.report_table import ReportTable
from ui.report_words import FAILED, counted, failed, failed_row, ordered, shown, totals
from ui.saving import save_text

LEAD = "What stands in each file, what was left out of it and why. Everything stays in this browser."
NOTHING = "Nothing was read yet: drop files onto the page."
NO_ROW = "No file meets all of this."


class ReportPanel:
    """`opened(document_id)` shows a document; the dialog is closed before."""

    def __init__(self, title: str, library: object, opened: object) -> None:
        self._library, self._opened = library, opened
        self._failed = []
        self._read = []  # in the engine's order
        self._orders = {}  # by column
        self._counts = []  # (kind of warning, label)
        self._chosen = []
        self._typed = ""
        self._key, self._down = "added", True
        self._totals = h("p", "report-totals", role="status")
        # Not an <input>: see composer.py on what Chromium asks about the fields of a page.
        box = {"contenteditable": "plaintext-only", "role": "searchbox", "spellcheck": "false", "tabindex": "0"}
        find = h("div", "find", aria_label="Find a file by its name", data_input="report-find", **box)
        self._kinds = h("div", "report-kinds", role="group", aria_label="Show only")
        self._table = ReportTable()
        self._none = h("p", "quiet", hidden=True)
        body = h("div", "panel-body report-body", h("p", "quiet", LEAD), find, self._kinds, self._table.element)
        body.append(self._none)
        save = button("Save as CSV", "save-report", css="plain", symbol="download")
        foot = h("div", "report-foot", self._totals, save)
        self.element = dialog("report-panel", title, body, foot, css="report")
        dom.on("report-find", lambda element, _: self._find(element.textContent))
        dom.on("report-kind", lambda element, _: self._choose(element.dataset.kind))
        dom.on("report-sort", lambda element, _: self._sort(element.dataset.key))
        dom.on("report-open", lambda element, _: self._open_document(element.closest("tr").dataset.document))
        dom.on("save-report", lambda *_: dom.spawn(self._save()))

    def open(self) -> None:
        self.element.showModal()
        dom.spawn(self._refresh())

    async def _refresh(self) -> None:
        def heard(event: dict) -> None:
            if event["type"] == "progress":
                self._totals.textContent = words.counted("Counting", event["done"], event["total"])

        found = await self._asked("report", {}, heard)
        if not found:
            return
        self._failed = [failed_row(one["name"], one["size"], one["message"]) for one in self._library.queue.failures]
        self._read, self._orders = found["rows"], found["orders"]
        everything = self._failed + self._read
        self._totals.textContent = totals(everything)
        self._counts = counted(everything, found["kinds"])
        self._chosen = [kind for kind, _ in self._counts if kind in self._chosen]
        self._draw()

    def _draw(self) -> None:
        boxes = []
        for kind, label in self._counts:
            chip = h("button", "choice", label, type="button", data_action="report-kind", data_kind=kind)
            chip.setAttribute("aria-pressed", "true" if kind in self._chosen else "false")
            chip.classList.toggle("bad", kind == FAILED)
            boxes.append(chip)
        dom.replace(self._kinds, boxes)
        self._list()

    def _list(self) -> None:
        if not self._orders:  # typed before the engine has answered
            return
        # What failed has few values to sort by, and is what a person looks for first.
        rows = self._failed + ordered(self._read, self._orders[self._key], self._down)
        found = shown(rows, self._chosen, self._typed)
        self._table.show(found, self._key, self._down)
        self._none.textContent = NO_ROW if rows else NOTHING
        dom.show(self._none, not found)

    def _find(self, typed: str) -> None:
        self._typed = typed
        self._list()

    def _choose(self, kind: str) -> None:
        if kind in self._chosen:
            self._chosen.remove(kind)
        else:
            self._chosen.append(kind)
        self._draw()
        self._kinds.querySelector(f'[data-kind="{kind}"]').focus()

    def _sort(self, key: str) -> None:
        self._down = not self._down if key == self._key else self._table.numeric(key)
        self._key = key
        self._list()
        self._table.focus(key)

    def _open_document(self, document_id: str) -> None:
        self.element.close()
        if self._library.name_of(document_id):
            self._opened(document_id)
        else:
            dom.toast("This document is no longer in the library.")

    async def _save(self) -> None:
        """What the table shows, in its order."""
        rows = self._table.rows
        failures = [{key: row[key] for key in ("name", "size", "reason")} for row in rows if failed(row)]
        ids = [row["id"] for row in rows if not failed(row)]
        found = await self._asked("write_report", {"failures": failures, "documents": ids})
        if found:
            save_text(found["text"], f"what-was-read-{window.Date.new().toISOString()[:10]}.csv", marked=True)

    async def _asked(self, command: str, given: dict, heard: object = None) -> dict | None:
        try:
            return engine.plain(await engine.call(command, given, on_event=heard))
        except engine.EngineError as error:
            dom.toast(error.message, bad=True)
            return None
