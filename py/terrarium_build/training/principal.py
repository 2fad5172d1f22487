"""The head without training: token states turned to their principal directions, the weakest of which are left out.

Products of unit vectors hardly change by it, at a third of the size: it is what training starts from and has to beat.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .head import Head, unit
from .states import Known

EVERY = 7  # tokens of a passage, one of which is looked at


def principal_head(texts: Sequence[str], states: Known, *, layer: int = 6, dimensions: int = 128) -> Head:
    """All tokens of a question weigh the same in it."""
    moments: NDArray[np.float32] | float = 0.0
    for text in texts:
        x = unit(states.hidden(states.place[text], (layer,))[::EVERY].astype(np.float32))
        moments = moments + x.T @ x
    values, directions = np.linalg.eigh(moments)
    chosen = np.ascontiguousarray(directions[:, np.argsort(-values)[:dimensions]], np.float32)
    bias, weight = np.zeros(dimensions, np.float32), np.zeros(len(chosen), np.float32)
    return Head((layer,), chosen, bias, chosen, bias, weight, np.zeros(1, np.float32))
