"""What each corrective step adds: answers let through, right and wrong, and evidence among the few passages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from terrarium.filters import Filter
from terrarium.judging.corrective import STEPS
from terrarium.judging.gathering import Gathered, Gatherer
from terrarium.library import Library
from terrarium.retrieval.funnel import Retriever
from terrarium.trace import Trace

from .sets import Case

TRIED = tuple(name for name in STEPS if name not in {"rephrased", "other_collections"})
HEAD = """\
| set | steps up to | answered: answerable | uncovered | out of scope | gold in the first four | changed |
|---|---|---|---|---|---|---|"""
Holds = Callable[[Case, Gathered], bool | None]  # whether the passages hold the answer; None where nobody knows


@dataclass(slots=True)
class Tally:
    """Of all questions with the same steps allowed."""

    answered: dict[str, int] = field(default_factory=lambda: {"answerable": 0, "uncovered": 0, "out_of_scope": 0})
    found: int = 0
    changed: int = 0


async def table(name: str, library: Library, retriever: Retriever, cases: Sequence[Case], holds: Holds) -> str:
    """One line for the first search and one for each step after it, over the same questions."""
    tallies = [Tally() for _ in range(len(TRIED) + 1)]
    known = 0
    for case in cases:
        chosen = Filter(documents=case.within) if case.within else None
        for count, tally in enumerate(tallies):
            gatherer = Gatherer(library, retriever, steps=TRIED[:count])
            one = await gatherer.gather(case.question, filter=chosen, emit=lambda event: None, trace=Trace(""))
            tally.answered[case.kind] += one.judgement is not None and one.judgement.verdict != "incorrect"
            hit = holds(case, one) if case.kind == "answerable" else None
            tally.found += bool(hit)
            tally.changed += any(step.gained for step in one.steps)
        known += hit is not None
    totals = {kind: max(sum(case.kind == kind for case in cases), 1) for kind in tallies[0].answered}
    lines = []
    for count, tally in enumerate(tallies):
        shares = " | ".join(f"{share / totals[kind]:.3f}" for kind, share in tally.answered.items())
        label = TRIED[count - 1] if count else "first search"
        gold = f"{tally.found / known:.3f}" if known else ""
        lines.append(f"| {name} | {label} | {shares} | {gold} | {tally.changed} |")
    return "\n".join(lines)


def by_document(case: Case, found: Gathered) -> bool | None:
    """For libraries whose documents are single passages."""
    if not case.gold:
        return None
    return any(passage.document.id in case.gold for passage in found.passages)
