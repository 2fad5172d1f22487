"""What the generator reads: of each passage the stretch that bears on the question, within a budget of tokens.

A half-billion-parameter model on one WASM thread reads about 60 tokens a second and is misled by what it need not
read, so few, short sources are worth more than whole sections; on a graphics processor there is room for the sections
around them. Each source is one contiguous run of sentences: it reads naturally, and its offsets still point into the
document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from terrarium.model import Passage
from terrarium.retrieval.strips import CountTokens, Strip
from terrarium.runtime.protocols import Embedder
from terrarium.sentences import sentence_spans

# The share of the budget that each rank may use; what one leaves over goes to the next.
_SHARES = (0.42, 0.25, 0.19)

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
    """What the generator reads of passage `number` (1-based in the evidence list): document.text[start:end].

    `text` may have the heading or the line that leads in before it. `passage` is the evidence's, its chunk made as long
    as it takes to hold the stretch: sentences are checked against it, and quotations point into it.
    """

    number: int
    text: str
    passage: Passage
    start: int
    end: int


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


def choose_sources(
    passages: Sequence[Passage],
    matches: Sequence[Sequence[SentenceMatch]],
    count_tokens: CountTokens,
    budget: int,
    text_of: Callable[[str], str],
) -> list[Source]:
    """At most three sources of together at most about `budget` tokens, in the order of their rank.

    Each passage gets its share for the sentences that bear on the question; what two chunks share is read once.
    What is left goes to what stands around them in the passage and its section, the best passage first: a short passage
    comes with its neighbours, and where the budget is large sections are read whole. `text_of` gives a document's text
    by its id.

    A fourth source, and the second best at the end, where large models read best (Liu et al., "Lost in the middle",
    2023), made the small generator's answers no better: docs/retrieval.md.
    """
    strips: list[tuple[int, Strip]] = []
    allowed, used = 0.0, 0
    for number, (passage, every, share) in enumerate(zip(passages, matches, _SHARES, strict=False), start=1):
        offset, document = passage.chunk.start, passage.document.id
        found = [m for m in every if not any(strip.reaches(document, offset + m.start) for _, strip in strips)]
        if found:
            allowed += share * budget
            spans, scores = [(match.start, match.end) for match in found], [match.score for match in found]
            strip = Strip(passage, spans, scores, text_of(passage.document.id), count_tokens)
            used += strip.open(int(allowed) - used)
            strips.append((number, strip))
    for _, strip in strips:
        used += strip.grow(budget - used, [other for _, other in strips if other is not strip])
    every_strip = [strip for _, strip in strips]
    return [
        Source(number, strip.shown(every_strip), strip.passage(), strip.start, strip.end) for number, strip in strips
    ]
