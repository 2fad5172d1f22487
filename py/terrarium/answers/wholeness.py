"""What must be quoted with a sentence so that it says something by itself.

The sentence before one that begins with a pronoun; the list or the code that a sentence ending in a colon leads into;
the whole item of a list and the sentence that leads into it; the header row of a table row whose cells are not named.
All of it by the document's blocks: nothing is guessed from line breaks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from terrarium.chunks.leads import is_header
from terrarium.model import Block, Document
from terrarium.sentences import sentence_spans

MOST = 420  # characters of one quotation with what stands with it
_ITEMS = 4  # of a list that is led into

_POINTS_BACK = re.compile(
    r"(?:it|its|they|their|them|this|that|these|those|he|his|she|her|such|both|here|there|otherwise|instead|however"
    r"|therefore|thus|also|then"
    r"|er|es|sie|ihre?|seine?|dies(?:e[rsmn]?)?|dabei|dazu|dadurch|damit|dafür|davon|daher|deshalb|dort|jedoch"
    r"|ils?|elles?|cela|ceci|ce(?:tte|s|t)?|leurs?|celui-ci|celle-ci|ainsi|donc|toutefois"
    r"|él|ella|ellos|ellas|esto|eso|est[ea]s?|es[ea]s?|dich[oa]s?|así|por tanto|sin embargo)(?![\w-])"
    "|[它他她]们?|这|那|该|此|其",
    re.IGNORECASE,
)
_LEADS_IN = re.compile(r"[:：]\s*$")
_ENDS = re.compile(r"[.!?…。！？][\"'”’»)\]]*\s*$")


@dataclass(frozen=True, slots=True)
class Stretch:
    """document.text[start:end]."""

    start: int
    end: int


def whole(document: Document, text: str, start: int, end: int) -> tuple[Stretch, ...]:
    """The stretches that say what text[start:end] says, in reading order; the sentence alone where it needs nothing.

    Nothing for a heading. `text` is `document.text`.
    """
    starts = document.block_starts
    index = bisect_right(starts, start) - 1
    block = document.blocks[index]
    if block.kind == "heading":
        return ()
    if block.kind == "list_item":
        return _item(document.blocks, starts, index, text, start, end)
    if block.kind == "table_row":
        return _row(document.blocks, starts, index)
    own = Stretch(start, end)
    if _LEADS_IN.search(text[start:end]):
        return (_led_into(document.blocks, starts, index, own),)
    if block.kind in ("paragraph", "quote") and points_back(text[start:end]):
        return (_with_sentence_before(text, starts[index], own),)
    return (own,)


def points_back(sentence: str) -> bool:
    """Whether a sentence begins with a word for something said before it."""
    return bool(_POINTS_BACK.match(sentence))


def _with_sentence_before(text: str, block_start: int, own: Stretch) -> Stretch:
    before = sentence_spans(text[block_start : own.start])
    if not before or own.end - (block_start + before[-1][0]) > MOST:
        return own
    return Stretch(block_start + before[-1][0], own.end)


def _led_into(blocks: Sequence[Block], starts: Sequence[int], index: int, own: Stretch) -> Stretch:
    """The sentence with the first of what follows it, as far as it is a list, code or one paragraph."""
    if own.end < starts[index] + len(blocks[index].text.rstrip()):
        return own  # the block goes on: the next sentence is a match of its own
    end, kinds = own.end, {block.kind for block in blocks[index + 1 : index + 2]}
    for block, start in list(zip(blocks, starts, strict=True))[index + 1 : index + 1 + _ITEMS]:
        if block.kind not in kinds or block.kind == "heading" or start + len(block.text) - own.start > MOST:
            break
        end = start + len(block.text)
        if block.kind in ("paragraph", "quote"):
            break
    return Stretch(own.start, end)


def _item(
    blocks: Sequence[Block], starts: Sequence[int], index: int, text: str, start: int, end: int
) -> tuple[Stretch, ...]:
    block = blocks[index]
    own = Stretch(starts[index], starts[index] + len(block.text))
    if own.end - own.start > MOST:
        own = Stretch(start, end)
    lead = _lead_of_item(blocks, starts, index, text)
    return (lead, own) if lead else (own,)


def _lead_of_item(blocks: Sequence[Block], starts: Sequence[int], index: int, text: str) -> Stretch | None:
    """The item around it, or the last sentence before the list; only if that ends in a colon or the item in no stop."""
    level = blocks[index].level
    for place in range(index - 1, -1, -1):
        before = blocks[place]
        if before.kind == "list_item" and before.level >= level:
            continue
        spans = sentence_spans(before.text)
        if before.kind not in ("list_item", "paragraph", "quote") or not spans:
            return None
        first, last = spans[-1] if before.kind != "list_item" else spans[0]
        lead = Stretch(starts[place] + first, starts[place] + last)
        bare = not _ENDS.search(blocks[index].text)
        return lead if bare or _LEADS_IN.search(text[lead.start : lead.end]) else None
    return None


def _row(blocks: Sequence[Block], starts: Sequence[int], index: int) -> tuple[Stretch, ...]:
    """The row, behind the first of its table when that names the columns; the first one with some rows beneath it."""
    own = Stretch(starts[index], starts[index] + len(blocks[index].text))
    first = index
    while first > 0 and blocks[first - 1].kind == "table_row":
        first -= 1
    if not is_header(blocks[first].text):
        return (own,)
    if first == index:
        return (_led_into(blocks, starts, index, own),)
    return Stretch(starts[first], starts[first] + len(blocks[first].text)), own
