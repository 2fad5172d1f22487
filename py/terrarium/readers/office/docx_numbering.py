"""The numbers that Word puts before headings and list items by itself: "2.3", "(a)", "iv." (ECMA-376 part 1, 17.9).

mammoth leaves them out, and people ask for "section 2.3". They are computed from the document's numbering and styles,
in the order of its paragraphs. Bullets, and pictures that stand for them, are no numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from terrarium.readers.office.docx_styles import Styles
from terrarium.readers.office.elements import child, local, number, value
from terrarium.readers.office.numerals import numeral

PLACE = re.compile(r"%([1-9])")
LEVELS = 9
SHORT = 20  # characters of a number; more is a text that a list repeats


@dataclass(frozen=True, slots=True)
class Level:
    form: str = "decimal"
    text: str = ""  # "%1.%2."
    start: int = 1
    legal: bool = False  # all numbers in it are decimal
    restarts: int | None = None  # after which level (from 1) it begins anew; 0 never, None after any above it
    style: str = ""


@dataclass(slots=True)
class List:
    """One `w:num`. Lists of one definition are counted together."""

    definition: str
    levels: dict[int, Level]
    anew: set[int] = field(default_factory=set)  # levels that begin anew with this list


class Numbering:
    """Lists by their ids, and how far each is counted."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._styles = styles
        found = list(root) if root is not None else []
        definitions = {value(one, "abstractNumId"): one for one in found if local(one) == "abstractNum"}
        links = {value(child(one, "styleLink"), "val") or None: name for name, one in definitions.items()}
        self._lists: dict[str, List] = {}
        for one in found:
            if local(one) == "num":
                name = value(child(one, "abstractNumId"))
                # A definition may be another's, under the name of a style.
                name = links.get(value(child(definitions.get(name), "numStyleLink")), name)
                self._lists[value(one, "numId")] = list_of(one, name, definitions.get(name))
        self._counts: dict[str, list[int]] = {}

    def label(self, paragraph: Element) -> str:
        """Of the next paragraph of the document; "" for one without a number."""
        place = self._place(paragraph)
        if place is None:
            return ""
        found, at = place
        counts = self._counts.setdefault(found.definition, [0] * LEVELS)
        own = found.levels.get(at, Level())
        counts[at] = own.start if not counts[at] or at in found.anew else counts[at] + 1
        found.anew.discard(at)
        for deeper in range(at + 1, LEVELS):
            restarts = found.levels.get(deeper, own).restarts
            if restarts is None or 0 < restarts and at < restarts:
                counts[deeper] = 0
        if own.form in {"bullet", "none"}:
            return ""

        def shown(mark: re.Match[str]) -> str:
            of = found.levels.get(int(mark[1]) - 1, Level())
            return numeral(counts[int(mark[1]) - 1] or of.start, "decimal" if own.legal else of.form)

        label = PLACE.sub(shown, own.text).strip()
        return label if len(label) <= SHORT and any(map(str.isalnum, label)) else ""

    def _place(self, paragraph: Element) -> tuple[List, int] | None:
        """By the paragraph's own properties, then those of its styles."""
        properties = child(paragraph, "pPr")
        style = value(child(properties, "pStyle"))
        marks = [child(properties, "numPr"), *(child(one, "pPr", "numPr") for one in self._styles.chain(style))]
        names = (value(child(mark, "numId")) for mark in marks)
        found = self._lists.get(next(filter(None, names), ""))  # "0", which no list has, takes a paragraph out of all
        if found is None:
            return None
        levels = (number(child(mark, "ilvl"), "val") for mark in marks)
        level = next((level for level in levels if level is not None), None)
        if level is None:
            level = next((at for at, one in found.levels.items() if one.style == style), 0)
        return found, max(0, min(level, LEVELS - 1))


def list_of(element: Element, name: str, definition: Element | None) -> List:
    levels = levels_of(definition)
    anew: set[int] = set()
    for change in element:
        at = number(change, "ilvl")
        if local(change) == "lvlOverride" and at is not None and at < LEVELS:
            levels |= levels_of(change)
            start = number(child(change, "startOverride"), "val")
            if start is not None:
                anew.add(at)
                old = levels.get(at, Level())
                levels[at] = Level(old.form, old.text, start, old.legal, old.restarts, old.style)
    return List(name, levels, anew)


def levels_of(element: Element | None) -> dict[int, Level]:
    found: dict[int, Level] = {}
    for one in element if element is not None else ():
        at = number(one, "ilvl")
        if local(one) == "lvl" and at is not None:
            start = number(child(one, "start"), "val")
            found[at] = Level(
                form=value(child(one, "numFmt")) or "decimal",
                text=value(child(one, "lvlText")),
                start=1 if start is None else start,
                legal=is_on(child(one, "isLgl")),
                restarts=number(child(one, "lvlRestart"), "val"),
                style=value(child(one, "pStyle")),
            )
    return found


def is_on(element: Element | None) -> bool:
    return element is not None and value(element) not in {"0", "false", "off"}
