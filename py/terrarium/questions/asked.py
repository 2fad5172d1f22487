"""What a question asks about: its words that carry meaning, which of them are names, and its language.

Rules over words, in English, German, French, Spanish and Chinese. What they do not do: parse, or find synonyms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from terrarium.questions.wording import content_words, names

# Words that a question can hardly do without, and that are rare in the other languages.
_TELLING = {
    "en": "the is are was were does did do how what which who when where why can of and to in for with from",
    "de": "der die das ist sind wie was wer wann wo warum welche welcher welches ein eine und nicht mit für ich kann",
    "fr": "le les est sont quel quelle quels quelles qui quand où comment pourquoi combien une et dans pour du peut",
    "es": "el los es son cuál cuáles quién cuándo dónde cómo cuánto cuántos cuántas qué por para una y en del",
}
_TELLING_WORDS = {language: frozenset(words.split()) for language, words in _TELLING.items()}
_LONGEST_HAN = 4  # characters of one Chinese word or name
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile("[\u3040-\u30ff]")


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A word of the question that carries meaning, as it was written; of Chinese a run of characters."""

    text: str
    name: bool  # a name, a number or an identifier


def asked_words(question: str) -> tuple[AskedWord, ...]:
    """Each once, in the order of the question. A long run of Chinese holds several words: it is cut into pairs."""
    named = set(names(question))
    words = [piece for word in content_words(question) for piece in ([word] if word in named else _pieces(word))]
    return tuple(AskedWord(w, w in named or any(sign.isdigit() for sign in w)) for w in dict.fromkeys(words))


def _pieces(word: str) -> list[str]:
    if len(word) <= _LONGEST_HAN or not _HAN.match(word):
        return [word]
    return [word[at : at + 2] for at in range(len(word) - 1)]


def question_language(question: str) -> str:
    """ISO 639-1, or "" when no word of it says."""
    if _KANA.search(question):
        return "ja"
    if _HAN.search(question):
        return "zh"
    words = re.findall(r"[^\W\d_]+", question.casefold())
    hits = sorted(
        ((sum(word in known for word in words), code) for code, known in _TELLING_WORDS.items()), reverse=True
    )
    (most, code), (second, _) = hits[:2]
    return code if most > second else ""
