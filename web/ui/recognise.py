"""Text recognition of a document, in its row of the library: the languages of its pictures, how far it is, what came.

A row may be drawn anew at any time; how far a document is stands here, not in the row.
"""

from pyscript import window

from ui import dom, engine, words
from ui.dom import button, h
from ui.recognise_words import LANGUAGES, can_recognise, usual

IDLE, CHOOSING, RUNNING, LOCKED, FAILED = range(5)


class Task:
    """Where one document is."""

    def __init__(self, languages: list) -> None:
        self.state = IDLE
        self.languages = languages
        self.call = None
        self.progress = ("recognising", 0, 0, None)
        self.message = ""


class Recognise:
    """`learn(info)` is called when a document's text was recognised."""

    def __init__(self, learn: object) -> None:
        self._learn = learn
        self._tasks = {}
        self._infos = {}
        self._elements = {}
        dom.on("recognise", lambda element, _: self._set(self._id(element), CHOOSING, focus="input"))
        dom.on("recognise-not", lambda element, _: self._set(self._id(element), IDLE, focus="button"))
        dom.on("recognise-tick", lambda element, _: self._tick(element))
        dom.on("recognise-start", self._submit)
        dom.on("recognise-stop", lambda element, _: self._stop(self._id(element)))

    def control(self, info: dict) -> object:
        """What stands in the document's row; None where there is nothing to recognise."""
        if not can_recognise(info):
            return None
        self._infos[info["id"]] = info
        if info["id"] not in self._tasks:
            self._tasks[info["id"]] = Task(usual(window.navigator.language or ""))
        element = self._draw(info["id"])
        self._elements[info["id"]] = element
        return element

    def _draw(self, document_id: str) -> object:
        info, task = self._infos[document_id], self._tasks[document_id]
        draw = {CHOOSING: self._choosing, RUNNING: self._running, LOCKED: self._locked, FAILED: self._failed}
        parts = draw.get(task.state, self._idle)(info, task)
        return h("div", "recognise", *parts, data_recognise=document_id)

    def _idle(self, info: dict, _task: Task) -> tuple:
        again = " again" if info.get("recognised") else ""
        return (button(f"Recognise text{again}", "recognise", css="link"),)

    def _choosing(self, info: dict, task: Task) -> tuple:
        name = words.split_name(info["name"])[1]
        boxes = [
            h(
                "label",
                "choice",
                h("input", type="checkbox", value=code, checked=code in task.languages, data_change="recognise-tick"),
                h("span", "", language),
            )
            for code, language, _ in LANGUAGES
        ]
        legend = h("legend", "", f"The language of {name}")
        choices = h("fieldset", "choices", legend, boxes)
        start = h("button", "primary", "Recognise text", type="submit")
        buttons = h("div", "recognise-buttons", start, button("Cancel", "recognise-not", css="plain"))
        return (h("form", "", choices, buttons, data_submit="recognise-start"),)

    def _running(self, info: dict, task: Task) -> tuple:
        stage, done, total, left = task.progress
        bar = h("progress", "bar", max="100", aria_label=f"Recognising {words.split_name(info['name'])[1]}")
        if total:
            bar.value = words.percent(done, total)
        told = h("span", "quiet small", words.file_progress(stage, done, total, left))
        return told, h("div", "recognise-line", bar, button("Cancel", "recognise-stop", css="link"))

    def _locked(self, info: dict, task: Task) -> tuple:
        label = f"Password of {words.split_name(info['name'])[1]}"
        field = h("input", type="password", required=True, autocomplete="off", aria_label=label, placeholder="Password")
        stop = button("Cancel", "recognise-not", css="plain")
        form = h(
            "form", "unlock", field, h("button", "plain", "Open", type="submit"), stop, data_submit="recognise-start"
        )
        return h("span", "small", task.message), form

    def _failed(self, _info: dict, task: Task) -> tuple:
        return h("span", "small reason", task.message), button("Recognise text", "recognise", css="link")

    def _id(self, element: object) -> str:
        return element.closest("[data-recognise]").dataset.recognise

    def _set(self, document_id: str, state: int, focus: str = "") -> None:
        self._tasks[document_id].state = state
        self._show(document_id, focus)

    def _show(self, document_id: str, focus: str = "") -> None:
        """Drawn anew in its place, unless the row is gone."""
        old, new = self._elements[document_id], self._draw(document_id)
        old.replaceWith(new)
        self._elements[document_id] = new
        if focus:
            new.querySelector(focus).focus()

    def _tick(self, element: object) -> None:
        task = self._tasks[self._id(element)]
        task.languages = [code for code in task.languages if code != element.value]
        if element.checked:
            task.languages.append(element.value)

    def _submit(self, element: object, event: object) -> None:
        event.preventDefault()
        document_id = self._id(element)
        field = element.querySelector("input[type=password]")
        if self._tasks[document_id].languages:
            dom.spawn(self._run(document_id, field.value if field else ""))
        else:
            dom.toast("Choose at least one language.")

    def _stop(self, document_id: str) -> None:
        if self._tasks[document_id].call is not None:
            engine.cancel(self._tasks[document_id].call)

    async def _run(self, document_id: str, password: str) -> None:
        task = self._tasks[document_id]

        def heard(event: dict) -> None:
            if event["type"] == "progress":
                task.progress = (event["stage"], event["done"], event["total"], event.get("seconds_left"))
                self._show_progress(document_id)

        def started(call_id: object) -> None:
            task.call = call_id

        arguments = {"document_id": document_id, "languages": task.languages}
        if password:
            arguments["password"] = password
        task.progress = ("recognising", 0, 0, None)
        self._set(document_id, RUNNING, focus="button")
        try:
            result = engine.plain(await engine.call("recognise", arguments, on_event=heard, on_start=started))
        except engine.EngineError as error:
            task.message = error.message
            states = {"Cancelled": IDLE, "PasswordNeeded": LOCKED}
            self._set(document_id, states.get(error.kind, FAILED))
            dom.announce(error.message)
            return
        finally:
            task.call = None
        task.state = IDLE
        self._learn(result["document"])
        dom.announce(f"The text of {words.split_name(result['document']['name'])[1]} was recognised.")

    def _show_progress(self, document_id: str) -> None:
        """The bar moves; the button beside it stays, and keeps the focus."""
        stage, done, total, left = self._tasks[document_id].progress
        element = self._elements[document_id]
        bar = element.querySelector("progress")
        if not bar:
            return
        element.querySelector(".quiet").textContent = words.file_progress(stage, done, total, left)
        if total:
            bar.value = words.percent(done, total)
        else:
            bar.removeAttribute("value")
