"""What `terrarium replay` prints: the differences between two traces for a person, or as JSON."""

from __future__ import annotations

from typing import Any

from terrarium.desk.differences import Difference, differences, timings
from terrarium.desk.record_texts import Record

LINES = 12  # of a list's differences that are printed; --json has all


def report(then: Record, now: Record) -> dict[str, Any]:
    """What `--json` prints. `same`: whether a person would see the same in the page."""
    found = differences(then, now)
    return {
        "question": then["question"],
        "id": then["id"],
        "same": all(one.same or not one.shown for one in found),
        "differences": [
            {"stage": one.stage, "same": one.same, "shown": one.shown, "lines": list(one.lines)} for one in found
        ],
        "timings": timings(then, now),
        "record": now,
    }


def readable(then: Record, now: Record) -> str:
    """The same for a person."""
    found = differences(then, now)
    lines = [then["question"], f"asked {then.get('time', 'once')}, and again {now['time']}", ""]
    for one in found:
        lines.append(f"{'=' if one.same else '≠'} {one.stage}{'' if one.same else ' (shown)' if one.shown else ''}")
        lines += [f"    {line}" for line in _cut(one)]
    lines += ["", f"{'seconds':<20}{'then':>10}{'now':>10}"]
    for row in timings(then, now):
        figures = (row["then"], row["now"])
        shown = "".join(f"{'–' if value is None else format(value, '.3f'):>10}" for value in figures)
        lines.append(f"{row['stage']:<20}{shown}")
    other = [one.stage for one in found if one.shown and not one.same]
    lines += ["", f"What is shown differs: {', '.join(other)}." if other else "What is shown is the same."]
    return "\n".join(lines)


def _cut(one: Difference) -> list[str]:
    """Lists are cut; texts never are: their end may be what matters."""
    if not one.stage.startswith("list") or len(one.lines) <= LINES:
        return list(one.lines)
    return [*one.lines[:LINES], f"and {len(one.lines) - LINES} more"]
