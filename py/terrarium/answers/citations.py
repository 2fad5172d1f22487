"""From a written text to sentences that each point at the passage they rest on, or are taken out.

The check is code (`support.py`), not the model's goodwill.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from terrarium.answers.bare import leads_in
from terrarium.answers.pages import first_spans
from terrarium.answers.places import quote_of
from terrarium.answers.splitting import plain, split_answer
from terrarium.answers.support import Grounds, Support
from terrarium.answers.wholeness import points_back
from terrarium.model import Passage, Sentence, Span
from terrarium.runtime.protocols import Reranker

_THERE_IS = re.compile(r"there\s+(?:is|are|was|were|has|have)\b", re.IGNORECASE)


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


_POINTS_BACK = "it points back to a sentence that was taken out"
_LEADS_NOWHERE = "it only leads in to something that is not there"


@dataclass(frozen=True, slots=True)
class Checked:
    """The sentences that stand, the quotes they rest on, and those that were taken out."""

    sentences: tuple[Sentence, ...]
    removed: tuple[str, ...]
    supports: tuple[dict[str, object], ...]  # for the trace, one for each written sentence

    @property
    def citations(self) -> Mapping[int, Span]:
        """By passage number the first quote of it."""
        return first_spans(self.sentences)


async def check_answer(
    text: str, passages: Mapping[int, Passage], question: str, reranker: Reranker | None = None
) -> Checked:
    """Keep each sentence that one of `passages` (by number) supports, citing that one; take out the rest.

    A cited passage that supports the sentence is kept; otherwise the best supporting passage is cited instead. What is
    blank in a passage supports nothing. What points back to a sentence that was taken out goes with it, as does what
    leads in to nothing. What goes leaves its list mark to the rest of its line.
    """
    kept: list[Sentence] = []
    removed: list[str] = []
    supports: list[dict[str, object]] = []
    grounds = Grounds(question, {n: _ground(passage) for n, passage in passages.items()})
    lead = ""  # of sentences taken out
    hangs = False  # whether the sentence before was taken out
    written = split_answer(text)
    for place, sentence in enumerate(written, start=1):
        words = plain(sentence.text)
        found = await grounds.check(words, reranker)
        hangs = hangs and points_back(words) and not _THERE_IS.match(words)
        chosen = () if hangs else _chosen(sentence.citations, found)
        alone = bool(chosen) and not _goes_on(written[place:]) and leads_in(words, found[chosen[0]].place)
        chosen = () if alone else chosen
        reason = _POINTS_BACK if hangs else _LEADS_NOWHERE if alone else ""
        supports.append(_record(sentence, found, chosen, reason))
        hangs = not chosen
        if hangs:
            removed.append(sentence.text)
            lead = sentence.lead or lead
            continue
        claim = grounds.claim_of(words)
        spans = tuple(span_of(passages[n], *quote_of(claim, found[n].place)) for n in chosen)
        kept.append(replace(sentence, citations=chosen, spans=spans, lead=sentence.lead or lead))
        lead = ""
    return Checked(tuple(kept), tuple(removed), tuple(supports))


def _goes_on(rest: Sequence[Sentence]) -> bool:
    """Whether a list or code begins behind a sentence."""
    return bool(rest) and "\n" in rest[0].lead


def _ground(passage: Passage) -> tuple[str, Sequence[str]]:
    chunk = passage.chunk
    return chunk.text, (passage.document.title, *chunk.headings, chunk.lead)


def _chosen(cited: Sequence[int], found: Mapping[int, Support]) -> tuple[int, ...]:
    """The cited passages that hold; where none does, the one that holds most of the words."""
    holding = [n for n, support in found.items() if support.holds]
    kept = tuple(n for n in cited if n in holding)
    best = sorted(holding, key=lambda n: (-found[n].grounding, -(found[n].closeness or 0)))
    return kept or tuple(best[:1])


def _record(sentence: Sentence, found: Mapping[int, Support], chosen: Sequence[int], reason: str) -> dict[str, object]:
    """One row of the trace. Without a reason it is that of the passage which comes nearest to holding the sentence."""
    if not chosen and found and not reason:
        nearest = max(found.values(), key=lambda support: (support.grounding, -len(support.faults)))
        reason = "; ".join(dict.fromkeys(fault.words for fault in nearest.reasons))
    return {
        "sentence": sentence.text,
        "cited": list(sentence.citations),
        "kept": list(chosen),
        "verdict": "kept" if chosen else "removed",
        "reason": reason,
        "checks": {
            str(n): {
                "place": [support.place.start, support.place.end],
                "overlap": round(support.overlap, 3),
                "grounding": round(support.grounding, 3),
                "closeness": None if support.closeness is None else round(support.closeness, 3),
                "faults": [fault.words for fault in support.reasons],
                "kinds": [fault.kind for fault in support.reasons],
            }
            for n, support in found.items()
        },
    }
