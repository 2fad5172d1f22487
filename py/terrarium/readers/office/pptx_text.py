"""DrawingML text: paragraphs of runs, breaks and fields, what of it is painted and what is not."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from terrarium.readers.office.elements import child, inside, local, number, value
from terrarium.readers.office.formulas import formula_text
from terrarium.readers.office.package import shown

SMALLEST = 200  # hundredths of a point
FIELDS_LEFT_OUT = ("slidenum", "datetime")
BREAKS = {"_x000B_": "\n", "_x000D_": "", "\v": "\n"}  # as programs escape what XML cannot hold


def paragraphs(body: Element | None) -> Iterator[tuple[str, str, Element]]:
    """(what is seen, what is not, the paragraph) of each."""
    for paragraph in body if body is not None else ():
        if local(paragraph) == "p":
            parts: dict[bool, list[str]] = {False: [], True: []}
            for text, hidden in runs(paragraph):
                parts[hidden].append(text)
            seen, unseen = ("".join(parts[hidden]) for hidden in (False, True))
            yield tidied(seen), tidied(unseen), paragraph


def runs(paragraph: Element) -> Iterator[tuple[str, bool]]:
    """(text, whether it is hidden)."""
    for one in paragraph:
        match local(one):
            case "br":
                yield "\n", False
            case "tab":
                yield "\t", False
            case "fld" if value(one, "type").startswith(FIELDS_LEFT_OUT):
                continue
            case "r" | "fld":
                text = child(one, "t")
                yield (text.text or "") if text is not None else "", is_hidden(child(one, "rPr"))
            case "AlternateContent" | "m":  # formulas
                yield formula_text(shown(one)), False


def is_hidden(properties: Element | None) -> bool:
    """Painted with nothing, without a line around the letters, or too small for any eye."""
    if properties is None:
        return False
    clear = any(value(one) == "0" for one in inside(child(properties, "solidFill"), "alpha"))
    nothing = (clear or child(properties, "noFill") is not None) and child(properties, "ln") is None
    return nothing or 0 < (number(properties, "sz") or 0) < SMALLEST


def tidied(text: str) -> str:
    for escaped, meant in BREAKS.items():
        text = text.replace(escaped, meant)
    return "\n".join(" ".join(line.split()) for line in text.split("\n")).strip()
