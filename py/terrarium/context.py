"""What the generator reads: of each passage the stretch that bears on the question, within a budget of tokens.

A half-billion-parameter model on one WASM thread reads about 60 tokens a second and is misled by what it need not
read, so few, short sources are worth more than whole sections. Each source is one contiguous run of sentences:
it reads naturally, and its offsets still point into the document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from terrarium.model import Passage
from terrarium.runtime.protocols import Embedder
from terrarium.sentences import sentence_spans

# The share of the budget that each rank may use; what one leaves over goes to the next.
_SHARES = (0.42, 0.25, 0.19, 0.14)

CountTokens = Callable[[Sequence[str]], list[int]]


# A heading or a question ("How do I …?") is close to the person's question and answers nothing: the sentence beneath
# it does, so it gets this share of the closeness.
_PASSED_ON = 0.95
_LEAST_WORDS = 4  # of a sentence that says something by itself
_WORD = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|[^\W_]+")  # written without spaces, each character counts


@dataclass(frozen=True, slots=True)
class SentenceMatch:
    """A sentence of a passage, by offsets into the chunk's text, and how close it is to the question.

    `score` is the cosine, stretched so that unrelated texts have 0, or what a heading above passed on. `label` marks
    headings, questions and scraps, which explain a passage but are no answer.
    """

    start: int
    end: int
    score: float
    label: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """What the generator reads of passage `number` (1-based in the evidence list)."""

    number: int
    text: str
    passage: Passage


async def match_sentences(
    question: str, passages: Sequence[Passage], embedder: Embedder
) -> list[tuple[SentenceMatch, ...]]:
    """For each passage its sentences in order, each with its closeness to the question."""
    spans = [sentence_spans(passage.chunk.text) for passage in passages]
    texts = [passage.chunk.text[a:b] for passage, ss in zip(passages, spans, strict=True) for a, b in ss]
    if not texts:
        return [() for _ in passages]
    (asked,) = await embedder.embed([question], kind="question")
    cosines = await embedder.embed(texts) @ asked
    scores = iter(((cosines - embedder.unrelated) / (1 - embedder.unrelated)).tolist())
    return [
        _pass_on(passage, [SentenceMatch(a, b, next(scores)) for a, b in ss])
        for passage, ss in zip(passages, spans, strict=True)
    ]


def _pass_on(passage: Passage, matches: Sequence[SentenceMatch]) -> tuple[SentenceMatch, ...]:
    """Mark the labels; the first sentence beneath one inherits its closeness."""
    found: list[SentenceMatch] = []
    inherited = 0.0
    for match in matches:
        text = passage.chunk.text[match.start : match.end]
        scrap = len(_WORD.findall(text)) < _LEAST_WORDS
        if scrap or text in passage.chunk.headings or text.endswith(("?", "？")):
            inherited = max(inherited, match.score * _PASSED_ON)
            found.append(replace(match, label=True))
        else:
            found.append(replace(match, score=max(match.score, inherited)))
            inherited = 0.0
    return tuple(found)


def closeness(matches: Sequence[Sequence[SentenceMatch]]) -> float:
    """Of the closest sentence that is no label; 0 without one."""
    return max((match.score for found in matches for match in found if not match.label), default=0.0)


def best_window(matches: Sequence[SentenceMatch], lengths: Sequence[int], room: int) -> tuple[int, int]:
    """The run [first, last] of sentences around the best one whose `lengths` add up to at most `room`.

    It grows towards the better neighbour. The best sentence alone is returned even when it is longer than the room.
    """
    first = last = int(np.argmax([match.score for match in matches]))
    used = lengths[first]
    while True:
        neighbours = [i for i in (first - 1, last + 1) if 0 <= i < len(matches) and used + lengths[i] <= room]
        if not neighbours:
            return first, last
        grown = max(neighbours, key=lambda i: matches[i].score)
        used += lengths[grown]
        first, last = min(first, grown), max(last, grown)


def choose_sources(
    passages: Sequence[Passage],
    matches: Sequence[Sequence[SentenceMatch]],
    count_tokens: CountTokens,
    budget: int,
) -> list[Source]:
    """At most four sources of together at most about `budget` tokens, in the order of the passages."""
    sources: list[Source] = []
    left = 0.0
    for number, (passage, found, share) in enumerate(zip(passages, matches, _SHARES, strict=False), start=1):
        if not found:
            continue
        left += share * budget
        text = passage.chunk.text
        lengths = count_tokens([text[match.start : match.end] for match in found])
        first, last = best_window(found, lengths, int(left))
        left -= sum(lengths[first : last + 1])
        heading = passage.chunk.headings[-1] + ": " if passage.chunk.headings else ""
        if text.startswith(heading[:-2]):
            heading = ""
        sources.append(Source(number, heading + text[found[first].start : found[last].end], passage))
    return sources
