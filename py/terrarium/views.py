"""The engine's types as plain dicts: what goes to the page, to `--json` and into a question set's report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from terrarium.model import Answer, Document, DocumentInfo, Judgement, Passage, Sentence, Span


def info_view(info: DocumentInfo) -> dict[str, Any]:
    """A document of the library's list."""
    return asdict(info) | {"warnings": list(info.warnings)}


def passage_view(passage: Passage, number: int) -> dict[str, Any]:
    """A card of the evidence list."""
    chunk = passage.chunk
    return {
        "number": number,
        "document_id": chunk.document_id,
        "document": passage.document.name,
        "page": chunk.page,
        "last_page": chunk.last_page,
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


def document_view(document: Document, info: DocumentInfo) -> dict[str, Any]:
    """A document's text for the viewer, block by block."""
    blocks = [
        {
            "kind": block.kind,
            "text": block.text,
            "page": block.page,
            "level": block.level,
            "start": start,
            "hidden": block.hidden,
        }
        for block, start in zip(document.blocks, document.block_starts, strict=True)
    ]
    return {"info": info_view(info), "blocks": blocks}
