"""The sentences of passages, held against the question: how close each is, which lead on, which give a model orders.

One run of the embedder gives both: the cosine to the question, and what the guard (`guards/`) is asked with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from terrarium.guards.code import is_code
from terrarium.guards.instructions import find_instructions
from terrarium.model import Flag, Passage
from terrarium.runtime.protocols import Embedder
from terrarium.sentences import sentence_spans

# A heading or a question ("How do I …?") is close to the person's question and answers nothing: the sentence beneath
# it does, so it gets this share of the closeness.
_PASSED_ON = 0.95
_GAP = 3  # characters between two lines of one program at most
_LEAST_WORDS = 4  # of a sentence that says something by itself
_LONGEST_QUESTION = 240  # characters of a line that is one question, however many sentences it takes to ask it
_WORD = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|[^\W_]+")  # written without spaces, each character counts


@dataclass(frozen=True, slots=True)
class SentenceMatch:
    """A sentence of a passage, by offsets into the chunk's text, and how close it is to the question.

    `score` is the cosine, stretched so that unrelated texts have 0, or what a heading above passed on. `label` marks
    headings, questions and scraps, which explain a passage but are no answer, and every `instruction` to a model.
    """

    start: int
    end: int
    score: float
    label: bool = False
    instruction: bool = False


async def match_sentences(
    question: str, passages: Sequence[Passage], embedder: Embedder
) -> list[tuple[SentenceMatch, ...]]:
    """For each passage its sentences in order, each with its closeness to the question."""
    spans = [sentence_spans(passage.chunk.text) for passage in passages]
    texts = [passage.chunk.text[a:b] for passage, ss in zip(passages, spans, strict=True) for a, b in ss]
    if not texts:
        return [() for _ in passages]
    (asked,) = await embedder.embed([question], kind="question")
    vectors = await embedder.embed(texts)
    scores = ((vectors @ asked - embedder.unrelated) / (1 - embedder.unrelated)).tolist()
    found, first = [], 0
    for passage, own in zip(passages, spans, strict=True):
        last = first + len(own)
        orders = find_instructions(texts[first:last], vectors[first:last], embedder.compatible)
        matches = [
            SentenceMatch(a, b, score, instruction=order)
            for (a, b), score, order in zip(own, scores[first:last], orders, strict=True)
        ]
        found.append(_pass_on(passage, matches))
        first = last
    return found


def _pass_on(passage: Passage, matches: Sequence[SentenceMatch]) -> tuple[SentenceMatch, ...]:
    """Mark the labels; the first sentence beneath one inherits its closeness."""
    found: list[SentenceMatch] = []
    inherited = 0.0
    for match in matches:
        text = passage.chunk.text[match.start : match.end]
        scrap = len(_WORD.findall(text)) < _LEAST_WORDS
        if match.instruction:
            found.append(replace(match, label=True))
        elif scrap or text in passage.chunk.headings or _asks(passage.chunk.text, match):
            inherited = max(inherited, match.score * _PASSED_ON)
            found.append(replace(match, label=True))
        else:
            found.append(replace(match, score=max(match.score, inherited)))
            inherited = 0.0
    return tuple(found)


def _asks(text: str, match: SentenceMatch) -> bool:
    """Whether a sentence is a question, or leads into one in the same short line ("It got slow. Is that a fault?")."""
    line_start = text.rfind("\n", 0, match.start) + 1
    line = text[line_start:].partition("\n")[0].rstrip()
    asked = line if len(line) <= _LONGEST_QUESTION else text[match.start : match.end]
    return asked.endswith(("?", "？"))


def agreeing(
    passages: Sequence[Passage], matches: Sequence[Sequence[SentenceMatch]]
) -> list[tuple[SentenceMatch, ...]]:
    """The matches, with what is an instruction in one passage being one in each that shares the sentence.

    A program that a chunk's end cuts goes on in the next one: its lines directly behind a flagged one are flagged too.
    """
    known = set(instruction_spans(passages, matches))
    ends = {(document, end) for document, _, end in known}
    for passage, found in sorted(zip(passages, matches, strict=True), key=lambda one: one[0].chunk.start):
        text, start, document = passage.chunk.text, passage.chunk.start, passage.document.id
        for m in found:
            behind = any((document, start + m.start - gap) in ends for gap in range(_GAP + 1))
            if behind and is_code(text[m.start : m.end]):
                known.add((document, start + m.start, start + m.end))
                ends.add((document, start + m.end))
    return [
        tuple(
            replace(m, label=True, instruction=True)
            if (passage.document.id, passage.chunk.start + m.start, passage.chunk.start + m.end) in known
            else m
            for m in found
        )
        for passage, found in zip(passages, matches, strict=True)
    ]


def flagged(passage: Passage, matches: Sequence[SentenceMatch]) -> Passage:
    """The passage with its instructions flagged: neighbours as one stretch."""
    flags: list[Flag] = []
    before = False
    for match in matches:
        if match.instruction and before:
            flags[-1] = replace(flags[-1], end=match.end)
        elif match.instruction:
            flags.append(Flag("instruction", match.start, match.end))
        before = match.instruction
    return replace(passage, flags=tuple(flags))


def only_orders(matches: Sequence[SentenceMatch]) -> bool:
    """Whether nothing but instructions to a model, with the headings and scraps between them, stands in a passage."""
    return any(match.instruction for match in matches) and all(match.instruction or match.label for match in matches)


def instruction_spans(
    passages: Sequence[Passage], matches: Sequence[Sequence[SentenceMatch]]
) -> list[tuple[str, int, int]]:
    """Their documents and offsets: of what is marked in the matches or flagged in the passages."""
    return [
        (passage.document.id, passage.chunk.start + match.start, passage.chunk.start + match.end)
        for passage, found in zip(passages, matches, strict=True)
        for match in found
        if match.instruction or any(flag.start <= match.start < flag.end for flag in passage.flags)
    ]


def closeness(matches: Sequence[Sequence[SentenceMatch]]) -> float:
    """Of the closest sentence that is no label; 0 without one."""
    return max((match.score for found in matches for match in found if not match.label), default=0.0)
