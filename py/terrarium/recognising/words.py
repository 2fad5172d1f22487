"""What recognition saw on a page → words of the document, without what is hardly anything."""

from __future__ import annotations

from collections.abc import Sequence

from terrarium.drawing import Gray
from terrarium.model import Word
from terrarium.recognition import SeenWord

# A line counts as text for one word that is as sure as this (0–100); others are mostly specks, rules and pictures that
# were taken for letters. In a line of text a doubtful word stays: a reader sees it, where a gap would not be seen.
SURE = 60
SURE_LETTER = 90  # where that word is a single letter or digit
SPECK = 30  # below, a single letter is none


def placed(seen: Sequence[SeenWord], page: Gray, number: int) -> list[Word]:
    """Pixels → points, without what is hardly anything."""
    across, down = (points / pixels for points, pixels in zip(page.points, page.pixels, strict=True))
    lines = {
        word.line for word in seen if word.confidence >= (SURE if is_word(word) else SURE_LETTER) and letters(word)
    }
    return [
        Word(number, word.text, word.x * across, word.y * down, word.width * across, word.height * down)
        for word in seen
        if word.line in lines and word.text.strip() and (is_word(word) or word.confidence >= SPECK)
    ]


def letters(word: SeenWord) -> int:
    return sum(map(str.isalnum, word.text))


def is_word(word: SeenWord) -> bool:
    """More than one letter or digit; one of a script that has thousands of them is enough."""
    return letters(word) > (0 if word.text > "\u2e80" else 1)
