"""Document → sections of units: the sentences and rows that chunks are made of, under their heading path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from terrarium.model import Block, Document
from terrarium.runtime.protocols import Tokenizer
from terrarium.sentences import sentence_spans, split_span

BATCH = 2000  # texts given to the tokenizer at once: bounds what crosses into its heap
LETTERS = 12  # at most, of a token: WordPiece takes any word of over 100 letters for one unknown token
LONGEST = 4000  # characters that are tokenized whole; more is cut before it is counted


@dataclass(slots=True)
class Unit:
    """What is never cut: a sentence, a table row, a line of code. Too long a one is cut into several units."""

    start: int
    end: int
    block: int
    page: int | None
    heading: bool
    prose: bool
    tokens: int = 0


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


def units(document: Document, text: str, tokenizer: Tokenizer, maximum: int) -> list[Unit]:
    """Units of all visible blocks in reading order, none above `maximum` tokens."""
    found: list[Unit] = []
    for index, (block, start) in enumerate(zip(document.blocks, document.block_starts, strict=True)):
        if block.hidden:
            continue
        heading, prose = block.kind == "heading", block.kind in {"paragraph", "list_item", "quote"}
        for first, last in block_spans(block):
            parts = split_span(block.text, first, last, (last - first) // LONGEST + 1)
            found += [Unit(start + a, start + b, index, block.page, heading, prose) for a, b in parts]
    count(found, text, tokenizer)
    while any(unit.tokens > maximum for unit in found):
        pieces = [piece for unit in found for piece in split(unit, text, maximum)]
        count([piece for piece in pieces if not piece.tokens], text, tokenizer)
        found = pieces
    return found


def block_spans(block: Block) -> list[tuple[int, int]]:
    if block.kind in {"heading", "table_row"}:
        return [(0, len(block.text))] if block.text.strip() else []
    if block.kind == "code":
        spans, start = [], 0
        for line in block.text.split("\n"):
            if line.strip():
                spans.append((start, start + len(line)))
            start += len(line) + 1
        return spans
    return sentence_spans(block.text)


def count(pieces: Sequence[Unit], text: str, tokenizer: Tokenizer) -> None:
    for i in range(0, len(pieces), BATCH):
        batch = pieces[i : i + BATCH]
        encoded = tokenizer.encode_batch([text[unit.start : unit.end] for unit in batch], special=False)
        for unit, ids in zip(batch, encoded, strict=True):
            unit.tokens = max(1, len(ids), (unit.end - unit.start) // LETTERS)


def split(unit: Unit, text: str, maximum: int) -> list[Unit]:
    """The unit itself, or its pieces, still to be counted."""
    if unit.tokens <= maximum or unit.end - unit.start < 2:
        unit.tokens = min(unit.tokens, maximum)  # one character of many tokens cannot be cut
        return [unit]
    spans = split_span(text, unit.start, unit.end, -(-unit.tokens // (maximum * 4 // 5)))
    return [Unit(a, b, unit.block, unit.page, unit.heading, unit.prose) for a, b in spans]


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
