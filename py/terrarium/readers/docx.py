"""DOCX → blocks: mammoth makes HTML of it, the HTML reader makes blocks of that.

mammoth gives the final view of tracked changes, lists, tables, text boxes, and notes and comments at the end. Headers
and footers, which it leaves out, are added after them, once each; pictures are not read.
"""

from __future__ import annotations

import io
import re
from xml.parsers.expat import ExpatError

import mammoth
from bs4 import BeautifulSoup

from terrarium.errors import UnreadableFile
from terrarium.model import Block
from terrarium.readers.archive import Archive
from terrarium.readers.html import soup_blocks

STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name='Quote'] => blockquote > p:fresh
p[style-name='Intense Quote'] => blockquote > p:fresh
comment-reference => sup.comment-mark
"""
# Signs that point to notes' places and back; the notes themselves stand at the end.
MARKS = ".comment-mark, a[href^='#footnote-ref'], a[href^='#endnote-ref'], a[href^='#comment-ref']"
MARGIN_PART = re.compile(r"word/(?:header|footer)\d*\.xml")
PARAGRAPH = re.compile(r"<w:p[ >].*?</w:p>", re.DOTALL)
TEXT = re.compile(r"<w:t(?: [^>]*)?>([^<]*)</w:t>|<w:(tab|br|cr)\b")
ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}


def docx_blocks(archive: Archive, data: bytes, name: str) -> tuple[list[Block], str]:
    """(blocks, title of the document's properties). Raises UnreadableFile."""
    for member in archive.names:
        # Counted here, because mammoth unpacks on its own; and no DOCX has a reason to declare entities.
        if member.endswith((".xml", ".rels")) and b"<!ENTITY" in archive.read(member):
            raise UnreadableFile(f"“{name}” declares XML entities, which real documents never do, and was not read.")
    try:
        result = mammoth.convert_to_html(
            io.BytesIO(data), style_map=STYLES, convert_image=mammoth.images.img_element(lambda image: {"src": ""})
        )
    except (KeyError, ValueError, AttributeError, TypeError, OSError, ExpatError, RecursionError) as error:
        raise UnreadableFile(f"“{name}” is damaged: Word's text in it cannot be read ({error}).") from error
    soup = BeautifulSoup(result.value, "html.parser")
    for mark in soup.select(MARKS):
        mark.decompose()
    blocks, _ = soup_blocks(soup)
    seen = {block.text for block in blocks}
    for member in sorted(filter(MARGIN_PART.fullmatch, archive.names)):
        for text in paragraphs(archive.read(member).decode("utf-8", "replace")):
            if text not in seen:
                seen.add(text)
                blocks.append(Block("paragraph", text))
    return blocks, core_title(archive)


def paragraphs(xml: str) -> list[str]:
    """Texts of a header's or footer's paragraphs that hold more than a page number."""
    found = []
    for paragraph in PARAGRAPH.findall(xml):
        text = "".join(match[1] if match[1] is not None else " " for match in TEXT.finditer(paragraph))
        text = " ".join(unescape(text).split())
        if any(map(str.isalpha, text)):
            found.append(text)
    return found


def core_title(archive: Archive) -> str:
    if "docProps/core.xml" not in archive.names:
        return ""
    match = re.search(r"<dc:title>([^<]*)</dc:title>", archive.read("docProps/core.xml").decode("utf-8", "replace"))
    return unescape(match[1]) if match else ""


def unescape(text: str) -> str:
    for entity, character in ENTITIES.items():
        text = text.replace(entity, character)
    return text
