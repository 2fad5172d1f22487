"""Files inside of a file (mail's attachments, an archive's members): each is read as a file of its own.

It is named by its path, the outer file's name before its own, and knows what it was inside of. What a file holds in
all, its files' files included, is bounded; what is left out and why stands among the outer file's warnings.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from terrarium.errors import PasswordNeeded, UnreadableFile
from terrarium.model import Document
from terrarium.readers.archive import DEEPEST, MOST_FILES
from terrarium.readers.content import Content, Enclosed, ReadFile, Source

NAMED = 8  # files left out that are named
REASONS = 3  # of them in the sentence for a file of which nothing is left
STEPS = 100  # of progress for each file
BLANK = b" \t\r\n\v\f\0"

Read = Callable[[Source], Awaitable[tuple[Document, Content]]]


class Reading:
    """One file that was added and all that is in it, by `read`, which knows the formats and reads one file alone.

    Bytes that come twice are read once: of one outer file they are one file, of two each has it.
    """

    def __init__(self, read: Read) -> None:
        self._read = read
        self._files: dict[str, ReadFile | None] = {}  # by id; None for those that are being read

    async def file(self, source: Source) -> ReadFile:
        """Raises UnreadableFile for a file without text, unless it may be without or there are files in it."""
        document, content = await self._read(source)
        self._files[document.id] = None
        try:
            inside, left_out = await self._inside(source, document, content.enclosed)
        finally:
            del self._files[document.id]
        if not (document.blocks or inside or content.may_be_empty):
            reasons = " ".join([*content.warnings, *left_out][:REASONS]).rstrip(".")
            raise UnreadableFile(f"“{source.name}” holds no text that can be read{f' ({reasons})' if reasons else ''}.")
        said = [f"left out: {why}" for why in left_out[:NAMED]] + rest(left_out)
        read = ReadFile(replace(document, warnings=(*document.warnings, *said)), source.data, tuple(inside.values()))
        self._files[document.id] = read
        return read

    async def _inside(
        self, source: Source, outer: Document, enclosed: Sequence[Enclosed]
    ) -> tuple[Mapping[str, ReadFile], list[str]]:
        """(files by id, a sentence for each that is left out)."""
        found: dict[str, ReadFile] = {}
        left_out: list[str] = []
        taken: dict[str, int] = {}
        blank = 0
        allowance = source.allowance
        for number, item in enumerate(enclosed):
            step = _step(source.progress, number, len(enclosed))
            step(0, 1)
            await asyncio.sleep(0)  # a cancel is heard between any two files
            if not (allowance.depth and allowance.files):
                bound = f"over {MOST_FILES} files in it, or over {DEEPEST} inside of one another"
                left_out.append(f"“{item.name}” ({bound})")
                continue
            allowance.files -= 1
            allowance.depth -= 1
            try:
                data = item.open()
                if data.strip(BLANK):
                    read = await self._once(replace(source, data=data, name=item.name, progress=step, words=()))
                    if read.document.id not in found:
                        name = free_name(item.name, taken)
                        found[read.document.id] = placed(read, f"{source.name}/{name}", outer.id)
                else:
                    blank += 1
            except PasswordNeeded:
                how = "opens with a password only: save it by itself and add it, or save it without a password"
                left_out.append(f"“{item.name}” {how}.")
            except UnreadableFile as error:
                left_out.append(str(error))
            finally:
                allowance.depth += 1
        if blank:
            left_out.append("an empty file." if blank == 1 else f"{blank} empty files.")
        return found, left_out

    async def _once(self, source: Source) -> ReadFile:
        key = hashlib.sha256(source.data).hexdigest()
        if key not in self._files:
            return await self.file(replace(source, password=None))
        if (read := self._files[key]) is None:
            raise UnreadableFile(f"“{source.name}” is the file itself that it lies in.")
        return read


def placed(read: ReadFile, path: str, outer: str) -> ReadFile:
    """Under its path in the outer file, and all that is in it below that."""
    inner = tuple(
        placed(one, f"{path}/{one.document.name.removeprefix(read.document.name + '/')}", read.document.id)
        for one in read.enclosed
    )
    return ReadFile(replace(read.document, name=path, within=outer), read.data, inner)


def free_name(name: str, taken: dict[str, int]) -> str:
    """`name`, or "name (2).txt" where another file has it. `taken` has how often each was asked for, and learns."""
    path, free = PurePosixPath(name), name
    while free in taken:
        taken[name] += 1
        free = str(path.with_name(f"{path.stem} ({taken[name]}){path.suffix}"))
    taken[free] = 1
    return free


def flattened(read: ReadFile) -> dict[str, tuple[ReadFile, tuple[str, ...]]]:
    """Every file once, by id, the outermost first: (the file, ids of those that it is directly inside of)."""
    found: dict[str, tuple[ReadFile, tuple[str, ...]]] = {}
    waiting = [read]
    for one in waiting:
        document = one.document
        if document.id in found:
            known, within = found[document.id]
            found[document.id] = (known, tuple(dict.fromkeys((*within, document.within))))
        else:
            found[document.id] = (one, (document.within,) if document.within else ())
            waiting += one.enclosed
    return found


def rest(left_out: Sequence[str]) -> list[str]:
    more = len(left_out) - NAMED
    return [f"left out: {more} more files in it that cannot be read"] if more > 0 else []


def _step(progress: Callable[[int, int], None] | None, number: int, total: int) -> Callable[[int, int], None]:
    """What tells how far one of several files is, as a part of them all."""

    def report(done: int, of: int) -> None:
        if progress:
            progress(STEPS * number + (STEPS * done // of if of else 0), STEPS * total)

    return report
