"""A passage cut into places: each of its sentences with what stands around it, ready to be held against a claim.

A claim is held against a place and not against a whole passage: a figure from one end of it and a name from the other
are no statement of it. Stretches that were blanked (instructions to the model) end a place and are in none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from terrarium.answers.dates import Date, dates_in
from terrarium.answers.quantities import Quantity, numbers_in, quantities_in
from terrarium.answers.words import content_words
from terrarium.sentences import sentence_spans

_BLANKED = re.compile(r" {12,}")


@dataclass(frozen=True)
class Place:
    """A sentence of a passage: text[start:end]. `around` has its neighbours and the passage's headings too."""

    text: str
    start: int
    end: int
    around: str
    before: tuple[int, int] | None  # the sentences beside it, where nothing was blanked between
    after: tuple[int, int] | None
    text_before: str = ""
    text_after: str = ""
    context: str = ""  # the headings

    @cached_property
    def surroundings(self) -> str:
        """The sentence between its neighbours, without the headings."""
        return self.around.removeprefix(f"{self.context}\n")

    @cached_property
    def words(self) -> frozenset[str]:
        """Content words of all of it."""
        return content_words(self.around)

    @cached_property
    def own_words(self) -> frozenset[str]:
        return content_words(self.text)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        return quantities_in(self.around)

    @cached_property
    def own_quantities(self) -> tuple[Quantity, ...]:
        return quantities_in(self.text)

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(numbers_in(self.around))

    @cached_property
    def own_numbers(self) -> frozenset[str]:
        return frozenset(numbers_in(self.text))

    @cached_property
    def dates(self) -> tuple[Date, ...]:
        return dates_in(self.around)


def places_of(text: str, headings: Sequence[str] = ()) -> list[Place]:
    """One for each sentence of the text, in order."""
    spans = spans_of(text)
    context = "\n".join(headings)
    found: list[Place] = []
    for at, (start, end) in enumerate(spans):
        before = spans[at - 1] if at and not _BLANKED.search(text[spans[at - 1][1] : start]) else None
        following = at + 1 < len(spans) and not _BLANKED.search(text[end : spans[at + 1][0]])
        after = spans[at + 1] if following else None
        around = text[(before or (start, end))[0] : (after or (start, end))[1]]
        text_before, text_after = (text[slice(*span)] if span else "" for span in (before, after))
        found.append(
            Place(text[start:end], start, end, f"{context}\n{around}", before, after, text_before, text_after, context)
        )
    return found


def spans_of(text: str) -> list[tuple[int, int]]:
    """Where its sentences stand; the whole text where it has none."""
    spans = []
    for start, end in sentence_spans(text):
        edge = start
        for blank in _BLANKED.finditer(text, start, end):
            if text[edge : blank.start()].strip():
                spans.append((edge, blank.start()))
            edge = blank.end()
        if edge < end:
            spans.append((edge, end))
    return spans or [(0, len(text))]


def without_figures(text: str) -> str:
    """The text with its numbers, units and dates blanked."""
    stretches = [(one.start, one.end) for one in dates_in(text)]
    stretches += [(one.start, one.end) for one in quantities_in(text)]
    for start, end in stretches:
        if not text[start - 1 : start].isalpha():  # “p18” is a word
            text = text[:start] + " " * (end - start) + text[end:]
    return text


def nearest(claim: str, places: Sequence[Place]) -> Place:
    """The place whose own sentence shares most words and numbers with a claim; long sentences share by chance."""
    words, figures = content_words(claim), numbers_in(claim)

    def nearness(place: Place) -> float:
        shared = len(words & place.own_words) + 2 * len(figures & place.own_numbers)
        return shared / math.sqrt(len(place.own_words) + 5)

    return max(places, key=nearness)


def quote_of(claim: str, place: Place) -> tuple[int, int]:
    """What of a passage carries a claim: the place's sentence, with the one beside it that says what it does not.

    Offsets into the passage's text. Words and numbers that only a neighbour has bring that neighbour in.
    """
    wanted = content_words(claim) | {f"§{number}" for number in numbers_in(claim)}
    missing = wanted - place.own_words - {f"§{number}" for number in place.own_numbers}
    gains = []
    for span, text in ((place.before, place.text_before), (place.after, place.text_after)):
        if span:
            held = content_words(text) | {f"§{number}" for number in numbers_in(text)}
            gains.append((len(missing & held), span))
    gain, span = max(gains, default=(0, (0, 0)))
    needed = any(one.startswith("§") for one in missing) or 3 * gain >= len(wanted)
    if gain and needed:
        return min(place.start, span[0]), max(place.end, span[1])
    return place.start, place.end
