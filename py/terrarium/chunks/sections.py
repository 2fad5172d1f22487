"""Units → sections: what stands under one heading path, small ones joined.

A heading opens a section; in source code a function or class does, under the name that its own line gives it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from terrarium.chunks.units import Unit
from terrarium.definitions import signature
from terrarium.model import Block, Document


@dataclass(slots=True)
class Section:
    """Units between two headings, or between a heading and hidden text."""

    path: tuple[str, ...]
    units: list[Unit] = field(default_factory=list)
    after_hidden: bool = False  # hidden text lies between this section and the one before
    code: bool = False  # of a file of source code

    @property
    def tokens(self) -> int:
        return sum(unit.tokens for unit in self.units)

    @property
    def bare(self) -> bool:
        """Headings only."""
        return all(unit.heading for unit in self.units)


def sections(document: Document, pieces: Iterable[Unit]) -> list[Section]:
    """A heading opens a section; hidden text ends one."""
    path: list[tuple[int, str]] = []
    result: list[Section] = []
    block, code = -1, document.kind == "code"
    for unit in pieces:
        hidden = any(document.blocks[i].hidden for i in range(block + 1, unit.block))
        begins = unit.block != block and (unit.heading or code)
        if begins:
            path = path_at(document.blocks[unit.block], path)
        if begins or hidden or not result:
            result.append(Section(tuple(title for _, title in path), after_hidden=hidden, code=code))
        result[-1].units.append(unit)
        block = unit.block
    return result


def path_at(block: Block, path: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """(level, title) of what a heading, or a piece of source code, stands under, itself included."""
    if block.kind == "heading":
        level = block.level or 1
        return [entry for entry in path if entry[0] < level] + [(level, " ".join(block.text.split()))]
    named = signature(block.text) if block.level else ""
    outer = [entry for entry in path if entry[0] < block.level + (not named)]
    return [*outer, (block.level, named)] if named else outer


def merge_tiny(found: Iterable[Section], tiny: int, target: int) -> list[Section]:
    """Sections too small to stand alone join their neighbour under the same heading.

    A heading without text of its own joins the section under it, whatever that one's size, and takes its path.
    """
    result: list[Section] = []
    for section in found:
        last = result[-1] if result else None
        if last is None or section.after_hidden:
            result.append(section)
        elif last.bare and section.path[: len(last.path)] == last.path:
            last.units += section.units
            last.path = section.path
        elif joins(last, section, tiny, target):
            last.units += section.units
            last.path = common(last.path, section.path)
        else:
            result.append(section)
    return result


def joins(last: Section, section: Section, tiny: int, target: int) -> bool:
    small = min(last.tokens, section.tokens) < tiny and last.tokens + section.tokens <= target
    shared = len(common(last.path, section.path))
    related = shared > 0 or (last.code and section.code)  # all code of a file stands under its name
    return small and not section.bare and related and shared >= min(len(last.path), len(section.path)) - 1


def common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    return one[:shared]
