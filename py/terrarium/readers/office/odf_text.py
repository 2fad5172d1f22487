"""OpenDocument's body → blocks: paragraphs and what hangs on them, lists, tables, shapes.

Recursive: `odf.checked` has bounded the depth.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from terrarium.model import Block, BlockKind
from terrarium.readers.office.elements import child, inside, local, value
from terrarium.readers.office.odf_styles import Styles
from terrarium.readers.office.package import Package
from terrarium.readers.rows import row_blocks

SPACE = re.compile(r"[ \t\r\n]+")
MOST_REPEATED = 1000  # times: a cell or row that stands there oftener fills up a table to where sheets end
SHAPES = {
    "frame", "custom-shape", "rect", "ellipse", "circle", "polygon", "polyline", "path", "line", "connector",
    "regular-polygon", "caption", "g", "a",
}  # fmt: skip
# Deletions; what is made from the headings; declarations; styles; what only says how a shape looks.
PASSED_OVER = {
    "tracked-changes", "table-of-content", "sequence-decls", "variable-decls", "user-field-decls", "forms", "script",
    "enhanced-geometry", "event-listeners", "title", "desc", "notes", "thumbnail",
}  # fmt: skip


class Walker:
    """Of a text, or of one slide; what hangs on a paragraph (notes, comments, frames) follows it."""

    def __init__(self, styles: Styles, package: Package | None, page: int | None = None) -> None:
        self.styles = styles
        self.blocks: list[Block] = []
        self.warnings: list[str] = []
        self._package = package
        self._page = page
        self._hanging: list[tuple[Element, bool]] = []

    def walk(self, element: Element | None, hidden: bool = False, level: int = -1) -> None:
        """`level` is that of the list around, from 0."""
        for one in element if element is not None else ():
            match local(one):
                case "h":
                    self.paragraph(one, hidden, level, self._outline(one))
                case "p":
                    self.paragraph(one, hidden, level)
                case "list":
                    self.walk(one, hidden, level + 1)
                case "section":
                    self.walk(one, hidden or value(one, "display") == "none" or is_set(one, "is-hidden"), level)
                case "table":
                    self.table(one, hidden)
                case "annotation":
                    self.annotation(one)
                case name if name in SHAPES:
                    self.shape(one, hidden)
                case name if name not in PASSED_OVER:
                    self.walk(one, hidden, level)

    def _outline(self, heading: Element) -> int:
        level = value(heading, "outline-level")
        return int(level) if level.isdecimal() and 0 < int(level) < 100 else 1

    def paragraph(self, element: Element, hidden: bool, level: int, outline: int = 0) -> None:
        parts: dict[bool, list[str]] = {False: [], True: []}
        off = hidden or self.styles.hides("paragraph", value(element, "style-name"))
        off = off or any(is_set(one, "is-hidden") for one in inside(element, "hidden-paragraph"))
        outer, self._hanging = self._hanging, []
        for text, is_off in self.inline(element, off):
            parts[is_off].append(text)
        seen, unseen = (tidied("".join(parts[hidden])) for hidden in (False, True))
        if seen and not outline and self.styles.is_title(value(element, "style-name")):
            self.blocks.append(Block("heading", seen, self._page, level=1))
        elif outline and seen:
            given = child(element, "number") is not None or is_set(element, "is-list-header")
            number = "" if given else self.styles.heading_number(outline)
            text = f"{number.strip()} {seen}".strip()
            self.blocks.append(Block("heading", text, self._page, level=min(outline, 6)))
        elif seen:
            kind: BlockKind = "list_item" if level >= 0 else "paragraph"
            self.blocks.append(Block(kind, seen, self._page, level=max(level, 0)))
        if unseen:
            self.blocks.append(Block("paragraph", unseen, self._page, hidden=True))
        hanging, self._hanging = self._hanging, outer
        for one, is_off in hanging:
            match local(one):
                case "note":
                    self.note(one, is_off)
                case "annotation":
                    self.annotation(one)
                case _:
                    self.shape(one, is_off)

    def inline(self, element: Element, hidden: bool) -> Iterator[tuple[str, bool]]:
        """(text, whether it is hidden)."""
        yield SPACE.sub(" ", element.text or ""), hidden
        for one in element:
            match local(one):
                case "s":
                    yield " ", hidden
                case "tab":
                    yield "\t", hidden
                case "line-break":
                    yield "\n", hidden
                case "hidden-text":
                    yield value(one, "string-value") or "".join(one.itertext()), True
                case "span":
                    yield from self.inline(one, hidden or self.styles.hides("text", value(one, "style-name")))
                case "ruby":
                    yield from self.inline(base, hidden) if (base := child(one, "ruby-base")) is not None else ()
                case "note" | "annotation":
                    self._hanging.append((one, hidden))
                case "a" if child(one, "frame") is None:
                    yield from self.inline(one, hidden)
                case name if name in SHAPES:
                    self._hanging.append((one, hidden))
                case name if name not in PASSED_OVER:
                    yield from self.inline(one, hidden)
            yield SPACE.sub(" ", one.tail or ""), hidden

    def note(self, element: Element, hidden: bool) -> None:
        """A foot- or endnote behind its sign."""
        sign = tidied("".join(text.text or "" for text in inside(element, "note-citation")))
        start = len(self.blocks)
        self.walk(child(element, "note-body"), hidden)
        if sign and self.blocks[start:] and self.blocks[start].kind == "paragraph":
            first = self.blocks[start]
            self.blocks[start] = Block("paragraph", f"{sign} {first.text}", self._page, hidden=first.hidden)

    def annotation(self, element: Element) -> None:
        inner = Walker(self.styles, self._package, self._page)
        inner.walk(element)
        creator = child(element, "creator")
        named = "Comment by " + tidied(creator.text or "") if creator is not None else "Comment"
        text = "\n".join(block.text for block in inner.blocks)
        self.blocks += [Block("paragraph", f"{named}: {text}", self._page)] if text else []

    def table(self, element: Element, hidden: bool) -> None:
        grid: list[list[str]] = []
        hanging: list[Block] = []
        for row in rows(element):
            cells: list[str] = []
            for cell in row:
                if local(cell) in {"table-cell", "covered-table-cell"}:
                    inner = Walker(self.styles, self._package, self._page)
                    inner.walk(cell, hidden)
                    hanging += [block for block in inner.blocks if block.hidden]
                    text = " ".join(" ".join(block.text for block in inner.blocks if not block.hidden).split())
                    cells += [text] * self.times(cell, "number-columns-repeated", len(text))
            grid += [cells] * self.times(row, "number-rows-repeated", sum(map(len, cells)))
        heads = child(element, "table-header-rows") is not None
        self.blocks += [*row_blocks(grid, heads, self._page), *hanging]

    def times(self, element: Element, name: str, size: int) -> int:
        """How often a cell or row of so many characters stands there: once, when it would fill the memory."""
        said = value(element, name)
        count = int(said) if said.isdecimal() and len(said) < 10 else 1
        if count > MOST_REPEATED or size * (count - 1) > self.styles.spare:
            return 1
        self.styles.spare -= size * (count - 1)
        return count

    def shape(self, element: Element, hidden: bool = False) -> None:
        """The text in it; of a picture its description, of a formula its signs."""
        start = len(self.blocks)
        self.walk(element, hidden)
        for one in inside(element, "object"):
            self.object(one)
        if len(self.blocks) == start:
            said = (child(element, name) for name in ("title", "desc"))
            text = tidied(". ".join(one.text for one in said if one is not None and one.text))
            self.blocks += [Block("paragraph", text, self._page, hidden=hidden)] if text else []

    def object(self, element: Element) -> None:
        part = value(element, "href").removeprefix("./").rstrip("/")
        root = self._package.xml(f"{part}/content.xml") if self._package and part else child(element, "math")
        start = len(self.blocks)
        if root is not None and local(root) == "math":
            text = tidied("".join(text.text or "" for text in inside(root, "mi", "mn", "mo", "mtext")))
            self.blocks += [Block("paragraph", text, self._page)] if text else []
        else:  # of a chart the values, of a sheet its rows
            for table in inside(root, "table"):
                self.table(table, False)
        if len(self.blocks) == start and part:
            self.warnings.append("left out: an object inside of the document")


def is_set(element: Element, name: str) -> bool:
    return value(element, name) == "true"


def rows(table: Element) -> Iterator[Element]:
    """Not those of tables inside of its cells."""
    for one in table:
        if local(one) == "table-row":
            yield one
        elif local(one) in {"table-header-rows", "table-rows", "table-row-group"}:
            yield from rows(one)


def tidied(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.split("\n")).strip()
