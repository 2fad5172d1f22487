"""The document that the viewer shows: its blocks, which stay on the JavaScript side, and what is marked in them."""

from ui import engine, marking, words


class OpenDocument:
    """What the command `document` gave. A long one has tens of thousands of blocks, read a window at a time."""

    def __init__(self, document_id: str, result: object) -> None:
        self.id = document_id
        self._blocks = result.blocks
        self.total = result.blocks.length
        self.drawn = bool(result.drawn)  # whether its pages can be drawn
        self.pages = engine.plain(result.info).get("pages") or 0
        self.labels = engine.plain(result.labels) or []
        self.sheets = engine.plain(result.sheets) or []  # [{name, first, end, columns, rows}]
        self.flags = []  # [start, end] of what is addressed to the model
        self.quote = (0, 0)
        self.found = []  # (start, end) of what a search found, in their order
        self.found_pages = []  # of each, the page on which its block begins
        self.current = -1  # the one of them that is looked at

    def blocks(self, first: int, end: int) -> list:
        return engine.plain(self._blocks.slice(first, end))

    def row_blocks(self, sheet: dict, first: int, end: int) -> list:
        """The blocks of rows `first` … `end` of a sheet, with their numbers: [(number, block), …] a row."""
        if not sheet["rows"]:
            first, end = sheet["first"] + first, sheet["first"] + end
            return [[(first + place, block)] for place, block in enumerate(self.blocks(first, end))]
        return [[(number, engine.plain(self._blocks[number])) for number in row] for row in sheet["rows"][first:end]]

    def block_at(self, offset: int) -> int:
        return marking.block_at(lambda number: self._blocks[number].start, self.total, offset)

    def page_before(self, index: int) -> object:
        return self._blocks[index - 1].page if index > 0 else None

    def page_at(self, offset: int) -> int:
        return (self._blocks[self.block_at(offset)].page or 0) if self.total else 0

    def page_name(self, page: object) -> str:
        """ "page 12", or "page iv (4 of 30)" where pages are called otherwise."""
        label = self.labels[page - 1] if page and page <= len(self.labels) else ""
        return f"page {label} ({page} of {self.pages})" if label and label != str(page) else words.pages(page)

    def text_of(self, page: int) -> str:
        """All that stands on a page, for who cannot see it drawn."""
        first, end = 0, self.total
        while first < end:  # the blocks' pages never go back, but for what is hidden, behind all the others
            middle = (first + end) // 2
            if (self._blocks[middle].page or 0) < page and not self._blocks[middle].hidden:
                first = middle + 1
            else:
                end = middle
        texts = []
        while first < self.total and self._blocks[first].page == page and not self._blocks[first].hidden:
            texts.append(self._blocks[first].text)
            first += 1
        return "\n".join(texts)

    def ranges(self, first: int, end: int) -> list:
        """(start, end, name) of what is marked between two offsets; what counts more comes first."""
        marked = [
            one + ("found current" if number == self.current else "found",) for number, one in self._found(first, end)
        ]
        marked.sort(key=lambda one: one[2] != "found current")
        marked += [(start, stop, "flagged") for start, stop in self.flags]
        return marked + [self.quote + ("quote",)]

    def _found(self, first: int, end: int) -> list:
        low = marking.block_at(lambda number: self.found[number][0], len(self.found), first)
        places = []
        while low < len(self.found) and self.found[low][0] < end:
            places.append((low, self.found[low]))
            low += 1
        return places

    def on_page(self, page: int) -> list:
        """(start, end, name) of what may be marked on a drawn page. What goes on over a page break stands on both."""
        marked = [(start, end, "flagged") for start, end in self.flags if self._may_stand_on(page, start, end)]
        start, end = self.quote
        if start < end and self._may_stand_on(page, start, end):
            marked.append((start, end, "quote"))
        for number, one in enumerate(self.found):
            current = number == self.current
            if self.found_pages[number] == page or (current and self.found_pages[number] == page - 1):
                marked.append(one + ("found current" if current else "found",))
        return marked

    def _may_stand_on(self, page: int, start: int, end: int) -> bool:
        """A paragraph belongs to the page on which it begins, and may end on the next one."""
        return self.page_at(start) <= page <= self.page_at(end - 1) + 1

    def text(self, start: int, end: int) -> str:
        blocks = self.blocks(self.block_at(start), self.block_at(max(start, end - 1)) + 1)
        whole = "\n".join([block["text"] for block in blocks])
        return whole[start - blocks[0]["start"] : end - blocks[0]["start"]] if blocks else ""

    def focus(self) -> tuple:
        """The range that is to be seen: the match that is looked at, else the quote."""
        return self.found[self.current] if self.current >= 0 else self.quote
