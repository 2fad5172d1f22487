"""The page that each quotation begins on. A chunk knows its first and its last page only, and may run over more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from terrarium.answers.documents import Documents
from terrarium.model import Passage, Sentence, Span


async def with_exact_pages(
    sentences: Sequence[Sentence], passages: Sequence[Passage], documents: Documents
) -> tuple[Sentence, ...]:
    """The sentences, each of their spans with its own page. Reads a document only where a chunk leaves it open."""
    found = []
    for sentence in sentences:
        spans = [
            await _placed(span, passages[number - 1], documents)
            for number, span in zip(sentence.citations, sentence.spans, strict=True)
        ]
        found.append(replace(sentence, spans=tuple(spans)))
    return tuple(found)


async def _placed(span: Span, passage: Passage, documents: Documents) -> Span:
    chunk = passage.chunk
    inside = chunk.start <= span.start < chunk.end  # else it is from what surrounds the passage
    if chunk.page is None or (inside and chunk.last_page in (None, chunk.page)):
        return span
    document = await documents.get(span.document_id)
    return replace(span, page=document.page_at(span.start))


def first_spans(sentences: Sequence[Sentence]) -> Mapping[int, Span]:
    """By passage number the first of its spans, in the order of the sentences."""
    found: dict[int, Span] = {}
    for sentence in sentences:
        for number, span in zip(sentence.citations, sentence.spans, strict=True):
            found.setdefault(number, span)
    return found
