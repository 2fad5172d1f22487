"""How the judge does on questions that it was not fitted on: tables in Markdown, for `models/judge.md`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from terrarium.judging.judge import Profile
from terrarium_build.training.calibrate import auc, brier, calibration_error

Row = Mapping[str, Any]


def table(named: Mapping[str, Sequence[Row]], profile: Profile) -> str:
    """One line a set: what is told apart, what is refused, and how far the probabilities can be believed."""
    lines = [
        "| set | answerable · not | AUC | refused: answerable | uncovered | out of scope | Brier | ECE |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, rows in named.items():
        p = np.array([profile.probability(row["signals"]) if row["signals"] else 0.0 for row in rows])
        label = np.array([row["kind"] == "answerable" for row in rows])
        refused = p < profile.incorrect
        kinds = [_share(refused, [row["kind"] == kind for row in rows]) for kind in KINDS]
        told = f"{auc(p, label):.3f}" if label.any() and not label.all() else ""
        lines.append(
            f"| {name} | {label.sum()} · {(~label).sum()} | {told} | {' | '.join(kinds)} "
            f"| {brier(p, label):.3f} | {calibration_error(p, label):.2f} |"
        )
    return "\n".join(lines)


KINDS = ("answerable", "uncovered", "out_of_scope")


def _share(refused: np.typing.NDArray[np.bool_], of: Sequence[bool]) -> str:
    chosen = refused[np.array(of, bool)]
    return f"{chosen.mean():.2f}" if len(chosen) else ""
