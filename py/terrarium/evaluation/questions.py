"""Questions with what is known of their answers, and the project's own question sets: what was asked, what the answer
is, and where in which file it stands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from terrarium.evaluation.lines import BadSet, read_lines
from terrarium.model import Passage
from terrarium.text import normalise

ENOUGH_WORDS = 0.6  # of a quote's words: a chunk that ends inside the quote still leads a reader to it

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Evidence:
    """The place in a file that answers a question."""

    file: str  # "" for any
    quote: str
    page: int | None = None  # 1-based, where the format has pages
    section: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """`evidence` is what a passage must show; `gains`, where whole documents are judged, their relevance by name."""

    id: str
    kind: str  # the bucket: "own_words", "paraphrase", "uncovered", "out_of_scope", "answerable", …
    text: str
    evidence: tuple[Evidence, ...] = ()
    gains: Mapping[str, int] = field(default_factory=dict)
    own: tuple[str, ...] = ()  # names of the passages that came with the question
    answers: tuple[str, ...] = ()
    must_mention: tuple[str, ...] = ()
    answerable: bool = True
    language: str = "en"


def load_questions(path: Path) -> list[Question]:
    """Read a question set: JSON Lines with id, kind, question, evidence [{file, page, section, quote}], answerable.

    Raises BadSet.
    """
    return [_question(path, row) for row in read_lines(path, ("id", "kind", "question"))]


def holds(passage: Passage, evidence: Evidence) -> bool:
    """Whether the passage shows the evidence: the quote, or most of its words close together on the same page."""
    chunk = passage.chunk
    first, last = chunk.page, chunk.last_page or chunk.page
    near = evidence.page is None or first is None or last is None or first <= evidence.page <= last
    return shows(chunk.text, passage.document.name, evidence, near=near)


def shows(text: str, file: str, evidence: Evidence, *, near: bool = True) -> bool:
    """Whether a text of that file holds the quote, or, where it stands `near` it, most of the quote's words."""
    if evidence.file and file.rsplit("/", 1)[-1] != evidence.file:
        return False
    text, quote = normalise(text), normalise(evidence.quote)
    return quote in text or (near and _most_words(_WORD.findall(text), set(_WORD.findall(quote))))


def _most_words(words: list[str], wanted: set[str]) -> bool:
    """Whether a stretch of the words, twice as long as the quote, holds enough of the wanted ones."""
    needed = max(math.ceil(ENOUGH_WORDS * len(wanted)), 1)
    length = 2 * len(wanted)
    stretches = (words[start : start + length] for start in range(max(len(words) - length, 0) + 1))
    return any(len(wanted.intersection(stretch)) >= needed for stretch in stretches)


def _question(path: Path, fields: Mapping[str, Any]) -> Question:
    entries = fields.get("evidence") or []
    if not isinstance(entries, list) or not all(isinstance(e, dict) and {"file", "quote"} <= e.keys() for e in entries):
        raise BadSet(f"{path}, question {fields['id']}: evidence is a list of objects with “file” and “quote”.")
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
