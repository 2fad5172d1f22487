"""The engine's types as plain dicts: what goes to the page, to `--json` and into a question set's report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from terrarium.model import Answer, Document, DocumentInfo, Judgement, Passage, Sentence, Span
from terrarium.readers.content import ReadFile
from terrarium.storage.counts import words_of


def info_view(info: DocumentInfo) -> dict[str, Any]:
    """A document of the library's list."""
    facts = asdict(info)
    del facts["labels"]  # as many as pages, and no list shows them
    return {name: list(value) if isinstance(value, tuple) else value for name, value in facts.items()}


def passage_view(passage: Passage, number: int) -> dict[str, Any]:
    """A card of the evidence list."""
    chunk = passage.chunk
    return {
        "number": number,
        "document_id": chunk.document_id,
        "document": passage.document.name,
        "inside": "" if passage.document.alone else passage.document.name.rpartition("/")[0],
        "page": chunk.page,
        "last_page": chunk.last_page,
        "label": page_label(passage.document, chunk.page, chunk.last_page),
        "headings": list(chunk.headings),
        "text": chunk.text,
        "start": chunk.start,
        "end": chunk.end,
        "score": round(float(passage.score), 4),
        "also": [
            {"document": one.document.name, "document_id": one.document.id, "page": one.chunk.page}
            for one in passage.also
        ],
        "flags": [asdict(flag) for flag in passage.flags],
        "placings": {
            stage: [placing.rank, round(float(placing.score), 4)] for stage, placing in passage.placings.items()
        },
    }


def page_label(info: DocumentInfo, first: int | None, last: int | None) -> str:
    """What pages are called in their document: "iv", "iv–v"; "" where that is their numbers."""
    named = [info.labels[page - 1] for page in (first, last) if page and page <= len(info.labels)]
    return "–".join(dict.fromkeys(named))


def passages_view(passages: Sequence[Passage]) -> list[dict[str, Any]]:
    """The evidence list: the cards numbered from 1, as citations count."""
    return [passage_view(passage, number) for number, passage in enumerate(passages, start=1)]


def answer_view(answer: Answer) -> dict[str, Any]:
    """A whole answer, as `ask` gives it."""
    return {
        "cleaned": answer.question,
        "answer": answer.text,
        "mode": answer.mode,
        "refused": answer.refusal is not None,
        "refusal": asdict(answer.refusal) if answer.refusal else None,
        "sentences": sentences_view(answer.sentences),
        "quotes": sentences_view(answer.quotes),
        "conflicts": [{"about": one.about, "statements": sentences_view(one.statements)} for one in answer.conflicts],
        "notes": list(answer.notes),
        "citations": [span_view(number, span) for number, span in sorted(answer.citations.items())],
        "passages": passages_view(answer.passages),
        "removed": list(answer.removed),
        "resolved": answer.resolved,
        "parts": list(answer.parts),
        "judgement": judgement_view(answer.judgement) if answer.judgement else None,
        "steps": [asdict(step) for step in answer.steps],
    }


def sentences_view(sentences: Sequence[Sentence]) -> list[dict[str, Any]]:
    """Sentences with the numbers of the passages that they cite, and the place of each in its document."""
    return [
        {
            "text": sentence.text,
            "lead": sentence.lead,
            "citations": list(sentence.citations),
            "places": [
                span_view(number, span) for number, span in zip(sentence.citations, sentence.spans, strict=False)
            ],
        }
        for sentence in sentences
    ]


def span_view(number: int, span: Span) -> dict[str, Any]:
    """The quote of passage `number` that a sentence rests on."""
    return {
        "number": number,
        "document_id": span.document_id,
        "document": span.document_name,
        "page": span.page,
        "start": span.start,
        "end": span.end,
        "quote": span.quote,
    }


def judgement_view(judgement: Judgement) -> dict[str, Any]:
    """What the judge says, for a person."""
    return {
        "verdict": judgement.verdict,
        "probability": round(judgement.probability, 4),
        "reasons": list(judgement.reasons),
        "out_of_scope": judgement.out_of_scope,
    }


def reading_view(read: ReadFile) -> dict[str, Any]:
    """What was read of a file, for comparing: its visible text and that of the files inside of it, and their warnings.

    `text_of_pages` is the file's own alone: a page's number would be taken for one of it.
    """
    document = read.document
    inner = [reading_view(one) for one in read.enclosed]
    seen = [block for block in document.blocks if not block.hidden]
    of_pages: dict[str, str] = {}
    for block in seen:
        if block.page is not None:
            of_pages[str(block.page)] = of_pages.get(str(block.page), "") + block.text + "\n"
    warnings = [f"“{one['name']}”: {warning}" for one in inner for warning in one["warnings"]]
    return {
        "name": document.name,
        "kind": document.kind,
        "title": document.title,
        "pages": document.pages,
        "language": document.language,
        "words": sum(words_of(block.text) for block in seen) + sum(one["words"] for one in inner),
        "warnings": [*document.warnings, *warnings],
        "text": "\n".join([*(block.text for block in seen), *(one["text"] for one in inner)]),
        "text_of_pages": of_pages,
    }


def document_view(document: Document, info: DocumentInfo) -> dict[str, Any]:
    """A document's text for the viewer, block by block."""
    blocks = []
    for block, start in zip(document.blocks, document.block_starts, strict=True):
        one: dict[str, Any] = {
            "kind": block.kind,
            "text": block.text,
            "page": block.page,
            "level": block.level,
            "start": start,
        }
        one["hidden"] = block.hidden
        if block.row or block.cells:
            one |= {"row": block.row, "cells": [list(cell) for cell in block.cells]}
        blocks.append(one)
    return {"info": info_view(info), "blocks": blocks, "labels": list(document.labels)}
