"""Parts of a page's columns → the flow of a document: paragraphs that a column breaks are whole, footnotes stand behind
the paragraph that has their mark, a word that a page breaks stands whole on the page on which it begins.

Paragraphs that go on on the next page stay two, because each passage is cited by its page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from terrarium.readers.pdf.blocks import ENDS_SENTENCE, Layout, Part
from terrarium.readers.pdf.joining import join_lines

SMALL = 0.93  # of the body's font size: below are notes
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
NOTE = re.compile(r"([0-9]{1,3}(?=[.)]?\s)|[*∗†‡§¶]{1,3}(?=[.)]?\s)|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})[.)]?\s*\S")
SIGN = re.compile(r"(?<=[\w.,)])[*∗†‡]{1,3}(?=\s|$|[.,;:)])|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}")  # a mark that is not a raised run
FIRST_WORD = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*[,;.:!?)”’]*\s*")


def page_flow(columns: Sequence[Sequence[Part]], layout: Layout) -> list[Part]:
    """The parts of one page in reading order."""
    flow: list[Part] = []
    for column in columns:
        parts = list(column)
        open_ = next((i for i in range(len(flow) - 1, -1, -1) if not is_small(flow[i], layout)), None)
        if parts and open_ is not None and runs_on(flow[open_], parts[0]):
            before, after = flow[open_], parts.pop(0)
            text = join_lines([before.block.text, after.block.text], layout.words)
            flow[open_] = Part(replace(before.block, text=text), [*before.lines, *after.lines], after.full)
        flow += parts
    return with_notes(flow, layout)


def is_small(part: Part, layout: Layout) -> bool:
    return bool(part.lines) and part.lines[0].size < SMALL * layout.body


def runs_on(before: Part, after: Part) -> bool:
    """Whether a paragraph goes on at the head of the next column."""
    if not (before.lines and after.lines) or before.block.kind not in {"paragraph", "list_item"}:
        return False
    if after.block.kind != "paragraph" or after.lines[0].y >= before.lines[-1].y or after.lines[0].note:
        return False  # beneath, or a note
    if abs(before.lines[-1].size - after.lines[0].size) > 0.08 * before.lines[-1].size:
        return False
    text = before.block.text
    return before.full and not ENDS_SENTENCE.search(text) and (after.block.text[:1].islower() or text.endswith("-"))


def with_notes(flow: Sequence[Part], layout: Layout) -> list[Part]:
    """Each footnote, with the small paragraphs beneath it, behind the first paragraph with its mark."""
    marks: dict[str, int] = {}
    for i, part in enumerate(flow):
        if not is_small(part, layout) or not note_mark(part):
            found = [mark for line in part.lines for mark in line.marks] + SIGN.findall(part.block.text)
            for mark in found:
                marks.setdefault(mark.translate(RAISED), last_row(flow, i))
    notes: dict[int, list[Part]] = {}
    kept: list[tuple[int, Part]] = []
    place: int | None = None
    for i, part in enumerate(flow):
        small = is_small(part, layout)
        mark = note_mark(part) if small or (part.lines and part.lines[0].note) else ""
        if mark:
            place = marks.get(mark) if marks.get(mark, i) < i else None
        elif not small or part.block.kind != "paragraph":
            place = None
        if place is None:
            kept.append((i, part))
        else:
            block = replace(part.block, kind="paragraph", level=0)
            notes.setdefault(place, []).append(Part(block, part.lines, part.full))
    return [one for i, part in kept for one in (part, *notes.get(i, ()))]


def last_row(flow: Sequence[Part], i: int) -> int:
    """The last row of a table that this part is a row of; itself where it is none."""
    while flow[i].block.kind == "table_row" and i + 1 < len(flow) and flow[i + 1].block.kind == "table_row":
        i += 1
    return i


def note_mark(part: Part) -> str:
    if not part.lines or part.block.kind not in {"paragraph", "list_item"}:
        return ""
    match = NOTE.match(part.block.text)
    return part.lines[0].note or (match[1].translate(RAISED) if match else "")


def mend_breaks(pages: Sequence[list[Part]], layout: Layout) -> None:
    """Words that are hyphenated from one page to the next."""
    for here, there in zip(pages, pages[1:], strict=False):
        last = next((i for i in range(len(here) - 1, -1, -1) if is_body(here[i], layout)), None)
        first = next((i for i, part in enumerate(there) if is_body(part, layout)), None)
        if last is None or first is None:
            continue
        before, after = here[last], there[first]
        word = FIRST_WORD.match(after.block.text)
        if not (word and before.block.text.endswith(("-", "\u00ad", "‐")) and after.block.text[0].islower()):
            continue
        text = join_lines([before.block.text, word[0].strip()], layout.words)
        here[last] = Part(replace(before.block, text=text), before.lines, before.full)
        rest = after.block.text[word.end() :]
        there[first] = Part(replace(after.block, text=rest), after.lines, after.full)
        if not rest:
            del there[first]


def is_body(part: Part, layout: Layout) -> bool:
    return bool(part.lines) and not is_small(part, layout) and part.block.kind in {"paragraph", "list_item"}
