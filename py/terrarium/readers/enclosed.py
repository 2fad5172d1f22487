"""Files inside of a file, mail's attachments and an archive's members: each a section under its name.

They are read like any other file, by their content. What a file holds in all, its files' files included, is bounded.
Their pages are not told apart: a page's number would be taken for one of the file that was added.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace

from terrarium.errors import UnreadableFile
from terrarium.model import Block, Document
from terrarium.readers.archive import DEEPEST, MOST_FILES, Allowance
from terrarium.readers.content import Enclosed

NAMED = 8  # files left out that are named


Read = Callable[[bytes, str], Awaitable[Document]]


async def with_enclosed(
    items: Iterable[Block | Enclosed], allowance: Allowance, read: Read
) -> tuple[list[Block], list[str]]:
    """(blocks with those of the enclosed files in their places, warnings: what was left out and why among them)."""
    blocks: list[Block] = []
    warnings: list[str] = []
    left_out: list[str] = []
    for item in items:
        if isinstance(item, Block):
            blocks.append(item)
            continue
        if not (allowance.depth and allowance.files):
            left_out.append(f"“{item.name}” (over {MOST_FILES} files in it, or over {DEEPEST} inside of one another)")
            continue
        allowance.files -= 1
        allowance.depth -= 1
        try:
            document = await read(item.open(), item.name)
        except UnreadableFile as error:
            left_out.append(str(error))
            continue
        finally:
            allowance.depth += 1
        blocks.append(Block("heading", item.name, level=min(item.level, 6)))
        blocks += below(document.blocks, item.level)
        warnings += [f"“{item.name}”: {warning}" for warning in document.warnings]
    return blocks, warnings + [f"left out: {why}" for why in left_out[:NAMED]] + rest(left_out)


def rest(left_out: Sequence[str]) -> list[str]:
    more = len(left_out) - NAMED
    return [f"left out: {more} more files in it that cannot be read"] if more > 0 else []


def below(blocks: Sequence[Block], level: int) -> list[Block]:
    """Blocks as they stand under a heading of that level."""
    return [
        replace(block, page=None, level=min(block.level + level, 6) if block.kind == "heading" else block.level)
        for block in blocks
    ]
