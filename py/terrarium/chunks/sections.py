"""Units → sections: what stands under one heading path, small ones joined."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from terrarium.chunks.units import Unit
from terrarium.model import Document


@dataclass(slots=True)
class Section:
    """Units between two headings, or between a heading and hidden text."""

    path: tuple[str, ...]
    units: list[Unit] = field(default_factory=list)
    after_hidden: bool = False  # hidden text lies between this section and the one before

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
    block = -1
    for unit in pieces:
        hidden = any(document.blocks[i].hidden for i in range(block + 1, unit.block))
        if unit.heading and unit.block != block:
            level, title = document.blocks[unit.block].level or 1, document.blocks[unit.block].text
            path = [entry for entry in path if entry[0] < level] + [(level, " ".join(title.split()))]
            result.append(Section(tuple(title for _, title in path), after_hidden=hidden))
        elif hidden or not result:
            result.append(Section(tuple(title for _, title in path), after_hidden=hidden))
        result[-1].units.append(unit)
        block = unit.block
    return result


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
    return small and not section.bare and shared > 0 and shared >= min(len(last.path), len(section.path)) - 1


def common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    return one[:shared]
