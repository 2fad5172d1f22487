"""Other searches for the same question, and passages read with what stands around them.

RM3 (Lavrenko and Croft 2001; Abdul-Jaleel et al. 2004): the words of the best passages that tell them from the rest of
the library are asked for too. Each result is an ordinary search; when to make it is `corrective.py`'s to say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from terrarium.library import Library
from terrarium.model import Chunk, Passage
from terrarium.retrieval.funnel import Search
from terrarium.text import question_terms

FEEDBACK = 5  # passages that lend terms
EXPANSION = 12  # terms that they lend together
EXPANSION_WEIGHT = 0.4  # of the most telling one; a term of the question counts 1
OPENED = 2  # passages that are read with what stands around them


def expanded(search: Search, passages: Sequence[Passage], library: Library) -> Search | None:
    """The search with what tells the best passages from the rest of the library; None when nothing does."""
    lexical = library.lexical
    asked = set[str]().union(*question_terms(search.question, lexical.languages).values())
    telling: defaultdict[str, float] = defaultdict(float)
    for rank, passage in enumerate(passages[:FEEDBACK], start=1):
        counts = lexical.chunk_terms(passage.chunk.key)
        length = sum(counts.values())
        for term, count in counts.items():
            if term not in asked and len(term) > 1:
                telling[term] += count / length / rank * lexical.idf(term)
    found = sorted(telling.items(), key=lambda one: -one[1])[:EXPANSION]
    if not found:
        return None
    most = found[0][1]
    return replace(search, extra={term: EXPANSION_WEIGHT * score / most for term, score in found})


def opened(passages: Sequence[Passage], library: Library) -> tuple[Passage, ...]:
    """The passages, the first of them with the sections around them: an answer may stand beside what was found.

    What lies inside a section that a better passage brought is left out.
    """
    kept: list[Passage] = []
    for rank, passage in enumerate(passages):
        if any(_inside(passage.chunk, other.chunk) for other in kept):
            continue
        kept.append(replace(passage, chunk=_section(passage.chunk, library)) if rank < OPENED else passage)
    return tuple(kept)


def _inside(chunk: Chunk, other: Chunk) -> bool:
    return chunk.document_id == other.document_id and other.start <= chunk.start and chunk.end <= other.end


def _section(chunk: Chunk, library: Library) -> Chunk:
    """The chunk grown to its parent. Its pages stay those of the chunk: a quote's own page is looked up."""
    start, end = chunk.parent_start, chunk.parent_end
    return replace(chunk, text=library.text(chunk.document_id)[start:end], start=start, end=end, lead="", lead_start=0)
