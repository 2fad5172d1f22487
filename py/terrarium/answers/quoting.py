"""An answer in the documents' own words: the few sentences that answer best, each with its place. No generator.

The best sentence, and those that are nearly as good; with each what it needs to be understood (`wholeness.py`).
Headings, questions, scraps and what is addressed to the model are never quoted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from terrarium.answers.documents import Documents
from terrarium.answers.sentence_scores import score_sentences
from terrarium.answers.wholeness import Stretch, whole
from terrarium.model import Passage, Sentence, Span
from terrarium.retrieval.matches import SentenceMatch
from terrarium.runtime.protocols import Reranker

LIMIT = 3  # sentences, what stands with them not counted
NEARLY = 0.08  # below the best sentence's score


@dataclass(frozen=True, slots=True)
class _Choice:
    """A sentence that is quoted: of passage `number`, document.text[start:end]."""

    score: float
    number: int
    start: int
    end: int
    text: str


async def quote_passages(
    question: str,
    passages: Sequence[Passage],
    matches: Sequence[Sequence[SentenceMatch]],
    reranker: Reranker | None,
    documents: Documents,
    limit: int = LIMIT,
) -> tuple[Sentence, ...]:
    """At most `limit` sentences with what stands with them, the best first.

    A sentence's citation is its passage's number, its span the words themselves. What two documents say in the same
    words is quoted once.
    """
    scores = await score_sentences(question, passages, matches, reranker, documents.library)
    every = [
        _Choice(score, number, passage.chunk.start + match.start, passage.chunk.start + match.end, text)
        for number, (passage, found, values) in enumerate(zip(passages, matches, scores, strict=True), start=1)
        for match, score in zip(found, values, strict=True)
        if not match.label and (text := passage.chunk.text[match.start : match.end])
    ]
    best: dict[str, _Choice] = {}
    for choice in sorted(every, key=lambda one: -one.score):
        best.setdefault(" ".join(choice.text.split()), choice)
    return await _chosen(list(best.values()), passages, documents, limit)


async def _chosen(
    ordered: Sequence[_Choice], passages: Sequence[Passage], documents: Documents, limit: int
) -> tuple[Sentence, ...]:
    found: list[tuple[_Choice, list[Sentence]]] = []
    for choice in ordered:
        if len(found) == limit or (found and choice.score < found[0][0].score - NEARLY):
            break
        passage = passages[choice.number - 1]
        name, text = passage.document.id, documents.library.text(passage.document.id)
        document = await documents.get(name)
        shown = [span for _, sentences in found for sentence in sentences for span in sentence.spans]
        quotes = []
        for stretch in whole(document, text, choice.start, choice.end):
            if not _flagged(passage, stretch) and not any(_holds(span, name, stretch) for span in shown):
                quote = text[stretch.start : stretch.end]
                span = Span(name, passage.document.name, stretch.start, stretch.end, quote, passage.chunk.page)
                quotes.append(Sentence(quote, (choice.number,), (span,)))
        if quotes:
            found.append((choice, quotes))
    return tuple(sentence for _, sentences in found for sentence in sentences)


def _holds(span: Span, name: str, stretch: Stretch) -> bool:
    return span.document_id == name and span.start <= stretch.start and stretch.end <= span.end


def _flagged(passage: Passage, stretch: Stretch) -> bool:
    """Whether a flagged stretch of the passage is in it."""
    start = passage.chunk.start
    return any(start + flag.start < stretch.end and stretch.start < start + flag.end for flag in passage.flags)
