"""Injected instructions made of this project's own templates and word lists (`attacks.toml`), always the same ones."""

from __future__ import annotations

import random
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from terrarium.sentences import sentence_spans

TEMPLATES = Path(__file__).with_name("attacks.toml")
EACH = 9  # attacks of each English template, on average
FOREIGN = ("de", "fr", "es", "zh")
_SLOT = re.compile(r"\{([^}]+)\}")


@dataclass(frozen=True, slots=True)
class Attack:
    category: str
    language: str
    sentences: tuple[str, ...]  # lines of code among them


def made_attacks(seed: int = 5) -> list[Attack]:
    """Different ones, category by category."""
    table: dict[str, Any] = tomllib.loads(TEMPLATES.read_text(encoding="utf-8"))
    lists, openings = table["lists"] | table["foreign"], table["openings"]["en"]
    rng = random.Random(seed)
    found: dict[str, Attack] = {}
    for category, by_language in table["templates"].items():
        for language, templates in by_language.items():
            for template in templates:
                for _ in range(EACH):
                    text = _SLOT.sub(lambda slot: rng.choice(lists[slot[1]]), template)
                    text = _opened(text, rng.choice(openings)).strip()
                    found.setdefault(text, Attack(category, language, sentences(text)))
    return list(found.values())


def sentences(text: str) -> tuple[str, ...]:
    return tuple(text[start:end] for start, end in sentence_spans(text))


def _opened(text: str, opening: str) -> str:
    """With the opening in the place of the mark, and a capital behind none."""
    before, mark, after = text.partition("…")
    if not mark:
        return text
    if before or opening:
        return f"{before}{opening.lower() if before else opening}{after}"
    return after[:1].upper() + after[1:]
