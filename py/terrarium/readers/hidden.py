"""Hidden text of a document: kept for the person behind everything that is seen, and said.

Hidden blocks end a section, so in their own places they would cut what a reader sees as one; chunks pass over them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from terrarium.model import Block
from terrarium.readers.pdf.warnings import numbers

WORD = re.compile(r"[^\W_]+")
LONGEST = 2000  # characters of a hidden block


def behind(blocks: Iterable[Block], carried: str) -> list[Block]:
    """The blocks, the hidden ones last and joined page by page; `carried` is a text of invisible characters."""
    blocks = list(blocks)
    shown = [block for block in blocks if not block.hidden]
    texts = [(block.page, block.text) for block in blocks if block.hidden] + [(None, carried)] * bool(carried)
    hidden = []
    for page, group in groupby(texts, key=lambda entry: entry[0]):
        parts: list[str] = []
        for _, text in group:
            if parts and len(parts[-1]) + len(text) < LONGEST:
                parts[-1] += "\n" + text
            else:
                parts.append(text)
        hidden += [Block("paragraph", part, page, hidden=True) for part in parts]
    return shown + hidden


def hidden_warning(blocks: Sequence[Block], carried: str) -> list[str]:
    """What a person must know about them: how much, where, and what becomes of it."""
    found = [(block.page, WORD.findall(block.text)) for block in blocks if block.hidden]
    # A single letter is what the edge of a page cut off a word.
    hidden = [(page, words) for page, words in found if any(len(word) > 1 for word in words)]
    words = sum(len(words) for _, words in hidden)
    if not words:
        return []
    pages = sorted({page for page, _ in hidden if page})
    where = f" on {numbers(pages)}" if pages else ""
    how = ", some of it in characters that show nothing" if carried else ""
    return [
        f"hidden text{where} ({words} {'word' if words == 1 else 'words'}{how}): "
        "nobody sees it in the original, so it is neither searched nor read; it is marked at the end of the text"
    ]
