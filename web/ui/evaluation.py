"""The header's button for checking answers on one's own questions. The dialog behind it is made when it is first
opened: its modules cost the start of the page time, and most visits do not need them.
"""

from ui import dom
from ui.dom import button

TITLE = "Check on your questions"
NOT_READY = "Still starting: check when the page says that it is ready."


class Evaluation:
    """`library` says whether the engine is ready, and which documents there are."""

    def __init__(self, library: object) -> None:
        self._library = library
        self._panel = None
        self.button = button(TITLE, "open-evaluation", css="ghost", symbol="check", only_symbol=True)
        self.button.setAttribute("aria-haspopup", "dialog")
        dom.on("open-evaluation", lambda *_: self._open())

    def _open(self) -> None:
        if not self._library.ready:
            dom.toast(NOT_READY)
            return
        if self._panel is None:
            from ui.evaluation_panel import EvaluationPanel  # noqa: PLC0415

            self._panel = EvaluationPanel(TITLE, self._running)
            dom.by_id("app").append(self._panel.element)
        self._panel.open()

    def _running(self, text: str) -> None:
        """How far a run is, for those who closed the dialog meanwhile; "" when none runs."""
        said = f"{TITLE}: {text}" if text else TITLE
        self.button.setAttribute("aria-label", said)
        self.button.title = said
        self.button.classList.toggle("running", bool(text))
