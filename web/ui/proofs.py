"""What the self-test found: which model runs where on this device, and why."""

from ui import dom, engine, words
from ui.dom import h, replace


class Proofs:
    """The list in the dialog "What runs here"."""

    def __init__(self) -> None:
        self.element = h("section", "proofs")

    async def refresh(self) -> None:
        try:
            found = engine.plain(await engine.call("status", {}))
        except engine.EngineError as error:
            dom.toast(error.message, bad=True)
            return
        rows = [h("li", "", words.verdict(row)) for row in found["selftest"]]
        title = h("h3", "", "What each model proved on this device")
        replace(self.element, *([title, h("ul", "", rows)] if rows else []))
