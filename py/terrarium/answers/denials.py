"""What a text denies: each negation with the words that it bears on, so that two texts may be held against each other.

“Smoking is not allowed on the ferry” denies (allow, ferry, smoke): a sentence that says this without a negation says
the opposite. “No more than 64” is a bound (`quantities.py`) and “not only” an emphasis; neither denies anything.
English, German, French, Spanish and Chinese. Not here: double negation, irony, and what a sentence only implies.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from terrarium.answers.words import Token, tokens_of

_CUE = re.compile(
    r"(?<![\w-])(?:not|cannot|never|no|none|nobody|nothing|nowhere|neither|nor|without"
    r"|unable|impossible|forbid\w*|prohibit\w*|disallow\w*|unsupported|unavailable|unrelated|irrelevant"
    r"|independent(?= of)|fail(?:s|ed|ing)?|lacks?|lacking"
    r"|nicht|kein\w*|nie|niemals|nirgends|nichts|ohne|weder|verboten|untersagt|unmöglich|unzulässig"
    r"|pas|jamais|aucune?|sans|interdite?s?|impossible"
    r"|nunca|ningun[oa]?|ningún|sin|prohibid[oa]s?|imposible)(?![\w-])|n['’]t\b"
    r"|无法|没有|禁止|不得|尚未|从未|并未|并非|未能|没|(?<![除莫绝])非(?!常|洲)"
    r"|不(?!同|断|过|仅|少|但|久|论|管|光|只|足|料|幸|禁|知不觉|超过)|(?<![历])未(?!来|必)|无(?!论|数|穷|限|疑|线|双|锡)",
    re.IGNORECASE,
)
HARD = _CUE
_NO_DENIAL = re.compile(
    r"\s*(?:only|just|merely|nur|seulement|sólo|solo|until"
    r"|(?:be )?(?:more|less|fewer|later|earlier|greater|longer|larger|higher|lower|over)\s+than"
    r"|(?:mehr|weniger|länger|später|früher) als|doubt|matter|wonder|longer than|[.:]?\s*\d)",
    re.IGNORECASE,
)
# What makes a denial by the sentence possible though the passage has no negation of its own.
_SOFT = re.compile(
    r"\b(?:only|except|unless|until|instead|rather|but|hardly|rarely|seldom|few|little|stop\w*|avoid\w*|prevent\w*"
    r"|refus\w*|reject\w*|exclud\w*|den(?:y|ies|ied)|ignor\w*|disabl\w*|remov\w*|exempt\w*"
    r"|un\w{4,}|in(?:valid|complete|sufficient|dependent\w*|correct|visible|effective)|dis\w{4,}|non\w*"
    r"|nur|außer|sondern|statt|selten|kaum|sauf|seulement|excepto|salvo|solo|sólo)\b|除|只|仅|而是|很少",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;:.!?()—–，。；：！？、]+(?!\d)|\s(?:and|but|however|although|because|whereas|while|though|which|who|that|if|when"
    r"|und|aber|sondern|weil|obwohl|dass|wenn|et|mais|car|qui|y|pero|porque|que)\s",
    re.IGNORECASE,
)
# They say that something may or may not be; what, stands on either side.
_MODAL = frozenset(
    """allow permit possibl avail support legal requir necessari erlaubt gestattet möglich zulässig zulassig notwendig
    permis autorisé possible permitido posible 允许 可以 需要 可能""".split()
)
_SCOPE = 4


@dataclass(frozen=True, slots=True)
class Denial:
    """A negation and the terms that it bears on, nearest first; `clause` are all terms of its clause."""

    cue: str
    scope: tuple[str, ...]
    clause: frozenset[str]
    start: int


@lru_cache(maxsize=512)
def denials_in(text: str) -> tuple[Denial, ...]:
    tokens = tokens_of(text)
    found: list[Denial] = []
    for match in _CUE.finditer(text):
        if _NO_DENIAL.match(text[match.end() :]):
            continue
        start, end = _clause_around(text, match.start(), match.end())
        clause = [token for token in tokens if start <= token.start and token.end <= end]
        others = [token for token in clause if token.end <= match.start() or token.start >= match.end()]
        scope = _scope(others, match)
        if scope:
            found.append(Denial(match.group().strip(), scope, frozenset(token.term for token in others), match.start()))
    return tuple(found)


def is_emphasis(text: str) -> bool:
    """Whether its negation only emphasises or bounds: “not only”, “no more than”."""
    return all(_NO_DENIAL.match(text[cue.end() :]) for cue in _CUE.finditer(text))


def softly_denies(text: str, words: Collection[str]) -> bool:
    """Whether a word such as “only” or “except” stands in a clause with one of the words."""
    for match in _SOFT.finditer(text):
        start, end = _clause_around(text, match.start(), match.end())
        if any(token.term in words for token in tokens_of(text[start:end])):
            return True
    return False


def reaches(denial: Denial, words: Collection[str]) -> bool:
    """Whether words that say nothing negative speak of what the denial denies: its head and most of its scope."""
    nearest = denial.scope[:3]
    held = sum(term in words for term in nearest)
    return nearest[0] in words and 3 * held >= 2 * len(nearest)


def _scope(others: Sequence[Token], match: re.Match[str]) -> tuple[str, ...]:
    after = [token.term for token in others if token.start >= match.end()]
    before = [token.term for token in others if token.end <= match.start()][::-1]
    if after and after[0] in _MODAL:
        return tuple(dict.fromkeys([*(term for term in [*before[:2], *after[1:]] if term not in _MODAL)]))[:_SCOPE]
    return tuple(dict.fromkeys(after or before))[:_SCOPE]


def _clause_around(text: str, start: int, end: int) -> tuple[int, int]:
    first = max((match.end() for match in _CLAUSE.finditer(text, 0, start)), default=0)
    following = _CLAUSE.search(text, end)
    return first, following.start() if following else len(text)
