"""From a written text to sentences that each point at the passage they rest on, or are taken out.

The check is code (`support.py`), not the model's goodwill.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from terrarium.answers.support import Grounds, best_quote
from terrarium.model import Passage, Sentence, Span
from terrarium.retrieval.context import SentenceMatch
from terrarium.sentences import sentence_spans

_CITATION = re.compile(r"\s*\[(\d{1,2}(?:\s*,\s*\d{1,2})*)\]")
_CITATION_AFTER_STOP = re.compile(r"([.!?。！？])((?:\s*\[[\d,\s]+\])+)")


def split_answer(text: str) -> list[Sentence]:
    """The sentences of a written text, their [n] taken out of the words and kept as numbers."""
    # "… 64. [1]" cites with the sentence before the mark
    text = _CITATION_AFTER_STOP.sub(lambda m: m[2] + m[1], text)
    sentences = []
    for start, end in sentence_spans(text):
        words = text[start:end]
        numbers = [int(n) for group in _CITATION.findall(words) for n in group.split(",")]
        plain = _CITATION.sub("", words).strip()
        if re.search(r"\w", plain):
            sentences.append(Sentence(plain, tuple(dict.fromkeys(numbers))))
    return sentences


def span_of(passage: Passage, start: int, end: int) -> Span:
    """The span of a passage's document for offsets into the chunk's text; the page is the chunk's first."""
    chunk = passage.chunk
    return Span(
        document_id=chunk.document_id,
        document_name=passage.document.name,
        start=chunk.start + start,
        end=chunk.start + end,
        quote=chunk.text[start:end],
        page=chunk.page,
    )


@dataclass(frozen=True, slots=True)
class Checked:
    """The sentences that stand, the quotes they rest on, and those that were taken out."""

    sentences: tuple[Sentence, ...]
    citations: dict[int, Span]
    removed: tuple[str, ...]
    supports: tuple[dict[str, object], ...]  # for the trace, one for each written sentence


def check_answer(text: str, passages: dict[int, Passage], question: str) -> Checked:
    """Keep each sentence that one of `passages` (by number) supports, citing that one; take out the rest.

    A cited passage that supports the sentence is kept; otherwise the best supporting passage is cited instead.
    """
    kept: list[Sentence] = []
    citations: dict[int, Span] = {}
    removed: list[str] = []
    supports: list[dict[str, object]] = []
    grounds = Grounds(question, {n: _ground(passage) for n, passage in passages.items()})
    for sentence in split_answer(text):
        found = {n: grounds.check(sentence.text, n) for n in passages}
        holding = [n for n, support in found.items() if support.holds]
        cited = [n for n in sentence.citations if n in holding]
        chosen = cited or sorted(holding, key=lambda n: -found[n].overlap)[:1]
        checks = {n: asdict(support) for n, support in found.items()}
        supports.append(
            {"sentence": sentence.text, "cited": list(sentence.citations), "kept": chosen, "checks": checks}
        )
        if not chosen:
            removed.append(sentence.text)
            continue
        kept.append(Sentence(sentence.text, tuple(chosen)))
        for n in chosen:
            passage = passages[n]
            citations.setdefault(n, span_of(passage, *best_quote(sentence.text, passage.chunk.text)))
    return Checked(tuple(kept), citations, tuple(removed), tuple(supports))


def _ground(passage: Passage) -> tuple[str, tuple[str, ...]]:
    return passage.chunk.text, (passage.document.title, *passage.chunk.headings)


def quote_passages(
    passages: Sequence[Passage], matches: Sequence[Sequence[SentenceMatch]], limit: int = 2
) -> tuple[tuple[Sentence, ...], dict[int, Span]]:
    """An answer in the documents' own words: of each passage its best sentence, when it is nearly as close as the best.

    "Nearly" is a cosine within 0.08; at most `limit` sentences, the closest first: a quotation is to be short and to
    the point. Headings and questions are never quoted.
    """
    texts = {n: [match for match in found if not match.label] for n, found in enumerate(matches, start=1)}
    best = {n: max(found, key=lambda match: match.score) for n, found in texts.items() if found}
    top = max((match.score for match in best.values()), default=0.0)
    near = [n for n, match in best.items() if match.score >= top - 0.08]
    spans = {n: span_of(passages[n - 1], best[n].start, best[n].end) for n in near}
    first = {spans[n].quote: n for n in sorted(near, key=lambda n: best[n].score)}  # two files may say the same
    chosen = sorted(first.values(), key=lambda n: -best[n].score)[:limit]
    return tuple(Sentence(spans[n].quote, (n,)) for n in chosen), {n: spans[n] for n in chosen}
