"""From a written text to sentences that each point at the passage they rest on, or are taken out.

The check is code, not the model's goodwill: every number of a sentence must stand in the passage (or in the
question), most of the words that the question did not bring too, and a plain "yes" must not rest on a prohibition.
It compares words: it does not understand the passage, and a sentence that recombines the passage's own words wrongly
can pass.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from terrarium.context import SentenceMatch
from terrarium.model import Passage, Sentence, Span
from terrarium.sentences import sentence_spans
from terrarium.text import terms

LEAST_OVERLAP = 0.6  # of the content words that a sentence adds to the question: the passage must hold them
LEAST_GROUNDING = 0.5  # of all content words of a sentence: the passage must hold them, whatever the question says

_CITATION = re.compile(r"\s*\[(\d{1,2}(?:\s*,\s*\d{1,2})*)\]")
_CITATION_AFTER_STOP = re.compile(r"([.!?。！？])((?:\s*\[[\d,\s]+\])+)")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_GROUPING = re.compile(r"(?<=\d)[,'’\u00a0\u202f](?=\d{3}\b)")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|cannot|without|nor|neither|nicht|kein\w*|nie|niemals|ohne)\b|n't\b|[不没未无]",
    re.IGNORECASE,
)
_AFFIRMATION = re.compile(r"^(?:yes|ja|oui|sí|是的)\b", re.IGNORECASE)
_VERDICT = re.compile(r"^(?:yes|no|ja|nein|oui|non|sí|是|不|没)\b", re.IGNORECASE)
_FUNCTION_WORDS = frozenset(
    """a an the of in on at to for from by with as is are was were be been being it its this that these those and or but
    if then than so such may can could will would shall should must do does did has have had not no yes there here which
    who what when where how why you your they their he she his her we our i also only any all each other into over per
    der die das den dem des ein eine einer eines und oder ist sind war mit von zu im auf für nicht ja es""".split()
)


@dataclass(frozen=True, slots=True)
class Support:
    """How well one passage carries one sentence."""

    overlap: float  # share found of the content words that the question does not have, 0–1
    grounding: float  # share found of all content words, 0–1
    missing_numbers: tuple[str, ...]
    contradicted: bool  # one of the two negates and the other does not, where that decides
    echoes: bool = False  # the sentence only repeats the question

    @property
    def holds(self) -> bool:
        words = self.overlap >= LEAST_OVERLAP and self.grounding >= LEAST_GROUNDING
        return words and not self.missing_numbers and not self.contradicted and not self.echoes


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


def content_words(text: str) -> set[str]:
    """The text's terms without function words: what carries its meaning."""
    words = " ".join(word for word in re.findall(r"[^\W_]+|\S", text) if word.casefold() not in _FUNCTION_WORDS)
    return set(terms(words))


def numbers_in(text: str) -> set[str]:
    """Numbers as written, thousands separators taken out: "1,000" and "1 000" are "1000"."""
    return {number.strip(".,:") for number in _NUMBER.findall(_GROUPING.sub("", text))}


def check_support(sentence: str, passage: str, question: str, headings: Sequence[str] = ()) -> Support:
    """Hold one sentence against the place in a passage that it is closest to: a sentence, its neighbours, the headings.

    Not against the whole passage: a figure from one end of it and a name from the other are no statement of it.
    Repeating the question's words is no support.
    """
    place, around = _place(sentence, passage)
    words, known = content_words(sentence), content_words("\n".join((*headings, around)))
    added = words - content_words(question)
    grounding = _share(words, known)
    overlap = _share(added, known) if added else max(grounding, LEAST_OVERLAP)
    missing = sorted(numbers_in(sentence) - numbers_in(around) - numbers_in(question))
    affirmed_prohibition = bool(_AFFIRMATION.match(sentence)) and bool(_NEGATION.search(place))
    negated_alone = bool(_NEGATION.search(sentence)) and not _NEGATION.search(passage)
    echoes = not added and not _VERDICT.match(sentence)
    return Support(overlap, grounding, tuple(missing), affirmed_prohibition or negated_alone, echoes)


def _share(words: set[str], known: set[str]) -> float:
    return len(words & known) / len(words) if words else 1.0


def _place(sentence: str, passage: str) -> tuple[str, str]:
    """The sentence of the passage closest to `sentence`, and the same with its neighbours."""
    spans = sentence_spans(passage) or [(0, len(passage))]
    at = spans.index(best_quote(sentence, passage))
    around = spans[max(at - 1, 0)][0], spans[min(at + 1, len(spans) - 1)][1]
    return passage[slice(*spans[at])], passage[slice(*around)]


def best_quote(sentence: str, passage: str) -> tuple[int, int]:
    """Offsets of the passage's sentence that shares most content words and numbers with `sentence`."""
    wanted, figures = content_words(sentence), numbers_in(sentence)
    spans = sentence_spans(passage) or [(0, len(passage))]

    def closeness(span: tuple[int, int]) -> float:
        text = passage[span[0] : span[1]]
        found = content_words(text)
        shared = len(wanted & found) + 2 * len(figures & numbers_in(text))
        return shared / math.sqrt(len(found) + 5)  # long sentences share by chance

    return max(spans, key=closeness)


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
    for sentence in split_answer(text):
        found = {
            n: check_support(sentence.text, passage.chunk.text, question, passage.chunk.headings)
            for n, passage in passages.items()
        }
        holding = [n for n, support in found.items() if support.holds]
        cited = [n for n in sentence.citations if n in holding]
        chosen = cited or sorted(holding, key=lambda n: -found[n].overlap)[:1]
        supports.append(
            {
                "sentence": sentence.text,
                "cited": list(sentence.citations),
                "kept": chosen,
                "overlap": {n: round(support.overlap, 3) for n, support in found.items()},
                "missing_numbers": {n: list(s.missing_numbers) for n, s in found.items() if s.missing_numbers},
                "contradicted": [n for n, support in found.items() if support.contradicted],
                "echoes": any(support.echoes for support in found.values()),
            }
        )
        if not chosen:
            removed.append(sentence.text)
            continue
        kept.append(Sentence(sentence.text, tuple(chosen)))
        for n in chosen:
            passage = passages[n]
            citations.setdefault(n, span_of(passage, *best_quote(sentence.text, passage.chunk.text)))
    return Checked(tuple(kept), citations, tuple(removed), tuple(supports))


def quote_passages(
    passages: Sequence[Passage], matches: Sequence[Sequence[SentenceMatch]], least: float = 0.0, limit: int = 2
) -> tuple[tuple[Sentence, ...], dict[int, Span]]:
    """An answer in the documents' own words: of each passage its best sentence, when it is nearly as close as the best.

    "Nearly" is a cosine within 0.08; at most `limit` sentences, the closest first: a quotation is to be short and to
    the point. Headings and questions are never quoted. Empty when nothing is at least `least` close.
    """
    texts = {n: [match for match in found if not match.label] for n, found in enumerate(matches, start=1)}
    best = {n: max(found, key=lambda match: match.score) for n, found in texts.items() if found}
    top = max((match.score for match in best.values()), default=0.0)
    near = [n for n, match in best.items() if match.score >= max(top - 0.08, least)]
    chosen = sorted(near, key=lambda n: -best[n].score)[:limit]
    citations = {n: span_of(passages[n - 1], best[n].start, best[n].end) for n in chosen}
    return tuple(Sentence(citations[n].quote, (n,)) for n in chosen), citations
