"""Sentences that `terrarium evaluate --answers` showed, read by a person: the share of them that the check lets stand.

`shown.jsonl` has the SHA-256 of question and sentence with the label: ClapNQ's development half, as an earlier and
more lenient state of this check showed them. A run's JSON has the texts. “Partly” counts as not supported.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from .examples import Example
from .passages import rows_of
from .written import digest

LABELS = Path(__file__).with_name("shown.jsonl")
SHOWN = "shown"  # the kind of such an example


def shown(run: Path, data: Path) -> Iterator[Example]:
    """Every labelled sentence of the run, with the passages that it cites."""
    labels = {row["sha256"]: row["label"] for row in rows_of(LABELS)}
    answered = json.loads(run.read_text(encoding="utf-8"))["answered"]
    titled = [
        (one["title"], _squeezed(one["title"] + one["text"]))
        for row in rows_of(data / "data" / "rag" / "clapnq_dev.jsonl")
        for one in row["passages"]
    ]
    for row in answered:
        for one in row["both"]["sentences"]:
            if label := labels.get(digest(row["question"], one["text"])):
                titles = tuple(_title(text, titled) for text in one["read"])
                yield Example(
                    SHOWN,
                    label == "supported",
                    one["text"],
                    tuple(one["read"]),
                    titles,
                    row["question"],
                    "clapnq",
                    "en",
                    True,
                )


def _title(text: str, titled: list[tuple[str, str]]) -> str:
    squeezed = _squeezed(text)
    part = squeezed[len(squeezed) // 3 :][:60]
    return next((title for title, whole in titled if part in whole), "")


def _squeezed(text: str) -> str:
    return "".join(text.split()).casefold()
