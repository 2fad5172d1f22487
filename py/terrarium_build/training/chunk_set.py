"""A question set over real files as a retrieval set: the engine's own chunks, relevant where they show the evidence."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from terrarium.chunks.chunking import chunk_document, embedding_text
from terrarium.errors import TerrariumError
from terrarium.evaluation.questions import holds, load_questions
from terrarium.model import Passage
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.readers.reading import read_document
from terrarium.runtime.native import NativeTokenizer
from terrarium.storage.records import info_of


def write_chunk_set(documents: Path, questions: Path, tokenizer: Path, out: Path) -> None:
    """`out` gets passages (texts as they are embedded), questions, gains. Questions without evidence are left out."""
    passages = asyncio.run(_passages(documents, NativeTokenizer(tokenizer)))
    asked, gains = [], []
    for question in load_questions(questions):
        found = {
            place: 1
            for place, passage in enumerate(passages)
            if any(holds(passage, evidence) for evidence in question.evidence)
        }
        if found:
            asked.append(question.text)
            gains.append(found)
    texts = [embedding_text(passage.chunk, passage.document.title) for passage in passages]
    table = {"passages": texts, "questions": asked, "gains": gains}
    out.write_text(json.dumps(table, ensure_ascii=False), encoding="utf-8")


async def _passages(documents: Path, tokenizer: NativeTokenizer) -> list[Passage]:
    found: list[Passage] = []
    pdf = NodePdfExtractor()
    for path in sorted(documents.iterdir()):
        try:
            document = await read_document(path.read_bytes(), path.name, pdf=pdf)
        except TerrariumError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        chunks = chunk_document(document, tokenizer)
        found.extend(Passage(chunk, info_of(document, len(chunks)), 0.0) for chunk in chunks)
    return found
