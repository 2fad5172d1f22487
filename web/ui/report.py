"""The library's button for the report of what was read. The dialog behind it is made when it is first opened: its
modules cost the start of the page time, and most visits do not need them.
"""

from ui import dom
from ui.dom import button

TITLE = "What was read"
NOT_READY = "Still starting: look when the page says that it is ready."


class Report:
    """`library` has the queue of files; `opened(document_id, element)` shows a document."""

    def __init__(self, library: object, opened: object) -> None:
        self._library, self._opened = library, opened
        self._panel = None
        self.button = button(TITLE, "open-report", css="ghost", symbol="report", only_symbol=True)
        self.button.setAttribute("aria-haspopup", "dialog")
        dom.on("open-report", lambda *_: self._open())

    def _open(self) -> None:
        if not self._library.ready:
            dom.toast(NOT_READY)
            return
        if self._panel is None:
            from ui.report_panel import ReportPanel  # noqa: PLC0415

            self._panel = ReportPanel(TITLE, self._library, lambda document: self._opened(document, self.button))
            dom.by_id("app").append(self._panel.element)
        self._panel.open()
