"""Libraries and questions to them: answerable, uncovered (the library is about it and does not say), out of scope.

An uncovered question is best made by taking its answer away: what is left are the near misses that a person's library
is full of.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from terrarium.model import Block, Document
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.readers.reading import read_document

Kind = Literal["answerable", "uncovered", "out_of_scope"]
OWN = Path(__file__).with_name("questions.jsonl")
STRANGERS_TO = {"manuals": "written"}
STRANGERS = 120  # questions of another field that each library is asked


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    question: str
    kind: Kind
    within: frozenset[str] | None = None  # the documents that are its library; None: all
    bucket: str = ""  # finer than the kind, for the report
    family: str = ""  # counts as a set of its own when weights are fitted
    gold: frozenset[str] = frozenset()  # documents that hold the answer, where a document is one passage


@dataclass(frozen=True, slots=True)
class JudgeSet:
    name: str
    documents: tuple[Document, ...]
    cases: tuple[Case, ...]


def is_development(id: str) -> bool:
    """Half of the questions, by a hash that stays."""
    return int(hashlib.sha256(id.encode()).hexdigest(), 16) % 2 == 0


def natural_questions(folder: Path, count: int, negatives: int = 2, seed: int = 1) -> JudgeSet:
    """Real questions over Wikipedia passages; of every second one the passage that answers it is left out."""
    rows = list(_rows(folder / "nq_qed_train.jsonl.gz"))
    random.Random(seed).shuffle(rows)
    rows = rows[: 2 * count]
    asked, left_out = rows[:count], rows[count:]
    taken = {row["positive"] for row in left_out}
    texts = [row["positive"] for row in asked if row["positive"] not in taken]
    texts += [text for row in rows for text in row["negatives"][:negatives] if text not in taken]
    cases = [
        replace(
            _case("nq", row["query"], "answerable"),
            gold=frozenset({passage_document(*_split_title(row["positive"])).id}),
        )
        for row in asked
        if row["positive"] not in taken
    ]
    cases += [_case("nq", row["query"], "uncovered") for row in left_out]
    return JudgeSet("nq", tuple(passage_document(*_split_title(text)) for text in dict.fromkeys(texts)), tuple(cases))


def clapnq(path: Path) -> JudgeSet:
    """One library of every passage: an unanswerable question's own passage is there and does not answer it."""
    rows = list(_rows(path))
    passages = {one["text"]: one.get("title", "") for row in rows for one in row["passages"]}
    cases = [
        Case(
            str(row["id"]),
            row["question"],
            "answerable" if row["answerable"] else "uncovered",
            gold=frozenset(
                passage_document(one.get("title", ""), one["text"]).id for one in row["passages"] if one["gold"]
            ),
        )
        for row in rows
    ]
    return JudgeSet("clapnq", tuple(passage_document(title, text) for text, title in passages.items()), tuple(cases))


def squad2(path: Path, most: int) -> JudgeSet:
    """Each question over the six passages of its own article: unanswerable ones were written to look answerable."""
    rows = [
        row for row in _rows(path) if int(hashlib.sha256(str(row["id"]).encode()).hexdigest()[:8], 16) % 2000 < most
    ]
    documents: dict[str, Document] = {}
    cases = []
    for row in rows:
        own = [passage_document(one.get("title", ""), one["text"]) for one in row["passages"]]
        documents |= {document.id: document for document in own}
        kind: Kind = "answerable" if row["answerable"] else "uncovered"
        gold = frozenset(d.id for d, one in zip(own, row["passages"], strict=True) if one["gold"] and row["answerable"])
        cases.append(Case(str(row["id"]), row["question"], kind, frozenset(document.id for document in own), gold=gold))
    return JudgeSet("squad2", tuple(documents.values()), tuple(cases))


def cmrc(path: Path, count: int, seed: int = 1) -> JudgeSet:
    """Chinese; the passages of every second one are left out."""
    rows = list(_rows(path))
    random.Random(seed).shuffle(rows)
    texts = list(dict.fromkeys(row["passages"][0]["text"] for row in rows))
    kept = set(texts[::2])
    titles = {row["passages"][0]["text"]: row["passages"][0].get("title", "") for row in rows}
    cases = [
        _case("cmrc", row["question"], "answerable" if row["passages"][0]["text"] in kept else "uncovered")
        for row in rows[:count]
    ]
    return JudgeSet(
        "cmrc", tuple(passage_document(titles[text], text, "zh") for text in texts if text in kept), tuple(cases)
    )


def manuals(folder: Path) -> JudgeSet:
    """Manuals with lists of frequent questions: a question is its section's, which every second one has lost.

    Of the others two in three lose their headings, so that they must be found by what they say.
    """
    documents, cases = [], []
    for document in asyncio.run(_read(sorted(folder.iterdir()))):
        kept, found = _without_answers(document)
        documents.append(kept)
        cases += found
    cases = [replace(case, family="faq") for case in cases]
    cases += [
        Case(row["id"], row["question"], _kind(row["kind"]), bucket=row["kind"], family="written") for row in _rows(OWN)
    ]
    return JudgeSet("manuals", tuple(documents), tuple(cases))


def question_set(questions: Path, documents: Path, name: str) -> JudgeSet:
    """The project's own format."""
    read = asyncio.run(_read(sorted(documents.iterdir())))
    cases = [Case(r["id"], r["question"], _kind(r["kind"]), bucket=r["kind"]) for r in _rows(questions)]
    return JudgeSet(name, tuple(read), tuple(cases))


def with_strangers(one: JudgeSet, others: Sequence[JudgeSet], seed: int = 2) -> JudgeSet:
    """The set, asked questions of other sets too, which are out of its scope."""
    pool = [case for other in others for case in other.cases if is_development(case.id)]
    taken = random.Random(seed).sample(pool, min(STRANGERS, len(pool)))
    strangers = [
        Case(
            f"{one.name}<{case.id}",
            case.question,
            "out_of_scope",
            bucket="stranger",
            family=STRANGERS_TO.get(one.name, ""),
        )
        for case in taken
        if is_development(f"{one.name}<{case.id}")
    ]
    return replace(one, cases=(*one.cases, *strangers))


def _without_answers(document: Document) -> tuple[Document, list[Case]]:
    blocks: list[Block] = []
    cases: list[Case] = []
    level = 0  # of the heading whose section is being left out
    for block in document.blocks:
        if block.kind == "heading":
            level = 0 if level and block.level <= level else level
            text = re.sub(r"^[\d.]+\s+|[¶#]+$", "", block.text).strip()
            if not level and text.endswith("?") and len(text.split()) > 3:
                place = int(hashlib.sha256(text.encode()).hexdigest(), 16) % 6
                kind: Kind = "uncovered" if place < 3 else "answerable"
                cases.append(_case("faq", text, kind, bucket=f"faq_{kind}"))
                if kind == "uncovered":
                    level = block.level
                if place < 5:  # only the last keeps its heading
                    continue
        if not level:
            blocks.append(block)
    digest = hashlib.sha256("\n".join(block.text for block in blocks).encode()).hexdigest()
    return replace(document, id=digest, blocks=tuple(blocks)), cases


async def _read(files: Sequence[Path]) -> list[Document]:
    pdf = NodePdfExtractor()
    return [await read_document(file.read_bytes(), file.name, pdf=pdf) for file in files]


def _kind(kind: str) -> Kind:
    return "uncovered" if kind == "uncovered" else "out_of_scope" if kind == "out_of_scope" else "answerable"


def _case(name: str, question: str, kind: Kind, bucket: str = "") -> Case:
    return Case(f"{name}:{hashlib.sha256(question.encode()).hexdigest()[:16]}", question, kind, bucket=bucket)


def _split_title(text: str) -> tuple[str, str]:
    title, dot, rest = text.partition(". ")
    return (title, rest) if dot and len(title) < 80 else ("", text)


def passage_document(title: str, text: str, language: str = "en") -> Document:
    digest = hashlib.sha256(f"{title}\n{text}".encode()).hexdigest()
    return Document(
        digest, title or digest[:8], "text", title, (Block("paragraph", text),), len(text), language=language
    )


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")
    with opened as lines:
        yield from map(json.loads, filter(str.strip, lines))
