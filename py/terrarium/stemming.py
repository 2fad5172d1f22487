"""Words → stems, by Snowball's algorithm for a text's language.

From snowballstemmer's own classes, not `snowballstemmer.stemmer()`: that hands out PyStemmer where it is installed,
whose release may stem differently, and a library indexed at the desk is to be searched in the tab.

Not here: lemmas, compounds (“Kündigungsfrist” is one word), and languages that Snowball has no algorithm for, whose
words stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

ALGORITHMS = {  # ISO 639-1 → Snowball's name
    "": "english",  # what is known of no language is read as before languages were told apart
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}


@cache
def stemmer(language: str) -> Callable[[str], str]:
    """What stems a case-folded word of the language.

    The library is imported with the first word: it loads every algorithm, which would delay the page's start.
    """
    if language not in ALGORITHMS:
        return _unchanged
    name = ALGORITHMS[language]
    module = import_module(f"snowballstemmer.{name}_stemmer")
    stem: Callable[[str], str] = getattr(module, f"{name.capitalize()}Stemmer")().stemWord
    return stem


def _unchanged(word: str) -> str:
    return word
