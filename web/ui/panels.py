"""What seals this tab and what runs in it, the dialogs that the header's buttons open, and those beside them."""

from pyscript import window

from ui import dom, engine, words
from ui.dom import button, h, icon, replace
from ui.dialogs import dialog, hear_close
from ui.limits import Limits
from ui.model_packs import ModelPacks
from ui.proofs import Proofs
from ui.trace_files import Records
from ui.trace_view import TraceView

LEDGER_SHOWN = 100
KEPT = {
    True: "in this browser, until you remove them",
    False: "only while this tab is open",
}
NO_WRITER = "none, answers are quotes"
WRITER_COMING = "being prepared"
SEARCHES = {"english": "Documents in English", "multilingual": "Documents in many languages"}


def _list(items: object, css: str = "") -> object:
    return h("ul", css, [h("li", "", text) for text in items])


def _writer(name: str, only: bool) -> object:
    written = "Written answers" if only else f"Written answers, {name} model"
    element = button(written if name else "Quotes only", "choose-writer", css="plain")
    element.dataset.writer = name
    return element


def _embedder(name: str) -> object:
    element = button(SEARCHES.get(name, name), "choose-embedder", css="plain")
    element.dataset.embedder = name
    return element


def _searches(names: list) -> object:
    """Another embedder: what it has not indexed it finds by its words only."""
    note = "Starts the page again. Add your documents again then: until you do, they are found by their words only."
    buttons = [_embedder(name) for name in names]
    return h("section", "", h("h3", "", "Search in another way"), h("p", "quiet", note), h("div", "pickers", buttons))


def _choice(writers: list, kept: bool) -> object:
    """Another writer, which needs the page to start again: a sealed tab loads nothing."""
    title = h("h3", "", "Answer with something else")
    note = "Starts the page again. Your documents stay." if kept else "Starts the page again, with an empty library."
    return h("section", "", title, h("p", "quiet", note), h("div", "pickers", writers))


def _ledger_row(entry: dict) -> object:
    time = window.Date.new(entry["time"]).toLocaleTimeString()
    by = "browser" if entry["by"] == "browser" else "this page"
    cells = [h("td", "", text) for text in (time, entry["where"], entry["api"])]
    return h("tr", "", cells, h("td", "target", entry["target"]), h("td", "", by))


class Panels:
    """The dialogs, and the buttons in the header that open the first two."""

    def __init__(self) -> None:
        self._models = {}
        self._writer = NO_WRITER
        self._persistent = None
        self._seal_body = h("div", "panel-body")
        self._about_body = h("div", "panel-body")
        seal = dialog("seal-panel", "What seals this tab", self._seal_body)
        self.packs = ModelPacks(self._open_about, self._draw_about)
        self._proofs = Proofs()
        self._records = Records()
        self._limits = Limits()
        about = dialog("about-panel", "What runs here", self._about_body)
        self.dialogs = [seal, about, TraceView().element, self._limits.element]
        self._seal_word = h("span", "seal-word", "Starting")
        self._seal_more = h("span", "seal-more", "")
        face = (icon("seal"), self._seal_word, self._seal_more)
        self.seal_button = h("button", "seal-button", *face, type="button", data_action="open-seal")
        self.about_button = button("What runs here", "open-about", css="ghost", symbol="info", only_symbol=True)
        dom.on("open-seal", lambda *_: self._open_seal())
        dom.on("open-about", lambda *_: self._open_about())
        hear_close()
        dom.on("choose-writer", lambda element, _: window.terrarium.chooseWriter(element.dataset.writer))
        dom.on("choose-embedder", lambda element, _: window.terrarium.chooseEmbedder(element.dataset.embedder))

    def open(self, library: dict) -> None:
        """The tab is sealed and the engine has said what it runs."""
        self._models = library["models"]
        self._writer = WRITER_COMING if window.terrarium.info.generator else NO_WRITER
        self._persistent = library.get("persistent")
        self.seal_button.classList.add("sealed")
        self._seal_word.textContent = "Sealed"
        self._seal_more.textContent = "0 requests can leave this tab"

    def use(self, models: dict) -> None:
        """What the engine runs now that the writer is loaded."""
        self._models = models

    def no_writer(self) -> None:
        """The writer could not be loaded."""
        self._writer = NO_WRITER

    def _open_seal(self) -> None:
        protections = window.terrarium.info.protections
        entries = engine.plain(window.terrarium.ledger)
        ledger = h("p", "quiet", "Nothing has tried.")
        if entries:
            head = h("tr", "", [h("th", "", name, scope="col") for name in ("Time", "Where", "What", "Target", "By")])
            rows = [_ledger_row(entry) for entry in reversed(entries[-LEDGER_SHOWN:])]
            ledger = h("div", "wide", h("table", "", h("thead", "", head), h("tbody", "", rows)))
        replace(
            self._seal_body,
            h("h3", "", "The browser enforces"),
            _list(protections.enforced),
            h("h3", "", "This page's own code sees to"),
            _list(protections.ours),
            h("h3", "", f"Attempts that were stopped: {len(entries)}"),
            ledger,
        )
        dom.by_id("seal-panel").showModal()

    def _open_about(self) -> None:
        self._draw_about()
        dom.spawn(self.packs.refresh())
        dom.spawn(self._proofs.refresh())
        panel = dom.by_id("about-panel")
        if not panel.open:
            panel.showModal()

    def _draw_about(self) -> None:
        info = window.terrarium.info
        models = self._models
        shown = (("Meaning", "embedder"), ("Order", "reranker"), ("Writing", "generator"), ("Runs on", "runtime"))
        missing = {"reranker": "not reordered", "generator": self._writer}
        facts = [(label, models[key] or missing[key]) for label, key in shown] if models else []
        facts.append(("Documents are kept", KEPT.get(self._persistent, "only while this tab is open")))
        if info.version:
            facts.append(("Version", info.version))
        total = info.timings.total if hasattr(info.timings, "total") else None
        if total:
            facts.append(("Started in", words.seconds(total)))
        names = engine.plain(info.generators)
        writers = [_writer(name, len(names) == 1) for name in names + [""] if name != (info.generator or "")]
        others = [name for name in engine.plain(info.embedders) if name != info.embedder]
        replace(
            self._about_body,
            h("dl", "facts", [h("div", "", h("dt", "", label), h("dd", "", value)) for label, value in facts]),
            _searches(others) if others else None,
            self._proofs.element,
            _choice(writers, bool(self._persistent)) if writers else None,
            self.packs.element,
            self._records.element,
            h("p", "", self._limits.button),
        )
