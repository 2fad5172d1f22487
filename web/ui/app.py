"""Puts the page together: header, library, conversation and viewer; keys, and the engine becoming ready."""

from pyscript import document, window

from ui import dom, engine, intake
from ui.conversation import Conversation
from ui.dom import button, h, icon
from ui.dropping import DropArea
from ui.evaluation import Evaluation
from ui.library_panel import NOT_READY, LibraryPanel
from ui.panels import Panels
from ui.viewer import Viewer

QUOTES_MEANWHILE = "Until then answers are quotes."


def _tab(view: str, label: str, symbol: str) -> object:
    return h("button", "tab", icon(symbol), h("span", "", label), type="button", data_action="view", data_to=view)


class App:
    """The whole page. On narrow screens `data-view` says which of the three columns is shown."""

    def __init__(self) -> None:
        self.panels = Panels()
        self.viewer = Viewer(self._viewer_opened, self._viewer_closed)
        self.library = LibraryPanel(self._library_changed, self._open_document, self.panels.packs.take, self._notice)
        self.conversation = Conversation(self.viewer.open, self.library)
        self._evaluation = Evaluation(self.library)
        self._drops = DropArea(self._may_take, self.library.take, self._take_pack)
        self.root = dom.by_id("app")
        self.root.replaceChildren()
        self.root.append(*self._draw())
        self._view("conversation")
        self.root.hidden = False
        document.body.classList.add("with-app")
        self._hear()

    def _draw(self) -> list:
        panels = (self.panels.seal_button, self._evaluation.button, self.panels.about_button)
        tools = h("div", "top-tools", self.conversation.new_button, panels)
        name = h("h1", "brand", icon("terrarium"), h("span", "", "Terrarium"))
        header = h("header", "top", name, tools)
        self._notices = h("div", "notices", role="status")
        self._columns = h("div", "columns", self.library.element, self.conversation.element, self.viewer.element)
        tabs = [
            _tab("library", "Library", "library"),
            _tab("conversation", "Ask", "talk"),
            _tab("viewer", "Source", "book"),
        ]
        self._tabs = h("nav", "tabs", tabs, aria_label="Parts of the page")
        self._tabs.lastChild.disabled = True
        skip = h("a", "skip", "Skip to the question", href="#question")
        spoken = [h("div", "toasts", id="toasts", role="status"), h("div", "unseen", id="announce", aria_live="polite")]
        parts = [skip, header, self._notices, self._columns, self._tabs, self._drops.element]
        return parts + self.panels.dialogs + [self.conversation.dialog] + spoken

    def _hear(self) -> None:
        dom.on("view", lambda element, _: self._view(element.dataset.to))
        dom.on("choose-files", lambda *_: self._choose("pick-files"))
        dom.on("choose-folder", lambda *_: self._choose("pick-folder"))
        dom.on("picked", lambda element, _: self._take(intake.from_picker(element)))
        dom.on("dismiss-notice", lambda element, _: element.parentElement.remove())
        dom.listen("click", "submit", "input", "change", "keydown")
        document.addEventListener("keydown", self._key)
        self._drops.listen()

    def _view(self, view: str) -> None:
        self.root.dataset.view = view
        for tab in list(self._tabs.children):
            if tab.dataset.to == view:
                tab.setAttribute("aria-current", "page")
            else:
                tab.removeAttribute("aria-current")

    def _library_changed(self) -> None:
        self.conversation.refresh()

    def _viewer_opened(self) -> None:
        self._columns.classList.add("with-viewer")
        self._tabs.lastChild.disabled = False
        self._view("viewer")

    def _viewer_closed(self) -> None:
        self._columns.classList.remove("with-viewer")
        self._tabs.lastChild.disabled = True
        self._view("conversation")

    def _open_document(self, document_id: str, came_from: object) -> None:
        info = self.library.name_of(document_id)
        place = {"document_id": document_id, "document": info["name"], "page": None, "start": 0, "end": 0}
        self.viewer.open([place], 0, came_from)

    def _key(self, event: object) -> None:
        if document.querySelector("dialog[open]") or event.isComposing:
            return
        typing = event.target.tagName == "INPUT" or event.target.isContentEditable
        if event.key == "/" and not typing and not event.ctrlKey and not event.metaKey:
            event.preventDefault()
            self._view("conversation")
            self.conversation.focus()
        elif event.key == "Escape":
            if self.viewer.is_open:
                self.viewer.escape()
            elif self.conversation.busy:
                self.conversation.stop()

    def _may_take(self) -> bool:
        """Whether files may come; then the library is shown, where they will appear."""
        if self.library.ready:
            self._view("library")
        else:
            dom.toast(NOT_READY)
        return self.library.ready

    def _take_pack(self, file: object) -> None:
        if self.library.ready:
            self.panels.packs.take(file)
        elif dom.by_id("boot-pack").hidden:  # else web/pack_control.js has heard the same drop
            dom.toast(NOT_READY)

    def _choose(self, picker: str) -> None:
        if self.library.ready:
            dom.by_id(picker).click()
        else:
            dom.toast(NOT_READY)

    def _take(self, found: list) -> None:
        if self._may_take():
            for path, file in found:
                self.library.take(path, file)

    async def run(self) -> None:
        """Wait for the engine, open the library, and let the person in."""
        try:
            await engine.settled(window.terrarium.ready)
        except engine.EngineError:
            return  # the boot part of the page says what happened
        try:
            library = engine.plain(await engine.call("open", {}))
        except engine.EngineError as error:
            self._notice(error.message, "bad")
            return
        self.panels.open(library)
        for text in engine.plain(window.terrarium.info.notices) + library["notices"]:
            self._notice(text)
        self.library.open(library["documents"])
        writer = bool(window.terrarium.info.generator)
        self.conversation.open(writer)
        dom.announce("Ready.")
        if writer:
            await self._load_writer()

    async def _load_writer(self) -> None:
        """After the library: files, quotes and passages need not wait for it."""

        def heard(event: dict) -> None:
            if event["type"] == "progress":
                self.conversation.writer_coming(event["done"], event["total"])

        try:
            loaded = engine.plain(await engine.call("load_generator", {}, on_event=heard))
        except engine.EngineError as error:
            self._notice(f"{error.message} {QUOTES_MEANWHILE}", "bad")
            self.panels.no_writer()
            self.conversation.no_writer()
            return
        self.panels.use(loaded["models"])
        self.conversation.writer_there()
        dom.announce("The writer is ready.")

    def _notice(self, text: str, css: str = "") -> None:
        close = button("Dismiss", "dismiss-notice", css="ghost", symbol="close", only_symbol=True)
        self._notices.append(h("p", f"notice {css}", icon("info"), h("span", "", text), close))


def start() -> None:
    """Called by interface.js once Python runs."""
    app = App()
    window.terrariumInterface.started()
    dom.spawn(app.run())
