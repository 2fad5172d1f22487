"""A written answer's tree (the engine's answers/layout.py) as elements of the page: nothing but the tags named here."""

from ui.dom import h

INLINE = {"emphasis": "em", "strong": "strong"}


class Blocks:
    """`cites(number)` gives what stands behind sentence `number`: its [n]."""

    def __init__(self, cites: object) -> None:
        self._cites = cites

    def draw(self, nodes: list) -> list:
        return [self._block(node) for node in nodes]

    def _block(self, node: dict) -> object:
        kind = node["type"]
        if kind == "list":
            items = [h("li", "", self._line(item["children"])) for item in node["children"]]
            return h("ol", "", items, start=str(node["start"])) if node["ordered"] else h("ul", "", items)
        if kind == "table":
            rows = [self._row(row) for row in node["children"]]
            return h("div", "wide", h("table", "", h("tbody", "", rows)))
        if kind == "code":
            cites = h("p", "", self._cites(node["number"]))
            return h("div", "code-block", h("pre", "", h("code", "", node["text"])), cites)
        return h("p", "", self._line(node["children"]))

    def _row(self, row: dict) -> object:
        cells = [_inline(cell["children"]) for cell in row["children"]]
        cells[-1].append(self._cites(row["number"]))
        drawn = [h("th", "", cell, scope="col") if row["header"] else h("td", "", cell) for cell in cells]
        return h("tr", "", drawn)

    def _line(self, nodes: list) -> list:
        return [h("br") if node["type"] == "break" else self._sentence(node) for node in nodes]

    def _sentence(self, node: dict) -> list:
        return [h("span", "sentence", _inline(node["children"]), self._cites(node["number"])), " "]


def _inline(nodes: list) -> list:
    parts = []
    for node in nodes:
        if node["type"] == "code_span":
            parts.append(h("code", "", node["text"]))
        elif node["type"] in INLINE:
            parts.append(h(INLINE[node["type"]], "", _inline(node["children"])))
        else:
            parts.append(node["text"])
    return parts
