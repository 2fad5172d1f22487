"""Document → units: the sentences, rows and lines that chunks are made of, counted in the embedder's tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
    heading: bool = False
    prose: bool = False
    tokens: int = 0
    depth: int = 0  # of a line of code: how far inside something it lies
    lead: Unit | None = None  # what a chunk that begins here must be told: see leads.py

    @property
    def lead_tokens(self) -> int:
        return self.lead.tokens if self.lead else 0


def units(document: Document, text: str, tokenizer: Tokenizer, maximum: int, lead: int) -> list[Unit]:
    """Units of all visible blocks in reading order, none above `maximum` tokens; what may get a lead leaves room."""
    found: list[Unit] = []
    for index, (block, start) in enumerate(zip(document.blocks, document.block_starts, strict=True)):
        if block.hidden:
            continue
        heading, prose = block.kind == "heading", block.kind in {"paragraph", "list_item", "quote"}
        for first, last in block_spans(block):
            parts = split_span(block.text, first, last, (last - first) // LONGEST + 1)
            found += [Unit(start + a, start + b, index, block.page, heading, prose) for a, b in parts]
    count(found, text, tokenizer)
    led = {index for index, block in enumerate(document.blocks) if block.kind in {"list_item", "table_row", "code"}}
    return fitted(found, text, tokenizer, [maximum - lead * (unit.block in led) for unit in found])


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
    tokens = token_counts([text[unit.start : unit.end] for unit in pieces], tokenizer)
    for unit, counted in zip(pieces, tokens, strict=True):
        unit.tokens = max(1, counted, (unit.end - unit.start) // LETTERS)


def token_counts(texts: Sequence[str], tokenizer: Tokenizer) -> list[int]:
    """Without markers."""
    counts: list[int] = []
    for i in range(0, len(texts), BATCH):
        counts += map(len, tokenizer.encode_batch(texts[i : i + BATCH], special=False))
    return counts


def fitted(found: Sequence[Unit], text: str, tokenizer: Tokenizer, limits: Sequence[int]) -> list[Unit]:
    """The units, those above their limit cut until their pieces are not."""
    limited = list(zip(found, limits, strict=True))
    while any(unit.tokens > limit for unit, limit in limited):
        limited = [(piece, limit) for unit, limit in limited for piece in split(unit, text, limit)]
        count([piece for piece, _ in limited if not piece.tokens], text, tokenizer)
    return [unit for unit, _ in limited]


def split(unit: Unit, text: str, maximum: int) -> list[Unit]:
    """The unit itself, or its pieces, still to be counted."""
    if unit.tokens <= maximum or unit.end - unit.start < 2:
        unit.tokens = min(unit.tokens, maximum)  # one character of many tokens cannot be cut
        return [unit]
    spans = split_span(text, unit.start, unit.end, -(-unit.tokens // (maximum * 4 // 5)))
    return [Unit(a, b, unit.block, unit.page, unit.heading, unit.prose) for a, b in spans]
