"""One question set as a table to write in: question, expected answer, document, and whether there is an answer."""

from ui import dom, words
from ui.dom import button, h, icon
from ui.evaluation_words import MADE

DRAWN = 50  # lines at a time
HEADS = ("Question", "Expected answer", "Document", "Has an answer", "")
SURE = "Remove this set? Runs of it stay."


def _box(label: str, field: str, text: str) -> object:
    # Not an <input>: see composer.py on what Chromium asks about the fields of a page.
    kind = {"contenteditable": "plaintext-only", "role": "textbox", "spellcheck": "false"}
    return h("div", "cell-box", text, aria_label=label, data_field=field, data_input="edit-question", **kind)


def document_of(row: dict) -> str:
    """The file that a question is about, "" where none is named."""
    places = row.get("evidence") or []
    return places[0]["file"] if places else row.get("document") or ""


def edit(row: dict, field: str, text: str) -> None:
    """Put what was typed into the question. Another document takes the known quotes away: they stand in the old one."""
    if field == "document" and text != document_of(row):
        row.pop("evidence", None)
        row["document"] = text
    elif field == "answers":
        row["answers"] = [text] if text else []
        row.pop("must_mention", None)
    elif field == "question":
        row["question"] = text


class QuestionTable:
    """`changed()` is called after each change."""

    def __init__(self, changed: object) -> None:
        self._changed = changed
        self._set = None
        self._drawn = 0
        self.element = h("section", "evaluation-set", hidden=True)
        dom.on("edit-question", lambda element, _: self._edit(element))
        dom.on("answerable", lambda element, _: self._answerable(element))
        dom.on("delete-question", lambda element, _: self._delete(element))
        dom.on("add-question", lambda *_: self._add())
        dom.on("more-questions", lambda *_: self._more())
        dom.on("name-questions", lambda element, _: self._rename(element.textContent))
        dom.on("ask-remove-questions", lambda *_: dom.show(self._sure, True))
        dom.on("keep-questions", lambda *_: dom.show(self._sure, False))

    def show(self, chosen: dict | None) -> None:
        """Draw another set, or none."""
        self._set = chosen
        dom.show(self.element, chosen is not None)
        if chosen is None:
            return
        name = {"contenteditable": "plaintext-only", "role": "textbox", "spellcheck": "false"}
        title = h("div", "set-name", chosen["name"], aria_label="Name of the set", data_input="name-questions", **name)
        lines = button("Save as JSON Lines", "save-questions", css="link")
        lines.dataset.format = "jsonl"
        table = button("Save as CSV", "save-questions", css="link")
        table.dataset.format = "csv"
        table.title = "With one answer and one place for each question"
        self._sure = h("div", "sure", h("span", "", SURE), hidden=True)
        dom.fill(self._sure, button("Remove", "remove-questions", css="danger"))
        dom.fill(self._sure, button("Keep", "keep-questions", css="plain"))
        gone = button("Remove", "ask-remove-questions", css="link")
        head = h("div", "set-head", title, lines, table, gone)
        note = h("p", "elsewhere", icon("info"), h("span", "", MADE)) if chosen["made"] else None
        self._body = h("tbody")
        heads = h("thead", "", h("tr", "", [h("th", "", one, scope="col") for one in HEADS]))
        grid = h("div", "wide", h("table", "questions", heads, self._body))
        self._rest = button("", "more-questions", css="link")
        add = button("Add a question", "add-question", css="plain", symbol="new")
        dom.replace(self.element, head, self._sure, note, grid, h("div", "pickers", add, self._rest))
        self._drawn = 0
        self._more()

    def focus(self) -> None:
        """Into the first question."""
        box = self.element.querySelector("[data-field=question]")
        if box:
            box.focus()

    def _more(self) -> None:
        rows = self._set["questions"]
        end = min(len(rows), self._drawn + DRAWN)
        dom.fill(self._body, [self._line(place, rows[place]) for place in range(self._drawn, end)])
        self._drawn = end
        self._rest.textContent = f"Show {min(DRAWN, len(rows) - end)} of {words.count(len(rows) - end, 'more', 'more')}"
        dom.show(self._rest, end < len(rows))

    def _line(self, place: int, row: dict) -> object:
        number = place + 1
        box = {"type": "checkbox", "data_change": "answerable", "aria_label": f"Question {number} has an answer"}
        quoted = h("span", "quiet small", "with its quote") if row.get("evidence") else None
        gone = button(f"Delete question {number}", "delete-question", css="ghost", symbol="bin", only_symbol=True)
        boxes = (
            (_box(f"Question {number}", "question", row["question"]),),
            (_box(f"Expected answer {number}", "answers", (row.get("answers") or [""])[0]),),
            (_box(f"Document of question {number}", "document", document_of(row)), quoted),
            (h("input", checked=row.get("answerable", True), **box),),
            (gone,),
        )
        cells = [h("td", "", one, data_label=HEADS[place]) for place, one in enumerate(boxes)]
        return h("tr", "", cells, data_place=str(place))

    def _row(self, element: object) -> dict:
        return self._set["questions"][int(element.closest("tr").dataset.place)]

    def _edit(self, element: object) -> None:
        if not element.textContent:  # browsers leave a <br> in a box that was emptied
            element.replaceChildren()
        edit(self._row(element), element.dataset.field, " ".join(element.textContent.split()))
        self._changed()

    def _answerable(self, element: object) -> None:
        self._row(element)["answerable"] = bool(element.checked)
        self._changed()

    def _delete(self, element: object) -> None:
        self._set["questions"].remove(self._row(element))
        self.show(self._set)
        self._changed()

    def _add(self) -> None:
        self._set["questions"].append({"question": ""})
        while self._drawn < len(self._set["questions"]):
            self._more()
        self._body.lastChild.querySelector("[data-field=question]").focus()

    def _rename(self, text: str) -> None:
        self._set["name"] = " ".join(text.split()) or "Questions"
        self._changed()
