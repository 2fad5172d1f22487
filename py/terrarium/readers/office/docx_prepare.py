"""What is changed in a DOCX's XML before mammoth reads it, so that nothing in it is lost.

mammoth passes over elements that it does not know, with their text: fields in their short form, custom XML, text with a
direction, ruby, formulas. Numbers that Word makes by itself are written out. Charts, diagrams and documents inside of
the document ("altChunk") get a paragraph of their own that names their part, for `docx.py` to put its blocks there.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement

from terrarium.readers.office.docx_numbering import Numbering
from terrarium.readers.office.elements import child, inside, local, reference
from terrarium.readers.office.formulas import formula_text

WRAPPERS = {"fldSimple", "customXml", "dir", "bdo", "smartTag"}
FORMULAS = {"oMath", "oMathPara"}
PARTS = {"chart": "id", "relIds": "dm"}  # elements that name a part, and the attribute in which
PLACE = "terrarium-part:"
NAMED = re.compile(rf"{PLACE}(\S+)")


def prepare(root: Element, numbering: Numbering | None) -> bool:
    """Whether anything was changed. `numbering` counts on from part to part; None for parts that are not counted."""
    changed = False
    # mammoth reads the other of each two alternatives.
    passed_over = {id(one) for choice in inside(root, "Choice") for one in inside(choice, "p")}
    for parent in list(root.iter()):
        changed = any([changed, unwrap(parent), write_formulas(parent), name_parts(parent)])
        match local(parent):
            case "r":
                changed = flatten_ruby(parent) or changed
            case "hyperlink" if reference(parent):
                # Where links lead is not read, and one that leads to nothing is an error to mammoth.
                for key in [key for key in parent.attrib if key.endswith("}id")]:
                    del parent.attrib[key]
                changed = True
            case "p" if numbering and id(parent) not in passed_over:
                changed = write_number(parent, numbering) or changed
    return changed


def unwrap(parent: Element) -> bool:
    """Put what wrappers hold in their place."""
    if not any(local(one) in WRAPPERS for one in parent):
        return False
    opened: list[Element] = []
    stack = list(parent)[::-1]
    while stack:
        one = stack.pop()
        if local(one) in WRAPPERS:
            stack += [inner for inner in reversed(one) if not local(inner).endswith("Pr")]
        else:
            opened.append(one)
    parent[:] = opened
    return True


def write_formulas(parent: Element) -> bool:
    places = [i for i, one in enumerate(parent) if local(one) in FORMULAS]
    space = space_of(parent)
    for i in places:
        text = " ".join(formula_text(parent[i]).split())
        parent[i] = run(space, text) if local(parent) != "body" else paragraph(space, text)
    return bool(places)


def flatten_ruby(of: Element) -> bool:
    """The base of a ruby alone; how it is read aloud stands above it, in small."""
    found = [one for one in of if local(one) == "ruby"]
    for ruby in found:
        place = list(of).index(ruby)
        of[place : place + 1] = list(inside(child(ruby, "rubyBase"), "t"))
    return bool(found)


def name_parts(parent: Element) -> bool:
    """Behind each paragraph and table of the body, a paragraph for each part that it shows."""
    if local(parent) != "body":
        return False
    made: list[Element] = []
    for one in parent:
        made.append(one)
        drawn = (part for drawing in inside(one, "drawing") for part in inside(drawing, *PARTS))
        names = [reference(part, PARTS[local(part)]) for part in drawn]
        names += [reference(chunk) for chunk in inside(one, "altChunk")]
        made += [paragraph(space_of(one), PLACE + name) for name in dict.fromkeys(names) if name]
    if len(made) == len(parent):
        return False
    parent[:] = made
    return True


def write_number(of: Element, numbering: Numbering) -> bool:
    if child(of, "pPr", "rPr", "del") is not None:  # a paragraph that was deleted
        return False
    label = numbering.label(of)
    first = next((i + 1 for i, one in enumerate(of) if local(one) == "pPr"), 0)
    if label:
        of.insert(first, run(space_of(of), f"{label} "))
    return bool(label)


def space_of(element: Element) -> str:
    return element.tag[: element.tag.index("}") + 1] if element.tag.startswith("{") else ""


def run(space: str, text: str) -> Element:
    made = Element(f"{space}r")
    SubElement(made, f"{space}t", {"{http://www.w3.org/XML/1998/namespace}space": "preserve"}).text = text
    return made


def paragraph(space: str, text: str) -> Element:
    made = Element(f"{space}p")
    made.append(run(space, text))
    return made
