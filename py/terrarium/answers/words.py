"""The words of a text that carry its meaning: as a set to be compared, and in order.

Stems and pairs of characters are those of `text.terms`; which words are grammar is said in `questions/wording.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from terrarium.questions.wording import HAN, HAN_LETTERS, grammar_words
from terrarium.stemming import stemmer
from terrarium.text import terms

_WORD = re.compile(rf"[^\W_{HAN_LETTERS}]+(?:['’][^\W_{HAN_LETTERS}]+)*|[{HAN_LETTERS}]+")
_NAME_WORD = re.compile(rf"[^\W_{HAN_LETTERS}]+")
_TITLE = re.compile("《([^》]+)》")
_ODD_CAPITALS = re.compile(r"\w+[A-Z]|[A-Z]+\d")  # SQLite, ZFS, MongoDB, A4
_GERMAN = frozenset(
    "der die das den dem des ein eine einen einer und oder ist sind wird werden nicht auf mit für von zu im sich auch"
    " kann können muss müssen sollte sie es sein lang mindestens höchstens beträgt".split()
)
_GERMAN_LETTER = re.compile("[äöüß]")
_GERMAN_CAPITALS = 0.2  # share of all words
_HEADLINE = 5  # words that all have a capital


@dataclass(frozen=True, slots=True)
class Token:
    """One word that is no grammar, or a pair of Han characters. Offsets are the text's."""

    term: str
    start: int
    end: int


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The English stem of a case-folded word, remembered: the check looks at the same few passages many times."""
    return stemmer("")(word)


@lru_cache(maxsize=512)
def content_words(text: str) -> frozenset[str]:
    """The text's terms without grammar: what carries its meaning."""
    grammar = grammar_words()
    words = " ".join(word for word in re.findall(r"[^\W_]+|\S", text) if word.casefold() not in grammar)
    return frozenset(terms(words, singles=False))


@lru_cache(maxsize=512)
def tokens_of(text: str) -> tuple[Token, ...]:
    """The words that are no grammar, in order, each as its English stem; Han characters in pairs."""
    found: list[Token] = []
    grammar = grammar_words()
    for match in _WORD.finditer(text):
        word, start = match.group().casefold(), match.start()
        if HAN.match(word):
            found += [Token(word[at : at + 2], start + at, start + at + 2) for at in range(max(len(word) - 1, 1))]
        elif word not in grammar:
            found.append(Token(stem(word.partition("'")[0].partition("’")[0]), start, match.end()))
    return tuple(found)


def names_in(sentence: str) -> list[str]:
    """Words that look like names: capitals inside, or at the beginning of a word that does not begin the sentence.

    In a Chinese text every word in another script and what stands in 《》.
    """
    words: list[str] = _NAME_WORD.findall(sentence)
    if HAN.search(sentence):
        return list(
            dict.fromkeys(
                [word for word in words if len(word) > 1 and not word[0].isdigit()] + _TITLE.findall(sentence)
            )
        )
    capitalised = [word for word in words[1:] if word[:1].isupper() and word.casefold() not in grammar_words()]
    if in_title_case(sentence):
        capitalised = []
    odd = [word for word in words if _ODD_CAPITALS.match(word)]
    return list(dict.fromkeys([*odd, *capitalised]))


def in_title_case(text: str) -> bool:
    """Whether a capital makes no name in it: German, where every noun has one, and headlines."""
    words: list[str] = _NAME_WORD.findall(text)
    content = [word for word in words if word.casefold() not in grammar_words()]
    capitals = sum(word[:1].isupper() for word in content)
    german = {word.casefold() for word in words} & _GERMAN
    if len(german) > 1 or (german and _GERMAN_LETTER.search(text)):
        return capitals > _GERMAN_CAPITALS * len(words)
    return len(content) > _HEADLINE and capitals == len(content)


def is_name(word: str) -> bool:
    """Whether one word, wherever it stands, is written like a name."""
    return bool(word[:1].isupper() or _ODD_CAPITALS.match(word)) and word.casefold() not in grammar_words()


def first_name(sentence: str) -> list[str]:
    """The first word where it has a capital and is no grammar: a name or not, it cannot be told."""
    first = _NAME_WORD.search(sentence)
    if not first or not first.group()[0].isupper() or first.group().casefold() in grammar_words():
        return []
    return [first.group()]
