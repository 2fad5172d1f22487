"""The files on their way as rows: the one that is read, those that need somebody, and the first that wait."""

import asyncio

from ui import dom
from ui.dom import button, h
from ui.file_queue import WAITING
from ui.rows import QueueRow

WAITING_SHOWN = 4
REDRAW_SECONDS = 0.04


class QueueList:
    """Draws a FileQueue. `changed()` is called after each drawing."""

    def __init__(self, queue: object, changed: object) -> None:
        self._queue = queue
        self._changed = changed
        self._rows = {}  # entry key → (what it was drawn from, row): a row that did not change keeps its focus
        self._drawing = False
        self._more_text = h("span", "quiet small")
        cancel = button("Cancel waiting", "cancel-waiting", css="link")
        self._more = h("li", "more", self._more_text, cancel, hidden=True)
        self.element = h("ul", "rows", self._more, aria_label="Files being added")

    def draw_soon(self) -> None:
        """A folder brings hundreds of files at once: they are drawn together."""

        async def later() -> None:
            await asyncio.sleep(REDRAW_SECONDS)
            self._drawing = False
            self._draw()

        if not self._drawing:
            self._drawing = True
            dom.spawn(later())

    def progress(self, entry: object) -> None:
        """Move the bar of an entry that is drawn."""
        if entry.key in self._rows:
            self._rows[entry.key][1].progress()

    def _draw(self) -> None:
        waiting = self._queue.waiting
        shown = [entry for entry in self._queue.entries if entry.state != WAITING or entry in waiting[:WAITING_SHOWN]]
        drawn_from = {entry.key: (entry.state, entry.message) for entry in shown}
        for key in list(self._rows):
            if self._rows[key][0] != drawn_from.get(key):
                self._rows.pop(key)[1].element.remove()
        place = self.element.firstChild
        for entry in shown:
            if entry.key in self._rows:
                place = self._rows[entry.key][1].element.nextSibling
            else:
                row = QueueRow(entry)
                self._rows[entry.key] = (drawn_from[entry.key], row)
                self.element.insertBefore(row.element, place)
        more = len(waiting) - WAITING_SHOWN
        self._more_text.textContent = f"and {more} more waiting" if more > 0 else f"{len(waiting)} files waiting"
        dom.show(self._more, len(waiting) > 1)
        self._changed()
