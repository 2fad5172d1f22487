"""How well each sentence of the passages answers the question, for quoting; no model runs where vectors are stored.

Most of it is late interaction between the question and the sentence's own tokens, cut out of the passage's stored
vectors: they were computed with the passage around them, so “it” stands near what it means. (Sentences embedded
alone, at a run of the embedder each, find the answer less often: docs/retrieval.md.) The rest is the closeness of the
sentence's vector, the question's words in it, the rank of its passage, and whether it has what is asked for: a figure
for “how many”, a date for “when”, a name for “who”.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from terrarium.answers.dates import dates_in
from terrarium.answers.quantities import quantities_in
from terrarium.chunks.chunking import embedding_text
from terrarium.library import Library
from terrarium.model import Passage
from terrarium.questions.asked import asked_words
from terrarium.questions.wording import names
from terrarium.retrieval.matches import SentenceMatch
from terrarium.runtime.protocols import Candidate, Reranker
from terrarium.text import terms

CLOSENESS, WORDS, RANK, LACKING = 0.1, 0.05, -0.01, -0.02  # beside 1 for late interaction; chosen on development halves

_HOW_MANY = re.compile(
    r"\bhow (?:many|much|old|long|far|tall|high|large|big|often|deep|fast|wide|heavy)\b"
    r"|\bwhat (?:percent|number|amount)"
    r"|\bwie ?(?:viele?|alt|lange|weit|hoch|groß|oft|tief|schnell|breit|schwer)\b|\bcombien\b|\bcuánt[oa]s?\b"
    "|多少|几(?!乎)|多[大长高远久快深宽重]",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|time)\b|\bwann\b|\bwelche[smnr]? (?:jahr|tag|datum|monat)\b"
    r"|\bquand\b|\bquelle? (?:année|date|jour)\b|\bcuándo\b|\bqué (?:año|fecha|día)\b"
    "|什么时候|何时|哪[一]?[年天月日]|几[点月号]",
    re.IGNORECASE,
)
_WHO = re.compile(r"\bwho(?:m|se)?\b|\bwe[rnm]\b|\bwessen\b|\bqui\b|\bquiénes?\b|谁", re.IGNORECASE)


async def score_sentences(
    question: str,
    passages: Sequence[Passage],
    matches: Sequence[Sequence[SentenceMatch]],
    reranker: Reranker | None,
    library: Library,
) -> list[list[float]]:
    """Of each passage the scores of its sentences; comparable within one question only.

    Without a reranker the closeness of vectors stands in for it, and where the embedder does not know the language the
    share of the question's words.
    """
    asked = [word.text for word in asked_words(question)]
    spoken = library.embedder.languages
    late = await _late(question, passages, matches, reranker, library) if reranker else None
    found = []
    for rank, (passage, every) in enumerate(zip(passages, matches, strict=True)):
        language = passage.document.language
        forms = [set(terms(word, language, singles=False)) for word in asked]
        scores = []
        for place, match in enumerate(every):
            text = passage.chunk.text[match.start : match.end]
            held = set(terms(text, language))
            share = sum(bool(form & held) for form in forms) / max(len(forms), 1)
            score = late[rank][place] + CLOSENESS * match.score if late else match.score
            if spoken and language and language not in spoken:
                score = share  # the embedder cannot read it
            scores.append(score + WORDS * share + RANK * rank + LACKING * lacks_what_is_asked(question, text))
        found.append(scores)
    return found


def asks_how_many(question: str) -> bool:
    return bool(_HOW_MANY.search(question))


def lacks_what_is_asked(question: str, sentence: str) -> bool:
    """Whether the question asks for a number, a date or a name, and the sentence has none."""
    if _HOW_MANY.search(question):
        return not quantities_in(sentence)
    if _WHEN.search(question):
        return not (dates_in(sentence) or re.search(r"\d", sentence))
    if _WHO.search(question):
        return not set(names(sentence)) - set(names(question))
    return False


async def _late(
    question: str,
    passages: Sequence[Passage],
    matches: Sequence[Sequence[SentenceMatch]],
    reranker: Reranker,
    library: Library,
) -> list[list[float]]:
    stored = await library.token_vectors([passage.chunk.key for passage in passages])
    candidates: list[Candidate] = []
    for passage, every in zip(passages, matches, strict=True):
        texts = [passage.chunk.text[match.start : match.end] for match in every]
        places = _token_places(passage, every, library)
        vectors = stored.get(passage.chunk.key)
        for text, place in zip(texts, places, strict=True):
            known = vectors is not None and place is not None and place[0] < place[1] <= len(vectors)
            candidates.append(Candidate(text, vectors[place[0] : place[1]] if known else None))  # type: ignore[index]
    scores = iter((await reranker.score(question, candidates)).tolist()) if candidates else iter(())
    return [[next(scores) for _ in every] for every in matches]


def _token_places(passage: Passage, matches: Sequence[SentenceMatch], library: Library) -> list[tuple[int, int] | None]:
    """Which of the chunk's token vectors are each sentence's; None outside the chunk that was embedded.

    Sentences end where every tokenizer in use begins a new token, so their tokens may be counted apart.
    """
    chunk = library.chunk(passage.chunk.key)  # the passage's may have been opened to its surroundings
    whole = embedding_text(chunk, passage.document.title)
    moved = passage.chunk.start - chunk.start
    # What is embedded ends with the chunk's text, whose heading may have moved into the first line.
    shift = len(whole) - len(chunk.text)
    spans = [(match.start + moved, match.end + moved) for match in matches]
    inside = [0 <= start and end <= len(chunk.text) and start + shift >= 0 for start, end in spans]
    pieces: list[str] = []
    at = 0
    for (start, end), known in zip(spans, inside, strict=True):
        if known:
            pieces += [whole[at : start + shift], whole[start + shift : end + shift]]
            at = end + shift
    counts = iter([len(ids) for ids in library.embedder.tokenizer.encode_batch(pieces, special=False)])
    found: list[tuple[int, int] | None] = []
    used = 0
    for known in inside:
        if not known:
            found.append(None)
            continue
        used += next(counts)
        length = next(counts)
        found.append((used, used + length))
        used += length
    return found
