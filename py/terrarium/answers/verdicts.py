"""“Yes” and “no” at the beginning of a sentence, held against what the passage says of what was asked."""

from __future__ import annotations

import re

from terrarium.answers.denials import denials_in, softly_denies
from terrarium.answers.facts import Fault
from terrarium.answers.places import Place
from terrarium.answers.words import content_words
from terrarium.questions.framings import QUESTION_VERBS

_YES = re.compile(r"^(?:yes|ja|oui|sí|是的|可以|对)(?![^\W_])[,.:;，。!\s]*", re.IGNORECASE)
_NO = re.compile(r"^(?:no|nein|non|不是|不可以|不能|不|没有)(?=[,.:;，。!]|$)[,.:;，。!\s]*", re.IGNORECASE)
_PLAIN_NO = re.compile(r"(?:^|[.!?:\n]\s*)(?:No|Nein|Non)\b(?=[.,:;])|(?<![^。，！？\s])(?:不是|不能|不可以)(?=[，。])")
_YES_OR_NO = re.compile(
    rf"^(?:¿\s*)?(?:{QUESTION_VERBS})\b|是否|能否|可否|吗[?？]?$|是不是|能不能|可不可以", re.IGNORECASE
)


def asks_yes_or_no(question: str) -> bool:
    return bool(_YES_OR_NO.search(question))


def claim_of(sentence: str, question: str) -> str:
    """The sentence without “Yes, ”; of a bare “Yes.” the question."""
    rest = _NO.sub("", _YES.sub("", sentence, count=1), count=1)
    return rest if re.search(r"\w", rest) else question


def is_bare_no(sentence: str, question: str) -> bool:
    return bool(_NO.match(sentence)) and claim_of(sentence, question) == question


def verdict_faults(sentence: str, question: str, place: Place) -> list[Fault]:
    """A “yes” to what the place denies, a “no” to what it does not. Of a negated question nothing is said."""
    yes, no = _YES.match(sentence), _NO.match(sentence)
    if not (yes or no) or denials_in(question):
        return []
    asked = content_words(question)
    denied = _denies(place.text, asked) or _denies(claim_of(sentence, question), asked)
    if yes and denied:
        return [Fault("verdict", f"it says “{yes.group().strip(' ,.:;')}”, and the passage denies it")]
    softly = softly_denies(place.text, asked) and not is_bare_no(sentence, question)
    if no and not denied and not _PLAIN_NO.search(place.around) and not softly:
        return [Fault("verdict", f"it says “{no.group().strip(' ,.:;')}”, and the passage does not deny it")]
    return []


def _denies(text: str, asked: frozenset[str]) -> bool:
    """Whether the text denies what the question asks: half of the words stand in the clause of a negation."""
    return any(
        2 * len(asked & denial.clause) >= min(len(asked), len(denial.clause)) and set(denial.scope) & asked
        for denial in denials_in(text)
    )
