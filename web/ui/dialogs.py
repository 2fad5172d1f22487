"""The frame of every dialog: a head with its title and a way to close it, and below it what the caller draws."""

from ui import dom
from ui.dom import button, h


def dialog(name: str, title: str, *parts: object, css: str = "") -> object:
    """A closed dialog of that id; `showModal()` opens it. Its title has the id `{name}-title`."""
    close = button("Close", "close-dialog", css="ghost", symbol="close", only_symbol=True)
    head = h("div", "panel-head", h("h2", "", title, id=f"{name}-title"), close)
    return h("dialog", f"panel {css}".strip(), head, *parts, id=name, aria_labelledby=f"{name}-title")


def hear_close() -> None:
    """Let the close buttons of all dialogs work."""
    dom.on("close-dialog", lambda element, _: element.closest("dialog").close())
