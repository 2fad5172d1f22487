"""What the generator reads: of each passage the stretch that bears on the question, within a budget of tokens.

A half-billion-parameter model on one WASM thread reads about 60 tokens a second and is misled by what it need not
read, so few, short sources are worth more than whole sections; on a graphics processor there is room for the sections
around them. Each source is one contiguous run of sentences: it reads naturally, and its offsets still point into the
document. Of a sentence that gives a model orders (`guards/`) nothing but spaces is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from terrarium.guards.instructions import find_instructions
from terrarium.model import Passage
from terrarium.retrieval.matches import SentenceMatch, instruction_spans, only_orders
from terrarium.retrieval.strips import CountTokens, Strip
from terrarium.runtime.protocols import Embedder

# The share of the budget that each rank may use; what one leaves over goes to the next.
_SHARES = (0.42, 0.25, 0.19)


@dataclass(frozen=True, slots=True)
class Source:
    """What the generator reads of passage `number` (1-based in the evidence list): document.text[start:end].

    `text` may have the heading or the line that leads in before it. `passage` is the evidence's, its chunk made as long
    as it takes to hold the stretch: sentences are checked against it, and quotations point into it.
    """

    number: int
    text: str
    passage: Passage
    start: int
    end: int


async def choose_sources(
    passages: Sequence[Passage],
    matches: Sequence[Sequence[SentenceMatch]],
    count_tokens: CountTokens,
    budget: int,
    text_of: Callable[[str], str],
    embedder: Embedder,
) -> list[Source]:
    """At most three sources of together at most about `budget` tokens, in the order of their rank.

    Each passage gets its share for the sentences that bear on the question; what two chunks share is read once.
    What is left goes to what stands around them in the passage and its section, the best passage first: a short passage
    comes with its neighbours, and where the budget is large sections are read whole. `text_of` gives a document's text
    by its id. A passage of which only labels and instructions are left is no source. What was taken from around a
    passage is embedded, for it may hold instructions too; then it is chosen again without them.

    A fourth source, and the second best at the end, where large models read best (Liu et al., "Lost in the middle",
    2023), made the small generator's answers no better: docs/retrieval.md.
    """
    orders = set(instruction_spans(passages, matches))
    screened: set[tuple[str, int, int]] = set()
    while True:
        strips = _strips(passages, matches, count_tokens, budget, text_of, orders)
        new = [
            (strip, around)
            for _, strip in strips
            if (around := [span for span in strip.around() if (strip.document, *span) not in screened])
        ]
        if not new:
            break
        for strip, around in new:
            screened.update((strip.document, *span) for span in around)
            spans = strip.taken()
            texts = [text_of(strip.document)[start:end] for start, end in spans]
            found = find_instructions(texts, await embedder.embed(texts), embedder.compatible)
            orders.update((strip.document, *span) for span, one in zip(spans, found, strict=True) if one)
    every = [strip for _, strip in strips]
    return [Source(number, strip.shown(every), strip.passage(), strip.start, strip.end) for number, strip in strips]


def _strips(
    passages: Sequence[Passage],
    matches: Sequence[Sequence[SentenceMatch]],
    count_tokens: CountTokens,
    budget: int,
    text_of: Callable[[str], str],
    orders: Collection[tuple[str, int, int]],
) -> list[tuple[int, Strip]]:
    """By the number of their passage."""
    strips: list[tuple[int, Strip]] = []
    allowed, used = 0.0, 0
    shares = iter(_SHARES)
    for number, (passage, every) in enumerate(zip(passages, matches, strict=True), start=1):
        offset, document = passage.chunk.start, passage.document.id
        own = {(start, end) for one, start, end in orders if one == document}
        marked = [replace(m, instruction=(offset + m.start, offset + m.end) in own) for m in every]
        if only_orders(marked):
            continue
        if (share := next(shares, None)) is None:
            break
        found = [m for m in marked if not any(strip.reaches(document, offset + m.start) for _, strip in strips)]
        if any(not m.instruction for m in found):
            allowed += share * budget
            spans, scores = [(match.start, match.end) for match in found], [match.score for match in found]
            strip = Strip(passage, spans, scores, text_of(document), count_tokens, own)
            used += strip.open(int(allowed) - used)
            strips.append((number, strip))
    for _, strip in strips:
        used += strip.grow(budget - used, [other for _, other in strips if other is not strip])
    return strips
