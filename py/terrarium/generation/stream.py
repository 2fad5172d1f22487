"""What may be painted of a text that is still being written: no control tokens, no half characters, no debris.

Only text is looked at. Ids that end an answer are `generator.py`'s business.
"""

from __future__ import annotations

from collections.abc import Sequence

REPLACEMENT = "\ufffd"
STOP_STRINGS = (
    "<|im_end|>",
    "<|im_start|>",
    "<|endoftext|>",
    "<think>",
    "</think>",
    "\n\n",
    "\nSources:",
    "\nQuestion:",
)


def visible_text(raw: str, stop_strings: Sequence[str] = STOP_STRINGS) -> tuple[str, bool]:
    """The part of an unfinished text that may be painted, and whether a stop string ended it.

    Held back: half a character (U+FFFD at the end) and any ending that may grow into a stop string.
    """
    text = raw.lstrip()
    cuts = [cut for stop in stop_strings if (cut := text.find(stop)) >= 0]
    if cuts:
        return text[: min(cuts)].rstrip(), True
    text = text.rstrip(REPLACEMENT)
    held = max((_overlap(text, stop) for stop in stop_strings), default=0)
    return text[: len(text) - held], False


def _overlap(text: str, stop: str) -> int:
    """Length of the longest ending of `text` with which `stop` begins."""
    return next((n for n in range(min(len(stop) - 1, len(text)), 0, -1) if text.endswith(stop[:n])), 0)
