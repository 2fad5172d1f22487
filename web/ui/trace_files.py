"""Traces on their way out of the page, to the clipboard or as a file, and their end."""

from pyscript import window

from ui import dom, engine, words
from ui.dom import button, h
from ui.saving import save_text

ALL = "terrarium-traces.jsonl"
RECORDS = (
    "One line of JSON for each question: what was searched, found, written and removed. "
    "It holds your questions and the passages. The newest 500 are kept."
)
NOTHING = "There is no record yet: ask a question first."
CLOSED = "The browser keeps the clipboard closed. Save the trace as a file instead."
SURE = "Forget how every answer so far was made? Documents and answers stay."


async def copy_text(text: str, what: str) -> None:
    """Into the clipboard, and a word about it."""
    try:
        await engine.settled(window.navigator.clipboard.writeText(text))
    except (AttributeError, engine.EngineError):
        dom.toast(CLOSED, bad=True)
        return
    dom.toast(f"Copied: {what}.")


class Records:
    """The part of “What runs here” about the records of all questions."""

    def __init__(self) -> None:
        self._sure = h("div", "sure", h("span", "", SURE), hidden=True)
        yes = button("Forget them", "forget-traces", css="danger")
        dom.fill(self._sure, yes, button("Keep", "keep-traces", css="plain"))
        saves = button("Download records (JSON Lines)", "download-traces", css="plain", symbol="download")
        buttons = h("div", "pickers", saves, button("Forget all records", "ask-forget-traces", css="plain"))
        title = h("h3", "", "Record of your questions")
        self.element = h("section", "", title, h("p", "quiet", RECORDS), buttons, self._sure)
        dom.on("download-traces", lambda *_: dom.spawn(self._download()))
        dom.on("ask-forget-traces", lambda *_: dom.show(self._sure, True))
        dom.on("keep-traces", lambda *_: dom.show(self._sure, False))
        dom.on("forget-traces", lambda *_: dom.spawn(self._forget()))

    async def _download(self) -> None:
        try:
            result = await engine.call("traces", {})
        except engine.EngineError as error:
            dom.toast(error.message, bad=True)
            return
        if result.jsonl:
            save_text(result.jsonl, ALL)
        else:
            dom.toast(NOTHING)

    async def _forget(self) -> None:
        dom.show(self._sure, False)
        try:
            result = await engine.call("forget_traces", {})
        except engine.EngineError as error:
            dom.toast(error.message, bad=True)
            return
        dom.toast(f"{words.count(result.forgotten, 'record')} forgotten.")
