"""What a sentence takes from the question, and whether one place says it too.

Small generators put the question's subject before what another sentence says of something else. The question's words
are in the prompt, so that a sentence has them proves nothing: the place has to hold them itself, or its headings, or
the sentence before where the place points back. Only words with which a question is put (“located”, “term”) are free.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from difflib import SequenceMatcher
from functools import cache

from terrarium.answers.copying import Change, changes, text_of, words_of
from terrarium.answers.facts import Fault
from terrarium.answers.places import Place
from terrarium.answers.words import content_words
from terrarium.questions.wording import HAN

IN_ORDER = 0.9  # share of a sentence's words that stand in the place and its neighbours in the same order
ORDERED = 0.65  # share of its content words that stand in the place in the same order
FAR = 8  # content words of the place between two that the sentence puts together
_FRAMES = (
    "located locate location lie situated come came origin originate happen mean meaning means called call name named"
    " term phrase word show song function purpose way work use used kind type part film filmed difference"
    " use need possible want find know list tell explain describe true"
)
_BACK = re.compile(
    r"\b(?:it|its|he|his|him|she|her|they|their|them|this|these|those|such|er|es|sie|ihre?|seine?|diese?[rsnm]?|ils?"
    r"|elles?|cela|él|ella|ellos|esto)\b|[它他她]|这|该|此|其",
    re.IGNORECASE,
)
_ONE = re.compile(r"(?:it|this|he|she|es|dies|er|sie)\b", re.IGNORECASE)
_AND = re.compile(r"\b(?:and|und|et|y)\b")
_ASIDE = re.compile(r"\([^()]*\)")
_LIMIT = re.compile(
    r"\s*(?:(?:from|between)\b[^,]{,60}?\b(?:to|through|until|and)\b|(?:if|unless|until|except)\b)[^,]{,100},",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(
    r"\s*(?:is|are|was|were|has|have|had|does|did|can|will|would|could|should|and|or|but|which|who|whom|that|because"
    r"|of|by|than|ist|sind|war|waren|hat|haben|und|oder|aber|weil|dass|est|sont|et|ou|es|son|y|o)\b"
)


@cache
def framing_words() -> frozenset[str]:
    """Terms of words with which questions are put. Made when first asked for: the stemmer is slow to load."""
    return frozenset(content_words(_FRAMES))


def held_words(claim: str, place: Place) -> frozenset[str]:
    """The words that the place can give to the claim.

    Those of its sentence and headings; of the sentence before where it points back; of both neighbours where the
    claim has them in their order.
    """
    return content_words(_held_text(claim, place))


def is_whole(claim: str, place: Place) -> bool:
    """Whether the claim is the place's whole sentence."""
    own, theirs = words_of(claim), words_of(place.text)
    return len(own) >= IN_ORDER * len(theirs) and _copied(claim, place.text)


def taken_faults(
    claim: str, place: Place, asked: frozenset[str], held: frozenset[str], *, ordered: bool
) -> Iterator[Fault]:
    """What the claim takes from the question, or from two places, to say something that this place does not.

    `held` are the words that the place can give (`held_words`); `ordered` asks for their order too, which a passive
    does not keep.
    """
    found = (
        _borrowed(claim, asked, held),
        _put_in(claim, place, asked),
        _limit(claim, place),
        _order(claim, place) if ordered else None,
    )
    yield from (one for one in found if one)


def _borrowed(claim: str, asked: frozenset[str], held: frozenset[str]) -> Fault | None:
    """A word that the claim has from the question alone."""
    taken = (content_words(claim) & asked) - framing_words()
    missing = taken - held
    pairs = all(HAN.match(word) for word in missing)  # some of which cross the bounds of words
    if not missing or (pairs and 2 * len(missing) < len(taken)):
        return None
    word = _written(claim, missing)
    return Fault("subject", f"“{word}” is the question's word; the passage does not say this of it")


def _put_in(claim: str, place: Place, asked: frozenset[str]) -> Fault | None:
    """A name or a word of the question put into a sentence that else copies the place."""
    found = changes(claim, place.text)
    own_words = {one.key for one in words_of(place.text)}
    about = {one.key for one in words_of(place.context)} | own_words
    if _points_back(place):
        about |= {one.key for one in words_of(place.text_before)}
    for change in found:
        fresh = [one for one in change.own if one.content and one.key not in own_words and one.key[0] != "§"]
        stands_first = change.first and all(one.key in about for one in fresh) and _only_points(change)
        if change.first and _ONE.match(change.their_text) and _AND.search(change.own_text):
            return Fault("subject", f"“{change.own_text}” stands where the passage speaks of one thing")
        if any(one.marked or content_words(one.text) & asked - framing_words() for one in fresh) and not stands_first:
            return Fault("subject", f"“{text_of(fresh)}” is put into what the passage says of something else")
    bare = changes(claim, _ASIDE.sub(" ", place.text)) if not HAN.search(claim) else ()
    for change in bare:
        joined = change.inside and not any(one.content for one in change.own)
        if joined and sum(one.content for one in change.theirs) >= FAR:
            return Fault("subject", "it puts together what stands far apart in the passage")
    return None


def _order(claim: str, place: Place) -> Fault | None:
    """Words of the place in another order, with which the sentence says something of its own."""
    own = [one.key for one in words_of(claim) if one.content]
    theirs = [one.key for one in words_of(_held_text(claim, place)) if one.content]
    blocks = SequenceMatcher(None, own, theirs, autojunk=False).get_matching_blocks()
    if sum(block.size for block in blocks) < ORDERED * len(own) and not HAN.search(claim):
        return Fault("order", "the passage has these words in another order")
    return None


def _limit(claim: str, place: Place) -> Fault | None:
    """A condition or a span of time, with which the place begins, that a copy leaves out."""
    limit = _LIMIT.match(place.text)
    found = changes(claim, place.text)
    if limit and found and not found[0].own and len(text_of(found[0].theirs)) >= 0.7 * len(limit.group().strip(" ,")):
        return Fault("limit", f"the passage says it only for “{limit.group().strip(' ,')}”")
    return None


def fragment_fault(claim: str) -> Fault | None:
    """A sentence that begins in its middle."""
    return Fault("fragment", "it begins in the middle of a sentence") if _FRAGMENT.match(claim) else None


def _only_points(change: Change) -> bool:
    """Whether the place has there nothing but words that stand for what was named before."""
    return not [one for one in change.theirs if one.content and not _BACK.match(one.text)]


def _held_text(claim: str, place: Place) -> str:
    if _copied(claim, place.surroundings):
        return place.around
    before = place.text_before if _points_back(place) else ""
    return "\n".join((place.context, before, place.text))


def _points_back(place: Place) -> bool:
    return bool(_BACK.search(place.text[:40]))


def _copied(claim: str, text: str) -> bool:
    own, theirs = [one.key for one in words_of(claim)], [one.key for one in words_of(text)]
    blocks = SequenceMatcher(None, own, theirs, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) >= IN_ORDER * len(own)


def _written(claim: str, missing: Collection[str]) -> str:
    return next((word for word in re.findall(r"[^\W_]+", claim) if content_words(word) & set(missing)), min(missing))
