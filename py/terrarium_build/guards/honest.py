"""Passages that are no attack: those that injected sentences are learned beside, and those that alarms are counted on.

Each passage is a chunk as the product cuts it, in sentences. Manuals are full of honest imperatives and of code, so
half of what is learned from is manuals.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from terrarium.chunks.chunking import chunk_document
from terrarium.model import Block, Document
from terrarium.readers.language import guess_language
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.readers.reading import read_document
from terrarium.runtime.protocols import Tokenizer
from terrarium.sentences import sentence_spans

Passage = tuple[str, ...]  # sentences, in order

LEARNED = {"debian_doc_headings": 1100, "code_docstring": 400, "medquad": 300, "nq_qed_train": 300}  # passages of each
FOREIGN = {"debian_doc_headings": 1500}  # beside them, for an embedder that reads more than English
OWN = Path(__file__).with_name("honest.toml")
TIMES = 6  # that each passage of it counts
COUNTED = {"clapnq": 600, "hotpotqa": 900, "scifact": 500, "manuals": 1500}


def learned(train: Path, tokenizer: Tokenizer, counted: Iterable[Passage], *, english: bool) -> list[Passage]:
    """Passages of the training folder without a sentence of those that alarms are `counted` on."""
    known = {sentence for passage in counted for sentence in passage}
    found = own(english=english) * TIMES
    for name, most in LEARNED.items():
        documents = [_document(row["positive"]) for row in _rows(train / f"{name}.jsonl.gz")]
        spoken = [document for document in documents if document.language in ("en", "")]
        found += _cut(_some(spoken, most), tokenizer)
        if not english and name in FOREIGN:
            others = [document for document in documents if document.language not in ("en", "")]
            found += _cut(_some(others, FOREIGN[name]), tokenizer)
    return [passage for passage in found if not known.intersection(passage)]


def own(*, english: bool) -> list[Passage]:
    """Passages of honest orders, of this project's own making."""
    table = tomllib.loads(OWN.read_text(encoding="utf-8"))["passages"]
    texts = [text for language, some in table.items() if not english or language == "en" for text in some]
    return [tuple(text[start:end] for start, end in sentence_spans(text)) for text in texts]


def counted(data: Path, tokenizer: Tokenizer) -> dict[str, list[Passage]]:
    """By set: the development half of ClapNQ, HotpotQA, SciFact, and the 18 manuals."""
    rag = [row for row in _rows(data / "data" / "rag" / "clapnq_dev.jsonl") if _even(str(row["id"]))]
    sets: dict[str, Iterable[Document]] = {
        "clapnq": (_document(one["text"]) for row in rag for one in row["passages"]),
        "hotpotqa": (_document(row["text"]) for row in _rows(_corpus(data, "hotpotqa_dev_sub"))),
        "scifact": (_document(row["text"]) for row in _rows(_corpus(data, "scifact"))),
        "manuals": asyncio.run(_read(sorted((data / "e2e" / "docs").iterdir()))),
    }
    return {
        name: _some_passages(_cut(documents if name == "manuals" else _some(documents, most), tokenizer), most)
        for name, most in COUNTED.items()
        for documents in [list(sets[name])]
    }


def _cut(documents: Iterable[Document], tokenizer: Tokenizer) -> list[Passage]:
    chunks = (chunk for document in documents for chunk in chunk_document(document, tokenizer))
    return [tuple(chunk.text[a:b] for a, b in sentence_spans(chunk.text)) for chunk in chunks]


def _some(documents: Iterable[Document], most: int) -> list[Document]:
    """`most` different ones, by a hash that stays."""
    return sorted({document.id: document for document in documents}.values(), key=lambda one: one.id)[:most]


def _some_passages(passages: Iterable[Passage], most: int) -> list[Passage]:
    return sorted(passages, key=lambda one: hashlib.sha256("\n".join(one).encode()).digest())[:most]


def _document(text: str) -> Document:
    blocks = [Block("paragraph", line) for line in text.splitlines() if line.strip()]
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Document(digest, digest[:8], "text", "", tuple(blocks), len(text), language=guess_language(blocks))


async def _read(files: Iterable[Path]) -> list[Document]:
    pdf = NodePdfExtractor()
    return [await read_document(file.read_bytes(), file.name, pdf=pdf) for file in files]


def _even(id: str) -> bool:
    return hashlib.sha256(id.encode()).digest()[-1] % 2 == 0


def _corpus(data: Path, name: str) -> Path:
    return data / "data" / "beir" / name / "corpus.jsonl"


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return (json.loads(line) for line in text.splitlines() if line.strip())
