"""The plain text of a mail → blocks: what it quotes of others (“> …”) is told from what it says itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from terrarium.model import Block
from terrarium.readers.plain.text import text_blocks

QUOTED = re.compile(r"^(?:[ \t]?>)+ ?")


def plain_blocks(text: str) -> list[Block]:
    """Of a quote all lines are quotes; how many have quoted it before is not kept."""
    blocks: list[Block] = []
    for quoted, lines in groupby(text.split("\n"), lambda line: bool(QUOTED.match(line))):
        if quoted:
            said, _ = text_blocks("\n".join(QUOTED.sub("", line) for line in lines))
            blocks += [replace(block, kind="quote", level=0) for block in said]
        else:
            blocks += text_blocks("\n".join(lines))[0]
    return blocks


def below(blocks: Sequence[Block], level: int) -> list[Block]:
    """Blocks as they stand under a heading of that level."""
    return [replace(block, level=min(block.level + level, 6)) if block.kind == "heading" else block for block in blocks]
