"""XML of any kind → blocks: the text of its elements in order, parsed by expat.

An element with text between its children is a paragraph; one with short leaves of several names is a record, written
as "name: value | name: value"; <title> and <head> are headings. Attributes are read of elements without any text.
Nothing that a document names is fetched, and entities that stand for more than a few words are refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from terrarium.errors import UnreadableFile
from terrarium.model import Block
from terrarium.readers.markup.epub import soup
from terrarium.readers.markup.html import decode_html, soup_blocks

HEADINGS = {"title", "head", "heading"}
CELL = 200  # characters of a leaf that is still a value of a record
ENTITY = 100  # characters that an entity may stand for
DEEPEST = 500  # levels; deeper nesting is made by no program that writes texts


@dataclass(slots=True)
class Element:
    name: str
    attributes: dict[str, str]
    content: list[str | Element] = field(default_factory=list)
    children: int = 0
    mixed: bool = False

    def text(self) -> str:
        parts: list[str] = []
        stack: list[str | Element] = [self]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                parts.append(item)
            else:
                stack += reversed(item.content)
        return " ".join("".join(parts).split())


def xml_blocks(data: bytes, name: str) -> tuple[list[Block], str]:
    """(blocks, ""). What is not well-formed is read as HTML is, forgiving. Raises UnreadableFile for entity bombs."""
    text = decode_html(data)
    try:
        root = parse(text, name)
    except expat.ExpatError:
        return soup_blocks(soup(data))
    return list(element_blocks(root)), ""


def parse(text: str, name: str) -> Element:
    """Raises ExpatError, UnreadableFile."""
    root = Element("", {})
    open_: list[Element] = [root]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(open_) > DEEPEST:
            raise UnreadableFile(f"“{name}” was not read: its elements are nested too deep (over {DEEPEST} levels).")
        element = Element(tag.rpartition(":")[2], attributes)
        open_[-1].content.append(element)
        open_[-1].children += 1
        open_.append(element)

    def end(_tag: str) -> None:
        open_.pop()

    def characters(data: str) -> None:
        open_[-1].content.append(data)
        open_[-1].mixed = open_[-1].mixed or not data.isspace()

    def entity(  # expat's own arguments, in its order
        _name: str, _parameter: bool, value: str | None, _base: str | None, _system: str | None, *_more: str | None
    ) -> None:
        if value and (len(value) > ENTITY or "&" in value):
            raise UnreadableFile(
                f"“{name}” is damaged or hostile: it declares XML entities that grow, and was not read."
            )

    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.EntityDeclHandler = entity
    parser.Parse(text.encode("utf-8", "replace"), True)
    return root


def element_blocks(root: Element) -> Iterator[Block]:
    """Depth first, iterative."""
    stack: list[tuple[Element, int]] = [(root, 0)]
    while stack:
        element, depth = stack.pop()
        inner = [item for item in element.content if isinstance(item, Element)]
        if element.mixed or not inner:
            said = element.text() or attributes(element)
            heading = element.name.lower() in HEADINGS and len(said) <= CELL
            if said:
                yield Block("heading", said, level=max(1, min(depth - 1, 6))) if heading else Block("paragraph", said)
        elif record := cells(inner):
            yield Block("table_row", record)
        else:
            stack += [(item, depth + 1) for item in reversed(inner)]


def cells(leaves: list[Element]) -> str:
    """The leaves as one row, "" when they are no record."""
    names = {leaf.name for leaf in leaves}
    if any(leaf.children for leaf in leaves) or len(names) < 2 or names & HEADINGS and len(names) < 3:
        return ""
    values = [(leaf.name, leaf.text() or attributes(leaf)) for leaf in leaves]
    if any(len(value) > CELL for _, value in values):
        return ""
    return " | ".join(f"{name}: {value}" for name, value in values if value)


def attributes(element: Element) -> str:
    shown = ((key.rpartition(":")[2], " ".join(value.split())) for key, value in element.attributes.items())
    return ", ".join(f"{key} {value}" for key, value in shown if value and not key.startswith("xmlns"))
