"""The facts of a claim held against one place of a passage: each that the place does not have, or has otherwise.

Numbers, units, bounds, dates, names, negation, comparison and the order of names. A fault is told in words for the
person. Rules over words: they see what is written and infer nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from terrarium.answers.copying import Change, changes, put_instead, turned
from terrarium.answers.dates import dates_in, says, weekdays_in
from terrarium.answers.denials import denials_in, reaches, softly_denies
from terrarium.answers.exchanging import exchanged
from terrarium.answers.opposites import turned_round
from terrarium.answers.places import Place
from terrarium.answers.quantities import OPPOSITE, Quantity, quantities_in
from terrarium.answers.words import content_words, names_in
from terrarium.text import terms

FaultKind = Literal[
    "number",
    "unit",
    "bound",
    "date",
    "name",
    "negation",
    "comparison",
    "order",
    "verdict",
    "echo",
    "beside",
    "wording",
    "subject",
    "fragment",
    "code",
    "limit",
]
# Paths and options: a part of one is another one.
_EXACT = re.compile(r"(?<![\w/.~-])(?:~?/[\w+][\w.+/-]*[\w+]|--[a-z][\w-]*\w)", re.IGNORECASE)
_ONLY = re.compile(
    r"\b(?:only|solely|exclusively|nur|ausschließlich|seulement|uniquement|sólo|solamente)\b|只|仅", re.I
)
_EXCEPTION = re.compile(r"\b(?:except|unless|but not|other than|außer|sauf|excepto|salvo)\b|除", re.I)
_EVERY = re.compile(r"\b(?:all|every|always|any|alle|jede\w*|immer|tous|toujours|todos|siempre)\b|所有|全部|总是", re.I)


@dataclass(frozen=True, slots=True)
class Fault:
    kind: FaultKind
    words: str  # for the person


@dataclass(frozen=True, slots=True)
class Known:
    """What stands around a place: the stems of its headings, those of the question and of other places, and numbers."""

    terms: Collection[str]  # of the whole passage and its headings
    about: Collection[str]
    elsewhere: Collection[str]
    asked: Collection[str]  # the question's numbers


def faults_of(claim: str, place: Place, known: Known) -> Iterator[Fault]:
    """Every fault of the claim against the place."""
    copied = changes(claim, place.text)
    yield from _figures(claim, place, known.asked)
    yield from _names(claim, place, known.terms)
    yield from _polarity(claim, place, copied)
    if instead := put_instead(copied, place.text, known.about, known.elsewhere):
        own, theirs, has_both = instead
        if has_both:
            yield Fault("order", f"the passage says “{theirs}” where the sentence says “{own}”, and that elsewhere")
        else:
            yield Fault("name", f"the passage says “{theirs}” where the sentence says “{own}”")
    elif both := exchanged(claim, place.text):
        yield Fault("order", f"“{both[0]}” and “{both[1]}” stand the other way round in the passage")


def _figures(claim: str, place: Place, asked: Collection[str]) -> Iterator[Fault]:
    dates = dates_in(claim)
    held = {*place.numbers, *(str(part) for one in place.dates for reading in one.readings for part in reading if part)}
    for date in dates:
        if not says(date, place.dates, held):
            yield Fault("date", f"the date {date.text} does not stand in the passage")
    days = set(weekdays_in(place.around).values())
    for word, day in weekdays_in(claim).items():
        if day not in days:
            yield Fault("date", f"the day {word} does not stand in the passage")
    for one in quantities_in(claim):
        if any(date.start <= one.start < date.end for date in dates):
            continue
        same = [other for other in place.quantities if other.values & one.values]
        if not same and not one.values & held:
            rivals = [other for other in place.own_quantities if other.unit == one.unit]
            if not one.values & set(asked) or rivals:
                yield Fault("number", f"the number {one.text} does not stand in the passage")
        elif one.unit and same and all(other.unit not in ("", one.unit) for other in same):
            yield Fault("unit", f"{one.text} has another unit in the passage ({same[0].text})")
        elif same and not _bounded(claim, place) and (bound := _bound_fault(one, same)):
            yield bound


def _bound_fault(one: Quantity, same: Sequence[Quantity]) -> Fault | None:
    if not one.bound or any(other.bound == one.bound for other in same):
        return None
    bounds = {other.bound for other in same}
    strict = one.bound in ("more", "less") and bounds == {""}
    if strict or OPPOSITE[one.bound] in bounds or _CROSSED[one.bound] in bounds:
        return Fault("bound", f"the passage does not set the bound at {one.text} in this way")
    return None


_CROSSED = {"least": "most", "most": "least", "more": "less", "less": "more"}


def _names(claim: str, place: Place, known: Collection[str]) -> Iterator[Fault]:
    exact = set(_EXACT.findall(place.around))
    for name in dict.fromkeys(_EXACT.findall(claim)):
        if name not in exact:
            yield Fault("name", f"{name} does not stand in the passage")
    told = " ".join((*(date.text for date in dates_in(claim)), *weekdays_in(claim)))
    for name in names_in(claim):
        if name not in told and not set(terms(name)) & set(known):
            yield Fault("name", f"the name {name} does not stand in the passage")


def _polarity(claim: str, place: Place, copied: Collection[Change]) -> Iterator[Fault]:
    words, denied, held = content_words(claim), denials_in(claim), denials_in(place.text)
    around = denials_in(place.around)
    for denial in held:
        free = not any(set(own.clause) & set(denial.scope) for own in denied)
        if free and reaches(denial, words) and not _bounded(claim, place) and not softly_denies(claim, denial.scope):
            yield Fault("negation", f"the passage denies this (“{denial.cue}”)")
            break
    for denial in denied:
        scope = set(denial.scope)
        if scope & place.words and not any(scope & other.clause for other in around):
            if not softly_denies(place.around, scope):
                yield Fault("negation", f"the passage does not deny this, the sentence does (“{denial.cue}”)")
                break
    for mine, theirs in turned_round(claim, place.text):
        yield Fault("comparison", f"the sentence says “{mine}”, the passage “{theirs}”")
    for kind, mine, theirs in turned(copied):
        if kind == "negation" and _bounded(claim, place):
            continue
        if kind == "negation":
            yield Fault("negation", f"the sentence says “{mine}” where the passage says “{theirs}”")
        else:
            yield Fault("comparison", f"the sentence says “{mine}” where the passage says “{theirs}”")
    if (only := _ONLY.search(claim)) and not _ONLY.search(place.around) and not _EXCEPTION.search(place.around):
        if not denials_in(place.around):
            yield Fault("comparison", f"“{only.group()}” does not stand in the passage")
    if _EVERY.search(claim) and (but := _EXCEPTION.search(place.text)) and not _EXCEPTION.search(claim):
        yield Fault("comparison", f"the passage makes an exception (“{but.group()}”)")


def _bounded(claim: str, place: Place) -> bool:
    """Whether the two bound one number from its two sides: “does not hold more than 64” and “holds at most 64”."""
    one_denies = bool(denials_in(claim)) != bool(denials_in(place.text))
    return one_denies and any(
        one.values & other.values and one.bound and other.bound and OPPOSITE[other.bound] == one.bound
        for one in quantities_in(claim)
        for other in place.own_quantities
    )
