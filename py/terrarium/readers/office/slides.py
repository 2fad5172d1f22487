"""Slides of presentations: the order in which their shapes are read, and what is said of whole slides.

Order: the slide is cut again and again along its widest empty strip, across or down ("recursive X-Y cut", Nagy & Seth
1984), so that a column is read to its end and a heading before the columns under it. What belongs to one group stays
together. Shapes that overlap are read from top to bottom.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple
from xml.etree.ElementTree import Element

from terrarium.model import Block
from terrarium.readers.pdf.warnings import numbers

GENERIC = re.compile(r"power\s?point[\s-]", re.IGNORECASE)
MOST_CUT = 300  # shapes; what has more is no slide that is read in columns
OVERLAP = 0.1  # of a shape's size, by which it may reach into a strip: boxes are larger than their text


class Box(NamedTuple):
    """In any unit of length, from the slide's top left corner."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Box) -> bool:
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


class Placeholder(NamedTuple):
    """What a layout prepared for the shape: `kind` is "" where it prepared nothing."""

    kind: str = ""
    position: str = ""  # by which it is told from others of its kind


@dataclass(frozen=True, slots=True)
class Shape:
    element: Element
    kind: str  # the element's name
    placeholder: Placeholder
    box: Box | None  # None where nothing says where it stands
    group: int  # position of the outermost thing on the slide that it is in
    hidden: bool


def in_order(found: Sequence[Shape]) -> Iterator[Shape]:
    """As they are read; those that stand nowhere come last."""
    groups = [list(members) for _, members in groupby(found, key=lambda shape: shape.group)]
    placed = [(around(members), members) for members in groups]
    for members in cut([(box, members) for box, members in placed if box]):
        boxed = [(shape.box, [shape]) for shape in members if shape.box]
        yield from (shape for one in cut(boxed) for shape in one)
        yield from (shape for shape in members if not shape.box)
    yield from (shape for box, members in placed if not box for shape in members)


def around(members: Sequence[Shape]) -> Box | None:
    boxes = [shape.box for shape in members if shape.box]
    if not boxes:
        return None
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    return Box(x, y, max(b.x + b.width for b in boxes) - x, max(b.y + b.height for b in boxes) - y)


Item = tuple[Box, list[Shape]]


def cut(items: Sequence[Item]) -> Iterator[list[Shape]]:
    stack = [list(items)]
    while stack:
        part = stack.pop()
        halves = split(part) if 1 < len(part) <= MOST_CUT else None
        if halves:
            stack += reversed(halves)
        else:
            yield from (members for _, members in sorted(part, key=lambda item: (item[0].y, item[0].x)))


def split(items: Sequence[Item]) -> tuple[list[Item], list[Item]] | None:
    """The two sides of the widest empty strip, the upper or left one first; across where both are as wide."""
    across = widest([(box.y, box.height, (box, members)) for box, members in items])
    down = widest([(box.x, box.width, (box, members)) for box, members in items])
    found = down if down and (not across or down[0] > across[0]) else across
    return found[1:] if found else None


def widest(spans: Sequence[tuple[float, float, Item]]) -> tuple[float, list[Item], list[Item]] | None:
    """(width of the strip, those before, those behind) along one axis of (start, length, item)."""
    spans = sorted(spans, key=lambda span: span[:2])
    best, place, end = 0.0, 0, -float("inf")
    for i, (start, length, _) in enumerate(spans):
        shrunk = OVERLAP * length
        if i and start + shrunk - end > best:
            best, place = start + shrunk - end, i
        end = max(end, start + length - shrunk)
    return (best, [item for *_, item in spans[:place]], [item for *_, item in spans[place:]]) if place else None


def own_title(title: str) -> str:
    """The title of a presentation's properties, unless the program wrote it by itself: "PowerPoint-Präsentation"."""
    return "" if GENERIC.match(title) else title


@dataclass(slots=True)
class Show:
    """The slides of a presentation as they come, and what is said of them."""

    blocks: list[Block] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)
    empty: list[int] = field(default_factory=list)  # pictures and nothing beside the title
    lost: list[int] = field(default_factory=list)

    def add(self, number: int, found: Sequence[Block], pictures: int, hidden: bool) -> None:
        if hidden:
            self.hidden += [number] * bool(found)
            found = [replace(block, hidden=True) for block in found]
        elif pictures and not found[1:]:
            self.empty.append(number)
        self.blocks += found

    def warnings(self) -> list[str]:
        return slide_warnings(self.hidden, self.empty, self.lost)


def slide_warnings(hidden: list[int], empty: list[int], lost: list[int]) -> list[str]:
    """What a person must know of slides that are hidden, that have pictures only, that cannot be read."""
    warnings = []
    if lost:
        warnings.append(f"damaged: {slides(lost)} cannot be found in the file, or not be read")
    if hidden:
        are = "is" if len(hidden) == 1 else "are"
        warnings.append(f"hidden {slides(hidden)}: what {are} left out of the show counts as hidden text")
    if empty:
        warnings.append(f"no text on {slides(empty)}: pictures are not read")
    return warnings


def slides(pages: list[int]) -> str:
    return numbers(pages).replace("page", "slide", 1)
