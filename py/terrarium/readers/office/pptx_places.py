"""Where the shapes of a PPTX slide stand, groups opened, in EMU (914,400 to the inch)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol
from xml.etree.ElementTree import Element

from terrarium.readers.office.elements import child, local, number, value
from terrarium.readers.office.package import shown
from terrarium.readers.office.slides import Box, Placeholder, Shape

LEAVES = {"sp", "pic", "graphicFrame", "cxnSp"}


class Places(Protocol):
    def place(self, placeholder: Placeholder) -> Box | None: ...


@dataclass(frozen=True, slots=True)
class Frame:
    """From a group's own coordinates to the slide's."""

    scale_x: float = 1
    scale_y: float = 1
    x: float = 0
    y: float = 0

    def on_slide(self, box: Box) -> Box:
        width, height = abs(box.width * self.scale_x), abs(box.height * self.scale_y)
        return Box(box.x * self.scale_x + self.x, box.y * self.scale_y + self.y, width, height)

    def within(self, group: Element) -> Frame:
        transform = child(group, "grpSpPr", "xfrm")
        outer, inner = box_of(transform, "off", "ext"), box_of(transform, "chOff", "chExt")
        if outer is None or inner is None or not inner.width or not inner.height:
            return self
        wide, high = outer.width / inner.width * self.scale_x, outer.height / inner.height * self.scale_y
        x, y = outer.x * self.scale_x + self.x, outer.y * self.scale_y + self.y
        return Frame(wide, high, x - inner.x * wide, y - inner.y * high)


def box_of(transform: Element | None, offset: str = "off", extent: str = "ext") -> Box | None:
    off, ext = child(transform, offset), child(transform, extent)
    x, y, width, height = number(off, "x"), number(off, "y"), number(ext, "cx"), number(ext, "cy")
    return None if x is None or y is None else Box(x, y, width or 0, height or 0)


def shapes(tree: Element | None, layout: Places, paper: Box | None) -> list[Shape]:
    """All shapes in the file's order, groups opened. Iterative: groups nest as deep as a file says."""
    found: list[Shape] = []
    stack = [(one, Frame(), i, False) for i, one in enumerate(tree if tree is not None else ())][::-1]
    while stack:
        element, frame, group, hidden = stack.pop()
        kind = local(element)
        if kind == "AlternateContent":
            chosen = shown(element)
            stack += [(one, frame, group, hidden) for one in reversed(list(chosen) if chosen is not None else [])]
        elif kind == "grpSp":
            inner = frame.within(element)
            hidden = hidden or value(child(element, "nvGrpSpPr", "cNvPr"), "hidden") in {"1", "true"}
            stack += [(one, inner, group, hidden) for one in reversed(element)]
        elif kind in LEAVES:
            named = next((one for one in element if local(one).startswith("nv")), None)
            mark = child(named, "nvPr", "ph")
            kind_of = value(mark, "type") or "obj"
            placeholder = Placeholder(kind_of, value(mark, "idx")) if mark is not None else Placeholder()
            own = box_of(child(element, "xfrm") if kind == "graphicFrame" else child(element, "spPr", "xfrm"))
            box = frame.on_slide(own) if own else layout.place(placeholder)
            off = bool(box and paper and not box.meets(paper))
            unseen = hidden or off or value(child(named, "cNvPr"), "hidden") in {"1", "true"}
            found.append(Shape(element, kind, placeholder, box, group, unseen))
    return found
