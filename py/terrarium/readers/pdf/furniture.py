"""Running heads, running feet and page numbers: lines in the margins that come back page after page.

The margins are the outermost parts of a page, and the lines at whose height most pages begin or end: a book set on a
larger sheet has its heads far inside.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from terrarium.readers.pdf.lines import line
from terrarium.readers.pdf.runs import Run

MARGIN = 0.13  # of the page's height, at the top and at the bottom
ROWS = 2  # looked at on each side
LEAST = 3  # pages on which furniture comes back
NEAR = 2.0  # points between lines at the same height
FULL = 12  # rows of a page that may have a head inside of the usual margin
ROMAN = re.compile(r"(?<![^\W_])[ivxlc]+(?![^\W_])", re.IGNORECASE)
NUMBER = re.compile(r"\d[\d.:-]*\d|\d")
VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


Key = tuple[str, int, int]  # wording, distance of the number in it from the page's position, font size


@dataclass(slots=True)
class Margin:
    """A row at the top or at the bottom of a page."""

    page: int
    row: int
    top: bool
    text: str
    keys: list[Key]
    place: tuple[int, int]  # y, font size


@dataclass(slots=True)
class Furniture:
    """Which rows are furniture; `kept` holds each wording once, at the page where it first stands (top, bottom)."""

    rows: set[tuple[int, int]] = field(default_factory=set)  # (page index, row index), upright rows only
    kept: dict[int, tuple[list[str], list[str]]] = field(default_factory=dict)

    def body(self, page: int, angle: int, rows: list[list[Run]]) -> list[list[Run]]:
        return rows if angle else [row for i, row in enumerate(rows) if (page, i) not in self.rows]


def find_furniture(
    pages: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[int, list[list[Run]]]], titles: Sequence[str]
) -> Furniture:
    """Rows that repeat on three pages or more, word for word, but for a number that counts the pages, or but for one
    that stands in the text too: the section that a page is about.

    Another number is content ("Control code K07919"), however alike the lines are.
    A wording that `titles` holds already is not kept at all.
    """
    seen: Counter[Key] = Counter()
    margins: list[Margin] = []
    upright = [groups.get(0, []) for groups in rows]
    edges = usual([row[0][0].y for row in upright if row]), usual([row[-1][0].y for row in upright if row])
    for index, page in enumerate(pages):
        for row, top in margin_rows(upright[index], page["height"], edges):
            shown = line(upright[index][row])
            # With the size, because a title is set larger than the running heads that repeat it.
            keys = [(*key, round(shown.size)) for key in variants(shown.text, index)]
            margins.append(Margin(index, row, top, shown.text, keys, (round(shown.y), round(shown.size))))
            seen.update(set(keys))
    said = told_in_the_text(margins, upright)
    known = {title for title in map(letters, titles) if len(title) > 3}
    often = {key for key, count in seen.items() if count >= LEAST}
    for margin in margins:
        if (margin.page, margin.row) in said:
            often.update(margin.keys)
    repeated = [margin for margin in margins if not often.isdisjoint(margin.keys)]
    # Where running heads stand, one that comes seldom is known by the page's number in it, or by a title.
    places = Counter(margin.place for margin in repeated)
    counted = {key[1] for key in often if "#" in key[0]}
    result = Furniture()
    for margin in margins:
        if often.isdisjoint(margin.keys):
            number = any("#" in wording and distance in counted for wording, distance, _ in margin.keys)
            again = seen[margin.keys[0]] > 1 if margin.keys else False
            if places[margin.place] < LEAST or not (number or again or letters(margin.text) in known):
                continue
        result.rows.add((margin.page, margin.row))
        wording = letters(margin.text)
        if len(wording) > 3 and not any(title in wording and len(wording) - len(title) < 12 for title in known):
            known.add(wording)
            result.kept.setdefault(margin.page, ([], []))[0 if margin.top else 1].append(margin.text.replace("\t", " "))
    return result


def usual(heights: Sequence[float]) -> float | None:
    """The height at which most pages have it; None when there is none."""
    height, count = Counter(map(round, heights)).most_common(1)[0] if heights else (0, 0)
    return height if count >= max(LEAST, len(heights) / 2) else None


def margin_rows(
    rows: Sequence[list[Run]], height: float, edges: tuple[float | None, float | None]
) -> list[tuple[int, bool]]:
    """(row index, whether at the top). `edges` is where the first and the last row of a page usually stand."""

    def at(edge: float | None, y: float) -> bool:
        return edge is not None and abs(y - edge) < NEAR and len(rows) >= FULL

    top = [(i, True) for i, row in enumerate(rows[:ROWS]) if row[0].y < MARGIN * height or at(edges[0], row[0].y)]
    first = max(len(rows) - ROWS, len(top))
    return top + [
        (i, False)
        for i, row in enumerate(rows[first:], first)
        if row[0].y > (1 - MARGIN) * height or at(edges[1], row[0].y)
    ]


def told_in_the_text(margins: Sequence[Margin], rows: Sequence[Sequence[list[Run]]]) -> set[tuple[int, int]]:
    """Those that come back at one place but for their numbers, each number standing in the text of its page or the next
    ones too: nothing is lost with them."""
    alike: dict[tuple[tuple[int, int], str], list[Margin]] = {}
    for margin in margins:
        if (wording := letters(margin.text)) and len(wording) > 3:
            alike.setdefault((margin.place, wording), []).append(margin)
    found: set[tuple[int, int]] = set()
    texts: dict[int, str] = {}
    outside = {(margin.page, margin.row) for margin in margins}

    def text(page: int) -> str:
        if page not in texts:
            kept = (row for i, row in enumerate(rows[page]) if (page, i) not in outside)
            texts[page] = "".join("".join(run.text.split()) for row in kept for run in row)
        return texts[page]

    for group in alike.values():
        if len(group) < LEAST:
            continue
        for margin in group:
            around = range(max(0, margin.page - 1), min(len(rows), margin.page + 2))
            if all(any(number in text(page) for page in around) for number in NUMBER.findall(margin.text)):
                found.add((margin.page, margin.row))
    return found


def variants(text: str, index: int) -> list[tuple[str, int]]:
    """The wording itself, and with each number replaced by its distance from the page's position."""
    wording = re.sub(r"\s+", " ", text).casefold()
    result = [(wording, 0)] if any(map(str.isalpha, wording)) and not ROMAN.fullmatch(wording) else []
    numbers = [(match, "#", int(match[0])) for match in re.finditer(r"[0-9]{1,9}", wording)]
    numbers += [(match, "#r", roman(match[0])) for match in ROMAN.finditer(wording)]
    return result + [(wording[: m.start()] + sign + wording[m.end() :], value - index) for m, sign, value in numbers]


def roman(numeral: str) -> int:
    values = [VALUES[c] for c in numeral.lower()]
    return sum(-v if v < max(values[i:]) else v for i, v in enumerate(values))


def letters(text: str) -> str:
    return "".join(filter(str.isalpha, text.casefold()))
