"""Text → terms: what BM25 counts, and the normal form in which two texts are compared.

A document and a question go through the same function, so whatever it does to a word it does to both. It emits
several terms for one word where people write it in several ways: with and without accents, an identifier whole
and in parts. It does not remove stop words (BM25's idf does that), does not guess a language (the reader of a
document does) and does not split compounds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache

from terrarium.stemming import stemmer

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
_WORD_CHARACTER = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U000323af]")
_DIGIT = re.compile(r"\d")
_QUOTED = re.compile(
    r"(?<!\d)\"([^\"]*)\"|[“„]([^“”„]+)[”“]|«([^«»]+)»|»([^«»]+)«|‹([^‹›]+)›|「([^「」]+)」|『([^『』]+)』|《([^《》]+)》"
    r"|(?<!\w)'([^']+)'(?!\w)|(?<!\w)[‘‚]([^‘’‚]+)[’‘](?!\w)"
)
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


def normalise(text: str) -> str:
    """NFKC, case folded, every run of white space one space: two texts that read the same become equal."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def terms(text: str, language: str = "", *, singles: bool = True) -> list[str]:
    """The terms of a text in reading order, repeated as often as they occur.

    `language` (ISO 639-1) says how words are stemmed: "" as English, one without a stemmer not at all. Scripts without
    spaces become pairs of characters and, with `singles`, single ones of Han and Hangul too, each a word that may be
    asked for alone.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("\u00ad", "")
    text = text.casefold()
    expanded = _expansions(language, singles)
    found: list[str] = []
    for token in _TOKEN.findall(text):
        found.extend(expanded[token])
    found.extend(account.replace(" ", "") for account in _SPACED_OUT_ACCOUNT.findall(text))
    return found


def question_terms(question: str, languages: Iterable[str]) -> dict[str, list[str]]:
    """What to look for in documents of each language. A character counts alone only where it was asked alone."""
    return {language: terms(question, language, singles=False) for language in languages}


def phrases(text: str) -> list[str]:
    """What stands in quotes, as it is written there, each once. An apostrophe or a sign for inches quotes nothing."""
    quoted = ("".join(found).strip() for found in _QUOTED.findall(text))
    return [phrase for phrase in dict.fromkeys(quoted) if _TOKEN.search(phrase)]


def identifiers(text: str) -> list[str]:
    """The terms that name one thing and nothing near it: “e-4711/b”, “9001:2015”, “foo_bar”, “usr/local”, “sha256”.

    Plain numbers, “18th” and “1960s”, hyphenated words and abbreviations such as “e.g.” are none; nor are parts of a
    longer identifier.
    """
    every = dict.fromkeys(terms(text, singles=False))
    found = [term for term in every if _IDENTIFIER.match(term) and not _UNSPACED_RUN.search(term)]
    return [term for term in found if not any(term in other for other in found if other != term)]


class _Expansions(dict[str, Sequence[str]]):
    """Token → terms, remembered: a text has far fewer different tokens than tokens."""

    def __init__(self, language: str, singles: bool) -> None:
        super().__init__()
        self._stem = stemmer(language)
        self._singles = singles

    def __missing__(self, token: str) -> Sequence[str]:
        if _UNSPACED_RUN.search(token):
            return self._unspaced(token)  # runs without spaces hardly ever repeat
        if len(self) >= _CACHED_TOKENS:
            self.clear()
        self[token] = expansion = tuple(self._expand(token.translate(_VARIANTS)))
        return expansion

    def _expand(self, token: str) -> list[str]:
        if _GROUPED_NUMBER.fullmatch(token):
            return [token, re.sub(r"\D", "", token)]
        parts = [part for part in _CONNECTORS.split(token) if part]
        if len(parts) > 1 and "'" in token:
            parts = [parts[0], *(part for part in parts[1:] if part not in _ENGLISH_ENDINGS)]
        found = [variant for part in parts for variant in self._variants(part)]
        whole = token.strip("_")
        if len(parts) > 1 and "'" not in token and len(whole) <= MAX_TERM:
            found.append(whole)
        return found

    def _unspaced(self, token: str) -> list[str]:
        found: list[str] = []
        for position, piece in enumerate(_UNSPACED_RUN.split(token)):
            if position % 2 == 0:
                found.extend(term for part in _TOKEN.findall(piece) for term in self[part])
            elif len(piece) == 1:
                found.append(piece)
            else:
                found.extend(piece[i : i + 2] for i in range(len(piece) - 1))
                if self._singles:
                    found.extend(_WORD_CHARACTER.findall(piece))
        return found

    def _variants(self, word: str) -> list[str]:
        """The word's stem and, where accents can be left out, the stem of the word without them."""
        word = word[:MAX_TERM]
        stem = word if _DIGIT.search(word) else self._stem(word)
        if word.isascii():
            return [stem]
        plain = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", word))).translate(_STROKES)
        return list(dict.fromkeys([stem, plain if _DIGIT.search(plain) else self._stem(plain)]))


@cache
def _expansions(language: str, singles: bool) -> _Expansions:
    return _Expansions(language, singles)
