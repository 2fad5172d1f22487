"""Collections of short texts with known relevant ones: BEIR folders and RAG JSON Lines.

BEIR (Thakur et al., 2021): corpus.jsonl, queries.jsonl and qrels/<split>.tsv in one folder. RAG JSON Lines: id,
question, answers[], passages[{id, text, gold}], answerable, lang, one question a line; the passages of all lines are
one collection.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from terrarium.evaluation.lines import BadSet, read_lines
from terrarium.evaluation.questions import Evidence, Question


class Text(NamedTuple):
    """A document of a collection, `title` "" where it has none."""

    title: str
    body: str

    @property
    def whole(self) -> str:
        """Title and text on two lines, as in a chunk."""
        return f"{self.title}\n{self.body}" if self.title else self.body


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents by name, and questions whose `gains` name them."""

    name: str
    documents: Mapping[str, Text]
    questions: tuple[Question, ...]


def load_beir(folder: Path, split: str = "test") -> Collection:
    """Questions without a relevant document are left out: they have no score. Raises BadSet."""
    gains: dict[str, dict[str, int]] = {}
    for question, document, score in _judgements(folder / "qrels" / f"{split}.tsv"):
        gains.setdefault(question, {})[document] = score
    corpus, queries = (read_lines(folder / f"{name}.jsonl", ("_id", "text")) for name in ("corpus", "queries"))
    documents = {str(row["_id"]): _text(row) for row in corpus}
    questions = tuple(
        Question(str(row["_id"]), "answerable", str(row["text"]), gains=gains[str(row["_id"])])
        for row in queries
        if max(gains.get(str(row["_id"]), {"": 0}).values()) > 0
    )
    if not questions:
        raise BadSet(f"{folder}: no question of queries.jsonl has a relevant document in qrels/{split}.tsv.")
    return Collection(folder.name, documents, questions)


def load_rag(path: Path) -> Collection:
    """Kinds are "answerable" and "unanswerable"; gold passages count for answerable questions. Raises BadSet."""
    documents: dict[str, Text] = {}
    questions = []
    for row in read_lines(path, ("id", "question", "passages", "answerable")):
        own = []
        for passage in row["passages"]:
            if not isinstance(passage, dict) or not {"id", "text"} <= passage.keys():
                raise BadSet(f"{path}, question {row['id']}: passages are objects with “id”, “text” and “gold”.")
            # The same passage may come with many questions; another text under a known id is another passage.
            name, text = str(passage["id"]), _text(passage)
            while documents.setdefault(name, text) != text:
                name += "'"
            own.append((name, bool(passage.get("gold"))))
        answerable = bool(row["answerable"])
        gold = {name: 1 for name, relevant in own if relevant and answerable}
        quotes = [quote for quote in row.get("evidence_sentences") or [] if isinstance(quote, str)]
        questions.append(
            Question(
                id=str(row["id"]),
                kind="answerable" if answerable else "unanswerable",
                text=str(row["question"]),
                evidence=tuple(Evidence(name, quote) for name in list(gold)[:1] for quote in quotes),
                gains=gold,
                own=tuple(name for name, _ in own),
                answers=tuple(map(str, row.get("answers") or [])),
                answerable=answerable,
                language=str(row.get("lang") or "en"),
            )
        )
    return Collection(path.stem, documents, tuple(questions))


def _judgements(path: Path) -> list[tuple[str, str, int]]:
    needed = ("query-id", "corpus-id", "score")
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, delimiter="\t")
            if missing := set(needed).difference(reader.fieldnames or ()):
                raise BadSet(f"{path}: the first line names no column {', '.join(sorted(missing))} (tab-separated).")
            return [(row["query-id"], row["corpus-id"], int(row["score"])) for row in reader]
    except (OSError, UnicodeDecodeError) as error:
        splits = ", ".join(sorted(found.stem for found in path.parent.glob("*.tsv"))) or "none"
        raise BadSet(f"{path} cannot be read: {error}. Splits that are there: {splits}.") from error
    except (TypeError, ValueError) as error:
        raise BadSet(f"{path}: a score is no whole number ({error}).") from error


def _text(row: Mapping[str, Any]) -> Text:
    return Text(str(row.get("title") or "").strip(), str(row["text"]).strip())
