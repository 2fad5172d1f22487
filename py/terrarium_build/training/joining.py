"""Question and passage as one text for a cross-encoder: [CLS] question [SEP] passage [SEP], in token ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

CLS, SEP = 101, 102  # of BERT's uncased vocabulary, the embedder's


@dataclass(frozen=True, slots=True)
class Joined:
    """Rows of one length; padding is token 0. `question` and `passage` mark the tokens of each, markers left out."""

    ids: NDArray[np.int64]  # [rows, t]
    types: NDArray[np.int64]  # 1 from the passage on
    real: NDArray[np.bool_]
    question: NDArray[np.bool_]
    passage: NDArray[np.bool_]


def join(pairs: Sequence[tuple[Sequence[int] | NDArray[Any], Sequence[int] | NDArray[Any]]], longest: int) -> Joined:
    """Pairs of token ids without markers. What is over `longest` is cut off the passage, never off the question."""
    rows = []
    for question, passage in pairs:
        asked = [int(one) for one in question]
        rows.append((asked, [int(one) for one in passage][: max(longest - len(asked) - 3, 1)]))
    width = max(len(asked) + len(cut) + 3 for asked, cut in rows)
    joined = Joined(*(np.zeros((len(rows), width), kind) for kind in (np.int64, np.int64, bool, bool, bool)))
    for row, (asked, cut) in enumerate(rows):
        start, end = len(asked) + 2, len(asked) + 2 + len(cut)
        joined.ids[row, : end + 1] = [CLS, *asked, SEP, *cut, SEP]
        joined.types[row, start : end + 1] = 1
        joined.real[row, : end + 1] = True
        joined.question[row, 1 : start - 1] = True
        joined.passage[row, start:end] = True
    return joined
