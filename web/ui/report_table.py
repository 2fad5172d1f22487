"""The rows of the report, some drawn at a time."""

from pyscript import window

from ui import dom, words
from ui.dom import button, h, icon
from ui.report_words import COLUMNS, cell, failed, notes

DRAWN = 100  # rows at a time


class ReportTable:
    """`rows` are those that are shown or would be after “Show more”, in their order."""

    def __init__(self) -> None:
        self.rows = []
        self._drawn = 0
        self._heads = h("tr")
        self._body = h("tbody")
        self._rest_text = h("span", "quiet small")
        self._rest = h("p", "rest", self._rest_text, button("Show more", "more-report", css="link"))
        table = h("table", "report-table", h("thead", "", self._heads), self._body)
        self.element = h("div", "", h("div", "wide", table), self._rest)
        dom.on("more-report", lambda *_: self._more())

    def numeric(self, key: str) -> bool:
        return [number for name, _, number in COLUMNS if name == key][0]

    def show(self, rows: list, key: str, down: bool) -> None:
        """Draw the first of these rows, which are in the order of that column."""
        self.rows = rows
        heads = []
        for name, label, number in COLUMNS:
            sorts = h("button", "report-sort", label, type="button", data_action="report-sort", data_key=name)
            head = h("th", "figure" if number else "", sorts, scope="col")
            if name == key:
                head.setAttribute("aria-sort", "descending" if down else "ascending")
            heads.append(head)
        dom.replace(self._heads, heads)
        self._body.replaceChildren()
        self._drawn = 0
        self._more()

    def focus(self, key: str) -> None:
        """Onto a column's heading, which was drawn anew."""
        self._heads.querySelector(f'[data-key="{key}"]').focus()

    def _more(self) -> None:
        end = min(len(self.rows), self._drawn + DRAWN)
        dom.fill(self._body, [_line(row) for row in self.rows[self._drawn : end]])
        self._drawn = end
        left = len(self.rows) - end
        self._rest_text.textContent = f"and {words.count(left, 'file')} more"
        dom.show(self._rest, left > 0)


def _line(row: dict) -> object:
    said = [h("span", "small quiet", text) for text in notes(row)]
    _, name = words.split_name(row["name"])
    if failed(row):
        first = h("th", "", h("span", "report-name", icon("warning"), h("span", "name", name)), said, scope="row")
    else:
        opens = {"type": "button", "data_action": "report-open", "title": row["name"]}
        first = h("th", "", h("button", "report-name link", name, **opens), said, scope="row")
    cells = [h("td", "figure" if number else "", _text(row, key)) for key, _, number in COLUMNS[1:]]
    return h("tr", "failed" if failed(row) else "", first, cells, data_document=row["id"])


def _text(row: dict, key: str) -> str:
    if key == "added" and row.get("added"):
        return window.Date.new(row["added"] * 1000.0).toLocaleDateString()
    return cell(row, key)
