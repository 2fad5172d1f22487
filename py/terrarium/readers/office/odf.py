"""OpenDocument texts and presentations → blocks, from a package or a flat XML file (OASIS ODF 1.3).

Headings by their outline levels with their numbers, lists, tables, notes and comments behind the paragraph that marks
them, the final view of tracked changes, heads and feet once at the end. Slides are pages, under their titles, in the
order of the presentation; hidden slides and sections, and text that is switched off, are hidden text.

Not read: pictures but for their descriptions, embedded objects but for formulas, tables of contents, text of the colour
of what it stands on. Encrypted files are refused: their keys may be made by algorithms that no library here has.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from terrarium.errors import UnreadableFile
from terrarium.model import Block
from terrarium.readers.archive import open_archive
from terrarium.readers.content import Content, Source
from terrarium.readers.office.elements import child, inside, local, value
from terrarium.readers.office.odf_styles import Styles, box_of
from terrarium.readers.office.odf_text import Walker
from terrarium.readers.office.package import Package, parse, refuse_encrypted, too_deep
from terrarium.readers.office.slides import Box, Placeholder, Shape, Show, in_order, own_title

DEEPEST = 150  # elements inside of elements; deeper nesting is made by no program that writes documents
MARGINS = ("header", "header-left", "header-first", "footer", "footer-left", "footer-first")
LEFT_OUT = {"page-number", "date-time", "header", "footer", "notes", "page"}  # of a slide's own shapes


@dataclass(frozen=True, slots=True)
class Odf:
    """The parts of a document: `content` and `styles` are the same element in a flat file."""

    content: Element
    styles: Element | None
    meta: Element | None
    package: Package | None

    @property
    def title(self) -> str:
        title = next(inside(child(self.meta, "meta"), "title"), None)
        return " ".join((title.text or "").split()) if title is not None else ""


@contextmanager
def opened(source: Source) -> Iterator[Odf]:
    """Raises UnreadableFile, PasswordNeeded."""
    if not source.data.startswith(b"PK"):
        root = parse(source.data, source.name)
        yield Odf(checked(root, source.name), root, root, None)
        return
    with open_archive(source.data, source.name, source.allowance) as archive:
        package = Package(archive, source.name)
        refuse_encrypted(package, source.name)
        content = checked(package.xml("content.xml"), source.name)
        yield Odf(content, package.xml("styles.xml"), package.xml("meta.xml"), package)


def checked(root: Element | None, name: str) -> Element:
    if root is None:
        raise UnreadableFile(f"“{name}” is damaged: its text is missing or cannot be read.")
    if too_deep(root, DEEPEST):
        raise UnreadableFile(f"“{name}” was not read: its elements are nested too deep (over {DEEPEST} levels).")
    return root


async def odt_content(source: Source) -> Content:
    with opened(source) as odf:
        walker = Walker(Styles(odf.content, odf.styles), odf.package)
        walker.walk(child(odf.content, "body", "text"))
        seen = {block.text for block in walker.blocks}
        margins = Walker(walker.styles, odf.package)
        for page in inside(child(odf.styles, "master-styles"), "master-page"):
            for one in page:
                if local(one) in MARGINS and value(one, "display") != "false":
                    margins.walk(one)
        for block in margins.blocks:
            if block.text not in seen and any(map(str.isalpha, block.text)):  # more than a page's number
                seen.add(block.text)
                walker.blocks.append(replace(block, kind="paragraph", level=0))
        return Content(walker.blocks, odf.title, walker.warnings)


async def odp_content(source: Source) -> Content:
    with opened(source) as odf:
        styles = Styles(odf.content, odf.styles)
        pages = [one for one in child(odf.content, "body", "presentation") or () if local(one) == "page"]
        show, warnings = Show(), list[str]()
        for number, page in enumerate(pages, 1):
            found, pictures = slide_blocks(page, styles, odf.package, number, warnings)
            show.add(number, found, pictures, value(page, "style-name") in styles.hidden_pages)
            if source.progress:
                source.progress(number, len(pages))
        return Content(show.blocks, own_title(odf.title), [*show.warnings(), *warnings], pages=len(pages))


def slide_blocks(
    page: Element, styles: Styles, package: Package | None, number: int, warnings: list[str]
) -> tuple[list[Block], int]:
    """(blocks, how many pictures stand on it)."""
    title, shapes = "", list[Shape]()
    for i, one in enumerate(page):
        kind = value(one, "class")
        box = box_of(one)
        if kind == "title" and not title:
            title = " ".join(block.text for block in walked(one, styles, package, number, warnings))
        elif local(one) not in {"notes", "forms", "annotation"} and kind not in LEFT_OUT:
            off = bool(box and styles.paper and not box.meets(Box(0, 0, *styles.paper)))
            shapes.append(Shape(one, local(one), Placeholder(kind), box, i, off))
    blocks: list[Block] = []
    for shape in in_order(shapes):
        found = walked(shape.element, styles, package, number, warnings)
        blocks += [replace(block, hidden=True) for block in found] if shape.hidden else found
    comments = Walker(styles, package, number)
    for one in page:
        if local(one) == "annotation":
            comments.annotation(one)
    blocks += comments.blocks
    notes = [shape for shape in child(page, "notes") or () if value(shape, "class") not in LEFT_OUT - {"notes"}]
    spoken = [block for shape in notes for block in walked(shape, styles, package, number, warnings)]
    if spoken:
        blocks += [Block("heading", "Notes", number, level=2), *spoken]
    pictures = sum(1 for one in inside(page, "image"))
    # A slide without a title must not stand under that of the slide before.
    opening = Block("heading", " ".join(title.split()) or f"Slide {number}", number, level=1)
    return [opening, *blocks] if title or blocks or pictures else [], pictures


def walked(element: Element, styles: Styles, package: Package | None, page: int, warnings: list[str]) -> list[Block]:
    walker = Walker(styles, package, page)
    walker.shape(element)
    warnings += walker.warnings
    return walker.blocks
