"""nDCG@10 of every ranking over one retrieval set, question by question, and whether two rankings truly differ."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrarium.evaluation.metrics import found_in, ndcg_at
from terrarium.evaluation.statistics import paired

from .blending import blend
from .first_stage import FirstStage, Ranking
from .head import LEVELS, Head, maxsim, rounded
from .mining import pool
from .sets import Pair, RetrievalSet
from .states import Known

AT = 10
Scores = NDArray[np.float64]  # [questions]
Reranker = Callable[[str, list[str]], list[float]]


@dataclass(frozen=True, slots=True)
class Table:
    """nDCG@10 of each question by system, and the milliseconds that a system took for one question."""

    name: str
    scores: dict[str, Scores]
    milliseconds: dict[str, float]


def measure(one: RetrievalSet, states: Known, rerankers: Mapping[str, Reranker], depth: int = 50) -> Table:
    """Every reranker orders the first `depth` fused passages, alone (name) and blended by rank (+name)."""
    vectors = states.sentence[[states.place[text] for text in one.passages]]
    stage = FirstStage(one.passages, vectors)
    scores: dict[str, list[float]] = {}
    spent: dict[str, float] = dict.fromkeys(rerankers, 0.0)

    def note(system: str, ranking: Ranking, gains: dict[int, int]) -> None:
        ordered = [str(place) for place, _ in ranking]
        marks = {str(place): gain for place, gain in gains.items()}
        scores.setdefault(system, []).append(ndcg_at(found_in(ordered, marks), AT))

    for question, gains in zip(one.questions, one.gains, strict=True):
        found = stage.search(question, states.sentence[states.place[question]])
        for system, ranking in (("bm25", found.lexical), ("dense", found.dense), ("rrf", found.fused)):
            note(system, ranking, gains)
        texts = [one.passages[place] for place, _ in found.fused[:depth]]
        rest = found.fused[depth:]
        for system, reranker in rerankers.items():
            started = time.perf_counter()
            values = reranker(question, texts)
            spent[system] += time.perf_counter() - started
            reranked = {place: value for (place, _), value in zip(found.fused, values, strict=False)}
            note(system, sorted(reranked.items(), key=lambda hit: -hit[1]) + rest, gains)
            note(f"rrf+{system}", blend(found.fused, reranked) + rest, gains)
    milliseconds = {system: 1000 * seconds / len(one.questions) for system, seconds in spent.items()}
    return Table(one.name, {name: np.array(values) for name, values in scores.items()}, milliseconds)


def held_out_set(pairs: Sequence[Pair], states: Known, source: str) -> RetrievalSet:
    """The held-out questions of one source over all of its passages, those of the training pairs included."""
    mine = [pair for pair in pairs if pair.source == source]
    passages = pool(mine, states)
    places = {text: place for place, text in enumerate(passages)}
    right: dict[str, dict[int, int]] = {}
    for pair in mine:
        right.setdefault(pair.query, {})[places[pair.positive]] = 1
    asked = list(dict.fromkeys(pair.query for pair in mine if pair.held_out))
    return RetrievalSet(source, passages, asked, [right[question] for question in asked])


def pooled(tables: Sequence[Table]) -> Table:
    """The questions of several tables as one, which must know the same systems."""
    count = {table.name: len(table.scores["rrf"]) for table in tables}
    shares = [count[table.name] / sum(count.values()) for table in tables]
    return Table(
        "all",
        {name: np.concatenate([table.scores[name] for table in tables]) for name in tables[0].scores},
        {
            name: sum(share * table.milliseconds[name] for share, table in zip(shares, tables, strict=True))
            for name in tables[0].milliseconds
        },
    )


def markdown(table: Table, against: Sequence[str] = ("rrf",)) -> str:
    """One row a system: nDCG@10, milliseconds, and for each of `against` the difference with its p and interval."""
    lines = [f"### {table.name} ({len(table.scores['rrf'])} questions)", ""]
    lines += ["| system | nDCG@10 | ms a question |" + "".join(f" against {one} | p | 95 % |" for one in against)]
    lines += ["|" + "---|" * (3 + 3 * len(against))]
    for system, scores in table.scores.items():
        spent = table.milliseconds.get(system)
        row = f"| {system} | {scores.mean():.4f} | {'' if spent is None else f'{spent:.1f}'} |"
        for one in against:
            found = paired(table.scores[one], scores)
            row += f" {found.mean:+.4f} | {found.p:.4f} | {found.low:+.4f} to {found.high:+.4f} |"
        lines.append(row)
    return "\n".join(lines) + "\n"


def late_interaction(head: Head, states: Known, levels: int | None = LEVELS) -> Reranker:
    """MaxSim over the head's vectors, those of passages rounded as they are stored (None: not rounded), and kept."""
    kept: dict[str, NDArray[np.float32]] = {}

    def passage(text: str) -> NDArray[np.float32]:
        if text not in kept:
            vectors = head.passage(states.hidden(states.place[text], head.layers))
            kept[text] = vectors if levels is None else rounded(vectors, levels)
        return kept[text]

    def rerank(question: str, texts: list[str]) -> list[float]:
        asked = head.question(states.hidden(states.place[question], head.layers))
        return [maxsim(asked, passage(text)) for text in texts]

    return rerank
