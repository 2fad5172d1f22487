"""Does a passage carry a sentence? Rules over words, numbers, names and negation; no model.

They compare words and do not understand them: a sentence that recombines the words of one place wrongly can pass, and
a sentence in words of its own can fail.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from terrarium.sentences import sentence_spans
from terrarium.text import terms

LEAST_OVERLAP = 0.6  # of the content words that a sentence adds to the question: the passage must hold them
LEAST_GROUNDING = 0.5  # of all content words of a sentence: the passage must hold them, whatever the question says
OUTDONE = 0.2  # how much more of the question (rare words weigh more) another place must hold to put a figure in doubt

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_GROUPING = re.compile(r"(?<=\d)[,'’\u00a0\u202f](?=\d{3}\b)")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|cannot|without|nor|neither|nicht|kein\w*|nie|niemals|ohne)\b|n't\b|[不没未无]",
    re.IGNORECASE,
)
_AFFIRMATION = re.compile(r"^(?:yes|ja|oui|sí|是的)\b", re.IGNORECASE)
_VERDICT = re.compile(r"^(?:yes|no|ja|nein|oui|non|sí|是|不|没)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_ODD_CAPITALS = re.compile(r"\w+[A-Z]|[A-Z]+\d")  # SQLite, ZFS, MongoDB, A4
_TITLE_CASE_TEXT = 0.35  # share of capitalised words above which a capital does not make a name: German, headlines
_FUNCTION_WORDS = frozenset(
    """a an the of in on at to for from by with as is are was were be been being it its this that these those and or but
    if then than so such may can could will would shall should must do does did has have had not no yes there here which
    who what when where how why you your they their he she his her we our i also only any all each other into over per
    der die das den dem des ein eine einer eines und oder ist sind war mit von zu im auf für nicht ja es""".split()
)


@dataclass(frozen=True, slots=True)
class Support:
    """How well one passage carries one sentence."""

    overlap: float  # share found of the content words that the question does not have, 0–1
    grounding: float  # share found of all content words, 0–1
    missing_numbers: tuple[str, ...] = ()
    foreign_names: tuple[str, ...] = ()
    contradicted: bool = False  # one of the two negates and the other does not, where that decides
    echoes: bool = False  # the sentence only repeats the question
    outdone: bool = False  # its figure stands where less is said of the question than elsewhere

    @property
    def holds(self) -> bool:
        words = self.overlap >= LEAST_OVERLAP and self.grounding >= LEAST_GROUNDING
        facts = not self.missing_numbers and not self.foreign_names and not self.contradicted
        return words and facts and not self.echoes and not self.outdone


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence of a passage with its neighbours and the passage's headings."""

    text: str  # the sentence itself
    words: frozenset[str]  # content words of all of it
    numbers: frozenset[str]


class Grounds:
    """The passages that an answer was written from, cut into places once for all its sentences.

    A sentence is held against the place that it is closest to, not against a whole passage: a figure from one end of
    it and a name from the other are no statement of it.
    """

    def __init__(self, question: str, passages: Mapping[int, tuple[str, Sequence[str]]]) -> None:
        """`passages` by number: (text, headings, with the document's title among them)."""
        self._question = content_words(question)
        self._question_numbers = numbers_in(question)
        self._texts = {n: text for n, (text, _) in passages.items()}
        self._places = {n: places(text, headings) for n, (text, headings) in passages.items()}
        self._every_place = [place for one in self._places.values() for place in one]
        counts = {word: sum(word in place.words for place in self._every_place) for word in self._question}
        self._weights = {
            word: math.log(1 + len(self._every_place) / count) if count else 0.0 for word, count in counts.items()
        }
        self._all_words = {n: set(terms("\n".join((*headings, text)))) for n, (text, headings) in passages.items()}

    def check(self, sentence: str, number: int) -> Support:
        """Hold one sentence against passage `number`."""
        spans = _spans(self._texts[number])
        place = self._places[number][spans.index(best_quote(sentence, self._texts[number]))]
        words, figures = content_words(sentence), numbers_in(sentence)
        added = words - self._question
        grounding = _share(words, place.words)
        affirmed_prohibition = bool(_AFFIRMATION.match(sentence)) and bool(_NEGATION.search(place.text))
        negated_alone = bool(_NEGATION.search(sentence)) and not _NEGATION.search(self._texts[number])
        return Support(
            overlap=_share(added, place.words) if added else max(grounding, LEAST_OVERLAP),
            grounding=grounding,
            missing_numbers=tuple(sorted(figures - place.numbers - self._question_numbers)),
            foreign_names=tuple(name for name in names_in(sentence) if not self._knows(name, number)),
            contradicted=affirmed_prohibition or negated_alone,
            echoes=not added and not _VERDICT.match(sentence),
            outdone=self._outdone(figures - self._question_numbers, place),
        )

    def _knows(self, name: str, number: int) -> bool:
        return bool(set(terms(name)) & self._all_words[number])

    def _outdone(self, figures: set[str], place: Place) -> bool:
        """Whether the place that says most of the question lies elsewhere and does not hold these figures."""
        if not figures:
            return False
        best = max(self._every_place, key=self._coverage)
        return self._coverage(best) - self._coverage(place) >= OUTDONE and not figures <= best.numbers

    def _coverage(self, place: Place) -> float:
        """Share of the question that a place holds, its words weighted by their rarity among the places."""
        total = sum(self._weights.values())
        return sum(self._weights[word] for word in self._question & place.words) / total if total else 0.0


def places(text: str, headings: Sequence[str]) -> list[Place]:
    """One for each sentence of the text."""
    spans = _spans(text)
    context = "\n".join(headings)
    found = []
    for at, (start, end) in enumerate(spans):
        around = text[spans[max(at - 1, 0)][0] : spans[min(at + 1, len(spans) - 1)][1]]
        words = frozenset(content_words(f"{context}\n{around}"))
        found.append(Place(text[start:end], words, frozenset(numbers_in(f"{context}\n{around}"))))
    return found


def content_words(text: str) -> set[str]:
    """The text's terms without function words: what carries its meaning."""
    words = " ".join(word for word in re.findall(r"[^\W_]+|\S", text) if word.casefold() not in _FUNCTION_WORDS)
    return set(terms(words, singles=False))


def numbers_in(text: str) -> set[str]:
    """Numbers as written, thousands separators taken out: "1,000" and "1’000" are "1000"."""
    return {number.strip(".,:") for number in _NUMBER.findall(_GROUPING.sub("", text))}


def names_in(sentence: str) -> list[str]:
    """Words that look like names: capitals inside, or at the beginning of a word that does not begin the sentence."""
    words: list[str] = _WORD.findall(sentence)
    capitalised = [word for word in words[1:] if word[:1].isupper() and word.casefold() not in _FUNCTION_WORDS]
    if len(capitalised) > _TITLE_CASE_TEXT * len(words):
        capitalised = []
    odd = [word for word in words if _ODD_CAPITALS.match(word)]
    return list(dict.fromkeys([*odd, *capitalised]))


def best_quote(sentence: str, passage: str) -> tuple[int, int]:
    """Offsets of the passage's sentence that shares most content words and numbers with `sentence`."""
    wanted, figures = content_words(sentence), numbers_in(sentence)

    def closeness(span: tuple[int, int]) -> float:
        text = passage[span[0] : span[1]]
        found = content_words(text)
        shared = len(wanted & found) + 2 * len(figures & numbers_in(text))
        return shared / math.sqrt(len(found) + 5)  # long sentences share by chance

    return max(_spans(passage), key=closeness)


def _spans(text: str) -> list[tuple[int, int]]:
    return sentence_spans(text) or [(0, len(text))]


def _share(words: Iterable[str], known: Iterable[str]) -> float:
    wanted = set(words)
    return len(wanted & set(known)) / len(wanted) if wanted else 1.0
