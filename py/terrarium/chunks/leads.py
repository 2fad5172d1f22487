"""What a chunk that begins in the middle of something must be told: the sentence that leads into its list, the header
row of its table, the key of its row, the line that its code hangs under.

A lead is a stretch of the document before the chunk, never a text of our own. Readers of HTML, Markdown, DOCX and CSV
put header cells into each row, so only rows of plain text and PDF need their table's first row here. What looks like a
header is judged by rules, and a table without one gets none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from terrarium.chunks.units import Unit, count
from terrarium.model import Document
from terrarium.runtime.protocols import Tokenizer

CELL_END = re.compile(r"\s\|\s|\t|\n")
LABELLED = re.compile(r"[^|\t:]{1,60}: ")  # "Header: cell"
CLOSES = re.compile(r"[)}\]{]|(?:else|elif|except|finally|catch|end|fi|done|esac|then|do)\b")
CLOSING = 1000  # the depth of a line that belongs to the one before it


def set_leads(document: Document, text: str, found: Sequence[Unit], tokenizer: Tokenizer, most: int) -> None:
    """Give units their leads, of `most` tokens each, and lines of code their depth."""
    made: list[Unit] = []
    opener: Unit | None = None  # the sentence right before the list, table or listing
    head: Unit | None = None  # the header row of the table
    items: list[tuple[int, Unit]] = []  # (level, first sentence) of the items around, outermost first
    before: list[Unit] = []  # the units of the block before
    for index, group in groupby(found, key=lambda unit: unit.block):
        block, pieces = document.blocks[index], list(group)
        adjacent = bool(before) and before[-1].block == index - 1
        if not adjacent or document.blocks[index - 1].kind != block.kind:
            opener = None
            if adjacent:
                opener = caption(text, before, most) if block.kind == "table_row" else lead_in(text, before)
            head, items = None, []
            if block.kind == "table_row" and is_header(block.text):
                # What stands right above is the caption: one stretch says both.
                head = Unit(opener.start if opener else pieces[0].start, pieces[-1].end, index, block.page)
                made.append(head)
        if block.kind == "list_item":
            items = [item for item in items if item[0] < block.level]
            pieces[0].lead = items[-1][1] if items else opener
            items.append((block.level, pieces[0]))
            for piece in pieces[1:]:
                piece.lead = pieces[0]
        elif block.kind == "table_row":
            pieces[0].lead = head if head and head.end < pieces[0].start else opener
            made += set_key(block.text, pieces)
        elif block.kind == "code":
            set_code(text, pieces, opener)
        before = pieces
    shorten_leads(text, found, made, tokenizer, most)


def lead_in(text: str, before: Sequence[Unit]) -> Unit | None:
    """The last sentence of a paragraph, when it ends in a colon."""
    return before[-1] if before[-1].prose and text[before[-1].end - 1] in ":：" else None


def caption(text: str, before: Sequence[Unit], most: int) -> Unit | None:
    """A paragraph, when it is short and no tail of a longer one."""
    first, last = before[0], before[-1]
    tokens = sum(unit.tokens for unit in before)
    short = last.prose and tokens <= most and not text[first.start].islower()
    return Unit(first.start, last.end, last.block, first.page, tokens=tokens) if short else None


def is_header(row: str) -> bool:
    """Whether a table's first row names its columns: several cells, all words and none with a label of its own."""
    cells = [cell.strip() for cell in CELL_END.split(row) if cell.strip()]
    return len(cells) > 1 and all(cell[0].isalpha() for cell in cells) and not LABELLED.match(row)


def set_key(row: str, pieces: Sequence[Unit]) -> list[Unit]:
    """What the pieces of a row that is too long are told: its first cell."""
    end = CELL_END.search(row)
    if len(pieces) == 1 or not end:
        return []
    first = pieces[0]
    key = Unit(first.start, first.start + end.start(), first.block, first.page)
    for piece in pieces[1:]:
        piece.lead = key if key.end <= piece.start else None
    return [key]


def set_code(text: str, lines: Iterable[Unit], opener: Unit | None) -> None:
    """Depth: the indentation, less where a blank line stands before. Lead: the line that this one is indented under."""
    outer: list[tuple[int, Unit]] = []  # (indentation, line) of what the present line is inside of
    last: Unit | None = None
    for line in lines:
        between = text[last.end : line.start] if last else "\n\n"
        if "\n" not in between:
            line.depth, line.lead = CLOSING, last  # the rest of a line that is too long
            continue
        indent = line.start - text.rfind("\n", 0, line.start) - 1
        outer = [entry for entry in outer if entry[0] < indent]
        line.lead = outer[-1][1] if outer else opener
        if CLOSES.match(text, line.start):
            line.depth = CLOSING
        else:
            line.depth = 2 * indent + (between.count("\n") == 1)
            outer.append((indent, line))
        last = line


def shorten_leads(text: str, found: Iterable[Unit], made: Sequence[Unit], tokenizer: Tokenizer, most: int) -> None:
    """Cut leads above `most` tokens between words. One of a single longer word is left out."""
    count(made, text, tokenizer)
    leads = {id(unit.lead): unit.lead for unit in found if unit.lead}
    cut = {
        key: Unit(lead.start, lead.end, lead.block, lead.page, tokens=lead.tokens)
        for key, lead in leads.items()
        if lead.tokens > most
    }
    while longer := [lead for lead in cut.values() if lead.tokens > most]:
        for lead in longer:
            end = lead.start + (lead.end - lead.start) * most // lead.tokens
            lead.end = max(text.rfind(" ", lead.start, end), text.rfind("\t", lead.start, end), lead.start)
        count(longer, text, tokenizer)
        for lead in longer:
            lead.tokens = lead.tokens if lead.end > lead.start else 0
    for unit in found:
        if unit.lead and id(unit.lead) in cut:
            shorter = cut[id(unit.lead)]
            unit.lead = shorter if shorter.tokens else None
