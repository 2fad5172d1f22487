"""Document → child chunks for search, each with the parent section that is read with it.

Children are whole sentences, counted in the embedder's own tokens; parents are the section around them ("small to
big" retrieval). Heading path, pages and character offsets are kept. Chunks hold no hidden text, and nothing is
rewritten: a chunk is a stretch of the document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from terrarium.model import Chunk, Document
from terrarium.runtime.protocols import Tokenizer
from terrarium.sections import Unit, merge_tiny, sections, units

PATH_SEPARATOR = " › "
WIDE = (
    "\u2e80"  # from here on (CJK) a character is about a token, before it about a third of one (German is the measure)
)


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """Sizes in tokens of the embedder, without its markers."""

    target: int = 160  # a child's size where sentences allow it
    maximum: int = 200  # no child is larger; with path and markers it fits MiniLM's 256
    overlap: int = 50  # the last sentence of a child opens the next one if it is no longer than this
    parent: int = 600
    tiny: int = 40  # sections below this join a neighbour under the same heading


def chunk_document(document: Document, tokenizer: Tokenizer, settings: ChunkSettings | None = None) -> list[Chunk]:
    """Children in reading order. Their texts cover all visible text; consecutive ones may share a sentence."""
    settings = settings or ChunkSettings()
    text = document.text
    chunks: list[Chunk] = []
    found = sections(document, units(document, text, tokenizer, settings.maximum))
    for section in merge_tiny(found, settings.tiny, settings.target):
        pieces = section.units
        for first, last in pack(pieces, settings):
            low, high = parent(pieces, first, last, settings.parent)
            start, end = pieces[first].start, pieces[last].end
            chunks.append(
                Chunk(
                    document_id=document.id,
                    number=len(chunks),
                    text=text[start:end],
                    start=start,
                    end=end,
                    parent_start=pieces[low].start,
                    parent_end=pieces[high].end,
                    page=pieces[first].page,
                    last_page=pieces[last].page,
                    headings=section.path,
                )
            )
    return chunks


def pack(pieces: Sequence[Unit], settings: ChunkSettings) -> list[tuple[int, int]]:
    """Runs (first, last) of units that make one child each, of even sizes rather than a full one and a crumb."""
    runs: list[tuple[int, int]] = []
    left = sum(unit.tokens for unit in pieces)
    first = begin = 0  # `first` may lie one sentence before `begin`, where new text starts
    while begin < len(pieces):
        size = sum(unit.tokens for unit in pieces[first:begin])
        goal = left / max(1, -(-left // settings.target)) if size + left > settings.maximum else left
        last = begin
        size += pieces[begin].tokens
        while last + 1 < len(pieces) and size < goal and size + pieces[last + 1].tokens <= settings.maximum:
            last += 1
            size += pieces[last].tokens
        while last > begin and pieces[last].heading and last + 1 < len(pieces):
            last -= 1  # a heading stays with what it heads
        runs.append((first, last))
        left -= sum(unit.tokens for unit in pieces[begin : last + 1])
        begin = last + 1
        fits = begin < len(pieces) and pieces[last].tokens + pieces[begin].tokens <= settings.maximum
        repeat = pieces[last].prose and pieces[last].tokens <= settings.overlap and last > first and fits
        first = last if repeat else begin
    return runs


def parent(pieces: Sequence[Unit], first: int, last: int, most: int) -> tuple[int, int]:
    """The units around a child that fit in `most` tokens, taken in turn before and after it."""
    size = sum(unit.tokens for unit in pieces[first : last + 1])
    growing = True
    while growing:
        growing = False
        if last + 1 < len(pieces) and size + pieces[last + 1].tokens <= most:
            last += 1
            size += pieces[last].tokens
            growing = True
        if first > 0 and size + pieces[first - 1].tokens <= most:
            first -= 1
            size += pieces[first].tokens
            growing = True
    return first, last


def embedding_text(chunk: Chunk, document_title: str, budget: int = 40) -> str:
    """What is embedded: "Title › Heading › Subheading" on the first line, then the child's text.

    The first line holds about `budget` tokens at most: the title comes first, then the innermost headings. A heading
    that opens the child's text is not said twice.
    """
    title = shorten(document_title.strip(), budget * 6 // 10)
    left = budget - weight(title)
    path: list[str] = []
    for heading in reversed([h for h in chunk.headings if h != document_title]):
        shown = shorten(heading, left)
        if not shown:
            break
        path.insert(0, shown)
        left -= weight(shown) + 1
    body = chunk.text
    if chunk.headings and body.startswith(chunk.headings[-1] + "\n"):
        body = body[len(chunk.headings[-1]) + 1 :]
    line = PATH_SEPARATOR.join(part for part in [title, *path] if part)
    return f"{line}\n{body}" if line else body


def weight(text: str) -> int:
    """About how many tokens a text has."""
    wide = sum(character >= WIDE for character in text)
    return wide + -(-(len(text) - wide) // 3)


def shorten(text: str, tokens: int) -> str:
    """The beginning of the text that weighs at most `tokens`, cut between words, or "" when none fits."""
    if weight(text) <= tokens:
        return text
    if tokens < 3:
        return ""
    room = tokens if text[0] >= WIDE else tokens * 3
    cut = text[:room]
    return (cut.rpartition(" ")[0] or cut) if " " in text[: room + 1] else cut
