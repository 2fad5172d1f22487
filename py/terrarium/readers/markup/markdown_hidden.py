"""What of a Markdown text is seen when it is shown as a page: its HTML hides text of its own and Markdown around it.

The whole text is rendered as HTML, with a comment before each token, and read as a page is (unseen.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from bs4 import Tag
from bs4.element import CData, Comment, NavigableString
from markdown_it import MarkdownIt
from markdown_it.token import Token

from terrarium.readers.markup.soup import soup_of
from terrarium.readers.markup.unseen import HiddenText, hide

PLACE = re.compile(r"terrarium-token-(\d+)")


@dataclass(slots=True)
class Shown:
    """Of one token: its strings in order, each with whether it is hidden, and its comments."""

    strings: list[tuple[str, bool]] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)

    @property
    def hides(self) -> bool:
        return any(hidden for _, hidden in self.strings)

    def text(self, hidden: bool) -> str:
        text = "".join(text for text, is_hidden in self.strings if is_hidden == hidden)
        return re.sub(" *\n *", "\n", re.sub(" +", " ", text)).strip()


def shown_tokens(parser: MarkdownIt, tokens: Sequence[Token]) -> dict[int, Shown]:
    """By the token's index, for tokens with text. {} where the text holds no HTML, so that nothing can be hidden."""
    inline = (child for token in tokens for child in token.children or ())
    if not any(token.type in {"html_block", "html_inline"} for token in [*tokens, *inline]):
        return {}
    marked: list[Token] = []
    for index, token in enumerate(tokens):
        mark = Token("html_block", "", 0, content=f"<!--terrarium-token-{index}-->")
        if token.type == "inline":
            inner = Token("html_inline", "", 0, content=mark.content)
            marked.append(token.copy(children=[inner, *(token.children or ())]))
        else:
            marked += [mark, token] if token.type in {"html_block", "fence", "code_block"} else [token]
    soup = soup_of(parser.renderer.render(marked, parser.options, {}))
    hide(soup)
    found: dict[int, Shown] = {}
    now = Shown()
    for node in soup.descendants:
        if type(node) is Comment and (place := PLACE.fullmatch(node)):
            now = found[int(place[1])] = Shown()
        elif type(node) is Comment:
            now.comments.append(str(node).strip())
        elif type(node) in {NavigableString, CData, HiddenText}:
            text = str(node) if node.find_parent("pre") else str(node).replace("\n", " ")
            now.strings.append((text, isinstance(node, HiddenText)))
        elif isinstance(node, Tag) and node.name in {"br", "img"}:
            now.strings.append(("\n" if node.name == "br" else str(node.get("alt") or ""), False))
    return found
