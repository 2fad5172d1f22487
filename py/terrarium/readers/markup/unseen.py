"""Which text of a page its own markup hides: found by the styles that hold for each element, without laying it out.

Hidden is what is not displayed, moved far off, clipped to nothing, too small to read, or of the colour of what it
stands on. A page that hides its whole body shows it by a script, and is read. What cannot be told counts as seen:
text on a picture or in a box that is placed freely, backgrounds where the page links a sheet that is not loaded,
boxes that cover others. Text that only appears on a click is hidden; a closed <details> is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bs4 import BeautifulSoup, Tag
from bs4.element import CData, NavigableString, PageElement

from terrarium.readers.markup.css_matching import Node, node_of
from terrarium.readers.markup.page_style import PAPER, Style, computed
from terrarium.readers.markup.stylesheet import sheet_of

PICTURES = ["img", "video", "picture", "canvas", "svg"]
CLOSED_BY = {
    "p": set(
        "address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main "
        "nav ol p pre section table ul".split()
    ),
    "li": {"li"},
    "dt": {"dt", "dd"},
    "dd": {"dt", "dd"},
    "td": {"td", "th", "tr", "tbody", "tfoot"},
    "th": {"td", "th", "tr", "tbody", "tfoot"},
    "tr": {"tr", "tbody", "tfoot"},
}  # elements that end when one of these begins


class HiddenText(NavigableString):
    """A text of the page that nobody sees. Being another type, it is no part of `get_text`."""


def hide(soup: BeautifulSoup) -> None:
    """Turn every text of the soup that nobody sees into a HiddenText; alternative texts of hidden pictures too."""
    sheet = sheet_of(tuple(style.get_text() for style in soup.find_all("style")))
    linked = sheet.imports or any("stylesheet" in (link.get("rel") or ()) for link in soup.find_all("link"))
    stack: list[tuple[Tag, Node | None, Style]] = [(soup, None, Style(ground=None if linked else PAPER))]
    around: dict[int, Style] = {}  # the style that each element stands in
    pictured = holders(soup.find_all(PICTURES))
    while stack:
        tag, node, style = stack.pop()
        before: Node | None = None
        for child in list(tag.children):
            if isinstance(child, Tag):
                before = node_of(child, node, before)
                outer = around[id(child)] = style_around(child, style, around)
                found = sheet.declared(before, str(child.get("style") or ""), given(child))
                inner = computed(child.name, found, outer, pictured=id(child) in pictured) if found else outer
                child.attrs.pop("hidden", None)  # a rule may show what the attribute hides, and the other way round
                if not inner.shown:
                    child["hidden"] = ""
                stack.append((child, before, inner))
                if child.name == "img" and child.get("alt") and (inner.gone or is_dot(child)):
                    child.insert_before(HiddenText(str(child["alt"])))
                    del child["alt"]
            elif type(child) in {NavigableString, CData} and style.hides and (text := str(child)).strip():
                child.replace_with(HiddenText(text))


def style_around(tag: Tag, style: Style, around: Mapping[int, Style]) -> Style:
    """Python's parser nests what closes the element before it; a browser does not, so neither do styles."""
    parent = tag.parent
    while parent is not None and tag.name in CLOSED_BY.get(parent.name, ()):
        style = around[id(parent)]
        if parent.name == tag.name:  # it went the rest of the way itself
            break
        parent = parent.parent
    return style


def holders(inner: Iterable[PageElement]) -> set[int]:
    """The elements that any of `inner` stands in: found at once, where asking each would take its whole tree."""
    found: set[int] = set()
    for element in inner:
        for parent in element.parents:
            if id(parent) in found:
                break
            found.add(id(parent))
    return found


def given(tag: Tag) -> list[tuple[str, str]]:
    """What the browser's own sheet and the attributes of old HTML say."""
    if tag.has_attr("hidden") or (tag.name == "dialog" and not tag.has_attr("open")):
        return [("display", "none")]
    found = [("color", "#0000ee")] if tag.name == "a" and tag.has_attr("href") else []
    found += [("color", "black"), ("background-color", "yellow")] if tag.name == "mark" else []
    if tag.has_attr("bgcolor") or tag.has_attr("background"):
        found.append(("background", "url()" if tag.has_attr("background") else str(tag["bgcolor"])))
    colour = tag.get("color") if tag.name == "font" else tag.get("text") if tag.name == "body" else None
    return [*found, ("color", str(colour))] if colour else found


def is_dot(tag: Tag) -> bool:
    return any(str(tag.get(side) or "").removesuffix("px") in {"0", "1", "2"} for side in ("width", "height"))
