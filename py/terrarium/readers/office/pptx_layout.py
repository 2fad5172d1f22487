"""What a slide's placeholders inherit from layout and master: where they stand, and whether their text is a list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from terrarium.readers.office.elements import child, inside, local
from terrarium.readers.office.package import Package
from terrarium.readers.office.pptx_places import box_of
from terrarium.readers.office.slides import Box, Placeholder

MASTERS = {"ctrTitle": "title", "subTitle": "body"}  # what stands for these on a master; else itself or "body"
BULLETS = {"buChar", "buAutoNum", "buBlip"}


@dataclass(slots=True)
class Layout:
    """Placeholders of a layout and its master; without any, nothing is inherited."""

    shapes: list[tuple[Placeholder, Element]] = field(default_factory=list)
    master: list[tuple[Placeholder, Element]] = field(default_factory=list)
    styles: Element | None = None  # the master's styles of titles, bodies and other text

    def chain(self, placeholder: Placeholder) -> Iterator[Element]:
        """The shapes that it inherits from, nearest first."""
        if not placeholder.kind:
            return
        kind = placeholder.kind
        same = [one for one in self.shapes if placeholder.position and one[0].position == placeholder.position]
        same = same or [one for one in self.shapes if one[0].kind == kind]
        above = same[0][0].kind if same else kind
        yield from (element for _, element in same[:1])
        wanted = MASTERS.get(above, above)
        found = [element for place, element in self.master if place.kind == wanted]
        yield from (found or [element for place, element in self.master if place.kind == "body"])[:1]

    def place(self, placeholder: Placeholder) -> Box | None:
        boxes = (box_of(child(element, "spPr", "xfrm")) for element in self.chain(placeholder))
        return next((box for box in boxes if box), None)

    def is_list(self, placeholder: Placeholder, body: Element, properties: Element | None, level: int) -> bool:
        """Whether a paragraph has a bullet or a number, by the first place that says so."""
        name = f"lvl{level + 1}pPr"
        lists = [child(body, "lstStyle"), *(child(one, "txBody", "lstStyle") for one in self.chain(placeholder))]
        if placeholder.kind and MASTERS.get(placeholder.kind) != "title" and placeholder.kind != "title":
            lists.append(child(self.styles, "bodyStyle"))
        for one in [properties, *(child(styles, name) for styles in lists)]:
            marks = {local(mark) for mark in one} if one is not None else set()
            if marks & {"buNone", *BULLETS}:
                return bool(marks & BULLETS)
        return False


def layout_of(package: Package, part: str) -> Layout:
    """An empty one where the part is missing."""
    related = package.related(part) if part else {}
    above = next((one.part for one in related.values() if one.kind == "slideMaster"), "")
    master = package.xml(above) if above else None
    return Layout(placeholders(package.xml(part) if part else None), placeholders(master), child(master, "txStyles"))


def placeholders(root: Element | None) -> list[tuple[Placeholder, Element]]:
    found: list[tuple[Placeholder, Element]] = []
    for shape in inside(root, "sp"):
        mark = child(shape, "nvSpPr", "nvPr", "ph")
        if mark is not None:
            found.append((Placeholder(mark.get("type", "obj"), mark.get("idx", "")), shape))
    return found
