"""One shape of a slide → blocks: text, tables, charts, diagrams, the alternative texts of pictures."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from xml.etree.ElementTree import Element

from terrarium.model import Block
from terrarium.readers.content import Enclosed
from terrarium.readers.office.drawing import chart_blocks, diagram_blocks
from terrarium.readers.office.elements import child, inside, local, number, reference, value
from terrarium.readers.office.package import Package, Related, shown
from terrarium.readers.office.pptx_layout import Layout
from terrarium.readers.office.pptx_text import paragraphs
from terrarium.readers.office.slides import Shape
from terrarium.readers.rows import row_blocks

# Alternative texts that say nothing: a file's name, and what PowerPoint's own recognition appends.
FILE_NAME = re.compile(r"\S+\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg)", re.IGNORECASE)
GUESSED = re.compile(
    r"\s*(?:Description|Beschreibung) automati\w+ (?:generated\w*|generiert).*", re.IGNORECASE | re.DOTALL
)


@dataclass(slots=True)
class Reader:
    """Of one slide, or of its notes."""

    package: Package
    related: Mapping[str, Related]
    layout: Layout
    page: int
    warnings: list[str] = field(default_factory=list)
    enclosed: list[Enclosed] = field(default_factory=list)

    def blocks(self, shape: Shape) -> list[Block]:
        match shape.kind:
            case "sp":
                found = self.text(shape)
            case "graphicFrame":
                found = self.graphic(shape.element)
            case _:
                found = []
        if not found and shape.kind in {"pic", "graphicFrame"}:
            found = self.alternative(shape.element)
        return [replace(block, hidden=True) for block in found] if shape.hidden else found

    def text(self, shape: Shape) -> list[Block]:
        body = child(shape.element, "txBody")
        blocks: list[Block] = []
        for seen, unseen, paragraph in paragraphs(body):
            properties = child(paragraph, "pPr")
            level = max(0, min(number(properties, "lvl") or 0, 8))
            if body is not None and self.layout.is_list(shape.placeholder, body, properties, level):
                blocks.append(Block("list_item", seen, self.page, level=level))
            else:
                blocks.append(Block("paragraph", seen, self.page))
            blocks.append(Block("paragraph", unseen, self.page, hidden=True))
        return [block for block in blocks if block.text]

    def graphic(self, frame: Element) -> list[Block]:
        data = child(frame, "graphic", "graphicData")
        for one in data if data is not None else ():
            inner = shown(one)
            for found in [one] if inner is one else list(inner if inner is not None else ()):
                match local(found):
                    case "tbl":
                        return table_blocks(found, self.page)
                    case "chart":
                        return chart_blocks(self.part(reference(found)), self.page)
                    case "relIds":
                        return diagram_blocks(self.part(reference(found, "dm")), self.page)
                    case "oleObj":
                        self.object(found)
        return []

    def object(self, element: Element) -> None:
        """A file inside of the slide: one that Office writes as itself is read as a document of its own."""
        part = self.related[reference(element)].part if reference(element) in self.related else ""
        if part in self.package and not part.endswith(".bin"):
            data = self.package.read(part)
            self.enclosed.append(Enclosed(posixpath.basename(part), lambda: data))
        else:
            kind = value(element, "progId") or "an object"
            self.warnings.append(f"left out: a file inside of slide {self.page} ({kind})")

    def part(self, identifier: str) -> Element | None:
        return self.package.xml(self.related[identifier].part) if identifier in self.related else None

    def alternative(self, element: Element) -> list[Block]:
        named = next((one for one in element if local(one).startswith("nv")), None)
        text = " ".join(GUESSED.sub("", value(child(named, "cNvPr"), "descr")).split())
        return [Block("paragraph", text, self.page)] if text and not FILE_NAME.fullmatch(text) else []


def text_of(shape: Shape) -> str:
    return "\n".join(seen for seen, _, _ in paragraphs(child(shape.element, "txBody")) if seen)


def table_blocks(table: Element, page: int) -> list[Block]:
    """Cells that are merged into another are empty; their text stands in the first."""
    rows = ([cell_text(cell) for cell in row if local(cell) == "tc"] for row in inside(table, "tr"))
    return row_blocks(list(rows), value(child(table, "tblPr"), "firstRow") in {"1", "true"}, page)


def cell_text(cell: Element) -> str:
    return " ".join(" ".join(seen for seen, _, _ in paragraphs(child(cell, "txBody"))).split())
