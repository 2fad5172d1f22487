"""The sentences of a written answer as a tree that the page draws: paragraphs, lists, tables, code, emphasis.

Blocks come from what stood between the sentences (`Sentence.lead`; a table's row and a listing are one sentence), so
that each keeps its citations and none is lost; what is inside a sentence is parsed by markdown-it-py (CommonMark's
emphasis and code spans). The nodes are an allow-list: a link or picture becomes its text, and everything else, HTML
too, is text. Lists are flat.

Not here: quotations. Nothing in a document's own words is markup, so they are shown as they stand there.

Nodes by "type":
  blocks  paragraph {children}, list {ordered, start, children: items}, item {children}, table {children: rows},
          row {header, number, children: cells}, cell {children}, code {text, number}
  inline  sentence {number, children}, break, text {text}, code_span {text}, emphasis {children}, strong {children}
"number" counts in the answer's sentences, from 0.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from terrarium.model import Answer, Sentence

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

Node = dict[str, Any]

LONGEST = 4000  # characters of a sentence that is parsed; a longer one is shown as text
DEEPEST = 4  # emphasis inside emphasis; deeper marks are left out

_MARK = re.compile(r"(?:\A|\n)[ \t]*(?:[-*+•]|(\d{1,9})[.)])[ \t]+\Z")
_HEADING_MARK = re.compile(r"(?:\A|\n)[ \t]*#{1,6}[ \t]+\Z")
_LISTING = re.compile(r"```[^\n`]*\n(.*?)\s*(?:```)?", re.DOTALL)
_RULER = re.compile(r"^[ \t]*\|?[ \t]*:?-{2,}", re.MULTILINE)  # what divides a table's head from its rows
_PIPE = re.compile(r"(?<!\\)\|")

_INLINE = {"em_open": "emphasis", "strong_open": "strong"}


@cache
def _parser() -> MarkdownIt:
    """Its sixty modules are imported with the first written answer: the start of the page does without them."""
    from markdown_it import MarkdownIt  # noqa: PLC0415

    parser = MarkdownIt("zero", {"html": False, "linkify": False, "maxNesting": 20})
    parser.enable(["emphasis", "balance_pairs", "backticks", "link", "image"])
    parser.validateLink = lambda url: True  # type: ignore[method-assign] # no address is kept, so none is a bad one
    return parser


def layout_of(answer: Answer) -> list[Node]:
    """The blocks of a written answer; none for quotations and refusals."""
    return blocks(answer.sentences) if answer.mode == "generated" else []


def blocks(sentences: Sequence[Sentence]) -> list[Node]:
    """The tree of sentences that were written after one another. Linear in their number."""
    builder = _Builder()
    for number, sentence in enumerate(sentences):
        following = sentences[number + 1].lead if number + 1 < len(sentences) else ""
        builder.add(number, sentence, following)
    return builder.blocks


class _Builder:
    """Puts each sentence where its lead says: into the block that is open, or into a new one."""

    def __init__(self) -> None:
        self.blocks: list[Node] = []

    def add(self, number: int, sentence: Sentence, following: str) -> None:
        """`following` is the next sentence's lead: it may hold the line below a table's head."""
        lead, text = sentence.lead, sentence.text.strip()
        mark, heading = _MARK.search(lead), bool(_HEADING_MARK.search(lead))
        if text.startswith("```") and (listing := _LISTING.fullmatch(text)):
            self.blocks.append({"type": "code", "number": number, "text": listing[1]})
        elif text.startswith("|") and len(_PIPE.findall(text)) > 1:
            self._open("table")["children"].append(_row(number, text, bool(_RULER.search(following))))
        elif mark:
            shown = {"ordered": bool(mark[1]), "start": int(mark[1] or 1)}
            self._list(shown)["children"].append({"type": "item", "children": [_sentence(number, text)]})
        elif "\n" not in lead and self._last("list"):
            self.blocks[-1]["children"][-1]["children"].append(_sentence(number, text))
        elif heading or not self._last("paragraph") or re.search(r"\n\s*\n", lead):
            self.blocks.append({"type": "paragraph", "children": [_sentence(number, text, heading)]})
        else:
            line_break = [{"type": "break"}] if "\n" in lead else []
            self.blocks[-1]["children"] += [*line_break, _sentence(number, text)]

    def _list(self, shown: Node) -> Node:
        """The list that is open, or a new one where the kind of its marks changes."""
        if self._last("list") and self.blocks[-1]["ordered"] == shown["ordered"]:
            return self.blocks[-1]
        self.blocks.append({"type": "list", **shown, "children": []})
        return self.blocks[-1]

    def _open(self, kind: str) -> Node:
        if not self._last(kind):
            self.blocks.append({"type": kind, "children": []})
        return self.blocks[-1]

    def _last(self, kind: str) -> bool:
        return bool(self.blocks) and self.blocks[-1]["type"] == kind


def _sentence(number: int, text: str, heading: bool = False) -> Node:
    children = inline(text)
    strong = [{"type": "strong", "children": children}] if heading else children
    return {"type": "sentence", "number": number, "children": strong}


def _row(number: int, text: str, header: bool) -> Node:
    parts = _PIPE.split(text[1:].rstrip().removesuffix("|"))
    cells = [{"type": "cell", "children": inline(part.strip())} for part in parts]
    return {"type": "row", "header": header, "number": number, "children": cells}


def inline(text: str) -> list[Node]:
    """The nodes of one sentence. Joined, their texts hold every word of it but the addresses of links."""
    if len(text) > LONGEST:
        return [_text(text)]
    tokens = _parser().parseInline(text)[0].children or []
    return _nodes(tokens) or [_text(text)]


def _nodes(tokens: Sequence[Token]) -> list[Node]:
    stack: list[tuple[str, list[Node]]] = [("", [])]  # (mark that opened it, what is in it)
    for place, token in enumerate(tokens):
        children = stack[-1][1]
        if token.type == "code_inline":
            children.append({"type": "code_span", "text": token.content})
        elif token.type == "image":
            children += _nodes(token.children or [])
        elif token.type in _INLINE:
            stack.append((token.markup, []))
        elif token.type in {"em_close", "strong_close"}:
            mark, inside = stack.pop()
            stack[-1][1].extend(_emphasis(token, mark, inside, stack, tokens[place + 1 :][:1]))
        elif token.content:
            children.append(_text(token.content))
    return _joined(stack[0][1])


def _emphasis(
    token: Token, mark: str, inside: list[Node], stack: list[tuple[str, list[Node]]], after: Sequence[Token]
) -> list[Node]:
    """Emphasis, or the marks as they stand where they belong to a word: __init__, 64*1024*8."""
    before = stack[-1][1][-1].get("text", "") if stack[-1][1] else ""
    in_word = before[-1:].isalnum() or (bool(after) and after[0].content[:1].isalnum())
    if "_" in mark or in_word:
        return [_text(mark), *inside, _text(mark)]
    if len(stack) > DEEPEST:
        return inside
    return [{"type": _INLINE[token.type.replace("close", "open")], "children": _joined(inside)}]


def _text(text: str) -> Node:
    return {"type": "text", "text": text}


def _joined(nodes: Sequence[Node]) -> list[Node]:
    joined: list[Node] = []
    for node in nodes:
        if joined and node["type"] == joined[-1]["type"] == "text":
            joined[-1] = _text(joined[-1]["text"] + node["text"])
        else:
            joined.append(node)
    return joined
