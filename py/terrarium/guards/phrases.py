"""Phrases that only a text for a language model has, in English, German, French, Spanish and Chinese.

Each of `phrases.toml` was written to stay silent on manuals, which order their reader about on every page (“Run `apt
update`”, “Answer with Yes”), speak of prompts (a shell's), of instructions (a processor's) and of responses (a
server's). What asks for something else without any of these phrases is for the classifier (`classifier.py`).
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

_HAN = re.compile("[\u4e00-\u9fff]")
_NAMES = ("AI", "LLM", "GPT", "KI", "IA")  # as they are written: “ai” is a part of many words


def names_a_model(text: str) -> bool:
    """Whether a sentence holds a phrase that is meant for a model and for no reader."""
    lower = text.lower()
    signs, patterns, chinese = _phrases()
    if not any(sign in lower for sign in signs) and not any(name in text for name in _NAMES):
        return False
    return any(pattern.search(text) for pattern in (*patterns, *(chinese if _HAN.search(text) else ())))


@cache
def _phrases() -> tuple[tuple[str, ...], tuple[re.Pattern[str], ...], tuple[re.Pattern[str], ...]]:
    """The signs, the patterns of what is written in letters, and those of Chinese."""
    table: dict[str, Any] = tomllib.loads(files("terrarium.guards").joinpath("phrases.toml").read_text("utf-8"))
    words, patterns = table["words"], table["patterns"]

    def compiled(language: str, flags: int = re.IGNORECASE) -> list[re.Pattern[str]]:
        found = []
        for pattern in patterns[language]:
            whole = pattern
            for name, value in words.items():
                whole = whole.replace("{" + name + "}", value)
            found.append(re.compile(whole, flags))
        return found

    lettered = [one for name in ("markers", "english", "german", "french", "spanish") for one in compiled(name)]
    signs = tuple(sign.replace("|", " ") for sign in words["signs"].split())
    return signs, (*compiled("naming", 0), *lettered), tuple(compiled("chinese"))
