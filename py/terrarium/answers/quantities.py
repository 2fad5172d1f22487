"""The numbers of a text with their units and bounds, in a form in which two ways of writing one quantity are equal.

“1,000”, “1.000” and “1’000” are one thousand, “2,5 %” is “2.5 percent”, “twelve” and “十二” are 12, “7 pm” is “19:00”.
English, German, French, Spanish and Chinese. A mark that may group thousands or begin decimals is read both ways.

Not here: conversions (“three weeks” are not “21 days”), fractions, Roman numerals. Dates have their own module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from terrarium.answers.number_words import COUNTERS, SCALES, WORDS, han_value
from terrarium.answers.units import BEFORE, UNIT, unit_of

Bound = Literal["", "least", "most", "more", "less"]  # at least, at most, more than, less than
OPPOSITE: dict[Bound, Bound] = {"least": "less", "most": "more", "more": "most", "less": "least"}

_FIGURE = r"\d+(?:[.,:'’\u00a0\u202f]\d+)*"
_WORD = "|".join(sorted(WORDS, key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?P<before>{BEFORE})?(?:(?P<figure>{_FIGURE})|(?<![\w-])(?P<word>{_WORD})(?:-(?P<ones>{_WORD}|one))?(?![\w])"
    rf"|(?P<han>[零〇一二三四五六七八九十百千两]+)(?=[{COUNTERS}万亿]))"
    rf"(?:[\s\u00a0-]?(?P<scale>(?:{'|'.join(SCALES)})(?![a-z])))?"
    rf"(?:(?P<ordinal>st|nd|rd|th)\b|[\s\u00a0-]?(?P<unit>{UNIT})|\s?(?P<half>[ap])\.?m\b)?",
    re.IGNORECASE,
)
_GROUPED = re.compile(r"\d{1,3}(?:([,.'’\u00a0\u202f])\d{3})(?:\1\d{3})*(?:[.,]\d+)?")
_CLOCK = re.compile(r"(\d{1,2})(?::(\d\d))?")
_JOINT = re.compile(r"\s*(?:,|-|–|—|to|and|or|bis|und|oder|à|et|ou|a|y|o|至|到|~|/|×|x)\s*$", re.IGNORECASE)  # noqa: RUF001
_BOUND_BEFORE: tuple[tuple[Bound, re.Pattern[str]], ...] = tuple(
    (bound, re.compile(rf"(?:{words})\s*$", re.IGNORECASE))  # type: ignore[misc]
    for bound, words in (
        ("most", r"(?:not?|nicht|pas) (?:be )?(?:more|greater|larger|longer|later|higher|over|mehr|länger|plus|größer) "
                 r"(?:than|als|de)|no más de|不超过|不多于|不得超过"),
        ("least", r"(?:not?|nicht|pas) (?:be )?(?:less|fewer|lower|smaller|earlier|weniger|moins) (?:than|als|de)"
                  r"|no menos de|不少于|不低于"),
        ("most", r"at (?:the )?most|up to|maximum(?: of)?|max\.?|limit(?:ed)? (?:of|to)|no later than|within"
                 r"|höchstens|bis zu|maximal|spätestens|au plus|jusqu['’]à|como máximo|hasta|最多|至多|不超过"),
        ("least", r"at (?:the )?least|minimum(?: of)?|min\.?|no (?:fewer|less) than|mindestens|wenigstens|minimal"
                  r"|au moins|al menos|por lo menos|至少|最少|不少于"),
        ("more", r"(?:more|greater|larger|longer|higher|older|later|bigger) than|over|above|exceed(?:s|ing|ed)?|beyond"
                 r"|mehr als|länger als|größer als|über|plus de|más de|超过|多于|大于|高于"),
        ("less", r"(?:less|fewer|smaller|shorter|lower|younger|earlier) than|under|below|weniger als|kürzer als"
                 r"|kleiner als|unter|moins de|menos de|少于|小于|低于|不到|不足"),
    )
)  # fmt: skip
_ARTICLE = re.compile(r"\b(?:the|a|an|einer|einem|about|approximately)\s*$", re.IGNORECASE)
_BOUND_AFTER: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    (
        "least",
        re.compile(r"[^\d.,;]{0,20}?\b(?:or (?:more|higher|later|above|over|older)|oder mehr|ou plus|o más)\b|以上"),
    ),
    (
        "most",
        re.compile(r"[^\d.,;]{0,20}?\b(?:or (?:less|fewer|lower|earlier|under|below)|oder weniger|ou moins)\b|以下"),
    ),
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number of a text. `values` are its possible readings, each a decimal without grouping."""

    text: str  # as written, with scale and unit
    values: frozenset[str]
    start: int
    end: int
    unit: str = ""  # canonical; "" where none known stands beside it
    bound: Bound = ""


@lru_cache(maxsize=512)
def quantities_in(text: str) -> tuple[Quantity, ...]:
    """The quantities in order. Of “10 to 20 days” both have the unit."""
    found: list[Quantity] = []
    for match in _NUMBER.finditer(text):
        values = _values(match)
        unit = unit_of(match["unit"] or match["before"] or "")
        if unit == "year" and any(len(value) == 4 for value in values) and match["unit"] == "年":
            unit = ""  # a year, not so many years
        found.append(Quantity(match.group().strip(), values, match.start(), match.end(), unit, _bound(text, match)))
    for place in range(len(found) - 2, -1, -1):
        one, following = found[place], found[place + 1]
        if not one.unit and following.unit and _JOINT.match(text[one.end : following.start]):
            found[place] = replace(one, unit=following.unit)
    return tuple(found)


def numbers_in(text: str) -> set[str]:
    """The readings of every number of a text."""
    return values_of(quantities_in(text))


def values_of(found: Iterable[Quantity]) -> set[str]:
    return {value for one in found for value in one.values}


def _values(match: re.Match[str]) -> frozenset[str]:
    scale = SCALES.get((match["scale"] or "").lower(), 0)
    if match["han"]:
        readings = {han_value(match["han"])}
    elif match["word"]:
        ones = (WORDS | {"one": "1"}).get((match["ones"] or "").lower(), "0")
        readings = {str(int(WORDS[match["word"].lower()]) + int(ones))}
    elif match["half"]:
        readings = {_clock(match["figure"], afternoon=match["half"].lower() == "p")}
    else:
        readings = _readings(match["figure"])
    return frozenset(_scaled(one, scale) for one in readings)


def _readings(figure: str) -> set[str]:
    """Of a number in digits: grouping taken out, a decimal comma made a point, and that without zeros at its end."""
    found = set()
    if grouped := _GROUPED.fullmatch(figure):
        mark = grouped[1]
        whole = figure.replace(mark, "")
        found.add(whole.replace(",", "."))
        if figure.count(mark) > 1 or mark not in ".,":
            return {_plain(one) for one in found}
    found.add(figure.replace(",", "."))
    return {_plain(one) for one in found}


def _plain(number: str) -> str:
    return number.rstrip("0").rstrip(".") if number.count(".") == 1 and not number.endswith(".000") else number


def _scaled(number: str, scale: int) -> str:
    if not scale:
        return number
    whole, _, decimals = number.partition(".")
    if not (whole + decimals).isdigit() or len(decimals) > scale:
        return number
    return (whole + decimals.ljust(scale, "0")).lstrip("0") or "0"


def _clock(figure: str, *, afternoon: bool) -> str:
    match = _CLOCK.fullmatch(figure.replace(".", ":"))
    if not match:
        return figure
    return f"{int(match[1]) % 12 + 12 * afternoon}:{match[2] or '00'}"


def _bound(text: str, match: re.Match[str]) -> Bound:
    before = re.sub(
        r"\b(?:the|a|an|einer|einem|about|approximately)\s*$", "", text[max(match.start() - 30, 0) : match.start()]
    )
    for bound, words in _BOUND_BEFORE:
        if words.search(before):
            return bound
    after = text[match.end() : match.end() + 30]
    return next((bound for bound, words in _BOUND_AFTER if words.match(after)), "")
