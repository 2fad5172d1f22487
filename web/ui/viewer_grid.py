"""A sheet as a grid: letters of columns, numbers of rows, the columns' names, and as many rows as the window shows.

Rows are of one height (only those with a mark show all their text), so that a sheet of a hundred thousand rows has a
scroll bar of the right length and the rows of the window alone are elements.
"""

from ui import dom
from ui.dom import h
from ui.viewer_blocks import element, named_cells, pieces

ROW = 29  # pixels, as in viewer.css
NUMBERS = 60  # pixels of the column of row numbers, which stays in sight
AROUND = 15  # rows drawn above and below those in the window
NARROWEST, WIDEST = 5, 34  # characters of a column
CELLS = 1500  # drawn at once: a sheet of hundreds of columns gets fewer rows


class GridView:
    """`show` draws the sheet that holds the focus; a tab for each sheet."""

    def __init__(self) -> None:
        self._document = self._sheet = None
        self._first = self._end = self._total = 0  # rows that are drawn, and all of the sheet
        self._widths = {}
        self._tabs = h("div", "sheet-tabs", role="group", aria_label="Sheets")
        self._columns = h("colgroup")
        self._letters = h("tr")
        self._above, self._below = h("div"), h("div")
        self._rows = h("tbody")
        self._table = h("table", "grid", self._columns, h("thead", "", self._letters), self._rows)
        named = {"role": "region", "aria_labelledby": "viewer-title", "tabindex": "0"}
        self._scroller = h("div", "scroll grid-scroll", self._above, self._table, self._below, **named)
        self._scroller.addEventListener("scroll", lambda _: self._scrolled())
        self.element = h("div", "grid-view", self._scroller, self._tabs)
        dom.on("open-sheet", lambda tab, _: self._open(int(tab.dataset.sheet)))

    def show(self, document: object) -> str:
        """Draw the sheet around its marked row; what is marked there comes back."""
        self._document = document
        start, end = document.focus()
        index = document.block_at(start)
        number = 0
        for place, sheet in enumerate(document.sheets):
            if sheet["first"] <= index:
                number = place
        self._open(number, _row_of(document.sheets[number], index) if end > start else 0)
        mark = self._rows.querySelector("mark.current") or self._rows.querySelector("mark.quote")
        if not mark or end <= start:
            return ""
        place, view = mark.getBoundingClientRect(), self._scroller.getBoundingClientRect()
        self._scroller.scrollTop += place.top - view.top - view.height / 3
        if place.right > view.right or place.left < view.left + NUMBERS:
            self._scroller.scrollLeft += place.left - view.left - view.width / 3
        return mark.textContent

    def _open(self, number: int, row: int = 0) -> None:
        """Sheet `number`, with its row `row` in sight."""
        self._sheet = sheet = self._document.sheets[number]
        self._total = len(sheet["rows"]) if sheet["rows"] else sheet["end"] - sheet["first"]
        tabs = enumerate(self._document.sheets)
        dom.show(self._tabs, len(self._document.sheets) > 1)
        dom.replace(self._tabs, [_tab(one["name"], place, place == number) for place, one in tabs])
        letters = [h("th", "", letter(column), scope="col") for column in sheet["columns"]]
        dom.replace(self._letters, h("th", "", h("span", "unseen", "Row")), letters)
        self._widths = dict.fromkeys(sheet["columns"], NARROWEST)
        self._table.setAttribute("aria-rowcount", str(self._total))
        self._first = self._end = -1
        self._draw(max(0, row - AROUND))
        self._scroller.scrollTop = max(0, row - 5) * ROW

    def _draw(self, first: int) -> None:
        """Rows from `first` on, and nothing in the place of the others but their height."""
        columns = self._sheet["columns"]
        rows = max(10, min(self._scroller.clientHeight // ROW + 2 * AROUND, CELLS // max(1, len(columns))))
        first = max(0, min(first, self._total - rows))
        end = min(self._total, first + rows)
        if (first, end) == (self._first, self._end):
            return
        self._first, self._end = first, end
        elements, names, head = [], {}, None
        for row in self._document.row_blocks(self._sheet, first, end):
            cells = self._cells(row)
            named = {column: name for column, name, _, _ in cells if name}
            if any(names.get(column, name) != name for column, name in named.items()) or (named and head is None):
                names, head = {}, h("tr", "names")  # another table begins
                elements.append(head)
            if any(column not in names for column in named):
                names.update(named)
                dom.replace(head, self._names(names, columns))
            elements.append(self._row(row, cells, columns))
        dom.replace(self._rows, elements)
        dom.replace(self._columns, h("col"))
        for column in columns:
            width = h("col")
            width.style.width = f"{self._widths[column] + 2}ch"
            self._columns.append(width)
        self._above.style.height = f"{first * ROW}px"
        self._below.style.height = f"{(self._total - end) * ROW}px"

    def _names(self, named: dict, columns: list) -> list:
        for column, name in named.items():
            self._widen(column, len(name))
        cells = [(named.get(column), "col" if column in named else None) for column in columns]
        return [h("th")] + [h("th", "", name or "", scope=scope, title=name) for name, scope in cells]

    def _cells(self, row: list) -> list:
        """(column, its name, text, the text with its marks) of each cell, from all blocks of a row."""
        found = []
        for _, block in row:
            ranges = self._ranges(block)
            for column, name, start, end in named_cells(block) if block.get("cells") else []:
                found.append((column, name, block["text"][start:end], pieces(block, start, end, ranges)))
        return found

    def _ranges(self, block: dict) -> list:
        return self._document.ranges(block["start"], block["start"] + len(block["text"]))

    def _row(self, blocks: list, cells: list, columns: list) -> object:
        number, block = blocks[0]
        if not cells:
            text = h("td", "", element(block, self._ranges(block), number), colspan=str(max(1, len(columns))))
            return h("tr", "", h("th", ""), text)
        row = h("tr", block["kind"], h("th", "", str(block["row"] or ""), scope="row"), data_block=str(number))
        places = {cell[0]: cell for cell in cells}
        for column in columns:
            _, _, text, marked = places.get(column, (column, "", "", []))
            if len(cells) > 1:
                self._widen(column, len(text))
            css = "figure" if _is_number(text) else ""
            row.append(h("td", css, marked, title=text if len(text) > WIDEST else None))
        if row.querySelector("mark, .flagged"):
            row.classList.add("marked")
        return row

    def _widen(self, column: int, length: int) -> None:
        self._widths[column] = max(self._widths[column], min(length, WIDEST))

    def _scrolled(self) -> None:
        """Draw other rows when those at an edge of the window come near the edge of what is drawn."""
        if not self._document or not self._scroller.clientHeight:
            return
        top = int(self._scroller.scrollTop) // ROW
        bottom = top + self._scroller.clientHeight // ROW
        if (top - 3 < self._first and self._first > 0) or (bottom + 3 > self._end and self._end < self._total):
            self._draw(top - AROUND)


def letter(column: int) -> str:
    """0 → "A", 25 → "Z", 26 → "AA"."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def _row_of(sheet: dict, index: int) -> int:
    """The row of a sheet that block `index` stands in."""
    for place, row in enumerate(sheet["rows"] or []):
        if index in row:
            return place
    return 0 if sheet["rows"] else index - sheet["first"]


def _tab(name: str, number: int, chosen: bool) -> object:
    pressed = "true" if chosen else "false"
    return h(
        "button",
        "sheet-tab",
        name or "Sheet",
        type="button",
        data_action="open-sheet",
        data_sheet=str(number),
        aria_pressed=pressed,
    )


def _is_number(text: str) -> bool:
    return bool(text) and text[0] in "-+0123456789.(" and not any(part.isalpha() for part in text)
