"""An answer as lines for a terminal, from the engine's reply to `ask`: for `terrarium ask` and `build.py ask`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def answer_lines(result: Mapping[str, Any]) -> list[str]:
    """Conflicts first, then the answer with its sources, quotes beside a written answer, notes, what was taken out."""
    lines: list[str] = []
    for conflict in result["conflicts"]:
        lines.append(f"Your documents differ in {conflict['about']}:")
        lines += [_quotation(statement) for statement in conflict["statements"]]
        lines.append("")
    lines += [result["answer"], ""]
    lines += [f"[{one['number']}] {source(one)}: “{_folded(one['quote'])}”" for one in result["citations"]]
    if result["mode"] == "generated" and result["quotes"]:
        lines += ["", "In your documents:", *map(_quotation, result["quotes"])]
    lines += [f"Note: {note}" for note in result["notes"]]
    return [*lines, *(f"Removed, as no passage supports it: {sentence}" for sentence in result["removed"])]


def source(place: Mapping[str, Any]) -> str:
    """“name, page n” of a place in a document."""
    return f"{place['document']}, page {place['page']}" if place["page"] else str(place["document"])


def _quotation(sentence: Mapping[str, Any]) -> str:
    places = "; ".join(source(place) for place in sentence["places"])
    return f"  “{_folded(sentence['text'])}” ({places})"


def _folded(text: str) -> str:
    return " ".join(text.split())
