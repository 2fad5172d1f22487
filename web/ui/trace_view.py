"""The dialog “How was this made”: one answer's trace, part by part, each drawn when it is first opened.

What draws the parts is imported with the first trace: most visits open none, and modules cost the start of the page
time.
"""

import json

from ui import dom, engine
from ui.dialogs import dialog
from ui.dom import button, h
from ui.trace_files import copy_text, save_text

OPEN_AT_FIRST = 2  # parts


class TraceView:
    """`element` is the dialog. Hears "show-trace" of any button with the trace's id in `data-trace`."""

    def __init__(self) -> None:
        self._line = ""  # the record as the engine keeps it
        self._record = {}
        self._parts = None  # the module that draws them
        self._body = h("div", "panel-body trace-parts")
        save_one = button("Save this trace", "save-trace", css="plain", symbol="download")
        save_all = button("Save all traces", "download-traces", css="plain")
        buttons = (button("Copy", "copy-trace", css="plain"), save_one, save_all)
        foot = h("div", "trace-foot", button("What the checks can and cannot see", "show-limits", css="link"), buttons)
        self.element = dialog("trace-panel", "How this answer was made", self._body, foot, css="trace")
        dom.on("show-trace", lambda element, _: dom.spawn(self._show(element.dataset.trace)))
        dom.on("trace-part", lambda element, _: self._draw(element.parentElement))
        dom.on("copy-trace", lambda *_: dom.spawn(copy_text(self._line, "the trace")))
        dom.on("copy-prompt", lambda element, _: dom.spawn(copy_text(self._prompt(element), "the prompt")))
        dom.on("save-trace", lambda *_: save_text(self._line + "\n", f"terrarium-trace-{self._record['id'][:8]}.jsonl"))

    async def _show(self, trace_id: str) -> None:
        try:
            self._line = (await engine.call("trace", {"trace_id": trace_id})).record
        except engine.EngineError as error:
            dom.toast(error.message, bad=True)
            return
        if self._parts is None:
            from ui import trace_parts  # noqa: PLC0415

            self._parts = trace_parts
        self._record = json.loads(self._line)
        self._body.replaceChildren()
        for place, (title, _) in enumerate(self._parts.PARTS):
            summary = h("summary", "", h("h3", "", title), data_action="trace-part")
            part = h("details", "trace-part", summary, data_part=str(place), open=place < OPEN_AT_FIRST)
            self._body.append(part)
            if place < OPEN_AT_FIRST:
                self._draw(part)
        if not self.element.open:
            self.element.showModal()
        self._body.scrollTop = 0

    def _prompt(self, element: object) -> str:
        return self._parts.prompt_at(self._record, int(element.dataset.place))

    def _draw(self, part: object) -> None:
        """What stands in a part, once."""
        if part.childElementCount == 1:
            _, draw = self._parts.PARTS[int(part.dataset.part)]
            part.append(h("div", "trace-content", draw(self._record)))
