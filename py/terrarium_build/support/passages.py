"""Where the sentences come from: passages of the development halves of public sets and of manuals, by document."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.readers.reading import read_document
from terrarium.sentences import sentence_spans
from terrarium_build.judging.sets import is_development

_AROUND = 2  # sentences on either side of the one that an example is made of
_WORDS = range(6, 41)


@dataclass(frozen=True, slots=True)
class Base:
    """A sentence that its passage holds, with two more passages beside it and what was asked."""

    set: str
    document: str  # examples of one document are never in both parts
    title: str
    language: str
    sentence: str
    passages: tuple[str, ...]  # the first holds it
    question: str = ""  # "" where nobody asked
    answers: tuple[str, ...] = ()  # short ones to the question, as given
    written: str = ""  # a person's own long answer


def bases(data: Path, manuals: Path, each: int) -> list[Base]:
    """Of every set about `each` sentences, in an order that stays."""
    rag = data / "data" / "rag"
    found = [
        *_clapnq(rag / "clapnq_dev.jsonl", each),
        *_squad(rag / "squad2_dev_ctx6_2000.jsonl", each, "en"),
        *_squad(rag / "cmrc2018_dev.jsonl", each // 2, "zh"),
        *_corpus("hotpotqa", data / "data" / "beir" / "hotpotqa_dev_sub", each, "test"),
        *_corpus("scifact", data / "data" / "beir" / "scifact", each // 2, "train"),
        *_documents("manuals", sorted(manuals.iterdir()), each, "en"),
        *_documents("german", [data / "e2e" / "docs" / "install-guide.de.pdf"], each // 2, "de", skip={26, 56}),
    ]
    return found


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")
    with opened as lines:
        for line in lines:
            yield json.loads(line)


def _clapnq(path: Path, most: int) -> Iterator[Base]:
    rows = [row for row in rows_of(path) if is_development(str(row["id"])) and row["answerable"]]
    others = _Others([one["text"] for row in rows for one in row["passages"]], "clapnq")
    for row in rows[:most]:
        passage = next(one for one in row["passages"] if one["gold"])
        for sentence in row["evidence_sentences"][:1]:
            if sentence in passage["text"] and len(sentence.split()) in _WORDS:
                beside = others.beside(passage["text"])
                yield Base(
                    "clapnq", passage["title"], passage["title"], "en", sentence, (passage["text"], *beside),
                    row["question"], (), row["answers"][0],
                )  # fmt: skip


def _squad(path: Path, most: int, language: str) -> Iterator[Base]:
    rows = [row for row in rows_of(path) if is_development(str(row["id"])) and row["answerable"]]
    random.Random(path.name).shuffle(rows)
    name = path.name.partition("_")[0].rstrip("0123456789")
    every = _Others([one["text"] for row in rows for one in row["passages"] if one["gold"]], name)
    count = 0
    for row in rows:
        passage = next(one for one in row["passages"] if one["gold"])
        same = [one["text"] for one in row["passages"] if not one["gold"]]
        answers = tuple(row["answers"][:1])
        holding = [(a, b) for a, b in sentence_spans(passage["text"]) if answers and answers[0] in passage["text"][a:b]]
        if not holding or not _fits(passage["text"][slice(*holding[0])], language):
            continue
        start, end = holding[0]
        beside = same[:2] or every.beside(passage["text"])
        yield Base(
            name, passage["title"], passage["title"], language, passage["text"][start:end],
            (_stretch(passage["text"], start), *(_stretch(one, 0) for one in beside)), row["question"], answers,
        )  # fmt: skip
        count += 1
        if count >= most:
            return


def _corpus(name: str, folder: Path, most: int, split: str) -> Iterator[Base]:
    wanted = dict.fromkeys(
        line.split("\t")[1]
        for line in (folder / "qrels" / f"{split}.tsv").read_text(encoding="utf-8").splitlines()[1:]
        if is_development(line.split("\t")[0])
    )
    texts = {row["_id"]: row for row in rows_of(folder / "corpus.jsonl") if row["_id"] in wanted}
    yield from _sampled(name, [(row["title"], row["text"]) for row in texts.values()], most, "en")


def _documents(
    name: str, files: Sequence[Path], most: int, language: str, skip: frozenset[int] | set[int] = frozenset()
) -> Iterator[Base]:
    sections: dict[tuple[str, str], list[str]] = defaultdict(list)
    for document in asyncio.run(_read(files)):
        heading = document.title
        for block in document.blocks:
            if block.kind == "heading":
                heading = re.sub(r"^[\d.]+\s+|[¶#]+$", "", block.text).strip()
            elif block.kind in ("paragraph", "list_item") and not block.hidden and block.page not in skip:
                sections[document.title, heading].append(block.text)
    texts = [(f"{title}: {heading}", " ".join(blocks)) for (title, heading), blocks in sections.items()]
    yield from _sampled(name, texts, most, language)


def _sampled(name: str, texts: Sequence[tuple[str, str]], most: int, language: str) -> Iterator[Base]:
    rng = random.Random(name)
    others = _Others([text for _, text in texts], name)
    for title, text in rng.sample(list(texts), len(texts)):
        spans = [(a, b) for a, b in sentence_spans(text) if _fits(text[a:b], language)]
        if len(spans) < 2 or most <= 0:
            continue
        most -= 1
        start, end = rng.choice(spans)
        own = _stretch(text, start)
        beside = [_stretch(text, a) for a, _ in spans if text[a:][:40] not in own][:1]
        passages = (own, *beside, *others.beside(text))[:3]
        yield Base(name, title.partition(":")[0], title, language, text[start:end], passages)


def _fits(sentence: str, language: str) -> bool:
    words = len(sentence) // 2 if language == "zh" else len(sentence.split())
    return words in _WORDS and sentence[-1] in ".。" and not sentence.endswith(("?", ":"))


def _stretch(text: str, start: int) -> str:
    """The sentences around the one that begins at `start`."""
    spans = sentence_spans(text)
    at = next((i for i, (a, b) in enumerate(spans) if a <= start < b), 0)
    return text[spans[max(at - _AROUND, 0)][0] : spans[min(at + _AROUND, len(spans) - 1)][1]]


class _Others:
    """Passages of other documents, to stand beside one."""

    def __init__(self, texts: Sequence[str], seed: str) -> None:
        self._texts, self._rng = list(dict.fromkeys(texts)), random.Random(seed)

    def beside(self, text: str, count: int = 2) -> list[str]:
        found = self._rng.sample(self._texts, min(count + 1, len(self._texts)))
        return [_stretch(one, 0) for one in found if one != text][:count]


async def _read(files: Sequence[Path]) -> list[Any]:
    pdf = NodePdfExtractor()
    return [await read_document(file.read_bytes(), file.name, pdf=pdf) for file in files]
