"""Question → candidates: BM25 and dense rankings, what the question names and quotes, fused by scores and folded.

Every candidate gets the exact score of both rankers, also where only one of them found it: a passage that stands low in
one list is worth less than one that just missed it (nDCG@10 over 809 claims of SciFact: by ranks 0.713, by scores with
those of absent passages guessed 0.722, by all scores 0.733).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from terrarium.indexes.segments import Hit, Key
from terrarium.library import Library
from terrarium.retrieval.duplicates import firsts
from terrarium.retrieval.fusion import Scores, combined
from terrarium.settings import RetrievalSettings
from terrarium.text import identifiers, normalise, phrases, question_terms

Ranker = Literal["lexical", "dense"]
RANKERS: tuple[Ranker, ...] = ("lexical", "dense")

_NEAR_PHRASE = 10  # times as many passages are looked through for a phrase as are kept


@dataclass(frozen=True, slots=True)
class Search:
    """What is asked of the funnel. The defaults are an ordinary question."""

    question: str
    extra: Mapping[str, float] = field(default_factory=dict)  # terms that count beside the question's own, and how much
    rankers: tuple[Ranker, ...] = RANKERS
    candidates: int | None = None  # of each ranker, and after fusion; None: as the settings say
    within: frozenset[str] | None = None  # ids of the documents that are searched; None: all


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """`stages`: "lexical", "dense", "exact", "phrase", "fusion". The other fields are of all that any ranker found."""

    words: Mapping[str, Sequence[str]]  # the question's terms, by the language of the documents
    stages: dict[str, list[Hit]]
    keys: list[Key]
    signals: dict[Ranker, Scores]  # [keys]; NaN where a ranker does not know the document
    bonus: Scores  # [keys] for what the question names or quotes
    copies: dict[Key, list[Key]]  # folded, by the passage that says all they say


async def first_stages(search: Search, library: Library, settings: RetrievalSettings) -> Candidates:
    """An empty library or question gives no candidates."""
    question, within, limit = search.question, search.within, search.candidates or settings.candidates
    # The only wait comes first: from here on the library must not change.
    asked = [question] if "dense" in search.rankers and len(library.vectors) and question.strip() else []
    vectors = await library.embedder.embed(asked, kind="question")
    words = question_terms(question, library.lexical.languages)
    named, quoted = identifiers(question), phrases(question)
    stages: dict[str, list[Hit]] = {}
    if "lexical" in search.rankers:
        stages["lexical"] = library.lexical.search(words, limit, within, weights=search.extra)
    if "dense" in search.rankers:
        # MiniLM's order of languages that it does not know would push words aside: nDCG@10 on XQuAD, words alone
        # against both fused: Chinese 0.963 and 0.611, German 0.920 and 0.849.
        spoken = library.spoken(within)
        stages["dense"] = [hit for vector in vectors for hit in library.vectors.search(vector, limit, spoken)]
    if named and "lexical" in search.rankers:
        # An embedding cannot tell E-4711/b from E-4712/b.
        stages["exact"] = library.lexical.search(words, limit, within, holding=named)
    if quoted and "lexical" in search.rankers:
        stages["phrase"] = _quoting(quoted, search, library, limit)

    keys = list(dict.fromkeys(key for hits in stages.values() for key, _ in hits))
    signals: dict[Ranker, Scores] = {}
    if "lexical" in search.rankers:
        signals["lexical"] = library.lexical.scores(words, keys, search.extra)
    for vector in vectors:
        known = library.spoken()
        cosines = library.vectors.scores(vector, keys)
        signals["dense"] = cosines if known is None else np.where([key[0] in known for key in keys], cosines, np.nan)
    exact, quoting = ({key for key, _ in stages.get(stage, ())} for stage in ("exact", "phrase"))
    rarity = _rarity(named, library) if exact else 0.0
    bonus = np.array([settings.named * (rarity * (key in exact) + (key in quoting)) for key in keys], np.float32)

    shares = {"lexical": settings.lexical_share, "dense": 1 - settings.lexical_share}
    scores = combined(list(signals.values()), [shares[ranker] for ranker in signals]) + bonus if signals else bonus
    order = np.argsort(-scores, kind="stable")
    hits = [(keys[place], float(scores[place])) for place in order]
    stages["fusion"], copies = _folded(hits, library, limit)
    return Candidates(words, stages, keys, signals, bonus, copies)


def _rarity(named: Sequence[str], library: Library) -> float:
    """1 where a single passage holds the rarest identifier, little where many do: a protein’s name in abstracts.

    The cube of its idf over the greatest there can be: over 809 claims of SciFact, of which 197 name something, nDCG@10
    is 0.744; without a bonus 0.741, with the same for all 0.738.
    """
    return (max(library.lexical.idf(term) for term in named) / library.lexical.greatest_idf) ** 3


def _quoting(quoted: Sequence[str], search: Search, library: Library, limit: int) -> list[Hit]:
    """Passages that hold every phrase letter by letter (case and spaces aside), of the best for their words."""
    wanted = [normalise(phrase) for phrase in quoted]
    words = question_terms(" ".join(quoted), library.lexical.languages)
    near = library.lexical.search(words, _NEAR_PHRASE * limit, search.within)
    chunks = ((hit, library.chunk(hit[0])) for hit in near)
    texts = ((hit, normalise("\n".join((chunk.text, *chunk.headings)))) for hit, chunk in chunks)
    return [hit for hit, text in texts if all(phrase in text for phrase in wanted)][:limit]


def _folded(hits: Sequence[Hit], library: Library, limit: int) -> tuple[list[Hit], dict[Key, list[Key]]]:
    """The first `limit` that say something that no better one says; and those that do not, by that better one."""
    seen = limit
    while True:
        chunks = [library.chunk(key) for key, _ in hits[:seen]]
        places = firsts(chunks)
        kept = [hits[place] for place, first in enumerate(places) if place == first]
        if len(kept) >= limit or seen >= len(hits):
            break
        seen *= 2
    copies: dict[Key, list[Key]] = {}
    for place, first in enumerate(places):
        if place != first:
            copies.setdefault(hits[first][0], []).append(hits[place][0])
    return kept[:limit], copies
