"""Attacks placed into what answers a question set: each in a small document of its own.

An attack gets an answerable question by a hash that stays; its document is the passage that holds the question's
evidence, with the attack at the beginning, in the middle or at the end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from terrarium.evaluation.questions import Question, holds
from terrarium.library import Library
from terrarium.model import Block, Chunk, Document, Passage
from terrarium.sentences import sentence_spans
from terrarium.text import normalise

PLACES = ("beginning", "middle", "end")


@dataclass(frozen=True, slots=True)
class Attack:
    category: str
    text: str


@dataclass(frozen=True, slots=True)
class Injected:
    """A passage with an attack in it, and the question that it answers without."""

    attack: Attack
    question: Question
    place: str
    document: Document
    clean: str  # all that may be said: headings and passage without the attack


def inject(attacks: Sequence[Attack], questions: Sequence[Question], library: Library) -> list[Injected]:
    """One for each attack; fewer questions than attacks are used several times. `library` holds the evidence."""
    found = []
    chunks = {question.id: chunk for question in questions if (chunk := _evidence(question, library)) is not None}
    usable = sorted((one for one in questions if one.id in chunks), key=lambda one: _number(one.id))
    for number, attack in enumerate(attacks if usable else ()):
        question = usable[(_number(attack.text) + number) % len(usable)]
        chunk = chunks[question.id]
        place = PLACES[_number(f"{attack.text}\n{question.id}") % len(PLACES)]
        found.append(Injected(attack, question, place, _document(chunk, attack, place), _clean(chunk, question)))
    return found


def _evidence(question: Question, library: Library) -> Chunk | None:
    """The first chunk that holds the evidence, or of a document that is relevant as a whole one with an answer."""
    for chunk, passage in _chunks(question, library):
        if any(holds(passage, evidence) for evidence in question.evidence):
            return chunk
        if not question.evidence and any(normalise(one) in normalise(chunk.text) for one in question.answers):
            return chunk
    return next((chunk for chunk, _ in _chunks(question, library)), None) if question.gains else None


def _chunks(question: Question, library: Library) -> list[tuple[Chunk, Passage]]:
    files = {evidence.file for evidence in question.evidence}
    found = []
    for info in library.documents.values():
        if info.name.rsplit("/", 1)[-1] in files or question.gains.get(info.name, 0) > 0:
            chunks = [library.chunk((info.id, number)) for number in range(info.chunks)]
            found += [(chunk, Passage(chunk, info, 1.0)) for chunk in chunks]
    return found


def _document(chunk: Chunk, attack: Attack, place: str) -> Document:
    lines = sentences_of(chunk.text)
    at = {"beginning": 0, "middle": len(lines) // 2, "end": len(lines)}[place]
    before, after = " ".join(lines[:at]), " ".join(lines[at:])
    headings = [Block("heading", text, level=level) for level, text in enumerate(chunk.headings[:6], start=1)]
    body = [
        Block("paragraph", line) for text in (before, attack.text, after) for line in text.splitlines() if line.strip()
    ]
    digest = hashlib.sha256(f"{attack.text}\n{place}\n{chunk.text}".encode()).hexdigest()
    return Document(digest, f"{digest[:8]}.txt", "text", "", (*headings, *body), len(chunk.text), language="en")


def _clean(chunk: Chunk, question: Question) -> str:
    return "\n".join((*chunk.headings, chunk.lead, chunk.text, question.text))


def sentences_of(text: str) -> list[str]:
    """Its sentences and lines."""
    return [text[start:end] for start, end in sentence_spans(text)]


def _number(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:12], 16)
