"""Pronouns that mean something said in an earlier turn, and what they mean where only one thing can be meant."""

from __future__ import annotations

import re

from terrarium.questions.wording import PRONOUN, content_words, names

_BOUNDARY = re.compile(
    r"[,.;:?!，。；]|(?<!\w)(?:if|when|that|which|who|because|before|after|while|until|once|and|or|without|but|by|so"
    r"|than|as|wenn|dass|ob"
    r"|weil|bevor|nachdem|und|oder|damit|ohne|si|quand|que|qui|et|ou|avant|après|sans|cuando|y|o|antes|después"
    r"|sin)(?!\w)",
    re.IGNORECASE,
)
MOST_BEFORE = 2  # a subject and its verb: “can the library extend it?”
# “is it allowed to smoke”, “how long does it take to renew a card”, “gibt es einen Garten”: nothing is meant.
_EMPTY = re.compile(
    r"(?:it|es|-?il)\s+(?:(?:is|was|be|still|also|really|ever|not|auch|noch|nicht)\s+)*(?:allowed|possible|permitted"
    r"|necessary"
    r"|required|legal|illegal|safe|ok|okay|true|better|best|worth|easy|hard|advisable|recommended|forbidden"
    r"|mandatory|compulsory"
    r"|important|fair|common|normal|usual|wise|acceptable|customary|wrong|right|time|take|takes|cost|costs|mean|matter"
    r"|\w+(?=\s+that\s)|called(?=\s+(?:when|if)\s)|erlaubt|möglich|verboten|nötig|notwendig|pflicht|sinnvoll"
    r"|possible|permis|nécessaire|obligatoire|interdit)(?:[\s,]+(?P<more>.+))?",
    re.IGNORECASE,
)
_WEATHER = re.compile(r"it\s+(?:that|rains?|snows?|is (?:raining|snowing|cold|hot|dark))(?!\w)", re.IGNORECASE)
_IDIOM = re.compile(
    r"(?:gibt|geht|handelt|regnet)\s+es(?!\w)|(?:faut|a-t|est)-il(?!\w)|ma(?:ke|kes|de|king)\s+it\s+(?:to|through"
    r"|into|up|back|stop)(?!\w)",
    re.IGNORECASE,
)
# “when did they start using PVC for plumbing”: people in general, when the rest says enough.
_PEOPLE = {"they"}
ENOUGH_BEHIND = 2
_CLAUSE_FIRST = re.compile(
    r"(?:if|when|before|after|as|while|once|until|wenn|bevor|nachdem|si|quand|cuando)\s", re.IGNORECASE
)
_PERSON = {"he", "him", "his", "she", "her", "hers"}
_SINGULAR = {"it", "its", "es", "er", "ihn", "sie", "它"}
_BEHIND_VERB = {"das", "er", "sie", "es"}
_ADJUNCT = re.compile(
    r"(?<!\w)(?:on|in|at|from|for|with|under|by|auf|in|im|bei|mit|für|von|dans|sous|en|con)\s+$", re.IGNORECASE
)
_ARTICLES = {"er": "der", "ihn": "den", "es": "das", "sie": "die"}
_POSSESSIVE = {"its", "their", "his", "leur", "leurs", "su", "sus"}
_FULL_NAME = re.compile(r"[A-ZÄÖÜ][\w.’-]+(?:\s+[A-ZÄÖÜ][\w.’-]+)+")


def open_pronoun(question: str) -> re.Match[str] | None:
    """The first pronoun, if the question itself holds nothing before it that it could mean."""
    for pronoun in PRONOUN.finditer(question):
        before, after = question[: pronoun.start()], question[pronoun.end() :]
        if _means_nothing(question, pronoun):
            continue
        word = pronoun.group().casefold()
        if word in _PEOPLE and len(content_words(after)) >= ENOUGH_BEHIND:
            return None
        if _CLAUSE_FIRST.match(before) and len(content_words(after.partition(",")[2])) >= ENOUGH_BEHIND:
            return None  # “Before they start, what do builders need?” names them behind
        said = content_words(before)
        verb = word in _BEHIND_VERB and len(said) == 1 and before.rstrip().endswith(said[0])  # “Gilt das auch …”
        if not said or verb:
            return pronoun
        if word in _POSSESSIVE:
            return None
        most = 1 if before.endswith("-") else MOST_BEFORE  # “La licence se renouvelle-t-elle ?” holds its own subject
        own = before[before.find(said[0]) :]
        if not content_words(after) and len(said) <= most and not names(before) and not _BOUNDARY.search(own):
            return pronoun
        return None
    return None


def _means_nothing(question: str, pronoun: re.Match[str]) -> bool:
    at = pronoun.start()
    if any(idiom.start() <= at < idiom.end() for idiom in _IDIOM.finditer(question)) or _WEATHER.match(question, at):
        return True
    empty = _EMPTY.match(question, pronoun.start())
    return bool(empty and empty["more"] and content_words(empty["more"]))


def replaced(question: str, pronoun: re.Match[str], last: str, answer: str) -> str:
    """The question with what the pronoun means in its place; "" where that is not one thing of the last turn."""
    word = pronoun.group().casefold()
    found: list[str] = []
    if word in _PERSON:
        told: list[str] = _FULL_NAME.findall(answer)
        found = [name for name in dict.fromkeys(told) if name not in last] or _FULL_NAME.findall(last)
    elif word in _SINGULAR:
        found = names(last)
        before = last.partition(found[0])[0] if found else ""
        if _ADJUNCT.search(before) or len(content_words(before)) > 1:
            return ""  # “Which file holds the configuration on Debian?” is not about Debian
    if len(found) != 1:
        return ""
    thing = found[0]
    if word in _ARTICLES and re.search(rf"(?<!\w)(?:d(?:er|ie|as|en|em)|eine?[mnr]?) {re.escape(thing)}", last):
        thing = f"{_ARTICLES[word]} {thing}"
    if word == "her" and content_words(question[pronoun.end() :]):
        word = "his"
    if word in _POSSESSIVE:
        thing += "’" if thing.endswith("s") else "’s"
    return question[: pronoun.start()] + thing + question[pronoun.end() :]
