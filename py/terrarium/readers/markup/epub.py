"""EPUB 2 and 3 → blocks: chapters in the order of the book's spine, read by the HTML reader with the book's own styles.

A chapter without a heading gets the title that the table of contents gives it, so that it does not stand under that of
the chapter before. What is no part of the reading order (linear="no": notes, answers) comes behind it.
"""

from __future__ import annotations

import posixpath
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from urllib.parse import unquote

from bs4 import BeautifulSoup, Tag, XMLParsedAsHTMLWarning
from bs4.element import Stylesheet

from terrarium.errors import UnreadableFile
from terrarium.model import Block
from terrarium.readers.archive import Archive, open_archive
from terrarium.readers.content import Content, Source
from terrarium.readers.markup.html import decode_html, soup_blocks
from terrarium.readers.markup.soup import soup_of

CONTAINER = "META-INF/container.xml"
OPENING = 3  # blocks of a chapter among which its heading stands
OBFUSCATED_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


async def epub_content(source: Source) -> Content:
    """Raises UnreadableFile for damaged and for copy-protected books."""
    with open_archive(source.data, source.name, source.allowance) as archive:
        return book(archive, source.name)


def book(archive: Archive, name: str) -> Content:
    if "META-INF/encryption.xml" in archive.names:
        methods = parse(archive, "META-INF/encryption.xml").find_all(ends("encryptionmethod"))
        if any(not str(method.get("algorithm")).startswith(OBFUSCATED_FONTS) for method in methods):
            raise UnreadableFile(f"“{name}” is copy-protected (DRM): its text is encrypted and cannot be read.")
    root = parse(archive, CONTAINER).find(ends("rootfile"))
    package = str(root.get("full-path") or "") if isinstance(root, Tag) else ""
    if package not in archive.names:
        raise UnreadableFile(f"“{name}” is damaged: the list of its chapters is missing.")
    opf = parse(archive, package)
    files = {str(item.get("id")): item for item in opf.find_all(ends("item"))}
    titles = chapter_titles(archive, package, files.values())
    chapters: list[tuple[str, list[Block]]] = []
    missing = 0
    spine = opf.find_all(ends("itemref"))
    for reference in sorted(spine, key=lambda reference: reference.get("linear") == "no"):
        item = files.get(str(reference.get("idref")))
        if item is None or "nav" in str(item.get("properties") or "").split():
            continue
        member = beside(package, str(item.get("href") or ""))
        if member in archive.names:
            chapters.append((member, soup_blocks(with_sheets(parse(archive, member), archive, member))[0]))
        else:
            missing += 1
    title = opf.find(ends("title"))
    lost = f"damaged: {missing} {'chapter is' if missing == 1 else 'chapters are'} missing in the file"
    blocks = headed(chapters, titles)
    return Content(blocks, title.get_text(" ", strip=True) if isinstance(title, Tag) else "", [lost] if missing else [])


def headed(chapters: Sequence[tuple[str, list[Block]]], titles: Mapping[str, str]) -> list[Block]:
    """The chapters' blocks; one that opens without a heading gets its title, as high as the book's highest."""
    levels = (block.level for _, found in chapters for block in found if block.kind == "heading")
    top = min(levels, default=1)
    blocks: list[Block] = []
    for member, found in chapters:
        if found and member in titles and not any(block.kind == "heading" for block in found[:OPENING]):
            blocks.append(Block("heading", titles[member], level=top))
        blocks += found
    return blocks


def chapter_titles(archive: Archive, package: str, items: Iterable[Tag]) -> dict[str, str]:
    """What the table of contents calls each file: that of EPUB 3 (nav) before that of EPUB 2 (NCX)."""
    found: dict[str, str] = {}
    contents = [item for item in items if "nav" in str(item.get("properties") or "").split()]
    contents += [item for item in items if str(item.get("media-type")) == "application/x-dtbncx+xml"]
    for item in contents:
        member = beside(package, str(item.get("href") or ""))
        if member not in archive.names:
            continue
        soup = parse(archive, member)
        links = [(str(link.get("href") or ""), link) for link in soup.find_all("a")]
        points = [(point, point.find("navlabel")) for point in soup.find_all("navpoint")]
        links += [
            (str(to.get("src") or ""), label) for point, label in points if label and (to := point.find("content"))
        ]
        for address, label in links:
            # The first that a file has is its own; those behind "#" are places in it.
            found.setdefault(beside(member, address.partition("#")[0]), " ".join(label.get_text(" ").split()))
    return {member: title for member, title in found.items() if title}


def parse(archive: Archive, member: str) -> BeautifulSoup:
    return soup(archive.read(member))


def soup(data: bytes) -> BeautifulSoup:
    """XHTML and package files by the HTML parser: it forgives what real books get wrong, and knows no entities."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        return soup_of(decode_html(data))


def with_sheets(chapter: BeautifulSoup, archive: Archive, member: str) -> BeautifulSoup:
    """The chapter with the style sheets that it links and the book holds in itself."""
    for link in chapter.find_all("link", rel="stylesheet"):
        sheet = beside(member, str(link.get("href") or ""))
        if sheet in archive.names:
            style = chapter.new_tag("style")
            style.append(Stylesheet(decode_html(archive.read(sheet))))
            link.replace_with(style)
    return chapter


def beside(member: str, address: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(member), unquote(address)))


def ends(name: str) -> Callable[[Tag], bool]:
    """Matches a tag by its local name, whatever its namespace prefix; html.parser writes names in small letters."""
    return lambda tag: tag.name.rpartition(":")[2] == name
