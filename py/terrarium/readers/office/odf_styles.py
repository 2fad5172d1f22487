"""What styles say in an OpenDocument file: which text is switched off, which slides are, how headings are numbered."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from terrarium.readers.office.elements import child, inside, local, value
from terrarium.readers.office.numerals import numeral
from terrarium.readers.office.slides import Box

LENGTH = re.compile(r"(-?\d+(?:\.\d+)?)(cm|mm|in|pt|pc|px)")
POINTS = {"cm": 72 / 2.54, "mm": 72 / 25.4, "in": 72.0, "pt": 1.0, "pc": 12.0, "px": 0.75}
FORMATS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
DEEPEST = 20  # styles based on styles
MOST_REPEATED = 1_000_000  # characters of a document's cells and rows that are written once and count many times


class Styles:
    """Of a document's content and its styles, by name."""

    def __init__(self, content: Element, styles: Element | None) -> None:
        roots = [content] if styles is content else [styles, content]
        found = [style for root in roots for style in inside(root, "style")]
        self._by_name = {(value(style, "family"), value(style, "name")): style for style in found}
        self.hidden_pages = {
            value(style, "name")
            for style in found
            if value(child(style, "drawing-page-properties"), "visibility") == "hidden"
        }
        layout = next((one for root in roots for one in inside(root, "page-layout-properties")), None)
        width, height = points(value(layout, "page-width")), points(value(layout, "page-height"))
        self.paper = (width, height) if width and height else None
        outline = next((one for root in roots for one in inside(root, "outline-style")), None)
        self._levels = {value(one, "level"): one for one in (outline if outline is not None else ())}
        self._counts: list[int] = []
        self.spare = MOST_REPEATED

    def hides(self, family: str, name: str) -> bool:
        """Whether text of that style is switched off."""
        for _ in range(DEEPEST):
            style = self._by_name.get((family, name))
            if style is None:
                return False
            display = value(child(style, "text-properties"), "display")
            if display:
                return display == "none"
            name = value(style, "parent-style-name")
        return False

    def is_title(self, name: str) -> bool:
        """Whether a paragraph's style is that of the document's title."""
        style = self._by_name.get(("paragraph", name))
        return "Title" in {name, value(style, "parent-style-name")}

    def heading_number(self, level: int) -> str:
        """ "2.3" for the next heading of that level, "" where headings have no numbers."""
        self._counts = (self._counts + [0] * level)[:level]
        self._counts[-1] += 1
        style = self._levels.get(str(level))
        if style is None or not value(style, "num-format"):
            return ""
        shown = value(style, "display-levels")
        depth = min(level, int(shown)) if shown.isdecimal() and len(shown) < 3 else 1
        label = ".".join(self._part(place) for place in range(level - depth + 1, level + 1))
        return f"{value(style, 'num-prefix')}{label}{value(style, 'num-suffix')}"

    def _part(self, level: int) -> str:
        style = self._levels.get(str(level))
        start = value(style, "start-value")
        first = int(start) if start.isdecimal() and len(start) < 8 else 1
        form = FORMATS.get(value(style, "num-format"), "decimal")
        return numeral(max(self._counts[level - 1], 1) + first - 1, form)


def points(length: str) -> float:
    found = LENGTH.fullmatch(length.strip())
    return float(found[1]) * POINTS[found[2]] if found else 0.0


def box_of(shape: Element) -> Box | None:
    """Where a shape stands, in points; of a group, where its parts stand."""
    if local(shape) == "g":
        boxes = [box for one in shape if (box := box_of(one))]
        if not boxes:
            return None
        x, y = min(box.x for box in boxes), min(box.y for box in boxes)
        return Box(x, y, max(b.x + b.width for b in boxes) - x, max(b.y + b.height for b in boxes) - y)
    if not value(shape, "x"):
        return None
    return Box(*(points(value(shape, name)) for name in ("x", "y", "width", "height")))
