"""Where a quote stands on a drawn page: the quote's letters among those of the page's items, as rectangles.

The text of a document was put in order and mended by its reader; a page's items are as the file draws them. So a quote
is looked for whole, and where it is not there in one piece (a table's row, a footnote's mark inside it, another order)
by its longest pieces. What a page draws as pictures or outlines has no items, and gets no marks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from terrarium.drawing import Item
from terrarium.model import Block, Document, Word
from terrarium.viewing.letters import FROM_RIGHT, PageLetters, from_the_right, letters, shares
from terrarium.viewing.runs import runs_of, tail_of

Box = tuple[float, float, float, float]  # x, y, width, height in points, from the page's top left corner

ABOVE, BELOW = 0.82, 0.24  # of the font's size, from the baseline
SAME_LINE = 0.6  # of the lower box's height that two boxes share
GAP = 1.0  # of a line's height: spaces between words, and letters that were not found


def marks(document: Document, items: Sequence[Item], page: int, start: int, end: int) -> list[Box]:
    """Rectangles over what of document.text[start:end] stands on the page, line by line; none where it is not found."""
    tail, wanted, before, after = _sought(document, page, start, end)
    ways = [PageLetters.of(items)]
    if FROM_RIGHT.search(tail + wanted):  # files differ in what order they have
        read = from_the_right(items)
        ways += [PageLetters.of(read), PageLetters.of(read, turned=True)]
    best, most = [], 0
    for on_page in ways:
        runs = [*tail_of(on_page.text, tail), *runs_of(on_page.text, wanted, before, after)]
        found = sum(end - start for start, end in runs)
        if found > most:
            best, most = [piece for run in runs for piece in on_page.pieces(*run)], found
    return _joined(_box(item, *shares(item, first, last)) for item, first, last in best)


def items_of(words: Sequence[Word], page: int) -> list[Item]:
    """Recognised words as items of their page."""
    found = []
    for word in words:
        if word.page == page:
            size = word.height / (ABOVE + BELOW)
            found.append(Item(word.text, word.x, word.y + ABOVE * size, word.width, size))
    return found


def _sought(document: Document, page: int, start: int, end: int) -> tuple[str, str, str, str]:
    """Letters of the quote's part that may end on this page, of its part that begins there, and of what stands there
    before and behind it. A paragraph that goes on over a page break belongs to the page on which it begins.
    """
    tail, before, inside, after = "", [], [], []
    for block, offset in zip(document.blocks, document.block_starts, strict=True):
        first, last = max(0, start - offset), min(len(block.text), end - offset)
        if block.page == page:
            before.append(_letters(block, 0, min(first, len(block.text))))
            inside.append(_letters(block, first, last))
            after.append(_letters(block, max(0, last), len(block.text)))
        elif block.page == page - 1 and not block.hidden:
            tail = _letters(block, first, last) if last == len(block.text) else ""
    return tail, "".join(inside), "".join(before), "".join(after)


def _letters(block: Block, start: int, end: int) -> str:
    """Letters of a part of a block; of a table's row, those of its cells: a page does not repeat the columns' names."""
    if start >= end:
        return ""
    cells = [(max(start, first), min(end, last)) for _, first, last in block.cells] or [(start, end)]
    return "".join(letters(block.text[first:last]) for first, last in cells if first < last)


def _box(item: Item, first: float, last: float) -> Box:
    """Around a part of an item, also of a turned one."""
    turn = math.radians(item.angle)
    along = (math.cos(turn) * item.width, math.sin(turn) * item.width)
    up = (math.sin(turn) * item.height, -math.cos(turn) * item.height)
    corners = [(share, height) for share in (first, last) for height in (ABOVE, -BELOW)]
    xs = [item.x + share * along[0] + height * up[0] for share, height in corners]
    ys = [item.y + share * along[1] + height * up[1] for share, height in corners]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def _joined(boxes: Iterator[Box]) -> list[Box]:
    """Boxes that follow each other on one line as one box."""
    lines: list[Box] = []
    for box in boxes:
        if lines and _follows(lines[-1], box):
            lines[-1] = _around(lines[-1], box)
        else:
            lines.append(box)
    return [(round(x, 1), round(y, 1), round(width, 1), round(height, 1)) for x, y, width, height in lines]


def _follows(one: Box, other: Box) -> bool:
    lower = min(one[3], other[3])
    shared = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    gap = max(other[0] - one[0] - one[2], one[0] - other[0] - other[2])
    return shared > SAME_LINE * lower and gap < GAP * lower


def _around(one: Box, other: Box) -> Box:
    left, top = min(one[0], other[0]), min(one[1], other[1])
    return left, top, max(one[0] + one[2], other[0] + other[2]) - left, max(one[1] + one[3], other[1] + other[3]) - top
