"""Question sets: what was asked, what the answer is, and where in which file it stands."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from pathlib import Path

from terrarium.model import Passage
from terrarium.text import normalise

ENOUGH_WORDS = 0.6  # of a quote's words: a chunk that ends inside the quote still leads a reader to it

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Evidence:
    """The place in a file that answers a question."""

    file: str
    quote: str
    page: int | None = None  # 1-based, where the format has pages
    section: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    kind: str  # the bucket: "own_words", "paraphrase", "uncovered", "out_of_scope", …
    text: str
    evidence: tuple[Evidence, ...]
    answers: tuple[str, ...] = ()
    must_mention: tuple[str, ...] = ()
    answerable: bool = True
    language: str = "en"


def load_questions(path: Path) -> list[Question]:
    """Read a question set: JSON Lines with id, kind, question, evidence [{file, page, section, quote}], answerable."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_question(json.loads(line)) for line in lines if line.strip()]


def holds(passage: Passage, evidence: Evidence) -> bool:
    """Whether the passage shows the evidence: the quote, or most of its words close together on the same page."""
    chunk = passage.chunk
    if passage.document.name.rsplit("/", 1)[-1] != evidence.file:
        return False
    text, quote = normalise(chunk.text), normalise(evidence.quote)
    if quote in text:
        return True
    first, last = chunk.page, chunk.last_page or chunk.page
    if evidence.page is not None and first is not None and last is not None and not first <= evidence.page <= last:
        return False
    return _most_words(_WORD.findall(text), set(_WORD.findall(quote)))


def _most_words(words: list[str], wanted: set[str]) -> bool:
    """Whether a stretch of the words, twice as long as the quote, holds enough of the wanted ones."""
    needed = max(math.ceil(ENOUGH_WORDS * len(wanted)), 1)
    length = 2 * len(wanted)
    stretches = (words[start : start + length] for start in range(max(len(words) - length, 0) + 1))
    return any(len(wanted.intersection(stretch)) >= needed for stretch in stretches)


def _question(fields: dict[str, object]) -> Question:
    entries = fields.get("evidence") or []
    assert isinstance(entries, list)
    return Question(
        id=str(fields["id"]),
        kind=str(fields["kind"]),
        text=str(fields["question"]),
        evidence=tuple(
            Evidence(
                file=entry["file"],
                quote=entry["quote"],
                # EPUB evidence names a member file instead of a page
                page=entry["page"] if isinstance(entry.get("page"), int) else None,
                section=entry.get("section") or "",
            )
            for entry in entries
        ),
        answers=_strings(fields.get("answers")),
        must_mention=_strings(fields.get("must_mention")),
        answerable=bool(fields.get("answerable", True)),
        language=str(fields.get("lang", "en")),
    )


def _strings(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()
