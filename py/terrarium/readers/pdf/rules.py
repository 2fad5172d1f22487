"""Thin lines of a PDF page → the grids of ruled tables."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

Box = Sequence[float]  # left, top, right, bottom

TOUCH = 3.0  # points: lines nearer than this meet
SHORT = 8.0  # points: shorter lines are ticks and strokes of drawings
MOST = 1000  # lines that run through: a page of more is a drawing
WIDEST, HIGHEST = 100, 400  # lines of a table


@dataclass(slots=True)
class Grid:
    """Where a ruled table's lines are, from left to right and from top to bottom."""

    x: list[float]
    y: list[float]
    drawn: list[list[Box]]  # at each of `y`, the lines there

    def runs_on(self, row: int, column: int) -> bool:
        """Whether nothing is drawn between a cell and the one beneath it."""
        middle = (self.x[column] + self.x[column + 1]) / 2
        return not any(rule[0] < middle < rule[2] for rule in self.drawn[row + 1])

    def place(self, x: float, y: float) -> tuple[int, int] | None:
        """(row, column) of a place, None outside."""
        row, column = bisect_right(self.y, y) - 1, bisect_right(self.x, x) - 1
        inside = 0 <= row < len(self.y) - 1 and 0 <= column < len(self.x) - 1
        return (row, column) if inside else None


def whole(rules: Sequence[Box], along: int) -> list[Box]:
    """Lines that run level (0) or upright (1), those drawn cell by cell as one."""
    across = 1 - along
    thin = [rule for rule in rules if rule[across + 2] - rule[across] < TOUCH]
    result: list[list[float]] = []
    for rule in sorted(thin, key=lambda one: (round(one[across]), one[along])):
        last = result[-1] if result else None
        if last and abs(last[across] - rule[across]) < 1.5 and rule[along] - last[along + 2] < TOUCH:
            last[along + 2] = max(last[along + 2], rule[along + 2])
        else:
            result.append(list(rule))
    return [rule for rule in result if rule[along + 2] - rule[along] >= TOUCH]


def grids(rules: Sequence[Box]) -> list[Grid]:
    """Groups of lines that meet, with two columns and two rows at least."""
    level = [rule for rule in whole(rules, 0) if rule[2] - rule[0] > SHORT]
    upright = [rule for rule in whole(rules, 1) if rule[3] - rule[1] > SHORT]
    if len(level) < 2 or not upright or len(level) + len(upright) > MOST:
        return []
    found = []
    for group in meeting([*level, *upright]):
        standing = [rule for rule in group if rule[2] - rule[0] < TOUCH]
        lying = [rule for rule in group if rule[3] - rule[1] < TOUCH]
        if not (standing and lying):
            continue
        # Frames are often open at their sides: the other lines say how far they reach.
        x = [(rule[0] + rule[2]) / 2 for rule in standing] + reach(lying, 0)
        y = [(rule[1] + rule[3]) / 2 for rule in lying] + reach(standing, 1)
        x, y = merged(x), merged(y)
        if 2 < len(x) <= WIDEST and 2 < len(y) <= HIGHEST:
            found.append(Grid(x, y, [[rule for rule in lying if abs(rule[1] - place) <= TOUCH] for place in y]))
    return found


def reach(rules: Sequence[Box], side: int) -> list[float]:
    return [min(rule[side] for rule in rules), max(rule[side + 2] for rule in rules)]


def meeting(rules: Sequence[Box]) -> list[list[Box]]:
    """Connected groups."""
    parents = list(range(len(rules)))

    def root(i: int) -> int:
        while parents[i] != i:
            parents[i] = parents[parents[i]]
            i = parents[i]
        return i

    ordered = sorted(range(len(rules)), key=lambda i: rules[i][0])
    open_: list[int] = []
    for i in ordered:
        left, top, _, bottom = rules[i]
        open_ = [j for j in open_ if rules[j][2] > left - TOUCH]
        for j in open_:
            if rules[j][1] < bottom + TOUCH and rules[j][3] > top - TOUCH:
                parents[root(i)] = root(j)
        open_.append(i)
    groups: dict[int, list[Box]] = {}
    for i, rule in enumerate(rules):
        groups.setdefault(root(i), []).append(rule)
    return list(groups.values())


def merged(values: Sequence[float]) -> list[float]:
    """Sorted, those nearer than lines that meet as one."""
    result: list[float] = []
    for value in sorted(values):
        if not result or value - result[-1] > TOUCH:
            result.append(value)
    return result
