"""The rows of the library: one for each file on its way and one for each document that is there."""

from ui import words
from ui.dom import button, h, icon, kind_icon
from ui.file_queue import FAILED, PASSWORD, RUNNING

DEEPEST_DRAWN = 3  # steps by which a row is moved in


class QueueRow:
    """One file on its way, drawn for the state it is in; `progress` moves the bar of a running one."""

    def __init__(self, entry: object) -> None:
        self._entry = entry
        _, self._name = words.split_name(entry.name)
        self._title = h("span", "name", self._name, title=entry.name)
        self._state = h("span", "quiet small", f"Waiting · {words.size(entry.size)}")
        self._bar = h("progress", "bar", max="100", aria_label=f"Adding {self._name}")
        draw = {RUNNING: self._running, PASSWORD: self._locked, FAILED: self._failed}
        self.element = draw.get(entry.state, self._waiting)()
        self.element.dataset.key = str(entry.key)

    def progress(self) -> None:
        entry = self._entry
        self._state.textContent = words.file_progress(entry.stage, entry.done, entry.total, entry.seconds_left)
        if entry.total:
            self._bar.value = words.percent(entry.done, entry.total)
        else:
            self._bar.removeAttribute("value")

    def _close(self, verb: str, action: str) -> object:
        return button(f"{verb} {self._name}", action, css="ghost", symbol="close", only_symbol=True)

    def _waiting(self) -> object:
        return h(
            "li", "row waiting", h("div", "row-text", self._title, self._state), self._close("Cancel", "cancel-file")
        )

    def _running(self) -> object:
        self.progress()
        text = h("div", "row-text", self._title, self._state, self._bar)
        return h("li", "row running", text, self._close("Cancel", "cancel-file"))

    def _locked(self) -> object:
        label = f"Password of {self._name}"
        field = h("input", type="password", required=True, autocomplete="off", aria_label=label, placeholder="Password")
        form = h("form", "unlock", field, h("button", "plain", "Open", type="submit"), data_submit="unlock-file")
        text = h("div", "row-text", self._title, h("span", "small", self._entry.message), form)
        return h("li", "row locked", icon("lock"), text, self._close("Dismiss", "dismiss-file"))

    def _failed(self) -> object:
        text = h("div", "row-text", self._title, h("span", "small reason", self._entry.message))
        return h("li", "row failed", icon("warning"), text, self._close("Dismiss", "dismiss-file"))


def document_row(info: dict, files: int = 0, folded: bool = False, where: str = "", depth: int = 0) -> object:
    """A document of the library: opens on a click, with a button to remove it.

    `files` are in it, and stand below unless they are `folded`; `where` it lies itself, `depth` files deep. One that
    is nothing but its files opens and closes those on a click.
    """
    _, name = words.split_name(info["name"])
    notes = info.get("warnings") or []
    text = h(
        "span",
        "row-text",
        h("span", "name", name),
        h("span", "quiet small", words.document_line(info, files)),
        h("span", "quiet small " + ("folder" if not depth else "inside"), where) if where else None,
        h("span", "small note", notes[0], title=" ".join(notes)) if notes else None,
    )
    kind = kind_icon(words.KINDS.get(info["kind"], info["kind"][:4].upper()))
    only_files = files and not info.get("chunks") and not info.get("pages")
    opens = {"data_action": "fold" if only_files else "open-document", "title": info["name"]}
    if only_files:
        opens["aria_expanded"] = "false" if folded else "true"
    controls = [button(f"Remove {name}", "ask-remove", css="ghost appear", symbol="bin", only_symbol=True)]
    if files:
        label = f"{'Show' if folded else 'Hide'} the files in {name}"
        fold = button(label, "fold", css="ghost fold", symbol="forward", only_symbol=True)
        fold.setAttribute("aria-expanded", opens.get("aria_expanded") or ("false" if folded else "true"))
        controls.append(fold)
    row = h("li", "row", h("button", "row-open", kind, text, type="button", **opens), controls)
    row.setAttribute("data-document", info["id"])
    if depth:
        row.style.setProperty("--depth", str(min(depth, DEEPEST_DRAWN)))
    return row


def removal_question(name: str, files: int) -> object:
    """What a document's row asks before it goes, with so many files in it."""
    sure = h("span", "", words.removal(name, files))
    return h("div", "sure", sure, button("Remove", "remove", css="danger"), button("Keep", "keep", css="plain"))
