"""The part of “What runs here” for writers that come as a file: takes packs in, shows what is kept, removes it."""

from pyscript import window

from ui import dom, engine, words
from ui.dom import button, h, replace

ABOUT = (
    "A writer that this folder lacks can come as one file, “terrarium-NAME.pack”. "
    "It is checked and kept in this browser, until you remove it."
)
ONE_AT_A_TIME = "One model pack at a time: give the next when this one is kept."
IN_USE = "It writes until the page starts again."


class ModelPacks:
    """`shown()` is called when something came that the person should see, `changed()` when the writers are others."""

    def __init__(self, shown: object, changed: object) -> None:
        self._shown, self._changed = shown, changed
        self._intake = None  # the pack that is being taken in: {promise, cancel} of web/packs.js
        self._kept = []
        self._asking = ""  # key of the model whose removal is to be confirmed
        self._input = h(
            "input", id="pick-pack", type="file", hidden=True, data_change="picked-pack", aria_label="Model pack"
        )
        self._list = h("ul", "kept-models")
        self._status = h("p", "quiet", role="status")
        self._bar = h("progress", "", max="1", aria_label="Model pack")
        self._running = h("div", "pack-running", self._bar, button("Cancel", "cancel-pack", css="link"), hidden=True)
        self._buttons = h("div", "pickers")
        title, about = h("h3", "", "Model packs"), h("p", "quiet", ABOUT)
        parts = (title, about, self._list, self._status, self._running, self._buttons, self._input)
        self.element = h("section", "packs", *parts)
        self._offer("")
        dom.on("choose-pack", lambda *_: self._input.click())
        dom.on("picked-pack", lambda *_: self._picked())
        dom.on("cancel-pack", lambda *_: self._intake and self._intake.cancel())
        dom.on("ask-remove-pack", lambda element, _: self._ask(element.dataset.key))
        dom.on("keep-pack", lambda *_: self._ask(""))
        dom.on("remove-pack", lambda element, _: dom.spawn(self._remove(element.dataset.key)))

    def take(self, file: object) -> None:
        """Check a pack and keep it, in sight of the person."""
        self._shown()
        self.element.scrollIntoView()
        if self._intake:
            dom.toast(ONE_AT_A_TIME)
        else:
            dom.spawn(self._take(file))

    async def refresh(self) -> None:
        """Look up what the browser keeps, and draw it."""
        try:
            self._kept = engine.plain(await engine.settled(window.terrarium.packs.list()))
        except engine.EngineError:
            self._kept = []  # no storage; taking one in says so
        self._draw_list()

    def _picked(self) -> None:
        files = list(self._input.files)
        self._input.value = ""
        if files:
            self.take(files[0])

    async def _take(self, file: object) -> None:
        def heard(done: float, total: float) -> None:
            self._bar.value = done / total if total else 0
            self._say(f"Keeping {file.name}: {words.size(done)} of {words.size(total)}")

        self._bar.removeAttribute("value")
        self._say(f"Checking {file.name} …")
        self._intake = window.terrarium.packs.add(file, heard)
        self._offer(None)
        name = ""
        try:
            name = await engine.settled(self._intake.promise)
            self._say(f"The {name} model is kept in this browser. Start the page again to write with it.")
        except engine.EngineError as error:
            self._say(error.message, bad=error.kind != "Cancelled")
        self._intake = None
        await self.refresh()
        self._offer(name)
        self._changed()

    def _say(self, text: str, *, bad: bool = False) -> None:
        self._status.textContent = text
        self._status.className = "bad" if bad else "quiet"

    def _offer(self, name: object) -> None:
        """What can be done next: nothing but cancel (None), another pack, and with a name to start with that writer."""
        dom.show(self._running, name is None)
        start = None
        if name:
            start = button("Start again with it", "choose-writer", css="primary")
            start.dataset.writer = name
        add = None if name is None else button("Add a model pack", "choose-pack", css="plain")
        replace(self._buttons, start, add)

    def _ask(self, key: str) -> None:
        self._asking = key
        self._draw_list()

    def _draw_list(self) -> None:
        replace(self._list, [self._row(model) for model in self._kept])

    def _row(self, model: dict) -> object:
        line = f"{model['name']} · {words.size(model['bytes'])} · {model['licence']}"
        text = h("div", "", h("div", "", model["title"]), h("div", "quiet small", line))
        if model["unused"]:
            text.append(h("div", "quiet small", model["unused"]))
        asking = self._asking == model["key"]
        if asking and window.terrarium.info.generator == model["name"]:
            text.append(h("div", "small", IN_USE))
        if asking:
            actions = (button("Remove", "remove-pack", css="danger"), button("Keep", "keep-pack", css="plain"))
        else:
            actions = (button("Remove", "ask-remove-pack", css="plain"),)
        for action in actions:
            action.dataset.key = model["key"]
        return h("li", "kept-model", text, h("div", "pickers", *actions))

    async def _remove(self, key: str) -> None:
        (model,) = [one for one in self._kept if one["key"] == key]
        try:
            await engine.settled(window.terrarium.packs.remove(key))
            self._say(f"Removed: {words.size(model['bytes'])} are free again.")
        except engine.EngineError as error:
            self._say(f"The model could not be removed ({error.message}). Reload the page and try again.", bad=True)
        self._asking = ""
        await self.refresh()
        self._offer("")
        self._changed()
