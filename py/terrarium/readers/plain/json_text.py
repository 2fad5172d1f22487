"""JSON that may be hostile. In the tab json's own recursion overflows the stack before Python counts it as too deep."""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import Any

DEEPEST = 1000  # levels of lists and objects
STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}
NO_BRACKET = re.compile(r"[^][{}]+")


def parse_json(text: str) -> Any:
    """Fractions stay as they are written, "1.10" as a string. Raises ValueError for what is no JSON, RecursionError for
    what is nested too deep."""
    # Brackets within strings may count, so strings are taken out where they could make the difference.
    if too_deep(text) and too_deep(STRING.sub("", text)):
        raise RecursionError(f"nested over {DEEPEST} levels")
    return json.loads(text, parse_float=str)


def too_deep(text: str) -> bool:
    brackets = NO_BRACKET.sub("", text)
    return max(accumulate(map(STEPS.__getitem__, brackets)), default=0) > DEEPEST
