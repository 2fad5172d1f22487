"""The thresholds of wording: the shares of words and the closeness from which a sentence without wrong facts stands.

Every combination of a small grid is tried. A sentence wrongly let through counts as much as four wrongly taken out:
what the person reads must be supported, and what is taken out is still quoted. What the generator wrote, which is
little, counts as much together as all that the rules made.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from terrarium.answers.support import SURE

from .examples import WRITTEN
from .measure import Row

COST = 4
GRID = {
    "NEAR_OVERLAP": (0.5, 0.6, 0.7, 0.8),
    "NEAR_GROUNDING": (0.75, 0.8, 0.85, 0.9),
    "NEAR": (0.5, 0.55, 0.6, 0.65, 0.7),
}


def fit(rows: Sequence[Row]) -> dict[str, float]:
    """The best combination; of equal ones the first, which lets most stand."""
    points = [(row, check) for row in rows if (check := _deciding(row)) is not None]
    real = sum(row["kind"] == WRITTEN for row, _ in points)
    weight = (len(points) - real) / max(real, 1)
    return max(
        (dict(zip(GRID, values, strict=True)) for values in product(*GRID.values())),
        key=lambda chosen: sum(
            _worth(row["supported"], _stands(check, chosen)) * (weight if row["kind"] == WRITTEN else 1)
            for row, check in points
        ),
    )


def _deciding(row: Row) -> Row | None:
    """The passage without wrong facts that comes nearest; None where facts, or words alone, decide."""
    left = [check for check in row["checks"] if not check["faults"] and check["closeness"] is not None]
    return max(left, key=lambda check: check["closeness"], default=None)


def _stands(check: Row, chosen: dict[str, float]) -> bool:
    if check["grounding"] >= SURE:
        return True
    return bool(
        check["closeness"] >= chosen["NEAR"]
        and check["overlap"] >= chosen["NEAR_OVERLAP"]
        and check["grounding"] >= chosen["NEAR_GROUNDING"]
    )


def _worth(supported: bool, stands: bool) -> int:
    return 0 if supported == stands else -1 if supported else -COST
