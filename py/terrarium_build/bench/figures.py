"""One measured thing beside its peer, and the table of all of them. Knows nothing of browsers or models."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """`ours[i]` and `theirs[i]` were measured one right after the other, in round i."""

    name: str
    unit: str
    peer: str
    ours: tuple[float, ...]
    theirs: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.ours) != len(self.theirs) or not self.ours:
            raise ValueError(f"{self.name}: {len(self.ours)} rounds of ours and {len(self.theirs)} of the peer's")

    @property
    def ratios(self) -> list[float]:
        """ours / peer, round by round: what slows the machine for a while slows both halves of a round."""
        return [a / b for a, b in zip(self.ours, self.theirs, strict=True)]

    @property
    def ratio(self) -> float:
        return median(self.ratios)

    def row(self) -> list[str]:
        spread = f"{min(self.ratios):.2f} to {max(self.ratios):.2f}" if len(self.ours) > 1 else "one round"
        values = [f"{shown(median(values))} {self.unit}" for values in (self.ours, self.theirs)]
        return [self.name, *values, f"**{self.ratio:.2f}**", spread, self.peer]

    def json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "unit": self.unit,
            "peer": self.peer,
            "ours": list(self.ours),
            "theirs": list(self.theirs),
            "ratio": self.ratio,
        }


def shown(value: float) -> str:
    """Three digits that matter: 0.0123, 1.23, 12.3, 1,234."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.2g}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown; no cell may hold a vertical bar."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def stage_medians(rounds: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The median of each stage over the rounds that have it, in the order of the first round that has it."""
    names = dict.fromkeys(name for one in rounds for name in one)
    return {name: median(one[name] for one in rounds if name in one) for name in names}


@dataclass(slots=True)
class Report:
    """What one run measured. `notes` say what was left out and why.

    `summary`: named ratios by where they were measured, such as {"wasm": {"decode_vs_wllama": 2.5}}.
    """

    figures: list[Figure] = field(default_factory=list)
    boot_stages: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    summary: dict[str, dict[str, float]] = field(default_factory=dict)

    def markdown(self) -> str:
        head = ["figure", "ours, median", "peer, median", "ours ÷ peer", "over the rounds", "peer"]
        parts = ["# Benchmarks", table(head, [figure.row() for figure in self.figures])]
        for place, ratios in self.summary.items():
            rows = [[name, f"{ratio:.2f}"] for name, ratio in ratios.items()]
            parts += [f"## Ratios of medians: {place}", table(["ratio", "value"], rows)]
        if self.boot_stages:
            stages = [[name, f"{shown(seconds)} s"] for name, seconds in self.boot_stages.items()]
            parts += ["## Stages of the boot, medians", table(["stage", "time"], stages)]
        if self.notes:
            parts += ["## Notes", "\n".join(f"* {note}" for note in self.notes)]
        return "\n\n".join(parts)

    def json(self) -> str:
        figures = [figure.json() for figure in self.figures]
        content = {"figures": figures, "boot_stages": self.boot_stages, "notes": self.notes}
        return json.dumps({**self.summary, **content}, ensure_ascii=False, indent=1)
