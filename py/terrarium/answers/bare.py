"""Sentences that say nothing by themselves: a line that only leads in, a line of a program that nobody asked for.

Both are what is left in an answer of a program that was put into a document, and neither tells a reader anything.
"""

from __future__ import annotations

import re

from terrarium.answers.places import Place
from terrarium.guards.code import is_code
from terrarium.questions.wording import grammar_words

_LEADS_IN = re.compile(r"[:：]\W*$")
_POINTS_AHEAD = re.compile(
    r"\b(?:following|subsequent|below|folgend\w*|unten|suivante?s?|ci-dessous|siguientes?)\b|以下|下列|下面",
    re.IGNORECASE,
)
_ASKS_FOR_CODE = re.compile(
    r"\bhow (?:do|does|can|could|should|would|to|is|are)\b|\bwie (?!viel|lang|oft|groß|hoch)|\bcomment\b|\bcómo\b"
    r"|怎么|如何|\b(?:code|command|script|function|program|syntax|option|setting|statement|call|befehl|funktion"
    r"|commande|fonction|comando|función)s?\b|命令|代码|函数",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_PROSE = 3  # words of grammar from which on a line with code in it is a sentence


def leads_in(claim: str, place: Place) -> bool:
    """Whether it announces something: by its colon, or by pointing at what its place announces."""
    return bool(_LEADS_IN.search(claim)) or bool(_POINTS_AHEAD.search(claim) and _LEADS_IN.search(place.text))


def is_stray_code(claim: str, question: str) -> bool:
    """Whether it is a line of a program under a question that asks for none."""
    prose = sum(word.casefold() in grammar_words() for word in _WORD.findall(claim))
    return is_code(claim) and prose < _PROSE and not is_code(question) and not _ASKS_FOR_CODE.search(question)
