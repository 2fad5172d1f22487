"""What was run: a list to open, to tick two of for comparing, to forget; and below it what is open."""

from pyscript import window

from ui import dom, engine
from ui.dom import button, h
from ui.evaluation_compare import comparison
from ui.evaluation_result import result
from ui.evaluation_words import about
from ui.saving import save_text

NOTHING = "Nothing was run yet. Choose questions, then “Ask them”."
TWO = "Tick two runs to see what changed between them."


def _when(head: dict) -> str:
    return window.Date.new(head["date"] * 1000.0).toLocaleString()


class Runs:
    """`arrived(run)` shows a new one."""

    def __init__(self) -> None:
        self._heads = []
        self._open = ""
        self._ticked = []  # ids, in the order in which they were ticked
        self._list = h("ul", "evaluation-runs")
        self._none = h("p", "quiet", NOTHING)
        self._compare = button("Compare the two", "compare-runs", css="plain")
        self._hint = h("p", "quiet small", TWO)
        self._shown = h("section", "evaluation-shown", tabindex="-1")
        parts = (self._none, self._list, h("div", "", self._hint, self._compare), self._shown)
        self.element = h("div", "evaluation-part", parts)
        dom.on("open-run", lambda element, _: dom.spawn(self._load(element.dataset.run)))
        dom.on("tick-run", lambda element, _: self._tick(element))
        dom.on("forget-run", lambda element, _: dom.spawn(self._forget(element.dataset.run)))
        dom.on("compare-runs", lambda *_: dom.spawn(self._both()))
        dom.on("save-run", lambda element, _: dom.spawn(self._save(element.dataset.format)))
        dom.on("only-lost", lambda *_: self._shown.classList.toggle("only-lost"))

    async def refresh(self) -> None:
        found = await self._asked("runs", {})
        if found:
            self._heads = found["runs"]
            self._draw()

    async def arrived(self, run: dict | None) -> None:
        """A run has ended; None for one that was stopped and is in the list as far as it came."""
        await self.refresh()
        if run:
            self._show(run)

    def _draw(self) -> None:
        dom.replace(self._list, [self._line(head) for head in self._heads])
        dom.show(self._none, not self._heads)
        several = len(self._heads) > 1
        dom.show(self._hint, several and len(self._ticked) != 2)
        dom.show(self._compare, several and len(self._ticked) == 2)

    def _line(self, head: dict) -> object:
        identity = head["id"]
        name = f"{head['name']}, {_when(head)}"
        tick = {"type": "checkbox", "data_change": "tick-run", "aria_label": f"Compare {name}"}
        box = h("input", checked=identity in self._ticked, data_run=identity, **tick)
        text = h("span", "row-text", h("span", "name", name), h("span", "quiet small", about(head)))
        opens = h("button", "row-open", text, type="button", data_action="open-run", data_run=identity)
        opens.setAttribute("aria-pressed", "true" if identity == self._open else "false")
        gone = button(f"Forget {name}", "forget-run", css="ghost", symbol="bin", only_symbol=True)
        gone.dataset.run = identity
        return h("li", "row", box, opens, gone)

    def _tick(self, element: object) -> None:
        identity = element.dataset.run
        self._ticked = [one for one in self._ticked if one != identity]
        if element.checked:
            self._ticked = self._ticked[-1:] + [identity]
        self._draw()

    def _show(self, run: dict) -> None:
        self._open = run["id"]
        self._shown.classList.remove("only-lost")
        dom.replace(self._shown, result(run, _when(run)))
        self._draw()
        self._shown.focus()

    async def _load(self, identity: str) -> None:
        found = await self._asked("run", {"id": identity})
        if found:
            self._show(found["run"])

    async def _both(self) -> None:
        """The earlier run first, whichever was ticked first."""
        chosen = [head for head in reversed(self._heads) if head["id"] in self._ticked]
        found = await self._asked("compare_runs", {"first": chosen[0]["id"], "second": chosen[1]["id"]})
        if found:
            self._open = ""
            dom.replace(self._shown, comparison(found, [f"{one['name']}, {_when(one)}" for one in chosen]))
            self._draw()
            self._shown.focus()

    async def _forget(self, identity: str) -> None:
        if await self._asked("forget_run", {"id": identity}) is None:
            return
        self._ticked = [one for one in self._ticked if one != identity]
        if self._open == identity:
            self._open = ""
            self._shown.replaceChildren()
        await self.refresh()

    async def _save(self, kind: str) -> None:
        found = await self._asked("write_run", {"id": self._open, "format": kind})
        if found:
            save_text(found["text"], f"run-{self._open}.{kind}")

    async def _asked(self, command: str, given: dict) -> dict | None:
        try:
            return engine.plain(await engine.call(command, given))
        except engine.EngineError as error:
            dom.toast(error.message, bad=True)
            return None
