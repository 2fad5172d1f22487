"""A sentence that nearly copies its place, compared with it word by word: what was put there, left out or exchanged.

Small generators copy: their commonest fault is the question's subject before another's predicate, or one word changed
in a sentence that else stands there. Dates and numbers are compared by what they say. A sentence in words of its own
is not judged here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from terrarium.answers.dates import dates_in
from terrarium.answers.denials import HARD, is_emphasis
from terrarium.answers.opposites import opposed
from terrarium.answers.quantities import quantities_in
from terrarium.answers.words import is_name, stem
from terrarium.questions.wording import HAN, HAN_LETTERS, grammar_words

LEAST_COPIED = 0.6  # share of the sentence's words that stand in the place in the same order
_WORD = re.compile(rf"[{HAN_LETTERS}]|[^\W_{HAN_LETTERS}]+(?:['’][^\W_{HAN_LETTERS}]+)*")
_STANDS_FOR = frozenset(
    "it its he his she her they their them this these that those such both here there es er sie ihr ihre sein seine"
    " dies diese dieser dieses 它 其 他 她 这 该 此".split()
)
_ONLY = re.compile(r"only|solely|exclusively|nur|ausschließlich|seulement|solamente|sólo|只|仅", re.IGNORECASE)
_MUST = re.compile(r"must|required|mandatory|muss|müssen|必须", re.IGNORECASE)
_MAY = re.compile(r"can|may|could|might|optional|kann|können|darf|dürfen|可以|可|need not", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Word:
    key: str  # what is compared: stem, or the value of a number or date
    text: str
    start: int
    content: bool
    marked: bool  # a number, a date, or with a capital: a name, in German any noun


@dataclass(frozen=True, slots=True)
class Change:
    """Words of the sentence that stand where the place has others; either may be empty."""

    own: tuple[Word, ...]
    theirs: tuple[Word, ...]
    inside: bool  # words that both have stand on either side
    first: bool = False  # nothing but grammar stands before it
    modifies: bool = False  # a word that both have follows at once

    @property
    def own_text(self) -> str:
        return text_of(self.own)

    @property
    def their_text(self) -> str:
        return text_of(self.theirs)


@lru_cache(maxsize=512)
def words_of(text: str) -> tuple[Word, ...]:
    """Every word in order, grammar too; a date or a number is one word."""
    taken = [(one.start, one.end, f"§{one.readings[0]}", one.text) for one in dates_in(text)]
    for one in quantities_in(text):
        if all(one.end <= start or one.start >= end for start, end, *_ in taken):
            taken.append((one.start, one.end, f"§{_plainest(one.values)}{one.unit}", one.text))
    found = [Word(key, written, start, True, True) for start, _, key, written in taken]
    grammar = grammar_words()
    for match in _WORD.finditer(text):
        if any(start < match.end() and match.start() < end for start, end, *_ in taken):
            continue
        word = match.group().casefold().partition("'")[0].partition("’")[0]
        found.append(Word(stem(word), match.group(), match.start(), word not in grammar, is_name(match.group())))
    return tuple(sorted(found, key=lambda one: one.start))


@lru_cache(maxsize=256)
def changes(sentence: str, place: str) -> tuple[Change, ...]:
    """Where the two differ, in order; none when the sentence is no copy."""
    own, theirs = words_of(sentence), words_of(place)
    matcher = SequenceMatcher(None, [one.key for one in own], [one.key for one in theirs], autojunk=False)
    steps = matcher.get_opcodes()
    copied = sum(b - a for kind, a, b, *_ in steps if kind == "equal")
    if not own or copied < LEAST_COPIED * len(own):
        return ()
    return tuple(
        Change(
            own[a:b],
            theirs[c:d],
            inside=0 < at < len(steps) - 1,
            first=not any(one.content for one in own[:a]),
            modifies=b < len(own) and own[b].content,
        )
        for at, (kind, a, b, c, d) in enumerate(steps)
        if kind != "equal"
    )


def turned(found: Collection[Change]) -> Iterator[tuple[str, str, str]]:
    """(kind, the sentence's words, the place's) of every change of a negation, a duty or a comparison."""
    for one in found:
        own, theirs = one.own_text, one.their_text
        if any({word.key for word in one.own} == {word.key for word in other.theirs} for other in found):
            continue  # a clause that stands in another place
        denied = bool(HARD.search(own)) and not is_emphasis(own)
        most = 6 if one.own and not any(word.content for word in one.own) else 3  # “and” for “is not to be taken for”
        affirmed = bool(HARD.search(theirs)) and one.inside and len(one.theirs) <= most
        if denied != bool(HARD.search(theirs)) and (denied or affirmed):
            yield "negation", own, theirs
        elif pair := opposed(own, theirs):
            yield "comparison", *pair
        elif (_is(_MUST, one.own) and _is(_MAY, one.theirs)) or (_is(_MAY, one.own) and _is(_MUST, one.theirs)):
            yield "comparison", own, theirs
        elif one.inside and _is(_ONLY, one.own) and not _is(_ONLY, one.theirs):
            yield "comparison", own, theirs


def put_instead(
    found: Collection[Change], place: str, about: Collection[str], elsewhere: Collection[str]
) -> tuple[str, str, bool] | None:
    """(words of the sentence, the place's words that stand there, whether the place has the first elsewhere).

    `about`: the stems of title and headings, which may stand for what the place calls by another name; `elsewhere`: of
    the question and of other places, whence a small generator takes what does not belong here.
    """
    held = {one.key for one in words_of(place)}
    for change in found:
        own = [one for one in change.own if one.content]
        theirs = [one for one in change.theirs if one.content]
        keys, other = {one.key for one in own}, {one.key for one in theirs}
        own = [one for one in own if one.key not in other]
        theirs = [one for one in theirs if one.key not in keys]
        if not own or not theirs or _stands_for(change.theirs) or _stands_for(change.own) or _initials(own, theirs):
            continue
        fresh = [one for one in own if one.key not in held]
        if not fresh:
            if all(one.marked for one in (*own, *theirs)):
                return text_of(own), text_of(theirs), True
            continue
        if change.first and all(one.key in about for one in fresh):
            continue
        named = any(one.marked for one in fresh) and any(one.marked for one in theirs)
        if change.modifies and len(fresh) == len(theirs) == 1 and not any(one.marked for one in (*fresh, *theirs)):
            continue  # “the root password” for “a good password”
        if named or all(one.key in elsewhere for one in fresh):
            return text_of(own), text_of(theirs), False
    return None


def _is(pattern: re.Pattern[str], words: Collection[Word]) -> bool:
    return any(pattern.fullmatch(text) for text in (*(word.text for word in words), text_of(words)))


def _plainest(values: Collection[str]) -> str:
    """Of a number that can be read in two ways the one without decimals."""
    return min(values, key=lambda value: ("." in value, value))


def _stands_for(words: tuple[Word, ...]) -> bool:
    return any(word.text.casefold() in _STANDS_FOR for word in words[:2])


def _initials(own: Collection[Word], theirs: Collection[Word]) -> bool:
    one, other = "".join(word.text for word in own), "".join(word.text for word in theirs)
    first = ("".join(word.text[0] for word in words).casefold() for words in (own, theirs))
    return other.casefold() in (of_own := next(first)) or one.casefold() in next(first) or one.casefold() == of_own


def text_of(words: Collection[Word]) -> str:
    gap = "" if any(HAN.match(word.text) for word in words) else " "
    return gap.join(word.text for word in words)
