"""The parts of a question that asks several things at once, each to be searched by itself.

By rules over five languages, and rather one part too few: “Which UID and GID range …” asks one thing, a question whose
second half rests on the answer to the first (“Where was the author of X born?”) cannot be told apart by its words, and
neither can two things asked about in one breath (“the capitals of France and Spain”). All of these stay whole.

A part that names nothing of its own gets the names of the part before, in brackets: it stands by itself for a search,
not as a sentence.
"""

from __future__ import annotations

import re
from itertools import pairwise

from terrarium.questions.cleaning import finished
from terrarium.questions.framings import CHINESE_QUESTION, PREPOSITIONS, QUESTION_VERBS, QUESTION_WORDS, WH_WORDS
from terrarium.questions.wording import HAN, PRONOUN, content_words, names

LEAST_WORDS = 3  # of a part: “when and where …” and “…, and why?” ask one thing
LEAST_HAN = 4
MOST_PARTS = 4

_AND = r"(?:and|as well as|plus|und|sowie|et|ainsi que|y)"
_ALSO = r"(?:(?:also|then|finally|secondly|außerdem|auch|dann|ensuite|aussi|también|además|luego)\s+)?"
# “, and which …”, “ und wie …”. Without “and” a comma before “which” or “who” begins a relative clause, in German any.
_JOINT = re.compile(
    rf"(?:[,;]\s*)?(?<=\S)\s*(?<!\w){_AND}\s+¿?{_ALSO}(?=(?:(?:{PREPOSITIONS})\s+)?(?:{WH_WORDS}|qu['’]est-ce"
    r"|d['’]où)\s)"
    r"|[,;]\s*(?=(?:how|what|why)\s)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[?？])\s*(?=\S)")
_NUMBERED = re.compile(r"(?:^|(?<=[\s:;,.?？]))(?:\(?(?:\d|[a-e]|i{1,3}|iv)\)|\d\.(?=\s))\s*", re.IGNORECASE)
_HAN_JOINT = re.compile("[，,；;。]\\s*(?:以及|还有|并且|而且|另外|此外|同时|那么|而|又)?|以及|还有")
_LEADING_AND = re.compile(
    rf"^(?:{_AND}|or|but|oder|aber|ou|mais|o|pero)\s+{_ALSO}|^(?:以及|还有|另外|那么|并且)", re.IGNORECASE
)
_INVERTED = re.compile(rf"^(?:\S+\s+){{1,5}}?(?:{QUESTION_VERBS})(?!\w)", re.IGNORECASE)
_CLAUSE_FIRST = re.compile(rf"^when\s+(?!(?:{QUESTION_VERBS})\s)", re.IGNORECASE)  # “When dating rocks, what …”
_ADVERB = re.compile(r"^(?:how|why|when|where)\b", re.IGNORECASE)
_VERB_FIRST = re.compile(rf"^(?:{QUESTION_VERBS})\s+(?!not\b|nicht\b|{_AND}\b)", re.IGNORECASE)
# “which file says what X is and how Y works”: both halves hang on the verb.
_EMBEDS = re.compile(
    r"\b(?:tell|tells|say|says|explain\w*|describ\w*|specif\w*|determin\w*|decid\w*|control\w*|defin\w*|know|knows"
    r"|show|shows"
    r"|state|states|understand|depend\w*|find out|between|zwischen|entre)\b|,\s*(?:was|wer|wie|wann|wo|ob|welche\w*"
    r"|warum)\b",
    re.IGNORECASE,
)
_OPEN_END = re.compile(rf"(?:^|\s)(?:of|in|on|for|to|the|a|an|by|with|at|from|than|or|{_AND})$", re.IGNORECASE)
_ANY_VERB = re.compile(rf"(?:^|\s)(?:{QUESTION_VERBS})(?!\S)", re.IGNORECASE)
_ASKS = re.compile(rf"(?:^|[,:.]\s*)¿?(?:(?:{PREPOSITIONS})\s+)?(?:{QUESTION_WORDS})(?:\s|$)", re.IGNORECASE)
_HAN_ASKS = re.compile(CHINESE_QUESTION)
_HAN_CIRCUMSTANCE = re.compile("[下时后前中里上]$|的话$|时候$")
# A clause that begins with its verb asks only when a subject follows: “and was crowned in 800” tells.
_SUBJECT_BEHIND = re.compile(
    rf"(?:{QUESTION_VERBS})\s+(?:i|you|we|they|it|he|she|there|one|anyone|ich|du|man|wir|sie|er|es|ihr)(?!\w)",
    re.IGNORECASE,
)


def split_question(cleaned: str) -> tuple[str, ...]:
    """The parts in order, each a question that can be searched alone; one element when the question asks one thing."""
    pieces = _numbered(cleaned)
    if len(pieces) < 2:
        pieces = [part for sentence in _sentences(cleaned) for part in _clauses(sentence)]
    if not 1 < len(pieces) <= MOST_PARTS:
        return (cleaned,)
    pieces = [finished(_LEADING_AND.sub("", piece.strip(" ,;，；¿")), asked=True) for piece in pieces]
    parts = pieces[:1]
    named = names(pieces[0])
    for before, piece in pairwise(pieces):
        parts.append(_with_subject(piece, before, named))
        named = names(piece) or named
    return tuple(parts)


def _numbered(text: str) -> list[str]:
    """“1) … 2) …”: what stands before the first number belongs to each."""
    marks = list(_NUMBERED.finditer(text))
    if len(marks) < 2:
        return []
    lead = text[: marks[0].start()].strip()
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    found = [text[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True)]
    if not all(_substantial(one) for one in found):
        return []
    return [f"{lead} {one}".strip() for one in found]


def _sentences(text: str) -> list[str]:
    """Cut behind each question mark; a tag (“Right?”) stays with what it follows."""
    found: list[str] = []
    for sentence in _SENTENCE.split(text):
        own = _LEADING_AND.sub("", sentence.lstrip("¿ "))
        asks = bool(re.search("[?？]", sentence)) and _substantial(own) and _asks(own)
        if found and not asks:
            found[-1] += " " + sentence
        else:
            found.append(sentence)
    return found


def _clauses(sentence: str) -> list[str]:
    if HAN.search(sentence):
        return _han_clauses(sentence)
    found: list[str] = []
    rest = sentence
    start = 0
    for joint in sorted([*_JOINT.finditer(sentence), *_verb_joints(sentence)], key=lambda joint: joint.start()):
        first, second = sentence[start : joint.start()], sentence[joint.end() :]
        comma = not re.search(r"\w", joint.group())
        if joint.start() >= start and _splits(first, second) and not (comma and _CLAUSE_FIRST.match(first)):
            found.append(first)
            rest, start = second, joint.end()
    return [*found, rest]


def _verb_joints(sentence: str) -> list[re.Match[str]]:
    joints = re.finditer(rf"\s*,?\s+{_AND}\s+(?=(?:{QUESTION_VERBS})\s)", sentence, re.IGNORECASE)
    found = [joint for joint in joints if _VERB_FIRST.match(sentence[joint.end() :])]
    return [one for one in found if _VERB_FIRST.match(sentence) or _SUBJECT_BEHIND.match(sentence[one.end() :])]


def _splits(first: str, second: str) -> bool:
    """Whether both sides ask for themselves."""
    first, second = first.rstrip(" ,;"), second.rstrip(" ?")
    if not (_substantial(first) and _substantial(second)) or _OPEN_END.search(first) or _EMBEDS.search(first):
        return False
    verbs = list(_ANY_VERB.finditer(first))
    if not _ASKS.search(first) or (len(verbs) == 1 and verbs[0].end() == len(first)):  # “how fast can and must …”
        return False
    if not content_words(second) and not _ANY_VERB.search(second):  # “and for how long?”
        return False
    return not _ADVERB.match(second) or bool(_INVERTED.match(second))


def _han_clauses(sentence: str) -> list[str]:
    found: list[str] = []
    start = 0
    for joint in _HAN_JOINT.finditer(sentence):
        first, second = sentence[start : joint.start()], sentence[joint.end() :].rstrip("？?")
        whole = _substantial(first) and _substantial(second) and not _HAN_CIRCUMSTANCE.search(first)
        if whole and _HAN_ASKS.search(first) and _HAN_ASKS.search(second):
            found.append(first)
            start = joint.end()
    return [*found, sentence[start:]]


def _asks(text: str) -> bool:
    return bool(_HAN_ASKS.search(text) if HAN.search(text) else _ASKS.match(text))


def _substantial(text: str) -> bool:
    han = len(HAN.findall(text))
    return han >= LEAST_HAN if han else len(re.findall(r"\w[^\s?]*", text)) >= LEAST_WORDS


def _with_subject(part: str, before: str, named: list[str]) -> str:
    """The part, with the last names, or else what the part before it speaks of, when it names nothing itself."""
    if names(part):
        return part
    carried = list(named)
    if not carried and (PRONOUN.search(part) or len(content_words(part)) < 2):
        carried = [" ".join(content_words(before))]
    carried = [one for one in carried if one and one.casefold() not in part.casefold()]
    return f"{part} ({', '.join(carried)})" if carried else part
