"""What the code itself has to say beside an answer: that documents are quoted and why, and what is not covered."""

from __future__ import annotations

import re

from terrarium.answers.writing import LOST, Written
from terrarium.judging.gathering import Gathered

NO_WRITER = "No writer runs here, so your documents are quoted."
WRITER_FAILED = "The writer failed, so your documents are quoted."
NOTHING_STANDS = "What was written is not supported by your documents, so they are quoted instead."
PART_QUOTED = "On “{}” your documents are quoted: nothing that was written about it stands."
NOTHING_WRITTEN = "The writer finished no sentence, so your documents are quoted instead."
_ADDED_NAMES = re.compile(r"\s*\([^()]*\)(?=[?？]?$)")  # what `split_question` gave a part that names nothing


def on_missing(found: Gathered, written: Written) -> tuple[str, ...]:
    """Notes on the things asked on which nothing written stands: on all of them together, or on each."""
    missing = [question for (question, _), own in zip(found.asked, written.parts, strict=True) if not own]
    if len(missing) == len(written.parts):
        if LOST in written.notes:
            return ()  # said already
        return (NOTHING_STANDS if written.removed else NOTHING_WRITTEN,)
    return tuple(PART_QUOTED.format(_as_asked(question)) for question in missing)


def on_uncovered(found: Gathered) -> tuple[str, ...]:
    """A note for each part that the documents do not answer, where they answer another."""
    missing = [part.question for part in found.judged_parts if found.covered and not part.covered]
    return tuple(f"Your documents do not seem to say: “{_as_asked(question)}”" for question in missing)


def _as_asked(part: str) -> str:
    return _ADDED_NAMES.sub("", part)
