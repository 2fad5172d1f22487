"""`classifier.toml` as text: the weights, and beside them what chose them."""

from __future__ import annotations

import base64
from typing import Any

from .code_fit import LED, CodeFitted
from .fit import ALARMS, BESIDE, Fitted

HEAD = f"""\
# Made by `python -m terrarium_build.guards … fit`; models/guard.md says of what and how well it does.
# probability = 1 / (1 + exp(-(intercept + weights · (vector, signals)))); the weights are float16 in base64.
# `certain`: from it on at most {ALARMS:.1%} of the honest sentences of the development sets are taken for instructions.
"""


def written(id: str, one: Fitted, code: CodeFitted, found: dict[str, Any]) -> str:
    recall = ", ".join(f"{name} = {share:.2f}" for name, share in one.left_out.items())
    lines = [
        "[[embedder]]",
        f'id = "{id}"',
        f"intercept = {one.intercept:.4f}",
        f"certain = {one.certain}",
        f"beside = {BESIDE}",
        f'weights = "{base64.b64encode(one.weights.astype("<f2").tobytes()).decode()}"',
        "[embedder.code]",
        f"intercept = {code.intercept:.4f}",
        f"certain = {code.certain}",
        f"led = {LED}",
        "[embedder.code.weights]",
        *(f"{name} = {weight:.4f}" for name, weight in code.weights.items()),
        "[embedder.chosen_by]",
        f"ridge = {one.ridge}",
        f"honest_passages = {len(found['learned'])}",
        f"attacks = {len(found['attacks'])}",
        f"recall_of_code = {code.recall:.2f}",
        f"recall_of_each_category_by_the_others = {{ {recall} }}",
    ]
    return "\n".join(lines) + "\n"
