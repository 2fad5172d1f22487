"""The funnel of one answer as a table: every passage that a list holds, with its rank and score in each."""

from ui import dom, trace_words, words
from ui.dom import button, h, replace
from ui.trace_rows import LISTS, Rows

SHOWN = 20  # rows before all are asked for
FIRST = 4  # ranks that are marked: as many passages are judged and shown


class Funnel:
    """The table; a click on a list's name sorts by it."""

    def __init__(self, record: dict) -> None:
        self._rows = Rows(record)
        self._by, self._all = "", False
        self._drawn = {}  # key → row
        self._body = h("tbody")
        names = dict(LISTS)
        self._heads = [self._head("", "Passage")]
        self._heads += [self._head(name, names.get(name) or trace_words.plain(name)) for name in self._rows.lists]
        table = h("table", "funnel", h("thead", "", h("tr", "", self._heads)), self._body)
        self._more = button("", "trace-rows", css="link")
        wide = h("div", "wide", table, tabindex="0", role="region", aria_label="Passages in every list")
        self.element = h("div", "", h("p", "quiet small", LEGEND), wide, self._more)
        if not self._rows.places:
            replace(self.element, h("p", "quiet", "Nothing was found."))
        dom.on("trace-sort", lambda element, _: self._sort(element.dataset.list))
        dom.on("trace-rows", lambda *_: self._show_all())
        self._draw()

    def _head(self, name: str, label: str) -> object:
        return h("th", "", h("button", "", label, type="button", data_action="trace-sort", data_list=name), scope="col")

    def _sort(self, name: str) -> None:
        self._by = name
        self._draw()

    def _show_all(self) -> None:
        self._all = True
        self._draw()

    def _draw(self) -> None:
        keys = self._rows.ordered(self._by)
        seen = keys if self._all else keys[:SHOWN]
        for key in seen:
            if key not in self._drawn:
                self._drawn[key] = self._row(key)
        replace(self._body, [self._drawn[key] for key in seen])
        for head in self._heads:
            if (head.firstChild.dataset.list or "") == self._by:
                head.setAttribute("aria-sort", "ascending")
            else:
                head.removeAttribute("aria-sort")
        self._more.querySelector("span").textContent = f"Show all {words.count(len(keys), 'passage')}"
        dom.show(self._more, len(keys) > SHOWN and not self._all)

    def _row(self, key: tuple) -> object:
        rows, places = self._rows, self._rows.places[key]
        about = rows.texts.get(key) or {}
        name = words.split_name(rows.names.get(key[0]) or "a document that is gone")[1]
        place = words.pages(about.get("page"), about.get("last_page"))
        where = " · ".join([part for part in (place, about.get("heading") or "") if part])
        tags = [f"shown as {rows.shown[key]}" if key in rows.shown else "", "read" if key in rows.read else ""]
        tags.append("folded into another" if key in rows.folded else "")
        tags.append("has instructions to the model" if key in rows.flagged else "")
        said = ", ".join([tag for tag in tags if tag])
        face = h("th", "funnel-name", h("b", "", name), h("span", "funnel-where", where), scope="row")
        dom.fill(face, h("span", "funnel-tag", said) if said else None)
        dom.fill(face, h("span", "funnel-where", f"put up by {trace_words.put_up_by(places)}"))
        dom.fill(face, h("span", "funnel-text", about.get("text", "")))
        cells = [self._cell(places.get(one)) for one in rows.lists]
        css = "read" if key in rows.read else "shown" if key in rows.shown else ""
        return h("tr", css, face, cells)

    def _cell(self, entry: object) -> object:
        if not entry:
            return h("td", "none", h("span", "unseen", "not in it"))
        score = trace_words.figure(float(entry["score"]))
        if entry.get("probability") is not None:
            score += f" ({int(entry['probability'] * 100 + 0.5)}{words.TIED}%)"
        return h("td", "first" if entry["rank"] <= FIRST else "", h("b", "", str(entry["rank"])), h("span", "", score))


LEGEND = (
    "Each list with the rank of a passage and its score there; the first four of a list are marked. "
    "Scores are comparable within one list only. A list's name sorts by it."
)
