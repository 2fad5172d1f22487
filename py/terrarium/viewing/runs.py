"""A quote's letters among a page's letters: as a whole, or in pieces as long as can be found."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

CONTEXT = 48  # letters around a quote that tell one occurrence from another
SEED = 3  # letters of the shortest piece
LEAST = 12  # letters of a piece that stands by itself, or half of the quote; a Han character counts twice
NEAR = 60  # letters around such a piece, where shorter ones count too: a line of the other column
WIDE_FROM = "\u2e80"  # CJK radicals, the first of the scripts whose characters are syllables or words

Run = tuple[int, int]  # start and end in the page's letters


def runs_of(page: str, wanted: str, before: str, after: str) -> list[Run]:
    """Where `wanted` stands. Of several places that one is taken whose surroundings are most like `before` and `after`,
    the letters around the quote on this page of the document.
    """
    if not wanted:
        return []
    places = _all(page, wanted)
    if not places:
        return _pieces(page, wanted)
    likeness = [_likeness(page, place, place + len(wanted), before, after) for place in places]
    best = [place for place, like in zip(places, likeness, strict=True) if like == max(likeness)]
    # Alike in all that stands around them: they are in the document's order.
    ordinal = places[min(len(_all(before, wanted)), len(places) - 1)]
    place = ordinal if ordinal in best else best[0]
    return [(place, place + len(wanted))]


def tail_of(page: str, text: str) -> list[Run]:
    """The longest end of `text` that stands on the page: it began on the one before."""
    for start in range(len(text)):
        if _weight(text[start:]) < min(LEAST, _weight(text)):
            break
        place = page.find(text[start:])
        if place >= 0:
            return [(place, place + len(text) - start)]
    return []


def _all(page: str, wanted: str) -> list[int]:
    found = []
    place = page.find(wanted)
    while place >= 0:
        found.append(place)
        place = page.find(wanted, place + 1)
    return found


def _likeness(page: str, start: int, end: int, before: str, after: str) -> int:
    ahead = zip(reversed(page[max(0, start - CONTEXT) : start]), reversed(before[-CONTEXT:]), strict=False)
    behind = zip(page[end : end + CONTEXT], after[:CONTEXT], strict=False)
    return sum(len(list(takewhile(_same, pairs))) for pairs in (ahead, behind))


def _same(pair: tuple[str, str]) -> bool:
    return pair[0] == pair[1]


def _pieces(page: str, wanted: str) -> list[Run]:
    """Long pieces wherever they stand; between them, shorter ones where they may be expected."""
    strong = _longest(page, wanted, min(LEAST, (_weight(wanted) + 1) // 2))
    found: list[Run] = []
    at, behind = 0, 0
    for number, (begin, place, length) in enumerate([*strong, (len(wanted), 0, 0)] if strong else []):
        gap = wanted[at:begin]
        reach = NEAR + len(gap)
        start = max(0, place - reach) if number == 0 else behind
        end = place if length and behind <= place <= start + 2 * reach else start + reach
        found += [(start + there, start + there + run) for _, there, run in _longest(page[start:end], gap, SEED)]
        found += [(place, place + length)] * bool(length)
        at, behind = begin + length, place + length
    return found


def _longest(page: str, wanted: str, least: int) -> list[tuple[int, int, int]]:
    """From the beginning of `wanted` on, each time the longest piece that stands somewhere, of a weight of `least`.

    Of each, where it begins in `wanted`, where in `page`, and its length.
    """
    seeds: dict[str, list[int]] = {}
    for place in range(len(page) - SEED + 1):
        seeds.setdefault(page[place : place + SEED], []).append(place)
    found = []
    at = 0
    while at <= len(wanted) - SEED:
        places = seeds.get(wanted[at : at + SEED], [])
        length, place = max(((_common(page, place, wanted, at), -place) for place in places), default=(0, 0))
        if _weight(wanted[at : at + length]) >= least:
            found.append((at, -place, length))
            at += length
        else:
            at += 1
    return found


def _common(page: str, place: int, wanted: str, at: int) -> int:
    """How many letters are the same from there on."""
    return len(list(takewhile(_same, zip(page[place : place + len(wanted) - at], wanted[at:], strict=False))))


def _weight(text: Sequence[str]) -> int:
    return sum(1 + (letter >= WIDE_FROM) for letter in text)
