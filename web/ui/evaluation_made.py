"""“Make from my library”: how many, how far it is, and the way to stop it. What was made until then is taken."""

from pyscript import window

from ui import dom, engine
from ui.dom import button, h
from ui.evaluation_words import MADE

COUNT = 10
NONE = "No question could be made: the passages looked at are lists and tables, or the writer only copied them."


class Maker:
    """`take(rows)` gets the questions, to be read and changed before they are asked."""

    def __init__(self, take: object) -> None:
        self._take = take
        self._call = None
        self._made = []
        self.button = button("Make from my library", "make-questions", css="plain", symbol="library")
        self.button.title = MADE
        self._status = h("p", "", role="status")
        self._bar = h("progress", "bar", max=str(COUNT), aria_label="Making questions")
        stop = button("Stop", "stop-making", css="plain", symbol="stop")
        text = h("div", "row-text", self._status, self._bar)
        self.element = h("div", "evaluation-busy", text, stop, hidden=True)
        dom.on("make-questions", lambda *_: dom.spawn(self._make()))
        dom.on("stop-making", lambda *_: self._call is not None and engine.cancel(self._call))

    async def _make(self) -> None:
        self._made = []
        self._status.textContent = "The writer reads passages and asks about them"
        self._bar.removeAttribute("value")
        self._show(True)
        given = {"count": COUNT, "seed": int(window.Date.now()) % 1_000_003}
        try:
            await engine.call("make_questions", given, on_event=self._heard, on_start=self._started)
            if not self._made:
                dom.toast(NONE, bad=True)
        except engine.EngineError as error:
            if error.kind != "Cancelled":
                dom.toast(error.message, bad=True)
        self._call = None
        self._show(False)
        if self._made:
            self._take(self._made)

    def _started(self, call_id: object) -> None:
        self._call = call_id

    def _heard(self, event: dict) -> None:
        if event["type"] == "made":
            self._made.append(event["question"])
        elif event["type"] == "progress":
            self._bar.value = event["done"]
            self._status.textContent = f"{event['done']} of {event['total']} made"

    def _show(self, busy: bool) -> None:
        dom.show(self.element, busy)
        self.button.disabled = busy
