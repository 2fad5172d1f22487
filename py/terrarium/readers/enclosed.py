"""Files inside of a file, mail's attachments and an archive's members: each a section under its name.

They are read like any other file, by their content. What a file holds in all, its files' files included, is bounded.
Their pages are not told apart: a page's number would be taken for one of the file that was added.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from terrarium.errors import UnreadableFile
from terrarium.model import Block, Document
from terrarium.readers.archive import MOST_BYTES

DEEPEST = 3  # files inside of files
MOST_FILES = 1000
NAMED = 8  # files left out that are named


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A file where it stands among the blocks; `level` is that of the heading that names it."""

    name: str
    open: Callable[[], bytes]
    level: int = 1


@dataclass(slots=True)
class Allowance:
    """What the file that was added may still hold, counted down by all that is in it."""

    depth: int = DEEPEST
    files: int = MOST_FILES
    size: int = MOST_BYTES

    @property
    def used_up(self) -> bool:
        return self.files < 0 or self.size < 0

    def take(self, data: bytes, whole: str) -> None:
        self.files -= 1
        self.size -= len(data)
        if self.used_up:
            raise UnreadableFile(f"“{whole}” was not read: it holds over {MOST_FILES} files or {MOST_BYTES >> 20} MB.")


Read = Callable[[bytes, str], Awaitable[Document]]


async def with_enclosed(
    items: Iterable[Block | Enclosed], name: str, allowance: Allowance, read: Read
) -> tuple[list[Block], list[str]]:
    """(blocks with those of the enclosed files in their places, what was left out and why).

    Raises UnreadableFile when the allowance is used up.
    """
    blocks: list[Block] = []
    warnings: list[str] = []
    left_out: list[str] = []
    for item in items:
        if isinstance(item, Block):
            blocks.append(item)
            continue
        if not allowance.depth:
            left_out.append(f"“{item.name}” (files inside of files, more than {DEEPEST} deep)")
            continue
        allowance.depth -= 1
        try:
            data = item.open()
            allowance.take(data, name)
            document = await read(data, item.name)
        except UnreadableFile as error:
            if allowance.used_up:
                raise
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
