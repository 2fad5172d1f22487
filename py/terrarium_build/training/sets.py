"""What is trained on and what is measured on, as plain lists of texts.

Training pairs are JSON Lines (gzipped) with query, positive, negatives; evaluation sets are BEIR folders, question sets
with their passages, or chunks that the engine cut. A training pair whose passage or question stands in an evaluation
set is the caller's to drop (`without`).
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from terrarium.desk.evaluation.collections import Text, load_beir

REAL = "nq_qed_train"  # real questions of people
# (file, pairs taken, pairs held out of training for choosing, weight of a pair in the loss). The head is trained on the
# real questions; the others say what that does to subjects it was not trained on.
SOURCES: tuple[tuple[str, int, int, float], ...] = (
    (REAL, 7164, 600, 1.0),
    ("medquad", 1100, 100, 0.5),
    ("debian_doc_headings", 1600, 150, 0.5),
    ("code_docstring", 500, 60, 0.3),
)
RUN = 13  # words
SHARED_RUNS = 0.1  # of a passage's runs of words


@dataclass(frozen=True, slots=True)
class Pair:
    query: str
    positive: str
    negatives: tuple[str, ...]
    source: str
    weight: float
    held_out: bool

    @property
    def mined_from(self) -> tuple[str, ...]:
        """Passages that join the pool from which negatives are mined, beside every positive."""
        return self.negatives if self.source == REAL else ()


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """A corpus, questions, and for each question the gains of passages: {question: {passage: gain}} by position."""

    name: str
    passages: list[str]
    questions: list[str]
    gains: list[dict[int, int]]


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """(question, passage, whether the passage answers it)."""

    name: str
    rows: list[tuple[str, str, bool]] = field(default_factory=list)


def training_pairs(folder: Path, seed: int = 0) -> list[Pair]:
    """A fixed sample of every source, English only. Held-out pairs share no passage with the others."""
    found: list[Pair] = []
    for source, most, held_out, weight in SOURCES:
        rows = [row for row in _rows(folder / f"{source}.jsonl.gz") if _plain(row["query"])]
        random.Random(seed).shuffle(rows)
        by_positive: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows[:most]:
            by_positive[row["positive"]].append(row)
        taken = 0
        for group in by_positive.values():
            aside = taken < held_out
            for row in group:
                taken += 1
                negatives = tuple(row["negatives"])
                found.append(Pair(row["query"], row["positive"], negatives, source, weight, aside))
    return found


def without(pairs: Iterable[Pair], sets: Iterable[RetrievalSet]) -> list[Pair]:
    """The pairs whose question is in none of the sets and whose positive shares no wording with their passages.

    Wikipedia is behind several collections, with other punctuation in each: runs of words are compared.
    """
    asked, known = set[str](), set[int]()
    for one in sets:
        asked.update(" ".join(words(question)) for question in one.questions)
        for passage in one.passages:
            known |= _runs(passage)
    return [
        pair
        for pair in pairs
        if " ".join(words(pair.query)) not in asked
        and len((runs := _runs(pair.positive)) & known) <= SHARED_RUNS * len(runs)
    ]


def beir(folder: Path) -> RetrievalSet:
    """A BEIR folder, by the positions of its documents. Those that were judged and are not there do not count."""
    found = load_beir(folder)
    places = {document: place for place, document in enumerate(found.documents)}
    gains = [
        {places[document]: gain for document, gain in question.gains.items() if gain > 0 and document in places}
        for question in found.questions
    ]
    texts = [text.whole for text in found.documents.values()]
    return RetrievalSet(found.name, texts, [question.text for question in found.questions], gains)


def questions_with_passages(path: Path, name: str) -> RetrievalSet:
    """Answerable questions over all passages of the file, those of unanswerable questions included."""
    places: dict[str, int] = {}
    questions, gains = [], []
    for row in _rows(path):
        marked = {places.setdefault(_of(one), len(places)): int(one["gold"]) for one in row["passages"]}
        if row["answerable"]:
            questions.append(row["question"])
            gains.append({place: gain for place, gain in marked.items() if gain})
    return RetrievalSet(name, list(places), questions, gains)


def answers(path: Path, name: str) -> AnswerSet:
    """Every (question, passage) of the file."""
    rows = [
        (row["question"], _of(one), bool(one["gold"] and row["answerable"]))
        for row in _rows(path)
        for one in row["passages"]
    ]
    return AnswerSet(name, rows)


def chunks(path: Path, name: str) -> RetrievalSet:
    """One JSON object with passages, questions and gains, as `terrarium_build.training.chunk_set` writes it."""
    table = json.loads(path.read_text(encoding="utf-8"))
    gains = [{int(place): gain for place, gain in one.items()} for one in table["gains"]]
    return RetrievalSet(name, table["passages"], table["questions"], gains)


def sample(one: RetrievalSet, count: int, seed: int = 0) -> RetrievalSet:
    """At most `count` questions of the set, over all of its passages."""
    taken = np.random.default_rng(seed).permutation(len(one.questions))[:count]
    return replace(one, questions=[one.questions[at] for at in taken], gains=[one.gains[at] for at in taken])


def _of(passage: dict[str, Any]) -> str:
    return Text(passage.get("title", "").strip(), passage["text"].strip()).whole


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _runs(text: str) -> set[int]:
    found = words(text)
    return {hash(tuple(found[at : at + RUN])) for at in range(len(found) - RUN + 1)}


def _plain(text: str) -> bool:
    """English enough: headings of translated manuals are left out."""
    return text.isascii()


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")
    with opened as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)
