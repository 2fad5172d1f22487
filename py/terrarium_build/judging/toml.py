"""`judge.toml` as text: the weights, and beside them the numbers that chose them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from .fit import OVER_REFUSAL, PRECISION, Fitted, Rows

HEAD = f"""\
# Made by `python -m terrarium_build.judging … fit`; models/judge.md says of what and how well it does.
# probability = 1 / (1 + exp(-(intercept + sum of weight * signal))); signals.py says what the signals are.
# `incorrect`: below it fall {OVER_REFUSAL:.0%} of the answerable development questions of any set at most.
# `correct`: from it on {PRECISION:.0%} of the development questions are answerable.
"""


def written(fitted: Mapping[str, tuple[Fitted, str, Rows]]) -> str:
    parts = [HEAD]
    for profile, (one, embedder, rows) in fitted.items():
        counts = Counter((row["set"], row["kind"]) for row in rows)
        lines = [
            f"[profiles.{profile}]",
            f"intercept = {one.intercept:.4f}",
            f"correct = {one.correct}",
            f"incorrect = {one.incorrect}",
            f"[profiles.{profile}.weights]",
            *(f"{name} = {weight:.4f}" for name, weight in one.weights.items()),
            f"[profiles.{profile}.chosen_by]",
            f'embedder = "{embedder}"',
            f"ridge = {one.ridge}",
            f"auc_of_each_set_by_the_others = {{ {', '.join(f'{k} = {v}' for k, v in one.left_out_auc.items())} }}",
            *(f"{name}_{kind} = {count}" for (name, kind), count in sorted(counts.items())),
        ]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)
