"""Does a passage carry a sentence? Facts by rules (`facts.py`), wording by shared words and late interaction.

What nearly copies its place stands by its words alone. A sentence in words of its own stands when its facts are the
passage's and its meaning is near (MaxSim of the sentence in the place, `late_interaction.py`); without a reranker
shared words decide. `models/support.md` says on what this was measured and what it cannot see.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from terrarium.answers.bare import is_stray_code
from terrarium.answers.borrowing import fragment_fault, framing_words, held_words, is_whole, taken_faults
from terrarium.answers.copying import words_of
from terrarium.answers.dates import dates_in
from terrarium.answers.denials import HARD, denials_in
from terrarium.answers.facts import Fault, Known, faults_of
from terrarium.answers.places import Place, nearest, places_of, without_figures
from terrarium.answers.quantities import Quantity, numbers_in, quantities_in
from terrarium.answers.sentence_scores import asks_how_many, lacks_what_is_asked
from terrarium.answers.verdicts import asks_yes_or_no, claim_of, is_bare_no, verdict_faults
from terrarium.answers.words import content_words
from terrarium.questions.wording import HAN
from terrarium.runtime.protocols import Candidate, Reranker
from terrarium.text import terms

# Shares of a sentence's words that its place must hold, chosen by `terrarium_build.support`: of those that it adds to
# the question, and of all.
LEAST_OVERLAP, LEAST_GROUNDING = 0.7, 0.75  # without a reranker
NEAR_OVERLAP, NEAR_GROUNDING, NEAR = 0.5, 0.75, 0.7  # with one, and the MaxSim that is needed too
SURE = 0.9  # of all its words: no model is asked
OUTDONE = 0.2  # how much more of the question (rare words weigh more) another place must hold to put a figure in doubt
FRAGMENT = 4  # content words, none of them asked: so few say something only as an answer to the question


@dataclass(frozen=True, slots=True)
class Support:
    """How one passage carries one sentence: the place that it was held against, and what is wrong with its facts."""

    place: Place
    overlap: float  # share found of the content words that the question does not have, 0–1
    grounding: float  # share found of all content words, 0–1
    faults: tuple[Fault, ...] = ()
    closeness: float | None = None  # MaxSim of the sentence in the place, where a reranker was asked

    @property
    def wording(self) -> bool:
        """Whether the place says what the sentence says, as far as words and meaning show it."""
        if self.grounding >= SURE:
            return True
        if self.closeness is None:
            return self.overlap >= LEAST_OVERLAP and self.grounding >= LEAST_GROUNDING
        return self.closeness >= NEAR and self.overlap >= NEAR_OVERLAP and self.grounding >= NEAR_GROUNDING

    @property
    def holds(self) -> bool:
        return not self.faults and self.wording

    @property
    def in_doubt(self) -> bool:
        """Whether its meaning decides."""
        return not self.faults and NEAR_GROUNDING <= self.grounding < SURE

    @property
    def reasons(self) -> tuple[Fault, ...]:
        """Why it does not hold."""
        return self.faults if self.faults or self.wording else (Fault("wording", "no passage says this"),)


class Grounds:
    """The passages that an answer was written from, cut into places once for all its sentences."""

    def __init__(self, question: str, passages: Mapping[int, tuple[str, Sequence[str]]]) -> None:
        """`passages` by number: (text, headings, with the document's title among them)."""
        self.question = question
        self.places = {n: places_of(text, headings) for n, (text, headings) in passages.items()}
        self._passages = passages
        self._asked = content_words(question)
        self._asked_numbers = numbers_in(question)
        self._yes_or_no = asks_yes_or_no(question)
        self._every_place = [place for one in self.places.values() for place in one]
        counts = {word: sum(word in place.words for place in self._every_place) for word in self._asked}
        self._weights = {
            word: math.log(1 + len(self._every_place) / count) if count else 0.0 for word, count in counts.items()
        }

    async def check(self, sentence: str, reranker: Reranker | None) -> dict[int, Support]:
        """Hold one sentence against every passage. The reranker is asked where words alone do not settle it."""
        found = {n: self.check_words(sentence, n) for n in self.places}
        doubtful = [n for n, one in found.items() if one.in_doubt]
        settled = any(one.holds and not one.in_doubt for one in found.values())
        if reranker and doubtful and not settled and not HAN.search(sentence):
            candidates = [Candidate(found[n].place.text) for n in doubtful]
            scores = await reranker.score(self.claim_of(sentence), candidates)
            for n, score in zip(doubtful, scores, strict=True):
                found[n] = replace(found[n], closeness=float(score))
        return found

    def check_words(self, sentence: str, number: int) -> Support:
        """Hold one sentence against passage `number`: against the place that shares most with it."""
        claim = self.claim_of(sentence)
        place = nearest(claim, self.places[number])
        words = content_words(HARD.sub(" ", without_figures(claim)))
        added = words - self._asked
        words -= framing_words() & self._asked
        figures, new = _figures(claim, frozenset()), _figures(claim, self._asked_numbers)
        fragment = len(words) + figures <= FRAGMENT and not words & self._asked and not self._yes_or_no
        fragment = fragment and not is_whole(claim, place)
        held = held_words(claim, place)
        grounding = _share(words | self._asked if fragment else words, held, figures)
        overlap = _share(added, held, new) if added or new else grounding
        faults = [*faults_of(claim, place, self._known[number]), *verdict_faults(sentence, self.question, place)]
        if is_bare_no(sentence, self.question):  # it denies what the question says
            faults = [fault for fault in faults if fault.kind not in ("negation", "comparison")]
        if not (added or new or self._yes_or_no or (denials_in(claim) and not denials_in(self.question))):
            faults.append(Fault("echo", "it only repeats the question"))
        only_dates = asks_how_many(self.question) and not _amounts(claim)
        besides = only_dates or lacks_what_is_asked(self.question, claim)
        if not added and new and besides and not is_whole(claim, place):
            faults.append(Fault("beside", "it gives nothing of the kind that was asked for"))
        if cut := fragment_fault(claim):
            faults.append(cut)
        if is_stray_code(claim, self.question):
            faults.append(Fault("code", "it is a line of a program, which was not asked for"))
        if grounding >= NEAR_GROUNDING:  # what has less does not stand anyway
            faults += taken_faults(claim, place, self._asked, held, ordered=not words <= place.own_words)
        borrowed = words & self._asked - place.words
        if borrowed and self._outdone(numbers_in(claim) - self._asked_numbers, place):
            faults.append(Fault("beside", "another place says more of what was asked, without this number"))
        return Support(place, overlap, grounding, tuple(faults))

    def claim_of(self, sentence: str) -> str:
        """What is to be found in a passage: a bare “Yes.” claims what was asked."""
        return claim_of(sentence, self.question)

    @cached_property
    def _known(self) -> dict[int, Known]:
        elsewhere = _stems("\n".join((self.question, *(text for text, _ in self._passages.values()))))
        return {
            n: Known(
                terms=frozenset(terms("\n".join((*headings, text)))),
                about=_stems("\n".join(headings)),
                elsewhere=elsewhere,
                asked=self._asked_numbers,
            )
            for n, (text, headings) in self._passages.items()
        }

    def _outdone(self, figures: set[str], place: Place) -> bool:
        """Whether the place that says most of the question lies elsewhere and does not hold these figures."""
        if not figures or not self._every_place:
            return False
        best = max(self._every_place, key=self._coverage)
        return self._coverage(best) - self._coverage(place) >= OUTDONE and not figures <= best.numbers

    def _coverage(self, place: Place) -> float:
        """Share of the question that a place holds, its words weighted by their rarity among the places."""
        total = sum(self._weights.values())
        return sum(self._weights[word] for word in self._asked & place.words) / total if total else 0.0


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.key for word in words_of(text) if word.content)


def _figures(claim: str, asked: Collection[str]) -> int:
    """How many of its words are numbers, units and dates, without those that were `asked`."""
    dates = [one for one in dates_in(claim) if not numbers_in(one.text) <= set(asked)]
    numbers = [one for one in quantities_in(claim) if not one.values <= set(asked)]
    amounts = _amounts(claim)
    free = [one for one in numbers if one in amounts]
    alone = [one for one in free if not claim[one.start - 1 : one.start].isalpha()]
    return 2 * len(dates) + sum(1 + bool(one.unit) for one in alone)


def _amounts(claim: str) -> list[Quantity]:
    """Its numbers that are no part of a date."""
    dates = dates_in(claim)
    return [
        one for one in quantities_in(claim) if all(one.end <= date.start or date.end <= one.start for date in dates)
    ]


def _share(words: Collection[str], known: Collection[str], figures: int) -> float:
    """Share of the words that are known. Figures count as such: whether they are is a matter of facts."""
    whole = len(words) + figures
    return (len(set(words) & set(known)) + figures) / whole if whole else 1.0
