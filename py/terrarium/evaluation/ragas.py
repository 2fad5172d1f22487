"""Faithfulness, answer relevancy, context precision and context recall as RAGAS defines them, with a judge of our own.

Es et al., "RAGAS: Automated Evaluation of Retrieval Augmented Generation", 2023, and the metrics' pages of its
documentation. There a large model takes texts apart, judges and asks; here sentences are the claims, a small local
judge says what supports what (`local_judge.py` names it and how weak it is), and a half-billion-parameter generator
asks. Numbers made by other judges are not comparable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from terrarium.generation.generator import GenerationSettings, Generator
from terrarium.runtime.protocols import Embedder
from terrarium.sentences import sentence_spans

SUPPORTED = 0.5  # from this probability on a statement counts as supported
_ASKING = GenerationSettings(max_new_tokens=40)
_TASK = "Write the one question that the text answers."
_EXAMPLES = (
    ("A book may be kept for 21 days and renewed twice.", "How long may a book be kept?"),
    ("Bicycles travel free of charge on the lower deck.", "What does it cost to take a bicycle along?"),
    ("The bridge was designed by Anna Keller and opened in 1931.", "Who designed the bridge and when was it opened?"),
)


class Judge(Protocol):
    @property
    def id(self) -> str:
        """What judged, for reports."""
        ...

    async def supported(self, statement: str, contexts: Sequence[str]) -> float:
        """The probability that the contexts, one of them or together, state what the statement says."""
        ...


async def faithfulness(judge: Judge, claims: Sequence[str], contexts: Sequence[str]) -> float | None:
    """Supported claims / claims of the answer; None for an answer without claims."""
    return await _supported_share(judge, claims, contexts)


async def context_recall(judge: Judge, reference: str, contexts: Sequence[str]) -> float | None:
    """Claims of the reference answer that the contexts support / its claims; None without a reference."""
    return await _supported_share(judge, claims_of(reference), contexts)


async def context_precision(judge: Judge, reference: str, contexts: Sequence[str]) -> float | None:
    """`average_precision` over whether each context by itself supports the reference answer; None without either."""
    if not reference.strip() or not contexts:
        return None
    return average_precision([await judge.supported(reference, [one]) >= SUPPORTED for one in contexts])


async def answer_relevancy(embedder: Embedder, question: str, made: Sequence[str]) -> float | None:
    """Mean cosine between the question and those made from the answer; None without any."""
    if not made:
        return None
    vectors = await embedder.embed([question, *made], kind="question")
    return float((vectors[1:] @ vectors[0]).mean())


async def questions_from(generator: Generator, answer: str) -> list[str]:
    """What the generator thinks was asked. RAGAS asks three times; greedy decoding says the same each time, so once."""
    line = await generator.write_line(_TASK, _EXAMPLES, answer, _ASKING)
    return [line] if line else []


def average_precision(relevant: Sequence[bool]) -> float:
    """Σ precision@k · v_k over the relevant ones, in the order of the ranks; 0 when none is relevant."""
    found = [rank for rank, one in enumerate(relevant, start=1) if one]
    return sum(count / rank for count, rank in enumerate(found, start=1)) / len(found) if found else 0.0


def claims_of(text: str) -> list[str]:
    """The sentences of a text."""
    return [text[start:end] for start, end in sentence_spans(text)]


async def _supported_share(judge: Judge, claims: Sequence[str], contexts: Sequence[str]) -> float | None:
    if not claims:
        return None
    found = [await judge.supported(claim, contexts) >= SUPPORTED for claim in claims]
    return sum(found) / len(found)
