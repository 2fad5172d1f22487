"""Letters of a text that count when it is looked for on a page, and where they stand there.

A page and a document say the same with other characters: the page has ligatures, hyphens at its line ends, letters of
Arabic in their joined forms and no spaces that anybody could rely on. So spaces, hyphens, accents and case are left
aside, and what is left is compared (NFKD, Unicode TR 15).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, groupby

from terrarium.drawing import Item

DROPPED = frozenset({"Mn", "Me", "Cf", "Cc", "Zs", "Zl", "Zp"})  # marks, invisible, control and spaces
HYPHENS = frozenset("-\u2010\u2011\u00ad\u2043")
FROM_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
WIDE = re.compile("[mwMW@\u2014\u2026]")
NARROW = re.compile(r"[iljtfrI.,:;'!|()\[\]\s]")


@lru_cache(maxsize=4096)
def letters_of(character: str) -> str:
    """What counts of one character: nothing, a letter, or the letters of a ligature."""
    parts = unicodedata.normalize("NFKD", character).casefold()
    return "".join(part for part in parts if part not in HYPHENS and unicodedata.category(part) not in DROPPED)


def letters(text: str) -> str:
    return "".join(map(letters_of, text))


@dataclass(frozen=True, slots=True)
class PageLetters:
    """The letters of a page's items in a row. Of letter i, `places[i]` is its character in the item it belongs to."""

    items: Sequence[Item]
    text: str
    starts: Sequence[int]  # of each item's first letter in `text`
    places: Sequence[int]

    @classmethod
    def of(cls, items: Sequence[Item], *, turned: bool = False) -> PageLetters:
        """`turned`: letters that are written from the right stand in the items as they are drawn, from the left."""
        texts: list[str] = []
        places: list[int] = []
        lengths = []
        for item in items:
            order = range(len(item.text))
            if turned and FROM_RIGHT.search(item.text):
                order = order[::-1]
            before = len(places)
            for place in order:
                found = letters_of(item.text[place])
                texts.append(found)
                places.extend([place] * len(found))
            lengths.append(len(places) - before)
        starts = list(accumulate(lengths, initial=0))[: len(items)]
        return cls(items, "".join(texts), starts, places)

    def pieces(self, start: int, end: int) -> list[tuple[Item, int, int]]:
        """The items that letters start … end belong to, each with its first and the end of its characters."""
        found = []
        number = max(0, bisect_right(self.starts, start) - 1)
        while number < len(self.items) and self.starts[number] < end:
            following = self.starts[number + 1] if number + 1 < len(self.items) else len(self.places)
            covered = self.places[max(start, self.starts[number]) : min(end, following)]
            if covered:
                found.append((self.items[number], min(covered), max(covered) + 1))
            number += 1
        return found


def from_the_right(items: Sequence[Item]) -> list[Item]:
    """The items with those of a line that are written from the right in the order in which they are read."""
    lines = groupby(items, key=lambda item: (round(item.y), bool(FROM_RIGHT.search(item.text))))
    ordered = [sorted(line, key=lambda item: -item.x if right else 0) for (_, right), line in lines]
    return [item for line in ordered for item in line]


def shares(item: Item, start: int, end: int) -> tuple[float, float]:
    """The part of the item's length that its characters start … end take, from its beginning in its own direction.

    How wide each letter is drawn is not known: rough classes of widths are nearer than equal ones.
    """
    widths = list(accumulate(map(_width, item.text), initial=0.0))
    whole = widths[-1] or 1.0
    first, last = widths[start] / whole, widths[end] / whole
    return (1 - last, 1 - first) if item.from_right else (first, last)


@lru_cache(maxsize=4096)
def _width(character: str) -> float:
    if WIDE.match(character):
        return 1.6
    if NARROW.match(character):
        return 0.55
    return 1.25 if character.isupper() else 1.0
