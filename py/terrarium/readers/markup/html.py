"""HTML → blocks, read with beautifulsoup4 and Python's own parser. Nothing is fetched and nothing is rendered.

Left out: navigation, scripts, styles, forms' controls, comments, and <noscript>, which a browser that runs scripts does
not show. Alternative texts stand for their pictures. What the page's own markup hides (unseen.py) comes last, marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bs4 import BeautifulSoup, Tag
from bs4.dammit import EncodingDetector
from bs4.element import CData, NavigableString

from terrarium.model import Block, BlockKind
from terrarium.readers.markup.soup import soup_of
from terrarium.readers.markup.tables import table_rows
from terrarium.readers.markup.unseen import HiddenText, hide, holders
from terrarium.readers.plain.encoding import decode_known, guess

DROPPED = {
    "script", "style", "nav", "noscript", "template", "svg", "iframe", "object", "button", "select", "input",
    "textarea", "head",
}  # fmt: skip
BLOCK = {
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup",
    "hr", "html", "legend", "li", "main", "menu", "ol", "p", "pre", "section", "summary", "table", "ul",
}  # fmt: skip
HEADING = re.compile(r"h[1-6]")
SPACE = re.compile(r"[ \t\r\n\f\v\u00a0]+")
NAVIGATION = {
    "nav", "navbar", "navigation", "menu", "mainmenu", "submenu", "topnav", "sidenav", "breadcrumb", "breadcrumbs",
}  # fmt: skip
WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252"}  # what is meant by a declaration
TEXT = {NavigableString, CData}  # what is neither a comment nor a script, nor hidden
DEEPEST = 100  # elements around one that is still asked for its whole text
BOLD_HEADING = 100  # characters of a bold paragraph that is still a heading
DECLARED = 4096  # bytes in which a declaration of the encoding is looked for


def html_blocks(data: bytes) -> tuple[list[Block], str]:
    """(blocks, title)."""
    return soup_blocks(soup_of(decode_html(data)))


def decode_html(data: bytes) -> str:
    """The declared encoding, unless the bytes are plainly another one (UTF-8, or undecodable as declared)."""
    known = decode_known(data)
    if known is not None:
        return known
    declared = EncodingDetector.find_declared_encoding(data[:DECLARED], is_html=True)
    for encoding in (declared, guess(data)[0]):
        try:
            return data.decode(WIDER.get(encoding or "", encoding or "utf-8"))
        except (LookupError, ValueError):  # a declared name may hold anything, a NUL too
            continue
    return data.decode("cp1252", "replace")


def soup_blocks(soup: BeautifulSoup) -> tuple[list[Block], str]:
    named = soup.find("title")
    title = named.get_text(" ", strip=True) if named and not named.find_parent("svg") else ""
    hide(soup)
    walker = Walker()
    walker.walk(soup.body or soup)
    walker.flush()
    hidden = (" ".join(text.split()) for part in walker.unseen for text in part.split("\u2028"))
    return walker.blocks + [Block("paragraph", text, hidden=True) for text in hidden if text], title


def is_navigation(tag: Tag, before_headings: bool) -> bool:
    """Menus that are no <nav>: named so, or lists before the first heading, and made of short links."""
    names = {str(tag.get("role") or ""), str(tag.get("id") or ""), *(tag.get("class") or ())}
    named = bool(names & NAVIGATION)
    if not named and not (before_headings and tag.name in {"ul", "ol"}):
        return False
    text = len("".join(tag.get_text().split()))
    links = tag.find_all("a")
    linked = [len("".join(link.get_text().split())) for link in links]
    return len(links) > 2 and sum(linked) > 0.8 * text and max(linked) < 30


def is_bold_heading(tag: Tag) -> bool:
    """A paragraph that is bold from end to end, short, and followed by text: people write headings so."""
    inside = [child for child in tag.children if not (isinstance(child, NavigableString) and not child.strip())]
    if tag.name != "p" or len(inside) != 1 or not isinstance(inside[0], Tag) or inside[0].name not in {"b", "strong"}:
        return False
    text = inside[0].get_text().strip()
    following = tag.find_next_sibling()
    return (
        0 < len(text) <= BOLD_HEADING
        and text[-1] not in ".!?:;,。"
        and following is not None
        and following.name in BLOCK
    )


def hidden_texts(tag: Tag) -> Iterator[HiddenText]:
    return (text for text in tag.descendants if isinstance(text, HiddenText))


class Walker:
    """Collects inline text until a block begins or ends. Iterative: a hostile page nests a hundred thousand deep."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.parts: list[str] = []
        self.kind: BlockKind = "paragraph"
        self.level = 0
        self.unseen: list[str] = []  # hidden texts, each of the texts between two blocks
        self.before_headings = False
        self.heading_level = 1  # of the last real heading; bold paragraphs stand one below it
        self.with_table: set[int] = set()  # the elements that hold one
        self.with_text: set[int] = set()

    def flush(self) -> None:
        text = SPACE.sub(" ", "".join(self.parts)).replace(" \n", "\n").strip()
        text = re.sub(r"\s*\u2028\s*", "\n", text)
        self.parts.clear()
        if text:
            self.blocks.append(Block(self.kind, text, level=self.level))
        if self.unseen and self.unseen[-1]:
            self.unseen.append("")

    def walk(self, root: Tag) -> None:
        """Depth first with an explicit stack of (children left, state to go back to)."""
        self.before_headings = root.find(HEADING) is not None
        self.with_table = holders(root.find_all("table"))
        self.with_text = holders(text for text in root.find_all(string=True) if type(text) in TEXT and text.strip())
        stack: list[tuple[Iterator[object], tuple[BlockKind, int] | None]] = [(iter(list(root.children)), None)]
        while stack:
            children, state = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                if state:
                    self.flush()
                    self.kind, self.level = state
            elif isinstance(child, Tag):
                opened = self.open(child, len(stack))
                if opened:
                    stack.append((iter(list(child.children)), opened[0]))
            elif type(child) in TEXT:
                self.parts.append(str(child))
            elif isinstance(child, HiddenText):
                self.set_aside([child])

    def ends_with_digit(self) -> bool:
        return bool(self.parts) and self.parts[-1][-1:].isdigit()

    def set_aside(self, texts: Iterable[HiddenText]) -> None:
        self.unseen = self.unseen or [""]
        self.unseen[-1] += "".join(f"{text} " for text in texts)

    def open(self, tag: Tag, depth: int) -> tuple[tuple[BlockKind, int] | None] | None:
        """Enter a tag: a one-tuple of the state to restore (None for inline tags), or None to skip its children."""
        name = tag.name.lower()
        if name in DROPPED or (
            depth < DEEPEST and name in {"ul", "ol", "div"} and is_navigation(tag, self.before_headings)
        ):
            return None
        if tag.has_attr("hidden") and id(tag) not in self.with_text:  # else it was never closed
            end = [HiddenText("\u2028")] if name in BLOCK else []
            self.set_aside([*end, *hidden_texts(tag), *end])
            return None
        if name == "br":
            self.parts.append("\u2028")
            return None
        if (
            depth < DEEPEST
            and name == "sup"
            and self.parts
            and self.parts[-1][-1:].isdigit()
            and tag.get_text().strip().isdigit()
        ):
            self.parts.append("^")  # 2<sup>31</sup> is not 231
        if name == "img":
            self.parts.append(str(tag.get("alt") or ""))
            return None
        if name == "table" and id(tag) not in self.with_table:
            self.flush()
            rows = table_rows(tag)
            if rows is not None:
                self.blocks += rows
                self.set_aside(hidden_texts(tag))
                return None
        if name == "pre":
            self.flush()
            text = tag.get_text().strip("\n").expandtabs(4)
            if text.strip():
                self.blocks.append(Block("code", text.rstrip()))
            self.set_aside(hidden_texts(tag))
            return None
        if name not in BLOCK and name not in {"table", "tr", "td", "th"}:
            return (None,)
        self.flush()
        state = (self.kind, self.level)
        if HEADING.fullmatch(name):
            self.kind, self.level = "heading", int(name[1])
            self.heading_level = self.level
            self.before_headings = False
        elif depth < DEEPEST and is_bold_heading(tag):
            self.kind, self.level = "heading", min(self.heading_level + 1, 6)
        elif name in {"ul", "ol", "menu"}:
            self.level = self.level + 1 if self.kind == "list_item" else 0
        elif name in {"li", "dd", "dt"}:
            self.kind = "list_item" if name == "li" else "paragraph"
        elif name == "blockquote":
            self.kind = "quote"
        return (state,)
