"""The left column: what is in the library, what is on its way into it, and what could not be read."""

import asyncio

from pyscript import window

from ui import dom, engine, words
from ui.document_list import DocumentList
from ui.dom import button, h, icon
from ui.file_queue import RUNNING, WAITING, FileQueue
from ui.rows import QueueRow

WAITING_SHOWN = 4
REDRAW_SECONDS = 0.04


def _picker(name: str, label: str, **attributes: object) -> object:
    return h("input", id=name, type="file", hidden=True, data_change="picked", aria_label=label, **attributes)


class LibraryPanel:
    """Draws the library and feeds it one file at a time. `changed()` is called when a document came or went.

    A model pack among the files is known by its first bytes and goes to `take_pack(File)`.
    """

    def __init__(self, changed: object, opened: object, take_pack: object) -> None:
        self.queue = FileQueue()
        self.ready = False
        self._changed = changed
        self._take_pack = take_pack
        self._rows = {}  # entry key → (what it was drawn from, row): a row that did not change keeps its focus
        self._drawing = False
        self._list = DocumentList(self._list_changed, opened)
        self.element = self._draw()
        dom.on("cancel-file", lambda element, _: self._cancel(self._entry(element)))
        dom.on("cancel-waiting", lambda *_: self._cancel_waiting())
        dom.on("dismiss-file", lambda element, _: self._dismiss(self._entry(element)))
        dom.on("unlock-file", self._unlock)

    def _draw(self) -> object:
        self._queue_list = h("ul", "rows", aria_label="Files being added")
        self._more_text = h("span", "quiet small")
        self._more = h(
            "li", "more", self._more_text, button("Cancel waiting", "cancel-waiting", css="link"), hidden=True
        )
        self._queue_list.append(self._more)
        pickers = h(
            "div",
            "pickers",
            button("Choose files", "choose-files", css="plain"),
            button("Choose folder", "choose-folder", css="plain"),
        )
        inputs = (
            _picker("pick-files", "Files to add", multiple=True),
            _picker("pick-folder", "Folder to add", webkitdirectory=True),
        )
        drop = h("div", "dropzone", icon("drop"), h("span", "", "Drop files or a folder"), pickers, inputs)
        head = h("div", "panel-head", h("h2", "", "Library", id="library-title"), self._list.total)
        lists = h("div", "scroll", self._queue_list, self._list.element)
        return h("section", "library", head, drop, lists, id="library", aria_labelledby="library-title")

    def open(self, documents: list) -> None:
        """The library as the engine found it; files may come from now on."""
        self.ready = True
        self._list.open(documents)

    @property
    def documents(self) -> list:
        """One DocumentInfo each, the newest first."""
        return self._list.documents

    def name_of(self, document_id: str) -> dict:
        """The document's DocumentInfo, or {} when it has been removed."""
        return self._list.find(document_id)

    def _list_changed(self) -> None:
        self.element.classList.toggle("has-documents", bool(self.documents))
        self._changed()

    def take(self, path: str, file: object) -> None:
        """Queue one file; it is read when its turn comes."""
        self.queue.add(path, file.size, file)
        self._next()
        self._draw_soon()

    def _draw_soon(self) -> None:
        """A folder brings hundreds of files at once: they are drawn together."""

        async def later() -> None:
            await asyncio.sleep(REDRAW_SECONDS)
            self._drawing = False
            self._draw_queue()

        if not self._drawing:
            self._drawing = True
            dom.spawn(later())

    def _draw_queue(self) -> None:
        waiting = self.queue.waiting
        shown = [entry for entry in self.queue.entries if entry.state != WAITING or entry in waiting[:WAITING_SHOWN]]
        drawn_from = {entry.key: (entry.state, entry.message) for entry in shown}
        for key in list(self._rows):
            if self._rows[key][0] != drawn_from.get(key):
                self._rows.pop(key)[1].element.remove()
        place = self._queue_list.firstChild
        for entry in shown:
            if entry.key in self._rows:
                place = self._rows[entry.key][1].element.nextSibling
            else:
                row = QueueRow(entry)
                self._rows[entry.key] = (drawn_from[entry.key], row)
                self._queue_list.insertBefore(row.element, place)
        more = len(waiting) - WAITING_SHOWN
        self._more_text.textContent = f"and {more} more waiting" if more > 0 else f"{len(waiting)} files waiting"
        dom.show(self._more, len(waiting) > 1)
        self._changed()

    def _entry(self, element: object) -> object:
        return self.queue.find(int(element.closest("[data-key]").dataset.key))

    def _next(self) -> None:
        entry = self.queue.start_next()
        if entry:
            self._draw_soon()
            dom.spawn(self._add(entry))

    async def _add(self, entry: object) -> None:
        def heard(event: dict) -> None:
            if event["type"] == "progress":
                self.queue.progress(entry, event["stage"], event["done"], event["total"], event.get("seconds_left"))
                if entry.key in self._rows:
                    self._rows[entry.key][1].progress()

        def started(call_id: object) -> None:
            entry.call = call_id

        arguments = {"name": entry.name}
        if entry.password:
            arguments["password"] = entry.password
        _, name = words.split_name(entry.name)
        try:
            if await engine.settled(window.terrarium.packs.isPack(entry.source)):
                self.queue.finish(entry)
                self._take_pack(entry.source)
                return
            data = await engine.settled(entry.source.arrayBuffer())
            if entry not in self.queue.entries:
                return
            result = engine.plain(await engine.call("add", arguments, data=data, on_event=heard, on_start=started))
            self.queue.finish(entry)
            self._added(name, result)
        except engine.EngineError as error:
            message = error.message
            if error.kind in ("NotReadableError", "NotFoundError"):
                # The browser's own: the file changed, went away, or is larger than one buffer may be.
                message = f"{name} could not be read from the disk. Check that it is still there, then add it again."
            self.queue.fail(entry, error.kind, message)
            if error.kind != "Cancelled":
                dom.announce(message)
        finally:
            self._draw_soon()
            self._next()

    def _added(self, name: str, result: dict) -> None:
        if result["duplicate"]:
            dom.toast(f"{name} is already in the library.")
            return
        self._list.add(result["document"])
        dom.announce(f"{name} is ready.")

    def _cancel(self, entry: object) -> None:
        if entry.state == RUNNING and entry.call is not None:
            engine.cancel(entry.call)
            return
        self.queue.remove(entry)
        self._draw_soon()
        self._next()

    def _cancel_waiting(self) -> None:
        self.queue.clear_waiting()
        self._draw_soon()

    def _dismiss(self, entry: object) -> None:
        self.queue.remove(entry)
        self._draw_soon()

    def _unlock(self, element: object, event: object) -> None:
        event.preventDefault()
        self.queue.retry(self._entry(element), element.querySelector("input").value)
        self._draw_soon()
        self._next()
