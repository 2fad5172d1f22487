"""Dropping files and folders anywhere on the page, with a sheet over it that says what will happen."""

from pyscript import document

from ui import dom, engine, intake
from ui.dom import h, icon


class DropArea:
    """Calls `take(path, File)` for every file dropped; `may_take()` says whether it is time for that.

    A file with the name of a model pack is no document: it goes to `take_pack(File)`.
    """

    def __init__(self, may_take: object, take: object, take_pack: object) -> None:
        self._may_take, self._take, self._take_pack = may_take, take, take_pack
        self._depth = 0  # nested dragenter and dragleave events of one drag
        sheet = h("div", "", icon("drop"), h("p", "", "Drop to add to the library"))
        self.element = h("div", "drop-overlay", sheet, hidden=True)

    def listen(self) -> None:
        document.addEventListener("dragenter", self._enter)
        document.addEventListener("dragover", self._over)
        document.addEventListener("dragleave", self._leave)
        document.addEventListener("drop", self._drop)

    def _enter(self, event: object) -> None:
        if intake.holds_files(event):
            self._depth += 1
            dom.show(self.element, True)

    def _leave(self, event: object) -> None:
        if intake.holds_files(event):
            self._depth = max(0, self._depth - 1)
            dom.show(self.element, self._depth > 0)

    def _over(self, event: object) -> None:
        if intake.holds_files(event):
            event.preventDefault()

    def _drop(self, event: object) -> None:
        self._depth = 0
        dom.show(self.element, False)
        if intake.holds_files(event):
            event.preventDefault()  # also when refused: the browser would open the file in the tab's place
            packs, found = intake.sorted_out(intake.dropped(event))
            if packs:
                self._take_pack(packs[0])
            if found and self._may_take():
                dom.spawn(self._walk(found))

    async def _walk(self, found: list) -> None:
        try:
            await intake.walk(found, self._take)
        except engine.EngineError as error:
            dom.toast(f"The folder could not be read ({error.message}). Use “Choose folder” instead.", bad=True)
