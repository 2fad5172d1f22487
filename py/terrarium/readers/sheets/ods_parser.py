"""The XML of OpenDocument's sheets: its elements one after the other, the texts and looks that are in them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element, iterparse

from terrarium.readers.office.elements import child, local, number, value
from terrarium.readers.rows import squeeze

NAMES = "urn:oasis:names:tc:opendocument:xmlns:"
TABLE = f"{{{NAMES}table:1.0}}"
SHEET, ROW, COLUMN = f"{TABLE}table", f"{TABLE}table-row", f"{TABLE}table-column"
SHAPES, RANGE, STYLE = f"{TABLE}shapes", f"{TABLE}database-range", f"{{{NAMES}style:1.0}}style"
KEPT = {ROW, COLUMN, SHAPES, RANGE, STYLE}  # what is read of the XML
BESIDE = {"annotation", "frame", "custom-shape", "rect", "caption", "g"}  # in a cell, and no text of it
SPACES = {"p", "s", "tab", "line-break"}
PAPER, INK = "#ffffff", "#000000"
REFERENCE = re.compile(r"\[\.?([^\]:]*)(?::\.?([^\]]*))?\]")  # in a formula: [.B2], [.A1:.C3]


@dataclass(frozen=True, slots=True)
class Style:
    hides: bool = False  # its sheet
    marked: bool = False  # bold, or on a coloured ground
    unseen: bool = False  # of the colour that it stands on


PLAIN = Style()


def elements(data: bytes) -> Iterator[Element]:
    """A sheet's element when it begins; what else is read when it ends, forgotten when the next one is asked for."""
    above: list[Element] = []
    within = 0  # elements that are read
    for event, element in iterparse(io.BytesIO(data), ("start", "end")):
        if event == "start":
            above.append(element)
            within += element.tag in KEPT
            if element.tag == SHEET and not within:
                yield element
            continue
        above.pop()
        if element.tag in KEPT:
            within -= 1
            if not within:
                yield element
        if not within and above:
            above[-1].clear()


def repeated(element: Element, what: str) -> int:
    return max(number(element, f"number-{what}-repeated") or 1, 1)


def text_of(element: Element) -> str:
    """Its paragraphs, but for what stands beside the text. Iterative: elements nest as deep as a file says."""
    parts: list[str] = []
    stack: list[tuple[Element | str, bool]] = [(element, False)]
    while stack:
        one, in_paragraph = stack.pop()
        if isinstance(one, str):
            parts.append(one)
        elif one is element or local(one) not in BESIDE:
            name = local(one)
            in_paragraph = in_paragraph or name == "p"
            parts.append(" " * (name in SPACES) + (one.text or "") * in_paragraph)
            for inner in reversed(one):
                stack += [((inner.tail or "") * in_paragraph, False), (inner, in_paragraph)]
    return squeeze("".join(parts))


def written(formula: str) -> str:
    """ "of:=SUM([.B2:.B3])" as a person writes it: =SUM(B2:B3)."""
    plain = REFERENCE.sub(lambda found: found[1] + (f":{found[2]}" if found[2] else ""), formula)
    return plain[plain.find("=") :] if "=" in plain else plain


def style(element: Element) -> Style:
    text, cell = child(element, "text-properties"), child(element, "table-cell-properties")
    ground, ink = value(cell, "background-color").lower(), value(text, "color").lower()
    ground = PAPER if ground in {"", "transparent"} else ground
    depends = child(element, "map") is not None  # on the value: what it looks like cannot be told
    hides = value(child(element, "table-properties"), "display") == "false"
    return Style(hides, value(text, "font-weight") == "bold" or ground != PAPER, not depends and (ink or INK) == ground)
