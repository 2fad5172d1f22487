"""A contiguous run of a document's sentences around a passage: opened at what bears on the question, then grown.

Sentences outside of the passage come from its section (`Chunk.parent_start`, `parent_end`) and are not scored: what
stands nearest is worth most. Instructions to a model are passed over: the run goes on behind them, and spaces stand in
their place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np

from terrarium.guards.instructions import blanked, find_instructions, without_instructions
from terrarium.model import Passage
from terrarium.sentences import sentence_spans

CountTokens = Callable[[Sequence[str]], list[int]]


def best_window(scores: Sequence[float], lengths: Sequence[int], room: int) -> tuple[int, int]:
    """The run [first, last] of sentences around the best one whose `lengths` add up to at most `room`.

    It grows towards the better neighbour. The best sentence alone is returned even when it is longer than the room.
    """
    first = last = int(np.argmax(scores))
    used = lengths[first]
    while True:
        neighbours = [i for i in (first - 1, last + 1) if 0 <= i < len(scores) and used + lengths[i] <= room]
        if not neighbours:
            return first, last
        grown = max(neighbours, key=lambda i: scores[i])
        used += lengths[grown]
        first, last = min(first, grown), max(last, grown)


class Strip:
    """Of one passage. `sentences` are offsets into the chunk's text, `text` is the whole document's.

    `instructions` are offsets into the document. Those around the passage whose phrases give them away are found here.
    """

    def __init__(
        self,
        passage: Passage,
        sentences: Sequence[tuple[int, int]],
        scores: Sequence[float],
        text: str,
        count_tokens: CountTokens,
        instructions: Collection[tuple[int, int]] = (),
    ) -> None:
        chunk = passage.chunk
        self._passage, self._scores, self._text, self._count_tokens = passage, scores, text, count_tokens
        before = _spans(text, chunk.parent_start, chunk.start)
        own = [(chunk.start + start, chunk.start + end) for start, end in sentences]
        after = _spans(text, chunk.end, chunk.parent_end)
        self._spans = [*before, *own, *after]
        self._own = range(len(before), len(before) + len(own))
        self._first = self._last = len(before)
        told = [span for spans in (before, after) for span in _told(text, spans)]
        self._out = {*instructions, *told}

    @property
    def document(self) -> str:
        return self._passage.document.id

    @property
    def start(self) -> int:
        return self.taken()[0][0]

    @property
    def end(self) -> int:
        return self.taken()[-1][1]

    def taken(self) -> list[tuple[int, int]]:
        """The run's sentences, by offsets into the document; no instructions among them."""
        return [span for span in self._spans[self._first : self._last + 1] if span not in self._out]

    def around(self) -> list[tuple[int, int]]:
        """Those of them that stand outside of the passage."""
        own = self._spans[self._own.start : self._own.stop]
        return [span for span in self.taken() if span not in own]

    def open(self, room: int) -> int:
        """Take the passage's best sentences that fit in `room`, one at least. Returns their tokens."""
        own = self._spans[self._own.start : self._own.stop]
        counted = self._count_tokens([self._text[start:end] for start, end in own])
        lengths = [0 if span in self._out else length for span, length in zip(own, counted, strict=True)]
        scores = [-np.inf if span in self._out else score for span, score in zip(own, self._scores, strict=True)]
        first, last = best_window(scores, lengths, room)
        self._first, self._last = self._own.start + first, self._own.start + last
        return sum(lengths[first : last + 1])

    def grow(self, room: int, others: Sequence[Strip]) -> int:
        """Take neighbours as long as they fit and stand in none of `others`. Returns their tokens.

        The rest of the passage comes first, then in turn what follows it and what precedes it.
        """
        used, ahead = 0, True
        open_ends = {self._first - 1, self._last + 1}
        while open_ends := {place for place in open_ends if 0 <= place < len(self._spans)}:
            own = [place for place in open_ends if place in self._own]
            place = max(own or open_ends) if ahead or len(open_ends) == 1 else min(own or open_ends)
            start, end = self._spans[place]
            (tokens,) = (0,) if (start, end) in self._out else self._count_tokens([self._text[start:end]])
            open_ends.discard(place)
            if used + tokens > room or any(self._meets(other, start, end) for other in others):
                continue
            used += tokens
            open_ends.add(place + 1 if place > self._last else place - 1)
            self._first, self._last = min(self._first, place), max(self._last, place)
            ahead = not ahead
        return used

    def reaches(self, document: str, offset: int) -> bool:
        """Whether the run holds the character at an offset of a document's text."""
        return document == self.document and self.start <= offset < self.end

    def _meets(self, other: Strip, start: int, end: int) -> bool:
        same = other.document == self.document
        return same and start < other.end and other.start < end

    def shown(self, every: Sequence[Strip]) -> str:
        """The run, after the heading and the line that leads in where neither it nor another of `every` holds that."""
        passage = self.passage()
        chunk, offset = passage.chunk, passage.chunk.start
        text = chunk.text[self.start - offset : self.end - offset]
        read = any(strip.reaches(self.document, chunk.lead_start) for strip in every)
        lead = chunk.lead if chunk.lead and self.start > chunk.lead_start and not read else ""
        text = f"{lead} {text}" if lead else text
        heading = chunk.headings[-1] if chunk.headings else ""
        return text if not heading or text.startswith(heading) else f"{heading}: {text}"

    def passage(self) -> Passage:
        """The passage with a chunk that holds the run, and spaces for what gives a model orders."""
        chunk = self._passage.chunk
        start, end = min(chunk.start, self.start), max(chunk.end, self.end)
        out = [(first - start, last - start) for first, last in self._out]
        told = any(first <= chunk.lead_start < last for first, last in self._out)
        held = replace(
            chunk,
            text=blanked(self._text[start:end], out),
            start=start,
            end=end,
            headings=tuple(filter(None, map(without_instructions, chunk.headings))),
            lead="" if told else without_instructions(chunk.lead),
        )
        return replace(self._passage, chunk=held)


def _told(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    found = find_instructions([text[start:end] for start, end in spans])
    return [span for span, order in zip(spans, found, strict=True) if order]


def _spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    return [(start + first, start + last) for first, last in sentence_spans(text[start:end])]
