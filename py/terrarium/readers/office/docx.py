"""DOCX → blocks: mammoth makes HTML of it, the HTML reader makes blocks of that.

mammoth gives the final view of tracked changes, lists, tables and text boxes; what it would lose is written out before
(docx_prepare.py), what nobody sees is marked (docx_hidden.py), notes and comments are put behind the paragraph that
marks them (docx_notes.py). Headers and footers, which it leaves out, come last, once each. Office files inside of it
are documents of their own. Pictures are not read.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, tostring
from xml.parsers.expat import ExpatError

import mammoth

from terrarium.errors import UnreadableFile
from terrarium.model import Block
from terrarium.readers.archive import Archive, open_archive
from terrarium.readers.content import Content, Enclosed, Source
from terrarium.readers.markup.html import html_blocks, soup_blocks
from terrarium.readers.markup.soup import soup_of
from terrarium.readers.office.docx_hidden import MARK, is_marked, mark_hidden
from terrarium.readers.office.docx_notes import authors_of, place_notes
from terrarium.readers.office.docx_numbering import Numbering
from terrarium.readers.office.docx_prepare import NAMED, prepare
from terrarium.readers.office.docx_styles import Styles
from terrarium.readers.office.drawing import chart_blocks, diagram_blocks
from terrarium.readers.office.elements import local
from terrarium.readers.office.package import Package, Related, refuse_entities, too_deep

STYLES = f"""
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name='Quote'] => blockquote > p:fresh
p[style-name='Intense Quote'] => blockquote > p:fresh
comment-reference => sup.comment-mark
r.{MARK} => span.hidden-run:fresh
"""
MARGIN_PART = re.compile(r"word/(?:header|footer)\d*\.xml")
TEXT_PART = re.compile(r"word/(?:document|footnotes|endnotes|comments|header|footer)\d*\.xml")
HTML_CHUNK = re.compile(rb"<(?:html|body|p|div|!doctype)\b", re.IGNORECASE)
DEEPEST = 150  # elements inside of elements; a table in a table in a table takes twelve


async def docx_content(source: Source) -> Content:
    """Raises UnreadableFile."""
    with open_archive(source.data, source.name, source.allowance) as archive:
        return Docx(archive, source).content()


class Docx:
    def __init__(self, archive: Archive, source: Source) -> None:
        self._archive = archive
        self._source = source
        self._package = Package(archive, source.name)
        self._enclosed: list[Enclosed] = []

    def content(self) -> Content:
        for member in self._archive.names:
            # Counted here, because mammoth unpacks on its own; and no DOCX has a reason to declare entities.
            if member.endswith((".xml", ".rels")):
                refuse_entities(self._archive.read(member), self._source.name)
        main = next((one.part for one in self._package.related().values() if one.kind == "officeDocument"), "")
        parts = {name: self._package.xml(name) for name in filter(TEXT_PART.fullmatch, self._archive.names)}
        roots = {name: root for name, root in parts.items() if root is not None}
        data = self._prepared(roots, main)
        try:
            result = mammoth.convert_to_html(
                io.BytesIO(data), style_map=STYLES, convert_image=mammoth.images.img_element(lambda image: {"src": ""})
            )
        except (KeyError, ValueError, AttributeError, TypeError, OSError, ExpatError, RecursionError) as error:
            message = f"“{self._source.name}” is damaged: Word's text in it cannot be read ({error})."
            raise UnreadableFile(message) from error
        soup = soup_of(result.value)
        place_notes(soup, authors_of(roots.get("word/comments.xml")))
        for run in soup.select("span.hidden-run"):
            run["hidden"] = ""
        related = self._package.related(main)
        blocks = self._with_parts(soup_blocks(soup)[0], related)
        blocks += margins(blocks, roots)
        objects = [one.part for one in related.values() if one.kind in {"package", "oleObject"}]
        closed = [part for part in objects if part.endswith(".bin") or part not in self._package]
        self._enclosed += [self._file(part) for part in objects if part not in closed]
        left = f"left out: {len(closed)} {'object' if len(closed) == 1 else 'objects'} inside of the text"
        return Content(blocks, self._package.title(), [left] if closed else [], enclosed=self._enclosed)

    def _prepared(self, roots: dict[str, Element], main: str) -> bytes:
        """The file as mammoth is to read it: itself where nothing had to be changed, else without its pictures."""
        styles = Styles(self._package.xml("word/styles.xml"))
        numbering = Numbering(self._package.xml("word/numbering.xml"), styles)
        changed: set[str] = set()
        for name, root in roots.items():
            if too_deep(root, DEEPEST):
                raise UnreadableFile(
                    f"“{self._source.name}” was not read: its elements are nested too deep (over {DEEPEST} levels)."
                )
            hides = mark_hidden(root, styles)
            margin = MARGIN_PART.fullmatch(name)
            if (not margin and prepare(root, numbering if name == main else None)) or hides:
                changed.add(name)
        if not changed:
            return self._source.data
        copy = io.BytesIO()
        with zipfile.ZipFile(copy, "w", zipfile.ZIP_STORED) as target:
            for name in self._archive.names:
                if not name.startswith(("word/media/", "word/embeddings/")):
                    target.writestr(name, tostring(roots[name]) if name in changed else self._archive.read(name))
        return copy.getvalue()

    def _with_parts(self, blocks: Sequence[Block], related: dict[str, Related]) -> list[Block]:
        """With charts, diagrams and enclosed documents where they stand."""
        made: list[Block] = []
        for block in blocks:
            named = NAMED.fullmatch(block.text)
            if not named:
                made.append(block)
            elif named[1] in related:
                made += self._part_blocks(related[named[1]])
        return made

    def _part_blocks(self, one: Related) -> list[Block]:
        if one.kind == "chart":
            return chart_blocks(self._package.xml(one.part))
        if one.kind == "diagramData":
            return diagram_blocks(self._package.xml(one.part))
        if one.kind == "aFChunk" and one.part in self._package:
            data = self._package.read(one.part)
            if HTML_CHUNK.search(data[:1000]) and not data.startswith(b"MIME"):
                return html_blocks(data)[0]
            self._enclosed.append(self._file(one.part))
        return []

    def _file(self, part: str) -> Enclosed:
        data = self._package.read(part)
        return Enclosed(posixpath.basename(part), lambda: data)


def margins(blocks: Sequence[Block], roots: dict[str, Element]) -> list[Block]:
    """What stands in headers and footers and nowhere else, once each."""
    seen = {block.text for block in blocks}
    made: list[Block] = []
    for member in sorted(filter(MARGIN_PART.fullmatch, roots)):
        for texts in paragraphs(roots[member]):
            for text, hidden in zip(texts, (False, True), strict=True):
                if text not in seen and any(map(str.isalpha, text)):  # more than a page's number
                    seen.add(text)
                    made.append(Block("paragraph", text, hidden=hidden))
    return made


def paragraphs(root: Element) -> Iterator[tuple[str, str]]:
    """(what is seen, what is hidden) of each of a header's or footer's paragraphs."""
    for paragraph in (element for element in root.iter() if local(element) == "p"):
        parts: dict[bool, list[str]] = {False: [], True: []}
        stack = [(element, False) for element in reversed(paragraph)]
        while stack:
            element, hidden = stack.pop()
            kind = local(element)
            hidden = hidden or (kind == "r" and is_marked(element))
            if kind == "t":
                parts[hidden].append(element.text or "")
            elif kind in {"tab", "br", "cr"}:
                parts[hidden].append(" ")
            elif kind not in {"p", "Fallback"}:  # a paragraph of its own, and the same once more
                stack += [(inner, hidden) for inner in reversed(element)]
        seen, unseen = (" ".join("".join(parts[hidden]).split()) for hidden in (False, True))
        yield seen, unseen
