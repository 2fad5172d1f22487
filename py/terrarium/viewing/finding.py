"""Searching inside one document: what a person types, wherever it stands, in any case and with or without accents.

A space of the query is any white space of the text, so what is looked for may go on over the end of a line or a block.
Between characters of scripts without spaces any white space may stand. Nothing is stemmed, and no word is replaced.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

MOST = 2000  # matches; more of them nobody goes through
BETWEEN = "[\u00ad\u0300-\u036f]*"  # soft hyphens, and accents that are characters of their own
UNSPACED = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U000323af\u0e00-\u0eff]")


def find(text: str, query: str) -> tuple[list[tuple[int, int]], int]:
    """The first `MOST` matches as (start, end) in `text`, and how many there are. An empty query matches nothing."""
    words = [_folded(word) for word in query.split()]
    words = [word for word in words if word]
    if not words:
        return [], 0
    single, several = _alphabet(text)
    pattern = re.compile(r"\s+".join("".join(_letters(word, single, several)) + BETWEEN for word in words))
    found: list[tuple[int, int]] = []
    count = 0
    for match in pattern.finditer(text):
        count += 1
        if count <= MOST:
            found.append(match.span())
    return found, count


@lru_cache(maxsize=8192)
def _fold(character: str) -> str:
    parts = unicodedata.normalize("NFKD", character).casefold()
    return "".join(part for part in parts if unicodedata.category(part) not in ("Mn", "Cf"))


def _folded(text: str) -> str:
    return "".join(map(_fold, text))


def _alphabet(text: str) -> tuple[dict[str, str], dict[str, list[str]]]:
    """The text's characters by the letter that each is folded to, and those that are folded to several by these."""
    single: dict[str, str] = {}
    several: dict[str, list[str]] = {}
    for character in sorted(set(text)):
        folded = _fold(character)
        if len(folded) == 1:
            single[folded] = single.get(folded, "") + character
        elif folded:
            several.setdefault(folded, []).append(character)
    return single, several


def _letters(word: str, single: dict[str, str], several: dict[str, list[str]]) -> Iterator[str]:
    """The pattern of one word, letter by letter. "ß" and "ﬁ" stand for the letters that they are folded to."""
    at = 0
    while at < len(word):
        joined = [(folded, of) for folded, of in several.items() if word.startswith(folded, at)]
        folded, of = max(joined, key=lambda one: len(one[0]), default=(word[at], []))
        plain = BETWEEN.join(_class(single.get(letter, letter)) for letter in folded)
        yield f"(?:{plain}|{_class(of)})" if of else plain
        at += len(folded)
        if at < len(word):
            spaced = UNSPACED.match(word[at - 1]) or UNSPACED.match(word[at])
            yield BETWEEN + (r"\s*" if spaced else "")


def _class(characters: Iterable[str]) -> str:
    return f"[{''.join(map(re.escape, characters))}]"
