"""Running heads, running feet and page numbers: lines in the margins that come back page after page."""

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
ROMAN = re.compile(r"(?<![^\W_])[ivxlc]+(?![^\W_])", re.IGNORECASE)
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
    """Rows that repeat on three pages or more, word for word or but for a number that counts the pages.

    A number that does not run with the pages is content ("Control code K07919"), however alike the lines are.
    A wording that `titles` holds already is not kept at all.
    """
    seen: Counter[Key] = Counter()
    margins: list[Margin] = []
    for index, page in enumerate(pages):
        for row, top in margin_rows(rows[index].get(0, []), page["height"]):
            shown = line(rows[index][0][row])
            # With the size, because a title is set larger than the running heads that repeat it.
            keys = [(*key, round(shown.size)) for key in variants(shown.text, index)]
            margins.append(Margin(index, row, top, shown.text, keys, (round(shown.y), round(shown.size))))
            seen.update(set(keys))
    known = {title for title in map(letters, titles) if len(title) > 3}
    often = {key for key, count in seen.items() if count >= LEAST}
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


def margin_rows(rows: Sequence[list[Run]], height: float) -> list[tuple[int, bool]]:
    """(row index, whether at the top)."""
    top = [(i, True) for i, row in enumerate(rows[:ROWS]) if row[0].y < MARGIN * height]
    first = max(len(rows) - ROWS, len(top))
    return top + [(i, False) for i, row in enumerate(rows[first:], first) if row[0].y > (1 - MARGIN) * height]


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
