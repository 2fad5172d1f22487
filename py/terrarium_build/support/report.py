"""The check's figures by kind of change, in Markdown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from .measure import Row


def report(rows: Sequence[Row]) -> str:
    """Precision, recall and F1 of “unsupported”, then of each kind how many were kept."""
    caught = sum(not row["kept"] and not row["supported"] for row in rows)
    lost = sum(not row["kept"] and row["supported"] for row in rows)
    through = sum(row["kept"] and not row["supported"] for row in rows)
    precision, recall = _share(caught, caught + lost), _share(caught, caught + through)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    kept = _share(sum(row["kept"] and row["supported"] for row in rows), sum(row["supported"] for row in rows))
    head = (
        f"Taken out rightly: precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f}; "
        f"supported sentences kept {kept:.3f}.\n\n| kind | examples | kept |\n|---|---|---|\n"
    )
    return head + "\n".join((*_table(rows, True), *_table(rows, False)))


def _table(rows: Sequence[Row], supported: bool) -> list[str]:
    kinds: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        if row["supported"] is supported:
            kinds[row["kind"]].append(row["kept"])
            kinds[f"*{row['language']}*"].append(row["kept"])
    title = "supported" if supported else "not supported"
    every = [one for kind, values in kinds.items() if not kind.startswith("*") for one in values]
    lines = [f"| **{title}** | {len(every)} | {_share(sum(every), len(every)):.3f} |"]
    return lines + [
        f"| {kind} | {len(values)} | {sum(values) / len(values):.3f} |" for kind, values in sorted(kinds.items())
    ]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
