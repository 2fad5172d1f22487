"""Runs of a DOCX that nobody sees: marked in its XML by a character style, since mammoth knows no `w:vanish`.

Hidden is what is switched off, smaller than two points, or of the colour of what it stands on: the shading of the run,
its paragraph, its cell or table, else paper. In text boxes, under table styles that shade, and on coloured pages the
ground cannot be told, and the text counts as seen. Theme colours are read by the value that Word writes beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element, SubElement

from terrarium.readers.office.docx_styles import HEX, Styles, fill, shade
from terrarium.readers.office.elements import child, local, named, value

MARK = "TerrariumHidden"  # the style's id
SMALLEST = 4  # half points
NEAR = 20  # of 255 in each colour
HIGHLIGHTS = {"white": "FFFFFF", "black": "000000"}  # the others are no colour that text has by chance
PAPER = "FFFFFF"


@dataclass(frozen=True, slots=True)
class Place:
    """What holds for the runs inside: the colour under them ("" when it cannot be told) and their paragraph's style."""

    ground: str = PAPER
    style: str = ""


def mark_hidden(root: Element, styles: Styles) -> bool:
    """Mark the hidden runs of a part by the style MARK; whether there are any."""
    hidden = [run for run, place in runs(root, styles) if is_hidden(run, place, styles)]
    for run in hidden:
        mark(run)
    return bool(hidden)


def runs(root: Element, styles: Styles) -> Iterator[tuple[Element, Place]]:
    """All runs with their places. Iterative: tables nest as deep as a file says."""
    coloured = any(local(one) == "background" for one in root)
    stack = [(root, Place(ground="" if coloured else PAPER))]
    while stack:
        element, place = stack.pop()
        match local(element):
            case "txbxContent":
                place = replace(place, ground="")
            case "tbl":
                properties = child(element, "tblPr")
                own = shade(properties)
                unclear = own is None and styles.shades(value(child(properties, "tblStyle")))
                place = replace(place, ground="" if unclear else place.ground if own is None else own)
            case "tc":
                own = shade(child(element, "tcPr"))
                place = place if own is None else replace(place, ground=own)
            case "p":
                properties = child(element, "pPr")
                style = value(child(properties, "pStyle"))
                own = shade(properties) or styles.shading(style)
                place = Place(place.ground if own is None else own, style)
            case "r":
                yield element, place
        stack += [(inner, place) for inner in element]


def is_hidden(run: Element, place: Place, styles: Styles) -> bool:
    own = named(child(run, "rPr"))
    found = styles.properties(value(own.get("rStyle")), place.style) | own
    vanish, size = found.get("vanish"), value(found.get("sz"))
    if vanish is not None and value(vanish) not in {"0", "false", "off"}:
        return True
    if size.isdigit() and int(size) < SMALLEST:
        return True
    highlight, shading = value(found.get("highlight")), found.get("shd")
    ground = place.ground
    if shading is not None and (own_ground := fill(shading)) is not None:
        ground = own_ground
    if highlight not in {"", "none"}:
        ground = HIGHLIGHTS.get(highlight, "")
    return alike(value(found.get("color")), ground)


def mark(run: Element) -> None:
    space = run.tag[: run.tag.index("}") + 1]
    properties = run.find(f"{space}rPr")
    if properties is None:
        properties = Element(f"{space}rPr")
        run.insert(0, properties)
    for style in properties.findall(f"{space}rStyle"):
        properties.remove(style)
    SubElement(properties, f"{space}rStyle", {f"{space}val": MARK})


def is_marked(run: Element) -> bool:
    return value(child(child(run, "rPr"), "rStyle")) == MARK


def alike(one: str, other: str) -> bool:
    if not HEX.fullmatch(one) or not HEX.fullmatch(other):
        return False
    return all(abs(a - b) <= NEAR for a, b in zip(bytes.fromhex(one), bytes.fromhex(other), strict=True))
