"""The question as it is searched: greetings, thanks and politeness taken off both ends.

A small generator gives another answer when a greeting stands before the question, so the prompt is made of the
cleaned question only. Words inside the question are never touched, and a question that would become empty stays.
"""

from __future__ import annotations

import re

_GREETING = (
    r"(?:hi|hello|hey|dear (?:all|assistant|sir or madam)|good (?:morning|afternoon|evening|day)"
    r"|hallo|guten (?:tag|morgen|abend)|bonjour|salut|hola|buenos d[ií]as|你好|您好)"
    r"(?: there| everyone| all| zusammen)?"
)
_REQUEST = (
    r"(?:(?:could|can|would) you (?:please |kindly )?(?:tell|explain to|show) (?:me|us)"
    r"|please (?:tell|explain to) (?:me|us)"
    r"|(?:i would|i'd) like to know|i (?:was wondering|want to know|wonder)|do you know"
    r"|(?:kannst du|können sie) mir (?:bitte )?(?:sagen|erklären)|请问)"
)
_THANKS = (
    r"(?:many thanks|thanks|thank you|thx|cheers|danke|vielen dank|merci|gracias|谢谢)"
    r"(?: you)?(?: (?:very much|so much|a lot|in advance|im voraus|d'avance))?"
)
_PLEASE = r"(?:please|kindly|bitte|s'il vous plaît|por favor)"

_LEADING = re.compile(
    rf"^(?:{_GREETING}|{_THANKS}|{_REQUEST}|{_PLEASE})(?![A-Za-zÀ-ÿ’'-])[\s,;:.!…–，、。！：-]*", re.IGNORECASE
)
_TRAILING = re.compile(
    rf"[\s,;:.!…–，、。！：-]*(?<!\w)(?:{_THANKS}|{_PLEASE})[\s.!]*(?P<mark>\?*)[\s.!]*$", re.IGNORECASE
)


def clean_question(question: str) -> str:
    """The question without framing, white space folded, first letter upper-cased: framings must not differ by it."""
    cleaned = " ".join(question.split())
    while True:
        shorter = _strip_once(cleaned)
        if not shorter or shorter == cleaned:
            break
        cleaned = shorter
    return cleaned[:1].upper() + cleaned[1:]


def _strip_once(text: str) -> str:
    leading = _LEADING.match(text)
    if leading and leading.end() < len(text):
        return text[leading.end() :]
    trailing = _TRAILING.search(text)
    if trailing and trailing.start() > 0:
        return text[: trailing.start()] + trailing["mark"]
    return text
