"""Follow-up questions made whole from the turns before: “and for contractors?” asks what the last question asked.

Rules for English, German, French, Spanish and Chinese (`rewriting.py` asks a generator where they are weak). Each
needs a sign that the question does not stand alone: it is a fragment behind “and” or “what about”, a bare question
word, or a pronoun with nothing before it that it could mean. Everything else is left as it was typed, and so is a
question without turns before it.

Not here: finding out that the topic changed. What stands alone is taken to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from terrarium.questions.cleaning import clean_question, finished
from terrarium.questions.framings import CHINESE_QUESTION, PREPOSITIONS, QUESTION_VERBS, QUESTION_WORDS
from terrarium.questions.pronouns import open_pronoun, replaced
from terrarium.questions.slots import added, exchanged
from terrarium.questions.wording import HAN, content_words, names

LONGEST_FRAGMENT = 6  # words, behind “and”
LONGEST_BARE_FRAGMENT = 4  # “For a DVD?”


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question, as it was understood, and what it was answered."""

    question: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A question that stands alone. `rule` says what made it so: "" when it did from the beginning.

    "exchanged": a phrase of the last question for the new one. "added": the new phrase at its end. "asked": its words
    with another question word. "pronoun": what the pronoun means in its place. "rewritten": by the generator. The weak
    ones only bring the words together: "topic" puts the new phrase before the last question, "context" the last
    question's words behind the new one.
    """

    question: str
    rule: str = ""

    @property
    def weak(self) -> bool:
        return self.rule in {"topic", "context"}


_AND = r"and|or|but|und|oder|aber|et|mais|ou|y(?! a)|pero|o|那么?|还有"
_ABOUT = (
    r"(?:what|how) about|what(?= if )|what of|same (?:question )?for|was ist(?: denn)? mit|wie (?:ist|sieht) (?:es"
    r"|das) (?:mit|bei|für)"
    r"|was gilt (?:für|bei)|qu['’]en est-il (?:de la|de l['’]|du|des|de|pour)|et pour|qué (?:pasa|hay|tal) (?:con|de)"
)
_OPENER = re.compile(
    rf"^(?:(?:ok|okay|so|well|also|gut),?\s+)?¿?(?:(?P<conjunction>{_AND})(?:\s*[,，]?\s+"
    rf"|(?<=[\u4e00-\u9fff])[，,]?))?¿?(?:(?P<about>{_ABOUT})\s+)?(?P<rest>.+?)"
    r"(?P<ne>呢)?[?？]?$",
    re.IGNORECASE | re.DOTALL,
)
_BARE = re.compile(
    r"(?:(?:for|since|until|till|by|at|from|to|with|ab|bis|seit|für|depuis|pour|jusqu['’]à|desde|hasta|por|para|a"
    r"|à)\s+)?"
    r"(?:why(?: not)?|how(?: (?:long|much|many|often|far|so|come|late|early|high|old|big|soon|fast|exactly))?|when"
    r"|where"
    r"|who(?: else)?|whom|which(?: ones?)?|what(?: for| else)?|warum(?: nicht)?|wieso|weshalb|wie(?: (?:lange|viele?"
    r"|oft|weit"
    r"|hoch|alt|spät"
    r"|genau))?|wann|wo|wer|wen|wem|wofür|womit|was noch|pourquoi(?: pas)?|comment|combien(?: de (?:temps|fois))?"
    r"|quand|où|qui"
    r"|lequel|laquelle|por qué(?: no)?|qué más|cómo|cuánto(?: tiempo)?|cuánt[ao]s?|cuándo|dónde|quién|cuál"
    r"|为什么|为何|怎么[办做]?|多久|多少钱?|什么时候|何时|在?哪里?|谁|几[个次天])(?:\s(?:exactly|then|genau|denn|dann|exactement))?",
    re.IGNORECASE,
)
_BEFORE_VERB = re.compile(  # question words that a yes-or-no question can take to its front
    r"(?:for |since |until |bis |ab |seit )?(?:why|how(?: (?:long|often|exactly))?|when|where|warum|wieso|weshalb"
    r"|wie(?: (?:lange|oft|genau))?|wann|wo|pourquoi|comment|quand|où)",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"(?:more|(?:any )?more details?|details?|(?:can you )?(?:give (?:me )?)?an? examples?|for example"
    r"|explain(?: (?:that|this|it))?|elaborate"
    r"|go on|continue|mehr"
    r"(?: (?:details|dazu))?|genauer|(?:gib mir )?ein beispiel|plus de détails|un exemple|par exemple"
    r"|más(?: detalles)?|un ejemplo"
    r"|更多|详细(?:一?点|说明)?|举个例子|继续)",
    re.IGNORECASE,
)
_ASKS = re.compile(rf"(?:(?:{PREPOSITIONS})\s)?(?:{QUESTION_WORDS})(?:\s|$|[\u4e00-\u9fff])", re.IGNORECASE)
_VERB_FIRST = re.compile(rf"(?:{QUESTION_VERBS})\s", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"(?:in|on|at|for|from|with|without|during|after|before|under|by|if|when|für|bei|mit|ohne|im|am|nach|vor|ab"
    r"|unter|während|wenn|pour|avec|sans|pendant|après|avant|chez|para|con|sin|durante|después de|antes de)\s",
    re.IGNORECASE,
)
_AND_IN = {
    "und": re.compile(r"warum|wie|wieso|weshalb|wann|\bwo\b|\bwe[rnm]\b|wofür|womit|\bwas\b", re.IGNORECASE),
    "et": re.compile(r"quoi|comment|combien|quand|où|qui|quel", re.IGNORECASE),
    "y": re.compile(r"qué|cómo|cuá|dónde|quién", re.IGNORECASE),
}


def resolve(question: str, turns: Sequence[Turn]) -> Resolved:
    """The question as it stands alone, by the first rule that fits. `turns` are the earlier ones, the newest last."""
    if not turns:
        return Resolved(question)
    cleaned, last = clean_question(question), clean_question(turns[-1].question)
    opener = _OPENER.match(cleaned)
    if not opener or not last:
        return Resolved(question)
    rest = opener["rest"].strip(" ,，")
    led = bool(opener["conjunction"] or opener["about"] or opener["ne"])
    if _MORE.fullmatch(rest):
        return Resolved(_topic(rest, last), "topic")
    if _BARE.fullmatch(rest):
        return Resolved(_asked(rest, last), "asked")
    short = len(rest.split()) <= LONGEST_FRAGMENT
    asks = bool(_ASKS.match(rest) or (HAN.search(rest) and re.search(CHINESE_QUESTION, rest)))
    few = len(rest.split()) <= LONGEST_BARE_FRAGMENT and bool(_PREPOSITION.match(rest))
    fragment = not asks and ((led and short) or few)
    if opener["about"] or opener["ne"] or (fragment and not open_pronoun(rest)):
        return _fragment(rest, last)
    if pronoun := open_pronoun(cleaned):
        whole = replaced(cleaned, pronoun, last, turns[-1].answer)
        return Resolved(whole, "pronoun") if whole else Resolved(_context(cleaned, turns), "context")
    if opener["conjunction"] and short and not names(rest) and len(content_words(rest)) < 2:
        return Resolved(_context(finished(rest, asked=True), turns), "context")
    return Resolved(question)


def _fragment(phrase: str, last: str) -> Resolved:
    if whole := exchanged(phrase, last):
        return Resolved(finished(whole, asked=True), "exchanged")
    if whole := added(phrase, last):
        return Resolved(finished(whole, asked=True), "added")
    return Resolved(_topic(phrase, last), "topic")


def _asked(word: str, last: str) -> str:
    body = last.rstrip("?？")
    german = bool(_AND_IN["und"].search(word))  # whose “was” is no verb
    verb_first = bool(_VERB_FIRST.match(body)) and not (german and body.startswith("Was "))
    if verb_first and _BEFORE_VERB.fullmatch(word):
        return finished(f"{word} {_small(body)}", asked=True)
    if HAN.search(word):
        return f"{body}，{word}？"
    conjunction = next((name for name, words in _AND_IN.items() if words.search(word)), "and")
    return f"{body}, {conjunction} {word[:1].lower()}{word[1:]}?"


def _topic(phrase: str, last: str) -> str:
    return f"{phrase[:1].upper()}{phrase[1:]}{'：' if HAN.search(phrase) else ': '}{_small(last)}"


def _context(question: str, turns: Sequence[Turn]) -> str:
    """The question, with the words that carry the last one, and what its answer names, in brackets."""
    known = question.casefold()
    words = [word for word in content_words(turns[-1].question) if word.casefold() not in known]
    named = [name for name in names(turns[-1].answer) if name.casefold() not in known and name not in words]
    carried = " ".join([*words, *named[:2]])
    return f"{question} ({carried})" if carried else question


def _small(text: str) -> str:
    """Without the capital that only the beginning of a question gives a word."""
    return text[:1].lower() + text[1:] if _ASKS.match(text) else text
