"""DOCX → blocks: mammoth makes HTML of it, the HTML reader makes blocks of that.

mammoth gives the final view of tracked changes, lists, tables, text boxes, and notes and comments at the end. Headers
and footers, which it leaves out, are added after them, once each; pictures are not read.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element
from xml.parsers.expat import ExpatError

import mammoth

from terrarium.errors import UnreadableFile
from terrarium.model import Block
from terrarium.readers.archive import Archive
from terrarium.readers.docx_hidden import MARK, is_marked, mark_hidden
from terrarium.readers.elements import local
from terrarium.readers.html import soup_blocks
from terrarium.readers.soup import soup_of

STYLES = f"""
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name='Quote'] => blockquote > p:fresh
p[style-name='Intense Quote'] => blockquote > p:fresh
comment-reference => sup.comment-mark
r.{MARK} => span.hidden-run:fresh
"""
# Signs that point to notes' places and back; the notes themselves stand at the end.
MARKS = ".comment-mark, a[href^='#footnote-ref'], a[href^='#endnote-ref'], a[href^='#comment-ref']"
MARGIN_PART = re.compile(r"word/(?:header|footer)\d*\.xml")
ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}


def docx_blocks(archive: Archive, data: bytes, name: str) -> tuple[list[Block], str]:
    """(blocks, title of the document's properties). Raises UnreadableFile."""
    for member in archive.names:
        # Counted here, because mammoth unpacks on its own; and no DOCX has a reason to declare entities.
        if member.endswith((".xml", ".rels")) and b"<!ENTITY" in archive.read(member):
            raise UnreadableFile(f"“{name}” declares XML entities, which real documents never do, and was not read.")
    data, parts = mark_hidden(archive, data)
    try:
        result = mammoth.convert_to_html(
            io.BytesIO(data), style_map=STYLES, convert_image=mammoth.images.img_element(lambda image: {"src": ""})
        )
    except (KeyError, ValueError, AttributeError, TypeError, OSError, ExpatError, RecursionError) as error:
        raise UnreadableFile(f"“{name}” is damaged: Word's text in it cannot be read ({error}).") from error
    soup = soup_of(result.value)
    for mark in soup.select(MARKS):
        mark.decompose()
    for run in soup.select("span.hidden-run"):
        run["hidden"] = ""
    blocks, _ = soup_blocks(soup)
    seen = {block.text for block in blocks}
    for member in sorted(filter(MARGIN_PART.fullmatch, parts)):
        for texts in paragraphs(parts[member]):
            for text, hidden in zip(texts, (False, True), strict=True):
                if text not in seen and any(map(str.isalpha, text)):  # more than a page's number
                    seen.add(text)
                    blocks.append(Block("paragraph", text, hidden=hidden))
    return blocks, core_title(archive)


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


def core_title(archive: Archive) -> str:
    if "docProps/core.xml" not in archive.names:
        return ""
    match = re.search(r"<dc:title>([^<]*)</dc:title>", archive.read("docProps/core.xml").decode("utf-8", "replace"))
    return unescape(match[1]) if match else ""


def unescape(text: str) -> str:
    for entity, character in ENTITIES.items():
        text = text.replace(entity, character)
    return text
