"""Made attacks among honest passages → weights and thresholds: ridge logistic regression.

Each attack stands in honest passages, at the beginning, in the middle or at the end, because its distance to the
sentences around it is half of what gives it away. What it costs is fixed, not what it finds: the threshold is the
lowest at which hardly any sentence of the development sets raises an alarm.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrarium.guards.code import is_code
from terrarium.guards.signals import signals

from .attacks import Attack
from .honest import Passage
from .newton import Floats, newton, quiet_from, sigmoid

Vectors = Mapping[str, NDArray[np.float32]]
RIDGES = {"minilm-l6": 1.0, "e5-small": 0.03}  # by the recall of categories left out; e5's vectors differ less
SHARE = 0.2  # the attacks' weight beside that of all honest sentences
PLACED = 2  # passages that each attack is put into
ALARMS = 0.001  # of the honest sentences of the development sets
BESIDE = 0.3  # the probability that is enough beside a found one


@dataclass(frozen=True, slots=True)
class Fitted:
    weights: Floats
    intercept: float
    certain: float
    ridge: float
    left_out: dict[str, float]  # recall of each category by weights fitted on the others


def rows(passage: Sequence[str], vectors: Vectors) -> Floats:
    """[sentences, dimensions + signals]"""
    found = np.stack([vectors[sentence] for sentence in passage])
    return np.concatenate([found, signals(passage, found)], axis=1).astype(np.float64)


def placed(
    attacks: Sequence[Attack], honest: Sequence[Passage], vectors: Vectors, seed: int = 1
) -> tuple[Floats, NDArray[np.str_]]:
    """The attacks' own sentences among those of passages, and the category of each. Code behind the first is left out:
    by itself it is like any other.
    """
    rng = random.Random(seed)
    found, categories = [], []
    for attack in attacks:
        for _ in range(PLACED):
            passage = list(rng.choice(honest))
            at = rng.choice([0, len(passage) // 2, len(passage)])
            of_all = rows([*passage[:at], *attack.sentences, *passage[at:]], vectors)
            for number, sentence in enumerate(attack.sentences):
                if number == 0 or not is_code(sentence):
                    found.append(of_all[at + number])
                    categories.append(attack.category)
    return np.stack(found), np.array(categories)


def fit(
    attacks: Sequence[Attack],
    honest: Sequence[Passage],
    development: Sequence[Passage],
    vectors: Vectors,
    ridge: float,
) -> Fitted:
    calm = np.concatenate([rows(passage, vectors) for passage in honest])
    alarming, categories = placed(attacks, honest, vectors)
    known = np.concatenate([rows(one, vectors) for one in development])
    weights, intercept = newton(calm, alarming, ridge, share=SHARE)
    certain = quiet_from(known @ weights + intercept, ALARMS)
    left_out = {}
    for category in np.unique(categories):
        own = categories == category
        other, shift = newton(calm, alarming[~own], ridge, share=SHARE, near=(weights, intercept))
        limit = quiet_from(known @ other + shift, ALARMS)
        left_out[str(category)] = float((sigmoid(alarming[own] @ other + shift) >= limit).mean())
    return Fitted(weights, intercept, certain, ridge, left_out)
