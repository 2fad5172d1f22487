"""Styles and shadings of a DOCX, read from its XML whatever the prefixes and whichever of the two namespaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from terrarium.readers.office.elements import child, local, named, value

HEX = re.compile(r"[0-9A-Fa-f]{6}")
DEEPEST = 20  # styles based on styles


class Styles:
    """The character properties and shadings of a document's styles, each with those it is based on."""

    def __init__(self, root: Element | None) -> None:
        found = list(root) if root is not None else []
        self._by_id = {value(style, "styleId"): style for style in found if local(style) == "style"}
        defaults = next((style for style in found if local(style) == "docDefaults"), None)
        self._defaults = named(
            next((one for one in defaults.iter() if local(one) == "rPr"), None) if defaults else None
        )
        self._known: dict[tuple[str, str], dict[str, Element]] = {}

    def chain(self, style: str) -> Iterator[Element]:
        for _ in range(DEEPEST):
            if style not in self._by_id:
                return
            yield self._by_id[style]
            style = value(child(self._by_id[style], "basedOn"))

    def properties(self, character: str, paragraph: str) -> dict[str, Element]:
        """Character properties by name: those of the run's style, then the paragraph's, then the document's."""
        if (character, paragraph) not in self._known:
            links = [*self.chain(character), *self.chain(paragraph)]
            found = dict(self._defaults)
            for link in reversed(links):
                found |= named(child(link, "rPr"))
            self._known[character, paragraph] = found
        return self._known[character, paragraph]

    def shading(self, style: str) -> str | None:
        """Of a paragraph's style."""
        return next(filter(None, (shade(child(link, "pPr")) for link in self.chain(style))), None)

    def shades(self, style: str) -> bool:
        """Whether a table's style shades anything."""
        return any(local(one) == "shd" for link in self.chain(style) for one in link.iter())


def shade(properties: Element | None) -> str | None:
    """The colour that a paragraph, a cell or a table is shaded with: "" when it cannot be told, None when it is not."""
    shading = child(properties, "shd")
    return None if shading is None else fill(shading)


def fill(shading: Element) -> str | None:
    pattern, colour = value(shading), value(shading, "fill")
    if pattern not in {"", "clear", "nil"}:
        return value(shading, "color") if pattern == "solid" and HEX.fullmatch(value(shading, "color")) else ""
    return colour if HEX.fullmatch(colour) else None
