"""The left column: what is in the library, what is on its way into it, and what could not be read."""

from pyscript import window

from ui import dom, engine, words
from ui.document_list import DocumentList
from ui.dom import button, h, icon
from ui.file_queue import RUNNING, FileQueue
from ui.library_files import LibraryFiles, is_library
from ui.queue_list import QueueList
from ui.report import Report

NOT_READY = "Still starting: add files when the page says that it is ready."


def _picker(name: str, label: str, **attributes: object) -> object:
    return h("input", id=name, type="file", hidden=True, data_change="picked", aria_label=label, **attributes)


class LibraryPanel:
    """Draws the library and feeds it one file at a time. `changed()` is called when a document came or went.

    A model pack among the files is known by its first bytes and goes to `take_pack(File)`. What a library file brings
    beside its documents is said by `tell(sentence)`.
    """

    def __init__(self, changed: object, opened: object, take_pack: object, tell: object) -> None:
        self.queue = FileQueue()
        self.ready = False
        self._changed = changed
        self._take_pack = take_pack
        self._tell = tell
        self._files = LibraryFiles(self._is_ready)
        self._shown = QueueList(self.queue, changed)
        self._list = DocumentList(self._list_changed, opened)
        self._report = Report(self, opened)
        self.element = self._draw()
        dom.on("cancel-file", lambda element, _: self._cancel(self._entry(element)))
        dom.on("cancel-waiting", lambda *_: self._cancel_waiting())
        dom.on("dismiss-file", lambda element, _: self._dismiss(self._entry(element)))
        dom.on("unlock-file", self._unlock)

    def _draw(self) -> object:
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
        head = h("div", "panel-head", h("h2", "", "Library", id="library-title"), self._list.total, self._report.button)
        lists = h("div", "scroll", self._shown.element, self._list.element)
        parts = (head, drop, lists, self._files.element)
        return h("section", "library", parts, id="library", aria_labelledby="library-title")

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

    def _is_ready(self) -> bool:
        if not self.ready:
            dom.toast(NOT_READY)
        return self.ready

    def _list_changed(self) -> None:
        self._files.changed(self.documents)
        self.element.classList.toggle("has-documents", bool(self.documents))
        self._changed()

    def take(self, path: str, file: object) -> None:
        """Queue one file; it is read when its turn comes."""
        self.queue.add(path, file.size, file)
        self._next()
        self._shown.draw_soon()

    def _entry(self, element: object) -> object:
        return self.queue.find(int(element.closest("[data-key]").dataset.key))

    def _next(self) -> None:
        entry = self.queue.start_next()
        if entry:
            self._shown.draw_soon()
            dom.spawn(self._add(entry))

    async def _add(self, entry: object) -> None:
        def heard(event: dict) -> None:
            if event["type"] == "progress":
                self.queue.progress(entry, event["stage"], event["done"], event["total"], event.get("seconds_left"))
                self._shown.progress(entry)

        def started(call_id: object) -> None:
            entry.call = call_id

        folder, name = words.split_name(entry.name)
        arguments = {"name": entry.name, "collection": folder.partition("/")[0]}  # a dropped folder is a collection
        if entry.password:
            arguments["password"] = entry.password
        try:
            if is_library(entry.name):
                await self._take_library(entry, heard, started)
                return
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
            if error.kind == "StorageError":  # of several files some may have come in
                self._list.open(engine.plain(await engine.call("open", {}))["documents"])
        finally:
            self._shown.draw_soon()
            self._next()

    async def _take_library(self, entry: object, heard: object, started: object) -> None:
        """The File itself goes to the engine, which reads it where it lies: a library may be larger than memory."""
        call = engine.call("import", {"name": entry.name}, data=entry.source, on_event=heard, on_start=started)
        try:
            result = engine.plain(await call)
        finally:
            # Stopped half-way or not: what came in is there.
            self._list.open(engine.plain(await engine.call("open", {}))["documents"])
        self.queue.finish(entry)
        text = words.taken_in(result["added"], result["already"])
        dom.toast(text)
        dom.announce(text)
        for notice in result["notices"]:
            self._tell(notice)

    def _added(self, name: str, result: dict) -> None:
        files = result["enclosed"]
        if result["duplicate"]:
            self._list.learn([result["document"]] + files)
            dom.toast(f"{name} is already in the library.")
            return
        self._list.add(result["document"], files)
        dom.announce(f"{name} is ready.")
        if files:
            dom.toast(words.added(name, len(files)))

    def _cancel(self, entry: object) -> None:
        if entry.state == RUNNING and entry.call is not None:
            engine.cancel(entry.call)
            return
        self.queue.remove(entry)
        self._shown.draw_soon()
        self._next()

    def _cancel_waiting(self) -> None:
        self.queue.clear_waiting()
        self._shown.draw_soon()

    def _dismiss(self, entry: object) -> None:
        self.queue.remove(entry)
        self._shown.draw_soon()

    def _unlock(self, element: object, event: object) -> None:
        event.preventDefault()
        self.queue.retry(self._entry(element), element.querySelector("input").value)
        self._shown.draw_soon()
        self._next()
