"""Cutting text where the page marks it: quotes in a document's blocks, [n] in an answer, windows of a long document."""

import re

TYPE_CHECKING = False  # MicroPython has no typing module
if TYPE_CHECKING:
    from collections.abc import Callable

STOPS = (". ", "! ", "? ", "\n", "。", "！", "？")
WORD_BREAKS = re.compile(r"[^\w]+")
CITATION = re.compile(r" ?\[(\d\d?)\]")


def split_mark(text: str, start: int, mark_start: int, mark_end: int) -> tuple[str, str, str]:
    """Split a block's text into what is before, inside and after a mark.

    `start` is the offset of the block in its document; the mark's two offsets count in the document too. A mark that
    does not touch the block leaves the whole text in the first part.
    """
    first = max(0, mark_start - start)
    last = min(len(text), mark_end - start)
    if first >= last:
        return text, "", ""
    return text[:first], text[first:last], text[last:]


def block_at(starts: "Callable[[int], int]", total: int, offset: int) -> int:
    """Index of the block that holds the character at `offset`, by halving: `starts(i)` gives block i's own offset."""
    low, high = 0, total
    while low + 1 < high:
        middle = (low + high) // 2
        if starts(middle) <= offset:
            low = middle
        else:
            high = middle
    return low


def window_around(index: int, total: int, width: int) -> tuple[int, int]:
    """The first and the end of `width` blocks with `index` about a third from the top, inside `total`."""
    first = max(0, min(index - width // 3, total - width))
    return first, min(total, first + width)


def split_citations(text: str) -> list[str | int]:
    """ "Yes [1]. No [2]." → ["Yes", 1, ". No", 2, "."]: strings to show, whole numbers to draw as buttons."""
    parts: list[str | int] = []
    place = 0
    while True:
        found = CITATION.search(text[place:])
        if not found:
            break
        begin = place + text[place:].find(found.group(0))
        if begin > place:
            parts.append(text[place:begin])
        parts.append(int(found.group(1)))
        place = begin + len(found.group(0))
    if place < len(text):
        parts.append(text[place:])
    return parts


def without_open_bracket(text: str) -> str:
    """A streamed text without a citation of which only the beginning has come, so that "[1" never flashes by."""
    cut = text.rfind("[")
    tail = text[cut + 1 :]
    if cut >= 0 and len(tail) <= 2 and all(character in "0123456789" for character in tail):
        return text[:cut].rstrip(" ")
    return text


def without_heading(text: str, headings: list[str]) -> str:
    """A passage's text without the heading that it begins with, when that one is shown beside it anyway."""
    first, _, rest = text.partition("\n")
    return rest if rest and headings and first.strip() == headings[-1] else text


def extract(text: str, question: str, width: int) -> str:
    """The part of a passage that a card shows: from the sentence on whose next `width` characters hold most of the
    question's words. Only what the person sees first depends on it, so it knows no grammar and no stemming.
    """
    terms = {term for term in WORD_BREAKS.split(question.lower()) if len(term) > 2}
    folded = text.lower()
    best, best_score = 0, -1
    start = 0
    while start < len(text):
        score = sum(term in folded[start : start + width] for term in terms)
        if score > best_score:
            best, best_score = start, score
        stops = [place for place in (text.find(stop, start) for stop in STOPS) if place >= 0]
        if not stops:
            break
        start = min(stops) + 1
        while start < len(text) and text[start] in " \n":
            start += 1
    return ("… " if best else "") + " ".join(text[best:].split())
