"""The labelled set: each base sentence as it is, changed so that it says the same, and changed so that it does not."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from terrarium.sentences import sentence_spans
from terrarium_build.judging.sets import is_development

from . import changes, same
from .passages import Base, rows_of

WRITTEN = "written"  # the kind of what the generator wrote
SAME: dict[str, changes.Change] = {
    "synonyms": same.synonyms,
    "shortened": same.shortened,
    "clause order": same.clause_order,
    "passive": same.active,
    "style of numbers": same.style,
}
OTHER: dict[str, changes.Change] = {
    "number": changes.number,
    "unit": changes.unit,
    "date": changes.date,
    "negation added": changes.denied,
    "negation removed": changes.affirmed,
    "comparison": changes.comparison,
    "must/may": changes.duty,
    "only": changes.only,
    "names exchanged": changes.exchanged,
}


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, the passages it is held against, and whether they carry it."""

    kind: str
    supported: bool
    sentence: str
    passages: tuple[str, ...]
    titles: tuple[str, ...]  # of each passage; "" where it is not known
    question: str
    set: str
    language: str
    fitting: bool  # in the part of the documents that thresholds are chosen on


def fits(document: str) -> bool:
    """Three documents of five are for fitting, by a hash of the title that stays."""
    return int(hashlib.sha256(f"support {document}".encode()).hexdigest(), 16) % 5 < 3


def made(bases: Sequence[Base]) -> Iterator[Example]:
    for base in bases:
        for kind, supported, sentence, question in _of(base):
            asked = question or base.question or f"{base.title}?"
            titles = (base.title, *("" for _ in base.passages[1:]))
            fitting = fits(base.document)
            yield Example(kind, supported, sentence, base.passages, titles, asked, base.set, base.language, fitting)


def claims(path: Path) -> Iterator[Example]:
    """SciFact's claims, written by people: carried by their abstract, contradicted by it, or neither."""
    for row in rows_of(path):
        if not is_development(str(row["id"])):
            continue
        label = row["answers"][0] if row["answers"] else "NEITHER"
        passage = row["passages"][0]
        yield Example(
            {"SUPPORT": "claim", "CONTRADICT": "claim contradicted", "NEITHER": "claim not said"}[label],
            label == "SUPPORT",
            row["question"],
            (passage["text"],),
            (passage["title"],),
            f"{passage['title']}?",
            "claims",
            "en",
            fits(passage["title"]),
        )


def _of(base: Base) -> Iterator[tuple[str, bool, str, str]]:
    rng = random.Random(base.sentence)
    yield "itself", True, base.sentence, ""
    for kind, change in SAME.items():
        if (text := change(base.sentence, rng)) and text != base.sentence:
            yield kind, True, text, ""
    if base.written:
        for start, end in sentence_spans(base.written)[:2]:
            if len(base.written[start:end].split()) > 5:
                yield "a person's own words", True, base.written[start:end], ""
    for kind, change in OTHER.items():
        if (text := change(base.sentence, rng)) and text != base.sentence:
            yield kind, False, text, ""
    yield from _from_elsewhere(base, rng)
    yield from _answers(base, rng)
    denial = re.search(r"\b(?:not|cannot|never)\b", base.sentence)
    if denial and (statement := changes.affirmed(base.sentence, rng)):
        asked = f"Is it true that {statement.rstrip('.')}?"
        yield "yes to a denial", False, f"Yes, {statement[0].lower() + statement[1:]}", asked
        yield "yes to a denial", False, "Yes.", asked
        yield "no, as denied", True, f"No, {base.sentence[0].lower() + base.sentence[1:]}", asked
    elif base.language == "en" and rng.random() < 0.2:
        asked = f"Is it true that {base.sentence.rstrip('.')}?"
        yield "yes, as said", True, f"Yes, {base.sentence[0].lower() + base.sentence[1:]}", asked
        yield "no to a statement", False, "No.", asked


def _from_elsewhere(base: Base, rng: random.Random) -> Iterator[tuple[str, bool, str, str]]:
    own = base.passages[0]
    names = [m.group() for one in base.passages[1:] for m in changes.proper_names(one) if m.group() not in own]
    if text := changes.with_name(base.sentence, names, rng):
        yield "name of another passage", False, text, ""
    inside = [m.group() for m in changes.proper_names(own) if m.group() not in base.sentence]
    if text := changes.with_name(base.sentence, inside, rng):
        yield "name of the same passage", False, text, ""
    spans = [own[a:b] for a, b in sentence_spans(own) if own[a:b] != base.sentence]
    for other in rng.sample(spans, len(spans)):
        if text := changes.recombined(base.sentence, other):
            yield "two sentences mixed", False, text, ""
            break
    if rng.random() < 0.3:
        filler = {"zh": changes.FILLER_ZH, "de": changes.FILLER_DE}.get(base.language, changes.FILLER)
        yield "says nothing", False, rng.choice(filler), ""


def _answers(base: Base, rng: random.Random) -> Iterator[tuple[str, bool, str, str]]:
    if not base.answers:
        return
    answer = base.answers[0]
    if text := same.composed(base.question, answer):
        yield "question with its answer", True, text, ""
        numbers = re.fullmatch(r"[\d,.]+", answer)
        pattern = r"(?<![\w.,])\d[\d.,]*\d(?!\w)" if numbers else changes.NAME
        others = [m.group() for m in re.finditer(pattern, base.passages[0]) if m.group() not in answer]
        others = [one for one in others if one not in base.question and answer not in one]
        if others and (wrong := same.composed(base.question, rng.choice(others))):
            yield "question with another answer", False, wrong, ""
