"""The foot of the dialog: how the chosen questions are to be asked, and how far the run is."""

from ui import dom, engine, words
from ui.dom import button, h
from ui.evaluation_words import MODES, outcome, progress, rank

MEANWHILE = "You can close this and ask on: your own questions come next, and the run goes on behind them."
STOPPED = "Stopped. What was asked is kept under “Runs”."


class Runner:
    """One set at a time. `ended(run)` gets the result, None for one that was stopped; `running(text)` the count."""

    def __init__(self, ended: object, running: object) -> None:
        self._ended, self._running = ended, running
        self._chosen = None  # the set, as `Sets` keeps it
        self._call = None
        self._modes = []
        labels = []
        for place, (name, label, note) in enumerate(MODES):
            box = h("input", type="radio", name="evaluation-mode", value=name, checked=place == 0)
            self._modes.append(box)
            labels.append(h("label", "", box, h("span", "", label), title=note))
        modes = h("fieldset", "modes", h("legend", "unseen", "How to ask"), labels)
        self._run = button("Ask them", "evaluate", css="primary")
        self._what = h("span", "quiet small evaluation-what")
        self._offer = h("div", "evaluation-offer", modes, self._what, self._run)
        self._status = h("p", "evaluation-status", role="status")
        self._last = h("p", "quiet small evaluation-last")
        self._bar = h("progress", "bar", max="100", aria_label="Asking the questions")
        cancel = button("Stop", "stop-evaluating", css="plain", symbol="stop")
        text = h("div", "row-text", self._status, self._bar, self._last)
        self._busy = h("div", "evaluation-busy", text, cancel, hidden=True)
        self.element = h("div", "evaluation-foot", self._offer, self._busy)
        dom.on("evaluate", lambda *_: self._chosen and dom.spawn(self._ask(self._chosen)))
        dom.on("stop-evaluating", lambda *_: self._call is not None and engine.cancel(self._call))
        self.offer(None)

    def offer(self, chosen: dict | None) -> None:
        """The set that the button asks; None for nothing."""
        self._chosen = chosen
        number = len([row for row in chosen["questions"] if row["question"].strip()]) if chosen else 0
        self._run.disabled = not number
        self._what.textContent = words.count(number, "question") if number else "No questions yet"

    async def _ask(self, chosen: dict) -> None:
        mode = [box.value for box in self._modes if box.checked][0]
        rows = [row for row in chosen["questions"] if row["question"].strip()]
        given = {"name": chosen["name"], "made": chosen["made"], "questions": rows, "mode": mode}
        self._last.textContent = MEANWHILE
        self._bar.removeAttribute("value")
        self._show(True)
        try:
            result = await engine.call("evaluate", given, on_event=self._heard, on_start=self._started)
            run = engine.plain(result.run)
            dom.announce(f"{run['asked']} questions were asked.")
            self._ended(run)
        except engine.EngineError as error:
            if error.kind == "Cancelled":
                dom.toast(STOPPED)
                self._ended(None)
            else:
                dom.toast(error.message, bad=True)
        self._call = None
        self._show(False)

    def _started(self, call_id: object) -> None:
        self._call = call_id

    def _heard(self, event: dict) -> None:
        if event["type"] == "progress":
            said = progress(event["done"], event["total"], event.get("seconds_left"))
            self._status.textContent = said
            self._bar.value = words.percent(event["done"], event["total"])
            self._running(said)
        elif event["type"] == "asked":
            row = event["row"]
            self._last.textContent = f"{row['question']} – {outcome(row)}, found at {rank(row)}"

    def _show(self, busy: bool) -> None:
        self._status.textContent = "Beginning" if busy else ""
        dom.show(self._busy, busy)
        dom.show(self._offer, not busy)
        if not busy:
            self._running("")
