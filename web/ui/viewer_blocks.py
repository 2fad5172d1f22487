"""A document's blocks as elements: headings, paragraphs, lists, listings with numbered lines, tables of their rows."""

from ui import marking
from ui.dom import h

HIDDEN = "Not visible in the original; never used for answers: "
FLAGGED_BEGINS = "Addressed to the model, not read: "
TAGS = {"paragraph": "p", "list_item": "p", "table_row": "p", "quote": "blockquote"}


def drawn(blocks: list, ranges: list, first: int, page_before: object, page_name: object) -> list:
    """Elements of `blocks`, the first of which is number `first` of the document, with page breaks between them.

    Rows that follow each other are one table, as long as their numbers rise.
    """
    elements, table, last, page = [], None, None, page_before
    for place, block in enumerate(blocks):
        if block.get("page") and block["page"] != page:
            page, table = block["page"], None
            elements.append(h("p", "page-break", page_name(page)))
        if block["kind"] == "table_row" and block.get("cells") and not block.get("hidden"):
            if table is None or block["row"] <= last["row"]:
                table = Table()
                elements.append(table.element)
            table.add(block, ranges, first + place)
            last = block
            continue
        table = None
        elements.append(element(block, ranges, first + place))
    return elements


def element(block: dict, ranges: list, number: int) -> object:
    """One block that is no row of a table."""
    kind = block["kind"]
    if kind == "code":
        return _listing(block, ranges, number)
    tag = f"h{min(6, 2 + (block.get('level') or 1))}" if kind == "heading" else TAGS.get(kind, "p")
    made = h(tag, kind, pieces(block, 0, len(block["text"]), ranges), data_block=str(number))
    if block.get("hidden"):
        made.classList.add("hidden-text")
        made.prepend(h("span", "hidden-note", HIDDEN))
    if kind == "list_item" and block.get("level"):
        made.dataset.level = str(min(4, block["level"]))
    return made


def pieces(block: dict, start: int, end: int, ranges: list) -> list:
    """A part of a block's text with what is marked in it."""
    return [_piece(*one) for one in marking.cut_at(block["text"][start:end], block["start"] + start, ranges)]


def _piece(text: str, name: str) -> object:
    if name == "flagged":
        return h("span", "flagged", h("span", "unseen", FLAGGED_BEGINS), text)
    return h("mark", name, text) if name else text


def _listing(block: dict, ranges: list, number: int) -> object:
    """Code with its lines numbered beside it, as in its file where that is known."""
    lines = block["text"].count("\n") + 1
    first = block.get("row") or 1
    numbers = h("span", "line-numbers", "\n".join([str(first + line) for line in range(lines)]), aria_hidden="true")
    code = h("code", "", pieces(block, 0, len(block["text"]), ranges))
    made = h("pre", "code", numbers, code, data_block=str(number), tabindex="0")
    if block.get("hidden"):
        made.classList.add("hidden-text")
    return made


def named_cells(block: dict) -> list:
    """(column, its name or "", start, end) of each cell: the name is what stands before the value."""
    found, end = [], 0
    for column, start, stop in block["cells"]:
        before = block["text"][end:start]
        if found and before.startswith(" | "):
            before = before[3:]
        found.append((column, before[:-2] if before.endswith(": ") else "", start, stop))
        end = stop
    return found


class Table:
    """Rows of one table, which comes row by row: columns that a row is the first to use come to its right."""

    def __init__(self) -> None:
        self._columns = []
        self._head = h("tr")
        self._body = h("tbody")
        self.element = h("div", "table", h("table", "", h("thead", "", self._head), self._body), tabindex="0")

    def add(self, block: dict, ranges: list, number: int) -> None:
        cells = named_cells(block)
        for column, name, _, _ in cells:
            if column not in self._columns:
                self._columns.append(column)
                self._columns.sort()
                self._widen(self._columns.index(column), name)
        row = h("tr", "table_row", data_block=str(number))
        places = {cell[0]: cell for cell in cells}
        for column in self._columns:
            cell = places.get(column)
            row.append(h("td", "", pieces(block, cell[2], cell[3], ranges) if cell else None))
        self._body.append(row)

    def _widen(self, place: int, name: str) -> None:
        """A column more, also in the rows that are there."""
        self._head.insertBefore(
            h("th", "", name, scope="col"), self._head.children[place] if place < len(self._columns) - 1 else None
        )
        for row in list(self._body.children):
            row.insertBefore(h("td", ""), row.children[place] if place < len(self._columns) - 1 else None)
