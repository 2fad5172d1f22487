"""Recognised words → the text items that a PDF page would have, so that columns, headings and paragraphs are found as
for any other.

A page scanned askew is turned upright first, by the slope of its own lines. Sizes of print are measured from letters,
and differ a little from line to line: those that are nearly alike become one. Bold print is not known.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from terrarium.model import Word
from terrarium.readers.pdf.joining import CJK
from terrarium.readers.pdf.reading import PdfContent

ABOVE = 1 / 1.3  # of a word's height lies above the baseline (web/ocr_words.mjs)
EM = 0.7 * ABOVE  # of the font's size that is, in height of a word: capitals of most fonts are 0.66–0.73 em
STEP = 1.2  # sizes closer than about half of it are one
LEVEL = 0.002  # radians: what is straighter stays
LONG = 100  # points: lines that tell how a page lies


@dataclass(slots=True)
class WordLine:
    words: list[Word]

    @property
    def height(self) -> float:
        return median(word.height for word in self.words)

    @property
    def slope(self) -> float:
        first, last = self.words[0], self.words[-1]
        return math.atan2(last.y - first.y, last.x + last.width / 2 - first.x - first.width / 2)


def with_words(content: PdfContent, words: Sequence[Word]) -> PdfContent:
    """The same content, in which pages that have recognised words take what is seen on them from these."""
    pages: dict[int, list[Word]] = {}
    for word in words:
        pages.setdefault(word.page, []).append(word)
    lines = {page: upright(list(word_lines(of_page))) for page, of_page in pages.items()}
    size_of = sizes(line for of_page in lines.values() for line in of_page)
    made = [page_with(page, lines.get(page["number"], ()), size_of) for page in content.pages]
    return replace(content, pages=made)


def page_with(page: Mapping[str, Any], lines: Sequence[WordLine], size_of: Mapping[float, float]) -> Mapping[str, Any]:
    if not lines:
        return page
    items = [item for line in lines for item in line_items(line, size_of[line.height])]
    return {**page, "items": [*items, *(item for item in page["items"] if item["hidden"])]}


def word_lines(words: Iterable[Word]) -> Iterator[WordLine]:
    """The words come line by line; a line ends where the next word stands further left, or higher or lower."""
    line: list[Word] = []
    for word in words:
        if line and (word.x < line[-1].x or abs(word.y - line[-1].y) > 0.6 * line[-1].height):
            yield WordLine(line)
            line = []
        line.append(word)
    if line:
        yield WordLine(line)


def upright(lines: list[WordLine]) -> list[WordLine]:
    """Turned so that the long lines run level."""
    slopes = [line.slope for line in lines if line.words[-1].x - line.words[0].x > LONG]
    angle = median(slopes) if slopes else 0.0
    if abs(angle) < LEVEL:
        return lines
    cos, sin = math.cos(angle), math.sin(angle)

    def turned(word: Word) -> Word:
        return replace(word, x=word.x * cos + word.y * sin, y=word.y * cos - word.x * sin)

    return [WordLine([turned(word) for word in line.words]) for line in lines]


def sizes(lines: Iterable[WordLine]) -> dict[float, float]:
    """Height of a line's words → size of its font, points. The height of the middle letter is the measure of all."""
    letters: Counter[float] = Counter()
    for line in lines:
        letters[line.height] += sum(len(word.text) for word in line.words)
    if not letters:
        return {}
    half = sum(letters.values()) / 2
    body, seen = 0.0, 0
    for height in sorted(letters):
        body, seen = height, seen + letters[height]
        if seen >= half:
            break
    return {height: body / EM * STEP ** round(math.log(height / body, STEP)) for height in letters}


def line_items(line: WordLine, size: float) -> Iterator[dict[str, Any]]:
    """One item a word; characters of scripts that put no space between words are joined."""
    base = sum(word.y + ABOVE * word.height for word in line.words) / len(line.words)
    text, start, end = "", 0.0, 0.0
    for word in line.words:
        if text and CJK.match(text[-1]) and CJK.match(word.text) and word.x - end < size:
            text += word.text
        else:
            if text:
                yield item(text + " ", start, end, base, size)  # where a word ends is known here
            text, start = word.text, word.x
        end = word.x + word.width
    yield item(text, start, end, base, size)


def item(text: str, start: float, end: float, base: float, size: float) -> dict[str, Any]:
    """As web/pdf/extract.mjs gives it."""
    place = {"x": start, "y": base, "width": end - start, "height": size}
    return {"str": text, **place, "font": "", "angle": 0, "eol": False, "dir": "ltr", "hidden": False}
