"""The dates and weekdays of a text in one form: “3 May 2021”, “3. Mai 2021”, “2021-05-03” and “2021年5月3日” are one.

A date is (year, month, day), each None where it is not said. “05/03/2021” is read both ways. Ranges are two dates, and
“May 2021” is a date too; a year alone is a number (`quantities.py`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

Reading = tuple[int | None, int | None, int | None]

_MONTHS = """
january jan januar jänner janvier enero|february feb februar février febrero|march mar märz mars marzo
april apr avril abril|may mai mayo|june jun juni juin junio|july jul juli juillet julio|august aug août agosto
september sep sept septembre septiembre|october oct oktober okt octobre octubre|november nov novembre noviembre
december dec dezember dez décembre diciembre
"""
_WEEKDAYS = """
monday montag lundi lunes 周一 星期一|tuesday dienstag mardi martes 星期二 周二
wednesday mittwoch mercredi miércoles 星期三 周三
thursday donnerstag jeudi jueves 星期四 周四|friday freitag vendredi viernes 星期五 周五
saturday samstag sonnabend samedi sábado 星期六 周六|sunday sonntag dimanche domingo 星期日 星期天 周日
"""


def _numbered(lines: str) -> dict[str, int]:
    rows = [row for line in lines.strip().splitlines() for row in line.split("|")]
    return {word: number for number, row in enumerate(rows, start=1) for word in row.split()}


MONTHS, WEEKDAYS = _numbered(_MONTHS), _numbered(_WEEKDAYS)
_MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?"
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])"
_YEAR = r"(?P<year>[12]\d{3})(?!\d)"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<![\d.]){_DAY}(?:st|nd|rd|th|er|\.)?\s+(?:day\s+)?(?:of\s+|de\s+)?{_MONTH}(?:\s*,?\s+(?:de\s+|of\s+)?{_YEAR})?",
        rf"\b{_MONTH}\s+(?:the\s+)?{_DAY}(?:st|nd|rd|th)?(?![\d:]|[.,]\d)(?:\s*,?\s*{_YEAR})?",
        rf"\b{_MONTH}\s*,?\s+(?:of\s+|de\s+)?{_YEAR}",
        rf"(?<![\d-]){_YEAR}-(?P<month>0?[1-9]|1[0-2])-{_DAY}(?![\d-])",
        rf"(?<!\d){_YEAR}\s*年\s*(?P<month>1[0-2]|[1-9])\s*月(?:\s*{_DAY}\s*[日号])?",
        rf"(?<!\d)(?P<month>1[0-2]|[1-9])\s*月\s*{_DAY}\s*[日号]",
        rf"(?<![\d.])(?P<day>[0-3]?\d)\.\s?(?P<month>[01]?\d)\.\s?{_YEAR}",
        rf"(?<![\d/])(?P<day>[0-3]?\d)/(?P<month>[0-3]?\d)/{_YEAR}",
        rf"(?:\b(?:in|of|since|until|till|by|from|to|during|early|late|im|seit|bis|ab|en|depuis|desde)\s+){_MONTH}",
    )
)
_CAPITAL_MONTHS = re.compile(r"may|march|mar|jan|dec|sep|mars|mai")  # small, they are other words in some language
_WEEKDAY = re.compile(
    rf"(?<!\w)(?:{'|'.join(day for day in WEEKDAYS if day[0] not in '周星')})s?(?!\w)"
    "|周[一二三四五六日]|星期[一二三四五六日天]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Date:
    """One date of a text and its possible readings."""

    text: str
    readings: tuple[Reading, ...]
    start: int
    end: int


@lru_cache(maxsize=512)
def dates_in(text: str) -> tuple[Date, ...]:
    """The dates in order, none inside another."""
    taken: list[Date] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            free = all(match.end() <= one.start or match.start() >= one.end for one in taken)
            if free and (readings := tuple(_readings(match))):
                taken.append(Date(match.group().strip(), readings, match.start(), match.end()))
    return tuple(sorted(taken, key=lambda one: one.start))


def weekdays_in(text: str) -> dict[str, int]:
    """Weekdays as written, each with its number from Monday's 1."""
    found = (match.group() for match in _WEEKDAY.finditer(text))
    return {word: WEEKDAYS.get(word.lower()) or WEEKDAYS[word.lower().removesuffix("s")] for word in found}


def says(date: Date, dates: Collection[Date], numbers: Collection[str]) -> bool:
    """Whether a text with these dates and numbers says the date: one of its own, completed by its bare numbers."""
    return any(
        all(
            one is None or one == other or (other is None and str(one) in numbers)
            for one, other in zip(wanted, held, strict=True)
        )
        for wanted in date.readings
        for one_date in dates
        for held in one_date.readings
    )


def _readings(match: re.Match[str]) -> Iterator[Reading]:
    parts = match.groupdict()
    year = int(parts["year"]) if parts.get("year") else None
    day = int(parts["day"]) if parts.get("day") else None
    written = parts["month"]
    if not written.isdigit():
        # “may”, “march” and the like in small letters are words, except beside a day where that language writes so.
        if _CAPITAL_MONTHS.fullmatch(written) and not (day and written in ("mai", "mars")):
            return
        yield year, MONTHS[written.lower()], day
        return
    month = int(written)
    if month <= 12:
        yield year, month, day
    if "/" in match.group() and day is not None and day <= 12 and day != month:
        yield year, day, month
    elif "/" in match.group() and month > 12 and day is not None and day <= 12:
        yield year, day, month
