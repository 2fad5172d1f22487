"""Markdown → blocks, from markdown-it-py's tokens (CommonMark and tables). Raw HTML goes to the HTML reader.

Comments, which are notes to whoever edits the file, and what its HTML hides (markdown_hidden.py) come last, marked.
"""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from terrarium.model import Block
from terrarium.readers.markup.front_matter import split_front_matter
from terrarium.readers.markup.html import soup_blocks
from terrarium.readers.markup.markdown_hidden import Shown, shown_tokens
from terrarium.readers.markup.soup import soup_of
from terrarium.readers.rows import row_blocks

PARSER = MarkdownIt("commonmark").enable("table")


def markdown_blocks(text: str) -> tuple[list[Block], str]:
    """(blocks, title of the front matter, whose other fields come first). Link targets are left out, alternative texts
    of pictures are kept."""
    title, blocks, text = split_front_matter(text)
    lists = quotes = 0
    grid: list[list[str]] = []
    tokens = PARSER.parse(text)
    known = shown_tokens(PARSER, tokens)
    hidden: list[str] = []
    for i, token in enumerate(tokens):
        shown = known.get(i, Shown())
        hidden += [*shown.comments, shown.text(True)]
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                lists += 1
            case "bullet_list_close" | "ordered_list_close":
                lists -= 1
            case "blockquote_open":
                quotes += 1
            case "blockquote_close":
                quotes -= 1
            case "table_open":
                grid = []
            case "tr_open":
                grid.append([])
            case "table_close":
                blocks += row_blocks(grid, True)
            case "fence" | "code_block" if not shown.hides:
                blocks.append(Block("code", token.content.rstrip()))
            case "html_block" if not shown.hides:
                blocks += soup_blocks(soup_of(token.content))[0]
            case "html_block":
                blocks.append(Block("paragraph", " ".join(shown.text(False).split())))
            case "inline":
                opener = tokens[i - 1]
                content = shown.text(False) if shown.hides else inline_text(token.children or ())
                if opener.type in {"th_open", "td_open"}:
                    grid[-1].append(content)
                elif opener.type == "heading_open":
                    blocks.append(Block("heading", content, level=int(opener.tag[1])))
                elif lists:
                    blocks.append(Block("list_item", content, level=lists - 1))
                else:
                    blocks.append(Block("quote" if quotes else "paragraph", content))
    return blocks + [Block("paragraph", text, hidden=True) for text in hidden if text], title


def inline_text(tokens: Sequence[Token]) -> str:
    parts = []
    for token in tokens:
        if token.type in {"text", "code_inline"}:
            parts.append(token.content)
        elif token.type == "image":
            parts.append(inline_text(token.children or ()))
        elif token.type == "softbreak":
            parts.append(" ")
        elif token.type == "hardbreak":
            parts.append("\n")
    return "".join(parts).strip()
