"""Prompts of an exact number of tokens, cut from this project's own pages: the same text gives the same prompts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Protocol

from terrarium_build.paths import ROOT, BuildError

PAGES = ("ARCHITECTURE.md", "README.md")


class Encoder(Protocol):
    """Of a text, the ids without special tokens; and back."""

    def ids(self, text: str) -> list[int]: ...

    def text(self, ids: Sequence[int]) -> str: ...


class HubEncoder:
    """A tokenizer.json, read by the native `tokenizers` package."""

    def __init__(self, file: Path) -> None:
        from tokenizers import Tokenizer  # noqa: PLC0415

        self._tokenizer = Tokenizer.from_file(str(file))

    def ids(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def text(self, ids: Sequence[int]) -> str:
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=False))


def own_text() -> str:
    return "\n".join((ROOT / name).read_text(encoding="utf-8") for name in PAGES)


def prompt_of(encoder: Encoder, tokens: int, number: int, text: str | None = None) -> str:
    """A piece of the text that is exactly `tokens` tokens long; another `number` starts at another line.

    Raises BuildError when the text has no such piece.
    """
    lines = (own_text() if text is None else text).splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))][:-1]
    whole = "".join(lines)
    for step in range(len(starts)):
        start = starts[(number * 7 + step) % len(starts)]
        ids = encoder.ids(whole[start:])
        # A cut inside a character or between tokens that would be joined gives another count when it is read again.
        piece = encoder.text(ids[:tokens])
        if len(ids) >= tokens and whole.startswith(piece, start) and len(encoder.ids(piece)) == tokens:
            return piece
    raise BuildError(f"{' and '.join(PAGES)} hold no piece of exactly {tokens} tokens; choose another length.")
