"""The dialog that tells what the checks can and cannot see. Hears "show-limits" of any button."""

from ui import dom
from ui.dialogs import dialog
from ui.dom import button, h
from ui.limits_figures import FIGURES
from ui.limits_words import LEAD, TITLE, sections


class Limits:
    """`element` is the dialog, drawn when it is first opened; `button` a link to it."""

    def __init__(self) -> None:
        self._body = h("div", "panel-body limits")
        self.element = dialog("limits-panel", TITLE, self._body)
        self.button = button(TITLE, "show-limits", css="link")
        dom.on("show-limits", lambda *_: self._show())

    def _show(self) -> None:
        if not self._body.childElementCount:
            self._body.append(h("p", "", LEAD))
            for title, sentences in sections(FIGURES):
                self._body.append(h("h3", "", title))
                self._body.append(h("ul", "", [h("li", "", text) for text in sentences]))
        self.element.showModal()
        self._body.parentElement.scrollTop = 0
