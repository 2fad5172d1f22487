"""Document → child chunks for search, each with the parent section that is read with it.

Children are whole sentences, rows and lines, counted in the embedder's own tokens; parents are the section around them
("small to big" retrieval). Heading path, pages and character offsets are kept, and what a child needs to be told when
it begins in the middle of a list, a table or a listing (leads). Chunks hold no hidden text, and nothing is rewritten:
a chunk is a stretch of the document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from terrarium.chunks.heading_path import path_line
from terrarium.chunks.leads import set_leads
from terrarium.chunks.sections import Section, merge_tiny, sections
from terrarium.chunks.units import Unit, fitted, token_counts, units
from terrarium.model import Chunk, Document
from terrarium.runtime.protocols import Tokenizer


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """Sizes in tokens of the embedder, without its markers."""

    target: int = 160  # a child's size where sentences allow it
    maximum: int = 200  # no child with its lead is larger; with path, markers and prefix it fits MiniLM's 256
    lead: int = 40  # of these at most
    path: int = 40  # a heading path of more tokens than this takes them from the child
    overlap: int = 64  # the last sentence of a child opens the next one unless it is longer: nine of ten are not
    parent: int = 600
    tiny: int = 40  # sections below this join a neighbour under the same heading


def chunk_document(document: Document, tokenizer: Tokenizer, settings: ChunkSettings | None = None) -> list[Chunk]:
    """Children in reading order. Their texts cover all visible text; consecutive ones may share a sentence."""
    settings = settings or ChunkSettings()
    text = document.text
    chunks: list[Chunk] = []
    pieces = units(document, text, tokenizer, settings.maximum, settings.lead)
    found = merge_tiny(sections(document, pieces), settings.tiny, settings.target)
    limits = section_limits(found, document.title, tokenizer, settings)
    for section, limit in zip(found, limits, strict=True):
        if limit < settings.maximum:
            section.units = fitted(section.units, text, tokenizer, [limit - settings.lead] * len(section.units))
    set_leads(document, text, [unit for section in found for unit in section.units], tokenizer, settings.lead)
    for section, limit in zip(found, limits, strict=True):
        pieces = section.units
        for first, last in pack(pieces, limit, settings):
            low, high = parent(pieces, first, last, settings.parent)
            start, end, lead = pieces[first].start, pieces[last].end, pieces[first].lead
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
                    lead=text[lead.start : lead.end] if lead else "",
                    lead_start=lead.start if lead else 0,
                )
            )
    return chunks


def section_limits(found: Sequence[Section], title: str, tokenizer: Tokenizer, settings: ChunkSettings) -> list[int]:
    """The most tokens of each section's children: fewer where the path is of odd words, whose tokens are many."""
    lines = {section.path: path_line(title, section.path) for section in found}
    counts = token_counts(list(lines.values()), tokenizer)
    over = {path: max(0, tokens - settings.path) for path, tokens in zip(lines, counts, strict=True)}
    return [settings.maximum - over[section.path] for section in found]


def pack(pieces: Sequence[Unit], maximum: int, settings: ChunkSettings) -> list[tuple[int, int]]:
    """Runs (first, last) of units that make one child each, of even sizes rather than a full one and a crumb."""
    runs: list[tuple[int, int]] = []
    target = min(settings.target, maximum)
    left = sum(unit.tokens for unit in pieces)
    first = begin = 0  # `first` may lie one sentence before `begin`, where new text starts
    while begin < len(pieces):
        size = pieces[first].lead_tokens + sum(unit.tokens for unit in pieces[first:begin])
        goal = left / max(1, -(-left // target)) if size + left > maximum else left
        last = begin
        size += pieces[begin].tokens
        while last + 1 < len(pieces) and size < goal and size + pieces[last + 1].tokens <= maximum:
            last += 1
            size += pieces[last].tokens
        last = code_end(pieces, begin, last)
        while last > begin and pieces[last].heading and last + 1 < len(pieces):
            last -= 1  # a heading stays with what it heads
        runs.append((first, last))
        left -= sum(unit.tokens for unit in pieces[begin : last + 1])
        begin = last + 1
        repeated = pieces[last].tokens + pieces[last].lead_tokens
        fits = begin < len(pieces) and repeated + pieces[begin].tokens <= maximum
        repeat = pieces[last].prose and pieces[last].tokens <= settings.overlap and last > first and fits
        first = last if repeat else begin
    return runs


def code_end(pieces: Sequence[Unit], begin: int, last: int) -> int:
    """Where a child that would end inside a listing ends better: before the shallowest line of its second half."""
    if last + 1 == len(pieces):
        return last
    best, size = last + 1, sum(unit.tokens for unit in pieces[begin : last + 1])
    half = size / 2
    for place in range(last, begin, -1):
        size -= pieces[place].tokens
        if size < half or pieces[place].block != pieces[last + 1].block:
            break
        if pieces[place].depth < pieces[best].depth:
            best = place
    return best - 1


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


def embedding_text(chunk: Chunk, document_title: str) -> str:
    """What is embedded: "Title › Heading › Subheading" on the first line, then the lead and the child's text.

    A heading that opens the child's text is not said twice.
    """
    body = chunk.text
    if chunk.headings and body.startswith(chunk.headings[-1] + "\n"):
        body = body[len(chunk.headings[-1]) + 1 :]
    return "\n".join(part for part in (path_line(document_title, chunk.headings), chunk.lead, body) if part)
