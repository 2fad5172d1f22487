"""Hard negatives: passages that words or vectors find for a question and that do not answer it, as far as one can tell.

Words found the negatives that the training files bring along (BM25); dense search over all passages of the same source
finds the others. A mined passage may answer the question without being marked, so those that look like answers are
dropped: all positives of the same question, passages that share most of their words with one, and passages whose cosine
comes too close to the positive's (at most a share of it: Moreira et al., NV-Retriever, 2024).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from .sets import Pair, words
from .states import Known

NEAR_COPY = 0.8  # of the shorter passage's words
CLOSEST = 0.97  # of the positive's cosine
NEAREST = 40  # passages looked at, of those that dense search finds
KEPT = 12
_BLOCK = 512  # questions searched at once


@dataclass(frozen=True, slots=True)
class Mined:
    query: str
    positive: str
    negatives: tuple[str, ...]  # hardest first, from words and vectors in turn
    source: str
    weight: float
    held_out: bool


def mine(pairs: Sequence[Pair], states: Known) -> list[Mined]:
    """Negatives of every pair out of all passages of its own source."""
    by_source: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_source[pair.source].append(pair)
    return [one for group in by_source.values() for one in _mine_source(group, states)]


def pool(pairs: Sequence[Pair], states: Known) -> list[str]:
    """Every passage of the pairs whose states are known."""
    named = dict.fromkeys(text for pair in pairs for text in (pair.positive, *pair.mined_from))
    return [text for text in named if text in states.place]


def _mine_source(pairs: Sequence[Pair], states: Known) -> list[Mined]:
    passages = pool(pairs, states)
    places = {text: place for place, text in enumerate(passages)}
    vectors = states.sentence[[states.place[text] for text in passages]].astype(np.float32)
    positives: dict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        positives[" ".join(words(pair.query))].add(pair.positive)
    found = []
    for start in range(0, len(pairs), _BLOCK):
        block = pairs[start : start + _BLOCK]
        asked = states.sentence[[states.place[pair.query] for pair in block]].astype(np.float32)
        cosines = asked @ vectors.T  # [questions, passages]
        nearest = np.argsort(-cosines, axis=1)[:, :NEAREST]
        for pair, cosine, order in zip(block, cosines, nearest, strict=True):
            limit = CLOSEST * cosine[places[pair.positive]]
            answers = positives[" ".join(words(pair.query))]
            by_words = [places[text] for text in pair.negatives if text in places]
            kept = [place for place in in_turn(by_words, order.tolist()) if cosine[place] <= limit]
            texts = [passages[place] for place in kept[: 2 * KEPT]]
            negatives = [text for text in texts if not looks_like_an_answer(text, answers)][:KEPT]
            found.append(Mined(pair.query, pair.positive, tuple(negatives), pair.source, pair.weight, pair.held_out))
    return found


def save_mined(rows: Iterable[Mined], path: Path) -> None:
    path.write_text("".join(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def load_mined(path: Path) -> list[Mined]:
    with path.open(encoding="utf-8") as lines:
        tables = [json.loads(line) for line in lines]
    return [Mined(**{**table, "negatives": tuple(table["negatives"])}) for table in tables]


def in_turn(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """One of each in turn, then what is left of the longer; each once."""
    shorter = min(len(first), len(second))
    both = [place for pair in zip(first, second, strict=False) for place in pair]
    return list(dict.fromkeys([*both, *first[shorter:], *second[shorter:]]))


def looks_like_an_answer(text: str, positives: Collection[str]) -> bool:
    """Whether the passage is a positive, or nearly a copy of one, or holds one."""
    found = _word_set(text)
    for positive in positives:
        known = _word_set(positive)
        if text == positive or len(found & known) >= NEAR_COPY * max(min(len(found), len(known)), 1):
            return True
    return False


@lru_cache(maxsize=50_000)
def _word_set(text: str) -> frozenset[str]:
    return frozenset(words(text))
