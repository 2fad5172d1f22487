"""The judge behind the four metrics in `ragas.py`: does a text state what a sentence says? A logistic regression.

Three signals: the cosine to the closest sentence of the text, and the shares of the sentence's figures and names that
the text has. Weights are in `local_judge.toml`, fitted by `terrarium_build.claims`; `models/local-judge.md` says how
often it agrees with a person. It is no copy of the product's own check, which knows rules that this does not. What it
does not see: negations, comparisons, who did what to whom. For comparing runs, not for vouching.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from terrarium.answers.quantities import numbers_in
from terrarium.answers.words import names_in
from terrarium.runtime.protocols import Embedder
from terrarium.sentences import sentence_spans
from terrarium.text import terms

# For people, from models/local-judge.md.
AGREEMENT = "It agrees with a person on 32 of 37 sentences of the small generator that it was not fitted on."


class LocalJudge:
    """The Judge of `ragas.py` over an embedder."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def id(self) -> str:
        return f"local-judge over {self._embedder.id}"

    async def supported(self, statement: str, contexts: Sequence[str]) -> float:
        """The probability for the context that supports it best; 0 without contexts."""
        rows = await signals(statement, contexts, self._embedder)
        return max((_probability(row) for row in rows), default=0.0)


async def signals(statement: str, contexts: Sequence[str], embedder: Embedder) -> list[dict[str, float]]:
    """Of each context, what is judged by: a cosine, stretched so that unrelated texts have 0, and two shares."""
    if not contexts:
        return []
    cut = [[context[a:b] for a, b in sentence_spans(context)] or [context] for context in contexts]
    vectors = await embedder.embed([statement, *(one for sentences in cut for one in sentences)])
    closeness = iter(((vectors[1:] @ vectors[0] - embedder.unrelated) / (1 - embedder.unrelated)).tolist())
    figures, names = numbers_in(statement), {one for name in names_in(statement) for one in terms(name)}
    return [
        {
            "closest": max(next(closeness) for _ in sentences),
            "figures": _share(figures, numbers_in(context)),
            "names": _share(names, set(terms(context))),
        }
        for context, sentences in zip(contexts, cut, strict=True)
    ]


def _share(wanted: set[str], found: set[str]) -> float:
    return len(wanted & found) / len(wanted) if wanted else 1.0


def _probability(row: Mapping[str, float]) -> float:
    total = sum(weight * row.get(name, 1.0) for name, weight in _weights().items())  # “intercept” is of no row: 1
    return 1 / (1 + math.exp(-max(-40.0, min(40.0, total))))


@cache
def _weights() -> dict[str, float]:
    text = files("terrarium.evaluation").joinpath("local_judge.toml").read_text(encoding="utf-8")
    table: dict[str, float] = tomllib.loads(text)
    return table
