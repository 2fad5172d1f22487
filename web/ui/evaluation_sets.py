"""The question sets: loaded from a file, made from passages or written here, each kept as it is changed."""

import asyncio

from pyscript import window

from ui import dom, engine
from ui.dom import button, h
from ui.evaluation_made import Maker
from ui.evaluation_table import QuestionTable
from ui.saving import save_text

PICKER = "pick-questions"
FILES = ".jsonl,.csv,.tsv,.txt"
FORMATS = "A file of questions: CSV with the columns question and answer, or the project's JSON Lines."
SAVED_AFTER = 0.8  # seconds after the last key press


class Sets:
    """`runner.offer(set)` is told which set is open."""

    def __init__(self, runner: object) -> None:
        self._runner = runner
        self._sets = []
        self._open = None
        self._serial = 0
        self._table = QuestionTable(self._changed)
        self._maker = Maker(self._take)
        self._list = h("div", "evaluation-sets", role="group", aria_label="Question sets")
        self._notes = h("ul", "quiet small")
        new = button("Write some", "new-questions", css="plain", symbol="pen")
        load = button("Load a file", "choose-questions", css="plain", symbol="files")
        load.title = FORMATS
        picks = {"type": "file", "accept": FILES, "hidden": True, "data_change": "questions-picked"}
        self._input = h("input", id=PICKER, aria_label=FORMATS, **picks)
        tools = h("div", "pickers", new, load, self._maker.button, self._input)
        parts = (self._list, tools, self._maker.element, self._notes, self._table.element)
        self.element = h("div", "evaluation-part", parts)
        dom.on("new-questions", lambda *_: dom.spawn(self._begin("My questions", [{"question": ""}])))
        dom.on("choose-questions", lambda *_: self._input.click())
        dom.on("questions-picked", lambda element, _: dom.spawn(self._load(element)))
        dom.on("open-questions", lambda element, _: self._show(self._sets[int(element.dataset.place)]))
        dom.on("remove-questions", lambda *_: dom.spawn(self._remove()))
        dom.on("save-questions", lambda element, _: dom.spawn(self._save(element.dataset.format)))

    async def refresh(self) -> None:
        """Draw what is kept; an open set stays open."""
        if self._open:
            return
        found = await _asked("question_sets", {})
        if found:
            begun = [one["id"] for one in self._sets]  # while the engine was looking
            self._sets = [one for one in found["sets"] if one["id"] not in begun] + self._sets
            if self._open:
                self._draw()
            else:
                self._show(self._sets[0] if self._sets else None)

    def _show(self, chosen: dict | None) -> None:
        self._open = chosen
        self._notes.replaceChildren()
        self._table.show(chosen)
        self._runner.offer(chosen)
        self._draw()

    def _draw(self) -> None:
        tabs = []
        for place, one in enumerate(self._sets):
            label = f"{one['name']} ({len(one['questions'])})"
            tab = h("button", "choice", label, type="button", data_action="open-questions", data_place=str(place))
            tab.setAttribute("aria-pressed", "true" if one is self._open else "false")
            tabs.append(tab)
        dom.replace(self._list, tabs)
        dom.show(self._list, bool(tabs))

    async def _begin(self, name: str, questions: list, made: bool = False) -> None:
        """A new set, kept at once where it has questions already."""
        # Named here, so that keeping it twice in a row keeps one set.
        identity = f"s{int(window.Date.now())}"
        chosen = {"id": identity, "name": name, "made": made, "questions": questions}
        self._sets.append(chosen)
        self._show(chosen)
        self._table.focus()
        if any(row["question"] for row in questions):
            await self._keep(chosen)

    def _take(self, rows: list) -> None:
        dom.spawn(self._begin("Made from passages", rows, True))

    async def _load(self, element: object) -> None:
        files = list(element.files)
        name, data = files[0].name, await engine.settled(files[0].arrayBuffer())
        element.value = ""
        found = await _asked("read_questions", {"name": name}, data)
        if found:
            await self._begin(name, found["questions"])
            dom.replace(self._notes, [h("li", "", note) for note in found["notes"]])

    def _changed(self) -> None:
        """A key was pressed: the set is kept when the pressing has stopped."""
        self._serial += 1
        self._runner.offer(self._open)
        dom.spawn(self._keep_soon(self._open, self._serial))

    async def _keep_soon(self, chosen: dict, serial: int) -> None:
        await asyncio.sleep(SAVED_AFTER)
        if serial == self._serial:
            await self._keep(chosen)

    async def _keep(self, chosen: dict) -> None:
        """Lines without a question stay here and are not kept."""
        rows = [row for row in chosen["questions"] if row["question"].strip()]
        given = {"id": chosen["id"], "name": chosen["name"], "made": chosen["made"], "questions": rows}
        found = await _asked("keep_questions", given)
        if found:
            for place, kept in enumerate(found["set"]["questions"]):
                rows[place]["id"] = kept["id"]
            self._draw()

    async def _remove(self) -> None:
        gone = self._open
        self._serial += 1
        if await _asked("forget_questions", {"id": gone["id"]}) is None:
            return
        self._sets = [one for one in self._sets if one is not gone]
        self._show(self._sets[-1] if self._sets else None)

    async def _save(self, kind: str) -> None:
        rows = [row for row in self._open["questions"] if row["question"].strip()]
        found = await _asked("write_questions", {"questions": rows, "format": kind})
        if found:
            save_text(found["text"], f"questions.{kind}")


async def _asked(command: str, given: dict, data: object = None) -> dict | None:
    """The engine's result; None when it refused, which is said."""
    try:
        return engine.plain(await engine.call(command, given, data=data))
    except engine.EngineError as error:
        dom.toast(error.message, bad=True)
        return None
