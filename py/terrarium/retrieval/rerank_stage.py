"""The reranking stage: as many passages as there is time for, from the top.

Time goes to passages whose token vectors must be computed. Those of the others come from the library, and with all of
them stored the whole stage is one run of a small graph.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Callable, Sequence

from terrarium.chunks.chunking import embedding_text
from terrarium.indexes.segments import Hit
from terrarium.library import Library
from terrarium.model import Passage
from terrarium.runtime.protocols import Candidate, Progress, Reranker
from terrarium.settings import RetrievalSettings

_SLICE = 8  # passages whose token vectors are computed between two looks at the clock, and two chances to cancel


async def rerank(
    question: str,
    fused: Sequence[Passage],
    library: Library,
    reranker: Reranker,
    settings: RetrievalSettings,
    clock: Callable[[], float],
    progress: Progress | None = None,
) -> list[Hit]:
    """The scored passages, best first: `rerank_min` of the first at least, `rerank_max` at most."""
    fused = fused[: settings.rerank_max]
    stored = await library.token_vectors([passage.chunk.key for passage in fused])
    candidates = [
        Candidate(embedding_text(passage.chunk, passage.document.title), stored.get(passage.chunk.key))
        for passage in fused
    ]
    costly = [place for place, candidate in enumerate(candidates) if candidate.tokens is None]

    def reach(computed: int) -> int:
        """How many passages can be scored, from the top, with the vectors of so many computed."""
        return costly[computed] if computed < len(costly) else len(candidates)

    scored: list[Hit] = []
    started = clock()
    least = max(reach(0), min(settings.rerank_min, len(candidates)))
    wanted = least
    while len(scored) < wanted:
        computed = bisect_left(costly, len(scored))
        batch = slice(len(scored), min(reach(computed + _SLICE), wanted))
        values = await reranker.score(question, candidates[batch])
        scored += [(passage.chunk.key, float(value)) for passage, value in zip(fused[batch], values, strict=True)]
        seconds_each = (clock() - started) / max(bisect_left(costly, len(scored)), 1)
        wanted = max(reach(int(settings.rerank_budget_seconds / max(seconds_each, 1e-6))), least)
        if progress:
            progress(len(scored), max(wanted, len(scored)))
        await asyncio.sleep(0)
    return sorted(scored, key=lambda hit: -hit[1])
