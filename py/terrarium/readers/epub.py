"""EPUB → blocks: chapters in the order of the book's spine, read by the HTML reader with the book's style sheets."""

from __future__ import annotations

import posixpath
import warnings
from collections.abc import Callable
from urllib.parse import unquote

from bs4 import BeautifulSoup, Tag, XMLParsedAsHTMLWarning
from bs4.element import Stylesheet

from terrarium.errors import UnreadableFile
from terrarium.model import Block
from terrarium.readers.archive import Archive
from terrarium.readers.html import decode_html, soup_blocks
from terrarium.readers.soup import soup_of

CONTAINER = "META-INF/container.xml"
OBFUSCATED_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


def epub_blocks(archive: Archive, name: str) -> tuple[list[Block], str]:
    """(blocks, title). Raises UnreadableFile for damaged and for copy-protected books."""
    if "META-INF/encryption.xml" in archive.names:
        methods = parse(archive, "META-INF/encryption.xml").find_all(ends("encryptionmethod"))
        if any(not str(method.get("algorithm")).startswith(OBFUSCATED_FONTS) for method in methods):
            raise UnreadableFile(f"“{name}” is copy-protected (DRM): its text is encrypted and cannot be read.")
    root = parse(archive, CONTAINER).find(ends("rootfile"))
    package = str(root.get("full-path") or "") if isinstance(root, Tag) else ""
    if package not in archive.names:
        raise UnreadableFile(f"“{name}” is damaged: the list of its chapters is missing.")
    opf = parse(archive, package)
    title = opf.find(ends("title"))
    files = {str(item.get("id")): item for item in opf.find_all(ends("item"))}
    blocks: list[Block] = []
    for reference in opf.find_all(ends("itemref")):
        item = files.get(str(reference.get("idref")))
        if item is None or "nav" in str(item.get("properties") or "").split():
            continue
        member = beside(package, str(item.get("href") or ""))
        if member in archive.names:
            blocks += soup_blocks(with_sheets(parse(archive, member), archive, member))[0]
    return blocks, title.get_text(" ", strip=True) if isinstance(title, Tag) else ""


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
