"""Which passages say nothing that a better one does not say: copies, near-copies, parts of a longer passage.

Two contracts from one template differ in a date, a name or one word, and that is what a person asks about. So a passage
is taken for a copy only where its words stand in the other one, in the same order and without a gap; case, spaces and
punctuation aside, and aside from a few words at its beginning or end that hold no number and no name (a running
head, half a sentence). A name or number in its headings must be known to the other one too. What it does not do:
paraphrases, translations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from terrarium.model import Chunk
from terrarium.text import normalise

LIKE = 0.9  # of a passage's words: so many stand in the other one in one run
_CORE = 7  # words in a passage's middle, which are in whatever says all of it: looked for first
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _Text:
    chunk: Chunk
    words: list[str]  # as written
    plain: str  # the words in normal form, a space around each
    core: str

    @classmethod
    def of(cls, chunk: Chunk) -> _Text:
        words = _WORD.findall(chunk.text)
        middle = max(len(words) - _CORE, 0) // 2
        return cls(chunk, words, _plain(words), _plain(words[middle : middle + _CORE]))


def firsts(chunks: Sequence[Chunk]) -> list[int]:
    """For each chunk, best first, the place of the first one that says all it says: its own place where none does."""
    found: list[int] = []
    kept: list[tuple[int, _Text]] = []
    equal: dict[str, int] = {}
    for place, chunk in enumerate(chunks):
        text = _Text.of(chunk)
        first = equal.setdefault(text.plain if text.words else normalise(chunk.text), place)
        if first == place and text.words:
            first = next((at for at, better in kept if text.core in better.plain and _says_all(better, text)), place)
        found.append(first)
        if first == place:
            kept.append((place, text))
    return found


def _says_all(one: _Text, other: _Text) -> bool:
    """Whether nothing in `other` is missing from `one`."""
    heads, others_heads = (_marks(_WORD.findall(" ".join(text.chunk.headings))) for text in (one, other))
    if not others_heads <= heads | {normalise(word) for word in one.words}:
        return False
    words = other.words
    for cut in range(int(len(words) * (1 - LIKE) + 1e-9) + 1):
        for before in range(cut + 1):
            end = len(words) - (cut - before)
            if _plain(words[before:end]) in one.plain:
                return not _marks([*words[:before], *words[end:]])
    return False


def _plain(words: Sequence[str]) -> str:
    return f" {normalise(' '.join(words))} "


def _marks(words: Sequence[str]) -> set[str]:
    """Numbers and names: what holds a digit, and what is not all lower case."""
    return {normalise(word) for word in words if not word.islower() or not word.isalpha()}
