"""PPTX → blocks: each slide is a page, under its title, with its comments and notes behind it.

Read from the XML (ECMA-376): python-pptx needs lxml and Pillow, which the page does not have. Slides come in the order
of the presentation, shapes in that in which the eye goes over them (slides.py). Hidden slides, and text beside the
slide or painted with nothing, are hidden text. A foot line is kept once; numbers and dates of slides are left out.

Not read: pictures but for their alternative texts, what only masters and layouts show, text of the colour of what it
stands on, ink, animations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from terrarium.errors import UnreadableFile
from terrarium.model import Block
from terrarium.readers.archive import open_archive
from terrarium.readers.content import Content, Enclosed, Source
from terrarium.readers.office.elements import child, inside, number, reference, value
from terrarium.readers.office.package import Package, Related
from terrarium.readers.office.pptx_layout import Layout, layout_of
from terrarium.readers.office.pptx_places import shapes
from terrarium.readers.office.pptx_shapes import Reader, text_of
from terrarium.readers.office.pptx_text import paragraphs
from terrarium.readers.office.slides import Box, Shape, Show, in_order, own_title

TITLES = {"title", "ctrTitle"}
MARGIN = {"sldNum", "dt", "hdr", "sldImg"}  # placeholders without text of the slide's own


async def pptx_content(source: Source) -> Content:
    """Raises UnreadableFile."""
    with open_archive(source.data, source.name, source.allowance) as archive:
        package = Package(archive, source.name)
        main = next((one.part for one in package.related().values() if one.kind == "officeDocument"), "")
        root = package.xml(main or "ppt/presentation.xml")
        if root is None:
            raise UnreadableFile(f"“{source.name}” is damaged: the list of its slides is missing or cannot be read.")
        return Presentation(package, main or "ppt/presentation.xml", root).content(source)


class Presentation:
    def __init__(self, package: Package, part: str, root: Element) -> None:
        self._package = package
        self._related = package.related(part)
        self._root = root
        size = child(root, "sldSz")
        self._paper = Box(0, 0, number(size, "cx") or 9144000, number(size, "cy") or 6858000)
        self._authors = self._read_authors()
        self._layouts: dict[str, Layout] = {}
        self._feet: set[str] = set()
        self._warnings: list[str] = []
        self._enclosed: list[Enclosed] = []

    def content(self, source: Source) -> Content:
        slides = [reference(one) for one in child(self._root, "sldIdLst") or ()]
        show = Show()
        for number_, identifier in enumerate(slides, 1):
            part = self._related[identifier].part if identifier in self._related else ""
            root = self._package.xml(part)
            if root is None:
                show.lost.append(number_)
                continue
            found, pictures = self._slide(root, part, number_)
            show.add(number_, found, pictures, value(root, "show") in {"0", "false"})
            if source.progress:
                source.progress(number_, len(slides))
        return Content(
            show.blocks,
            own_title(self._package.title()),
            [*show.warnings(), *self._warnings],
            pages=len(slides),
            enclosed=self._enclosed,
        )

    def _slide(self, root: Element, part: str, page: int) -> tuple[list[Block], int]:
        """(blocks, how many pictures stand on it)."""
        related = self._package.related(part)
        layout = self._layout(related)
        found = shapes(child(root, "cSld", "spTree"), layout, self._paper)
        reader = Reader(self._package, related, layout, page)
        title, feet, body = "", list[Block](), list[Shape]()
        for shape in found:
            if shape.placeholder.kind in TITLES and not title:
                title = text_of(shape)
            elif shape.placeholder.kind == "ftr":
                feet += self._foot(text_of(shape), page)
            elif shape.placeholder.kind not in MARGIN:
                body.append(shape)
        blocks = [block for shape in in_order(body) for block in reader.blocks(shape)]
        blocks += [*feet, *self._comments(related, page), *self._notes(related, page)]
        # A slide without a title must not stand under that of the slide before.
        opening = Block("heading", " ".join(title.split()) or f"Slide {page}", page, level=1)
        pictures = sum(shape.kind == "pic" for shape in body)
        self._warnings += reader.warnings
        self._enclosed += reader.enclosed
        return [opening, *blocks] if title or blocks or pictures else [], pictures

    def _layout(self, related: Mapping[str, Related]) -> Layout:
        part = next((one.part for one in related.values() if one.kind == "slideLayout"), "")
        if part not in self._layouts:
            self._layouts[part] = layout_of(self._package, part)
        return self._layouts[part]

    def _foot(self, text: str, page: int) -> list[Block]:
        new = any(map(str.isalpha, text)) and text not in self._feet
        self._feet.add(text)
        return [Block("paragraph", text, page)] if new else []

    def _notes(self, related: Mapping[str, Related], page: int) -> list[Block]:
        part = next((one.part for one in related.values() if one.kind == "notesSlide"), "")
        root = self._package.xml(part)
        reader = Reader(self._package, self._package.related(part), Layout(), page)
        blocks: list[Block] = []
        for shape in shapes(child(root, "cSld", "spTree"), Layout(), None):
            if shape.placeholder.kind not in {*MARGIN, "ftr"}:
                blocks += reader.blocks(shape)
        return [Block("heading", "Notes", page, level=2), *blocks] if blocks else []

    def _comments(self, related: Mapping[str, Related], page: int) -> list[Block]:
        """Of both kinds that PowerPoint has written, with their answers."""
        found: list[Block] = []
        for one in related.values():
            if one.kind.lower().endswith("comments"):
                for comment in inside(self._package.xml(one.part), "cm", "reply"):
                    body = child(comment, "txBody")
                    texts = (seen for seen, _, _ in paragraphs(body)) if body is not None else plain(comment)
                    text = "\n".join(filter(None, texts))
                    author = self._authors.get(value(comment, "authorId"), "")
                    named = f"Comment by {author}" if author else "Comment"
                    found += [Block("paragraph", f"{named}: {text}", page)] if text else []
        return found

    def _read_authors(self) -> dict[str, str]:
        parts = [one.part for one in self._related.values() if one.kind in {"commentAuthors", "authors"}]
        people = (one for part in parts for one in inside(self._package.xml(part), "cmAuthor", "author"))
        return {value(one, "id"): value(one, "name") for one in people}


def plain(comment: Element) -> Iterator[str]:
    return ((one.text or "").strip() for one in comment if one.tag.endswith("}text"))
