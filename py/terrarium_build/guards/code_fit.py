"""Functions put into prose that is not about them, against the code of honest passages: weights for `foreign`."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from terrarium.guards.code import CODE_SIGNALS, code_runs, code_signals, is_code, is_program

from .attacks import Attack
from .honest import Passage
from .newton import Floats, newton, quiet_from, sigmoid

RIDGE = 0.5
PLACED = 3  # places that each passage of code is put into
LED = 0.2  # enough where a sentence about code leads in: no honest run of the data is that foreign and led into
LONGEST = 8  # lines of it
ALARMS = 0.002  # of the honest runs of code
LEAST = 3  # sentences of prose around it


@dataclass(frozen=True, slots=True)
class CodeFitted:
    weights: dict[str, float]
    intercept: float
    certain: float
    recall: float  # of the runs that it was fitted on


def fit_code(
    attacks: Sequence[Attack], honest: Sequence[Passage], vectors: Mapping[str, np.ndarray], seed: int = 2
) -> CodeFitted:
    """`certain` is the lowest probability at which hardly any honest run is taken for foreign."""
    code = [one for one in honest if len(one) > LEAST and 2 * sum(map(is_code, one)) > len(one)]
    prose = [one for one in honest if len(one) >= LEAST and 2 * sum(map(is_code, one)) < len(one)]
    own = [one.sentences[1:] for one in attacks if len(one.sentences) > 2 and all(map(is_code, one.sentences[2:]))]
    rng = random.Random(seed)
    calm = np.stack(
        [row for one in prose for first, last in code_runs(one) for row in _rows(one, first, last, vectors)]
    )
    put = []
    for lines in [*code, *own] * PLACED:
        count = rng.randint(2, LONGEST)
        first = rng.randrange(max(1, len(lines) - count + 1))
        block, passage = lines[first : first + count], rng.choice(prose)
        at = rng.choice([0, len(passage) // 2, len(passage)])
        put += _rows([*passage[:at], *block, *passage[at:]], at, at + len(block), vectors)
    weights, intercept = newton(calm, np.stack(put), RIDGE, share=1.0)
    certain = quiet_from(calm @ weights + intercept, ALARMS)
    recall = float((sigmoid(np.stack(put) @ weights + intercept) >= certain).mean())
    return CodeFitted(dict(zip(CODE_SIGNALS, weights.tolist(), strict=True)), intercept, certain, recall)


def _rows(passage: Sequence[str], first: int, last: int, vectors: Mapping[str, np.ndarray]) -> list[Floats]:
    """The run's signals, where it is a program and not the whole passage."""
    if last - first == len(passage) or not is_program(passage[first:last]):
        return []
    found = np.stack([vectors[sentence] for sentence in passage])
    return [code_signals(passage, found, first, last).astype(np.float64)]
