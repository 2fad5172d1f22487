"""Places of the documents that say different things about what was asked: both are shown, with their sources.

Two sentences conflict when their words agree and one thing in them does not: one date, one figure, or that one of them
denies. So that different things are not held against each other, nothing else may differ: a word that each has for
itself (“adults”, “children”), a second figure (“in 2019 … 40”, “in 2020 … 45”), a number that names (“chapter 3”,
“3rd”) or that tells their titles apart (“Handbook 2023”) make two statements of two matters. Both must speak of the
question alike, their headings and titles included.

What it cannot see: the same matter in other words, and which of the two is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from terrarium.answers.citations import span_of
from terrarium.answers.dates import Date, dates_in
from terrarium.answers.denials import denials_in
from terrarium.answers.quantities import Quantity, quantities_in
from terrarium.answers.wholeness import points_back
from terrarium.answers.words import content_words, tokens_of
from terrarium.model import Conflict, Passage, Sentence
from terrarium.questions.wording import HAN, HAN_LETTERS, grammar_words
from terrarium.retrieval.matches import SentenceMatch

LEAST_SHARED = 2  # words that are no grammar
ENOUGH_SHARED = 4  # for one of the two to have a word more

_ROW = re.compile(r"\s\|\s|\t")
_WORD_BEFORE = re.compile(r"([^\W\d_]+)[.:]?\s*[#(]?$")
_WORD_BEHIND = re.compile(rf"\s*([^\W\d_{HAN_LETTERS}]+)")
_OPENS = re.compile(r"^\W*(?:(?:in|on|since|by|im|am|seit|en|le|el|desde)\s+)?(?:the\s+year\s+)?$", re.IGNORECASE)
# A number behind one of these names something.
_NAMING = frozenset(
    """version chapter section figure fig table step page phase type level grade part volume vol no nr number line item
    article rule clause appendix annex paragraph class group season episode series edition room gate floor model mark
    kapitel abschnitt abbildung abb tabelle schritt seite teil band artikel regel absatz anhang klasse gruppe zimmer
    chapitre tableau étape partie tome règle annexe groupe salle capítulo sección tabla paso página parte tomo artículo
    regla anexo grupo sala""".split()
)
_ORDINAL = re.compile(
    r"\d+(?:st|nd|rd|th|ième|er|ère|e|[ºª])\b(?!\s+centur)|\w+(?:first|second|third|th|ième|te[nrs]?)\b|(?:first|second|third)\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\b[ap]\.?m\b|\buhr\b|o['’]clock|点", re.IGNORECASE)
_SPANS_OF_TIME = frozenset("second minute hour day week month year".split())
Fact = Date | Quantity


@dataclass(frozen=True, slots=True)
class _Statement:
    """A sentence of passage `number` that may be held against another: its words, and what they say of the question."""

    number: int
    start: int  # in the chunk's text
    end: int
    place: tuple[str, int, int]  # in the document
    text: str
    words: frozenset[str]
    facts: tuple[Fact, ...]
    denies: bool
    asked: frozenset[str]
    editions: frozenset[str]  # numbers of the title and the headings above: “2023”, “3rd”


def find_conflicts(
    question: str, passages: Sequence[Passage], matches: Sequence[Sequence[SentenceMatch]]
) -> tuple[Conflict, ...]:
    """What the passages' sentences disagree in, one conflict for each matter, the best passage's first."""
    asked = content_words(question)
    statements = [
        one
        for number, (passage, found) in enumerate(zip(passages, matches, strict=True), start=1)
        for one in _statements(number, passage, found, asked)
    ]
    grouped: dict[tuple[str, _Statement], dict[str, _Statement]] = {}
    seconds: set[str] = set()
    for first, second in combinations(statements, 2):
        about = _differ_in(first, second)
        if about and first.text not in seconds:
            grouped.setdefault((about, first), {first.text: first}).setdefault(second.text, second)
            seconds.add(second.text)
    return tuple(
        Conflict(about, tuple(_quoted(one, passages) for one in group.values()))
        for (about, _), group in grouped.items()
    )


def _statements(
    number: int, passage: Passage, matches: Sequence[SentenceMatch], asked: frozenset[str]
) -> Iterator[_Statement]:
    chunk = passage.chunk
    headings = "\n".join((passage.document.title, *chunk.headings))
    above = content_words(f"{headings}\n{chunk.lead}")
    for match in matches:
        text = chunk.text[match.start : match.end]
        if match.label or _ROW.search(text) or points_back(text) or text.rstrip().endswith((":", "：")):
            continue
        facts, words = _facts(text), _words(text)
        if words & asked:
            yield _Statement(
                number,
                match.start,
                match.end,
                (chunk.document_id, chunk.start + match.start, chunk.start + match.end),
                text,
                words,
                facts,
                bool(denials_in(text)),
                frozenset(asked & (above | words)),
                frozenset(re.findall(r"\d+", headings)),
            )


def _facts(text: str) -> tuple[Fact, ...]:
    dates = dates_in(text)
    numbers = [one for one in quantities_in(text) if not any(d.start < one.end and one.start < d.end for d in dates)]
    return tuple(sorted([*dates, *numbers], key=lambda one: one.start))


def _words(text: str) -> frozenset[str]:
    """The terms of a sentence that are neither grammar nor part of a date or figure nor what denies."""
    for denial in reversed(denials_in(text)):
        end = denial.start + len(denial.cue)
        text = text[: denial.start] + ("" if HAN.match(denial.cue) else " ") + text[end:]
    taken = [(fact.start, fact.end) for fact in _facts(text)]
    return frozenset(
        token.term
        for token in tokens_of(text)
        if not any(token.start < end and start < token.end for start, end in taken)
    )


def _differ_in(first: _Statement, second: _Statement) -> str:
    """What two statements differ in, in words; "" where they agree or speak of different things."""
    shared, apart = first.words & second.words, first.words ^ second.words
    one_sided = not (first.words - second.words and second.words - first.words)
    known = len(shared) >= LEAST_SHARED or (not apart and first.words <= first.asked)
    if not known or not one_sided or len(apart) > (len(shared) >= ENOUGH_SHARED):
        return ""
    if (
        (first.asked, first.editions) != (second.asked, second.editions)
        or _meet(first.place, second.place)
        or len(first.facts) != len(second.facts)
    ):
        return ""
    different = [(a, b) for a, b in zip(first.facts, second.facts, strict=True) if not _agree(a, b)]
    if first.denies != second.denies:
        return "whether it is so" if not different and not apart and len(shared) > LEAST_SHARED else ""
    if len(different) != 1:
        return ""
    ((one, other),) = different
    comparable = type(one) is type(other) and _unit(one) == _unit(other)
    named = _names(one, first.text) or _names(other, second.text)
    return _about(one, first.text) if comparable and not named else ""


def _meet(one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
    return one[0] == other[0] and one[1] < other[2] and other[1] < one[2]


def _agree(one: Fact, other: Fact) -> bool:
    if isinstance(one, Date) and isinstance(other, Date):
        return any(
            all(a is None or b is None or a == b for a, b in zip(mine, yours, strict=True))
            for mine in one.readings
            for yours in other.readings
        )
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        return bool(one.values & other.values) and one.unit == other.unit
    return False


def _unit(fact: Fact) -> str:
    return fact.unit if isinstance(fact, Quantity) else ""


def _names(fact: Fact, text: str) -> bool:
    """Whether the figure tells things apart instead of saying something of one: “chapter 3”, “In 2019, …”."""
    before = text[: fact.start]
    if before.endswith("第") or _ORDINAL.match(text[fact.start :]):
        return True
    if _OPENS.search(before) and (isinstance(fact, Date) or _year(fact)):
        return True
    word = _WORD_BEFORE.search(before)
    if isinstance(fact, Date) or not word:
        return False
    small = word[1].casefold()
    capital = word[1][0].isupper() and small not in grammar_words() and not fact.unit
    return small in _NAMING or (capital and not _year(fact))


def _year(fact: Fact) -> bool:
    return (
        isinstance(fact, Quantity)
        and not fact.unit
        and bool(re.fullmatch("(?:1\\d{3}|20\\d\\d)年?", fact.text.strip()))
    )


def _about(fact: Fact, text: str) -> str:
    if isinstance(fact, Date):
        alone = all(month is None and day is None for _, month, day in fact.readings)
        return "the year" if alone else "the date"
    if _year(fact):
        return "the year"
    if ":" in fact.text or _CLOCK.search(fact.text):
        return "the time"
    if fact.unit:
        return f"the number of {fact.unit}s" if fact.unit in _SPANS_OF_TIME else "the figure"
    noun = _WORD_BEHIND.match(text[fact.end :])
    return f"the number of “{noun[1]}”" if noun and noun[1].casefold() not in grammar_words() else "the figure"


def _quoted(statement: _Statement, passages: Sequence[Passage]) -> Sentence:
    span = span_of(passages[statement.number - 1], statement.start, statement.end)
    return Sentence(statement.text, (statement.number,), (span,))
