"""The whole library as one file: saved from this page, chosen for it."""

from pyscript import window

from ui import dom, engine, words
from ui.dom import button, h
from ui.saving import save

SUFFIX = ".terrarium"
PICKER = "pick-library"
ASK = "For another computer or as a copy. Your questions are not in it."


def is_library(name: str) -> bool:
    return name.lower().endswith(SUFFIX)


class LibraryFiles:
    """Two quiet buttons below the list, and in their place what is being saved. `ready()` says whether it is time."""

    def __init__(self, ready: object) -> None:
        self._ready = ready
        self._call = None
        self._save = button("Save as one file", "ask-save-library", css="link")
        take = button("Add a library file", "choose-library", css="link")
        self._links = h("div", "library-links", take, self._save)
        self._whole = button("With the files", "save-library", css="plain")
        self._whole.setAttribute("data-originals", "")
        parts = (button("Texts only", "save-library", css="plain"), button("Not now", "keep-library", css="link"))
        self._question = h("div", "sure", h("span", "", ASK), self._whole, parts, hidden=True)
        self._status = h("span", "quiet small")
        self._bar = h("progress", "bar", max="100", aria_label="Saving the library")
        cancel = button("Cancel saving", "cancel-save-library", css="ghost", symbol="close", only_symbol=True)
        self._running = h("div", "library-saving", h("div", "row-text", self._status, self._bar), cancel)
        picks = {"type": "file", "accept": SUFFIX, "multiple": True, "hidden": True, "data_change": "picked"}
        self._input = h("input", id=PICKER, aria_label="Library files to add", **picks)
        self.element = h("div", "library-foot", self._links, self._question, self._running, self._input)
        self._documents = []
        self._show(self._links)
        dom.on("choose-library", lambda *_: self._choose())
        dom.on("ask-save-library", lambda *_: self._ask())
        dom.on("keep-library", lambda *_: self._show(self._links))
        dom.on("save-library", lambda element, _: dom.spawn(self._saving(element.hasAttribute("data-originals"))))
        dom.on("cancel-save-library", lambda *_: self._call is not None and engine.cancel(self._call))

    def changed(self, documents: list) -> None:
        """What there is to save."""
        self._documents = documents
        dom.show(self._save, bool(documents))

    def _show(self, part: object) -> None:
        for one in (self._links, self._question, self._running):
            dom.show(one, one is part)

    def _choose(self) -> None:
        if self._ready():
            self._input.click()

    def _ask(self) -> None:
        total = sum(info["size"] for info in self._documents)
        self._whole.lastChild.textContent = f"With the files, {words.size(total)}"
        self._show(self._question)
        self._whole.focus()

    async def _saving(self, originals: bool) -> None:
        def heard(event: dict) -> None:
            if event["type"] == "progress":
                self._bar.value = words.percent(event["done"], event["total"])
                self._status.textContent = words.counted("Saving the library", event["done"], event["total"])

        def started(call_id: object) -> None:
            self._call = call_id

        self._bar.removeAttribute("value")
        self._status.textContent = "Saving the library"
        self._show(self._running)
        try:
            result = await engine.call("export", {"originals": originals}, on_event=heard, on_start=started)
            name = f"library-{window.Date.new().toISOString()[:10]}{SUFFIX}"
            save(result.file, name)
            dom.toast(f"{words.count(result.documents, 'document')} saved as {name}, {words.size(result.size)}.")
            for notice in engine.plain(result.notices):
                dom.toast(notice, bad=True)
        except engine.EngineError as error:
            if error.kind != "Cancelled":
                dom.toast(error.message, bad=True)
        self._call = None
        self._show(self._links)
