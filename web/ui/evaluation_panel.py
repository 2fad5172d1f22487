"""The dialog for checking answers on one's own questions: the question sets, and the runs with what they found."""

from ui import dom
from ui.dialogs import dialog
from ui.dom import h
from ui.evaluation_runner import Runner
from ui.evaluation_runs import Runs
from ui.evaluation_sets import Sets

LEAD = (
    "Does it work on your documents? Ask questions whose answers you know, and see what is found, what is refused, "
    "what is answered, and which stage loses what. Everything stays in this browser."
)


def _tab(name: str, label: str) -> object:
    return h("button", "evaluation-tab", label, type="button", data_action="evaluation-view", data_to=name)


class EvaluationPanel:
    """`running(text)` is told how far a run is."""

    def __init__(self, title: str, running: object) -> None:
        self._runs = Runs()
        self._runner = Runner(self._ended, running)
        self._sets = Sets(self._runner)
        self._tabs = h("nav", "evaluation-tabs", _tab("sets", "Questions"), _tab("runs", "Runs"), aria_label="Parts")
        sets = h("div", "evaluation-part", h("p", "quiet", LEAD), self._sets.element)
        self._views = {"sets": sets, "runs": self._runs.element}
        body = h("div", "panel-body evaluation-body", sets, self._runs.element, tabindex="-1")
        parts = (self._tabs, body, self._runner.element)
        self.element = dialog("evaluation-panel", title, *parts, css="evaluation")
        dom.on("evaluation-view", lambda element, _: self._show(element.dataset.to))
        self._show("sets")

    def open(self) -> None:
        self.element.showModal()
        dom.spawn(self._sets.refresh())
        dom.spawn(self._runs.refresh())

    def _show(self, view: str) -> None:
        for name, element in self._views.items():
            dom.show(element, name == view)
        for tab in list(self._tabs.children):
            if tab.dataset.to == view:
                tab.setAttribute("aria-current", "page")
            else:
                tab.removeAttribute("aria-current")

    def _ended(self, run: object) -> None:
        """A run came to its end, or was stopped (None) and kept as far as it came."""
        if run:
            self._show("runs")
        dom.spawn(self._runs.arrived(run))
