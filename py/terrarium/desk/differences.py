"""Two traces of one question held against each other, stage by stage: what moved, what is gone, what reads otherwise.

Scores are not compared: the same models on another machine differ in the last digits (ARCHITECTURE.md), and what
matters of them shows in the ranks. What one of the records does not hold (an older format) is left out.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from terrarium.desk.record_texts import TEXTS, Record

NEARLY = 0.005  # probabilities and signals that differ by less are the same
CONTEXT = 1  # lines around a difference of two texts


@dataclass(frozen=True, slots=True)
class Difference:
    """One stage. `lines` say what differs, none where nothing does; `shown`: a person would see it in the page."""

    stage: str
    lines: tuple[str, ...]
    shown: bool = False

    @property
    def same(self) -> bool:
        return not self.lines


def differences(then: Record, now: Record) -> list[Difference]:
    """In the order in which an answer is made."""
    names = _Names(then, now)
    found = [
        Difference("question", tuple(_fields(then, now, ("resolved", "cleaned", "parts")))),
        Difference("what ran", tuple(_ran(then, now))),
    ]
    lists = [{**record.get("retrieval", {}), **record.get("corrected", {})} for record in (then, now)]
    for name in dict.fromkeys([*lists[0], *lists[1]]):
        before, after = ([_key(entry) for entry in one.get(name, ())] for one in lists)
        found.append(Difference(f"list “{name}”", tuple(_moved(before, after, names))))
    first, second = (record.get("judgement") or {"verdict": "none"} for record in (then, now))
    verdict = _fields(first, second, ("verdict", "reasons", "out_of_scope"))
    found.append(Difference("verdict", tuple(verdict), shown=True))
    found.append(Difference("signals", tuple(_signals(first, second))))
    found.append(Difference("further searches", tuple(_steps(then, now))))
    before, after = ([_passage_key(one) for one in record.get("passages", ())] for record in (then, now))
    found.append(Difference("passages shown", tuple(_moved(before, after, names)), shown=True))
    for stage, text_of, seen in TEXTS:
        one, other = text_of(then), text_of(now)
        known = one is not None and other is not None
        found.append(Difference(stage, tuple(_diff(one or "", other or "")) if known else (), seen))
    return found


def timings(then: Record, now: Record) -> list[dict[str, Any]]:
    """[{stage, then, now}] in seconds; None where a record does not know the stage."""
    both = [record.get("timings", {}) for record in (then, now)]
    names = dict.fromkeys([*both[0], *both[1]])
    return [{"stage": name, "then": both[0].get(name), "now": both[1].get(name)} for name in names]


class _Names:
    """What a passage is called: its document's name and the number of the chunk in it."""

    def __init__(self, *records: Record) -> None:
        self._documents: dict[str, str] = {}
        for record in records:
            self._documents |= record.get("found", {}).get("documents", {})

    def __call__(self, key: tuple[str, int]) -> str:
        return f"{self._documents.get(key[0], key[0][:8])}, chunk {key[1]}"


def _key(entry: Mapping[str, Any]) -> tuple[str, int]:
    return entry["document"], entry["chunk"]


def _passage_key(one: Any) -> tuple[str, int]:
    """Format 1 kept [document, chunk]."""
    return _key(one) if isinstance(one, Mapping) else (one[0], one[1])


def _fields(then: Record, now: Record, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        if name in then and name in now and then[name] != now[name]:
            yield f"{name}: {_said(then[name])} → {_said(now[name])}"


def _said(value: Any) -> str:
    return f"“{value}”" if isinstance(value, str) else str(value)


def _ran(then: Record, now: Record) -> Iterator[str]:
    for group in ("models", "engine", "library"):
        one, other = then.get(group), now.get(group)
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            flat = [dict(_flat(record, group)) for record in (one, other)]
            yield from _fields(flat[0], flat[1], list(flat[0]))


def _flat(values: Mapping[str, Any], name: str) -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{name}.{key}")
        else:
            yield f"{name}.{key}", value


def _moved(then: Sequence[tuple[str, int]], now: Sequence[tuple[str, int]], names: _Names) -> Iterator[str]:
    """Passages by rank, the best first: gone, come, or in another place."""
    before, after = ({key: rank for rank, key in enumerate(keys, start=1)} for keys in (then, now))
    for key in sorted({**before, **after}, key=lambda key: min(before.get(key, 10**6), after.get(key, 10**6))):
        if before.get(key) != after.get(key):
            yield f"{names(key)}: {before.get(key, 'absent')} → {after.get(key, 'absent')}"


def _signals(one: Record, other: Record) -> Iterator[str]:
    figures = [{"probability": record.get("probability"), **record.get("signals", {})} for record in (one, other)]
    for name, value in figures[0].items():
        now = figures[1].get(name)
        if value is not None and now is not None and abs(value - now) >= NEARLY:
            yield f"{name}: {value:.3f} → {now:.3f}"


def _steps(then: Record, now: Record) -> Iterator[str]:
    taken = [
        [f"{one['name']} ({one['verdict_before']} → {one['verdict_after']})" for one in record.get("steps", ())]
        for record in (then, now)
    ]
    yield from _diff("\n".join(taken[0]), "\n".join(taken[1]))


def _diff(then: str, now: str) -> Iterator[str]:
    """Unified, without the line ends; nothing for equal texts."""
    yield from difflib.unified_diff(then.splitlines(), now.splitlines(), "then", "now", lineterm="", n=CONTEXT)
