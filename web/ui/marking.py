"""Cutting text where the page marks it: quotes in a document's blocks, [n] in a draft, windows of a long document."""

import re

TYPE_CHECKING = False  # MicroPython has no typing module
if TYPE_CHECKING:
    from collections.abc import Callable

STOPS = (". ", "! ", "? ", "\n", "。", "！", "？")
WORD_BREAKS = re.compile(r"[^\w]+")
CITATION = re.compile(r" ?\[\d\d?(, ?\d\d?)*\]")


def cut_at(text: str, start: int, ranges: list[tuple[int, int, str]]) -> list[tuple[str, str]]:
    """A block's text in pieces, each with the name of the range that it lies in, "" outside of all.

    `start` is the offset of the block in its document; ranges are (start, end, name) and count in the document too.
    Of ranges that overlap the first one counts.
    """
    inside = [(max(0, first - start), min(len(text), last - start), name) for first, last, name in ranges]
    inside = [one for one in inside if one[0] < one[1]]
    edges = sorted({0, len(text)} | {edge for one in inside for edge in one[:2]})
    pieces: list[tuple[str, str]] = []
    for place in range(len(edges) - 1):
        begin = edges[place]
        names = [name for first, last, name in inside if first <= begin < last]
        piece, name = text[begin : edges[place + 1]], names[0] if names else ""
        if pieces and pieces[-1][1] == name:
            pieces[-1] = (pieces[-1][0] + piece, name)
        else:
            pieces.append((piece, name))
    return pieces


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


def without_citations(text: str) -> str:
    """A draft without its [n], also one of which only the beginning has come: nothing has checked them yet."""
    whole = CITATION.sub("", text)
    cut = whole.rfind("[")
    return whole[:cut].rstrip(" ") if cut >= 0 and not whole[cut + 1 :].strip("0123456789, ") else whole


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
