"""Text → terms: what BM25 counts, and the normal form in which two texts are compared.

A document and a question go through the same function, so whatever it does to a word it does to both. It emits
several terms for one word where people write it in several ways: with and without accents, an identifier whole
and in parts. It does not remove stop words (BM25's idf does that) and does not guess a language: stemming is
English for now, and leaves words of other scripts alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache

MAX_TERM = 64  # characters; longer ones (base64, dumps) are cut so that they cannot bloat the vocabulary
_CACHED_TOKENS = 200_000

# Scripts written without spaces between words. Hangul has spaces but glues particles to its words.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17d3\u2e80-\u2fdf\u3005\u3007\u3040-\u30ff\u3100-\u312f"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U000323af"
)
# `\w` leaves out combining marks, without which words of Hebrew, Arabic and the Indic scripts fall apart.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff"
)
_JOINERS = "\u200c\u200d"
_WORD = rf"[\w{_MARKS}{_JOINERS}{_UNSPACED}]+"
_DASHES = "\u2010\u2011\u2012\u2013\u2212"

_TOKEN = re.compile(
    rf"{_WORD}(?:(?:://|::|->|[-./:@+'’{_DASHES}]|(?<=\d),(?=\d{{3}}(?!\d))){_WORD})*(?:\+\+(?!\w)|#(?!\w))?"
)
_SPACED_OUT_ACCOUNT = re.compile(r"\b[a-z]{2}\d\d [a-z\d]{4}(?: (?=[a-z]{0,3}\d)[a-z\d]{4})+(?: \d{1,3})?\b")
_UNSPACED_RUN = re.compile(f"([{_UNSPACED}]+)")
_CONNECTORS = re.compile(r"[-./:@>,'_]+|\+(?!\+*$)")
_GROUPED_NUMBER = re.compile(r"\d{1,3}(?:([.,'])\d{3})(?:\1\d{3})*")
_IDENTIFIER = re.compile(
    r"(?!\d+(?:st|nd|rd|th|s)$)(?=.*\d)(?=.*[^\d.,'])"  # has a digit, yet is no plain number or ordinal
    r"|.*(?:[_/@]|::|->)"
    r"|\w{2,}(?:\.\w{2,})+$"  # http.postbuffer, package.json
    r"|(?:\d+\.){2,}\d"  # 1.0.21
)
_ENGLISH_ENDINGS = frozenset({"s", "t", "d", "m", "ll", "re", "ve"})
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+")
_VARIANTS = str.maketrans({**dict.fromkeys(_DASHES, "-"), "’": "'", **dict.fromkeys(_JOINERS)})
_STROKES = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe"})


@cache
def _stemmer() -> Callable[[str], str]:
    """Imported with the first word: the package loads every language, which would delay the page's start.

    The class itself, not `snowballstemmer.stemmer()`: that hands out PyStemmer where it is installed, whose release
    may stem differently, and a library indexed at the desk is to be searched in the tab.
    """
    from snowballstemmer.english_stemmer import EnglishStemmer  # noqa: PLC0415

    stem: Callable[[str], str] = EnglishStemmer().stemWord
    return stem


def normalise(text: str) -> str:
    """NFKC, case folded, every run of white space one space: two texts that read the same become equal."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def terms(text: str) -> list[str]:
    """The terms of a text in reading order, repeated as often as they occur."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("\u00ad", "")
    text = text.casefold()
    found: list[str] = []
    for token in _TOKEN.findall(text):
        found.extend(_expanded[token])
    found.extend(account.replace(" ", "") for account in _SPACED_OUT_ACCOUNT.findall(text))
    return found


def identifiers(text: str) -> list[str]:
    """The terms that name one thing and nothing near it: “e-4711/b”, “9001:2015”, “foo_bar”, “usr/local”, “sha256”.

    Plain numbers, “18th” and “1960s”, hyphenated words and abbreviations such as “e.g.” are none; nor are parts of a
    longer identifier.
    """
    found = [term for term in dict.fromkeys(terms(text)) if _IDENTIFIER.match(term) and not _UNSPACED_RUN.search(term)]
    return [term for term in found if not any(term in other for other in found if other != term)]


class _Expansions(dict[str, tuple[str, ...]]):
    """Token → terms, remembered: a text has far fewer different tokens than tokens."""

    def __missing__(self, token: str) -> tuple[str, ...]:
        if _UNSPACED_RUN.search(token):
            return tuple(_expand_unspaced(token))  # runs without spaces hardly ever repeat
        if len(self) >= _CACHED_TOKENS:
            self.clear()
        self[token] = expansion = tuple(_expand(token.translate(_VARIANTS)))
        return expansion


_expanded = _Expansions()


def _expand(token: str) -> list[str]:
    if _GROUPED_NUMBER.fullmatch(token):
        return [token, re.sub(r"\D", "", token)]
    parts = [part for part in _CONNECTORS.split(token) if part]
    if len(parts) > 1 and "'" in token:
        parts = [parts[0], *(part for part in parts[1:] if part not in _ENGLISH_ENDINGS)]
    found = [variant for part in parts for variant in _variants(part)]
    whole = token.strip("_")
    if len(parts) > 1 and "'" not in token and len(whole) <= MAX_TERM:
        found.append(whole)
    return found


def _expand_unspaced(token: str) -> list[str]:
    found: list[str] = []
    for position, piece in enumerate(_UNSPACED_RUN.split(token)):
        if position % 2 == 0:
            found.extend(term for part in _TOKEN.findall(piece) for term in _expanded[part])
        elif len(piece) == 1:
            found.append(piece)
        else:
            found.extend(piece[i : i + 2] for i in range(len(piece) - 1))
    return found


def _variants(word: str) -> list[str]:
    word = word[:MAX_TERM]
    stem = _stem(word)
    if word.isascii():
        return [stem]
    folded = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", word))).translate(_STROKES)
    return [stem] if folded == word else [stem, _stem(folded)]


def _stem(word: str) -> str:
    return _stemmer()(word) if word.isalpha() else word
