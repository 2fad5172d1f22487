from __future__ import annotations

import asyncio
import statistics
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.unit.retrieval_fakes import HashEmbedder, document, filler

from terrarium.evaluation.questions import Evidence, holds
from terrarium.indexes.segments import Key
from terrarium.library import Library
from terrarium.model import Chunk, Document, DocumentInfo, Passage
from terrarium.retrieval.funnel import Retriever
from terrarium.runtime.protocols import Candidate
from terrarium.settings import RetrievalSettings
from terrarium.storage.memory import MemoryStore
from terrarium.text import terms


class CountingReranker:
    """Scores by how often the word “needle” occurs; a passage without stored vectors takes `seconds` on its clock."""

    id = "needle"

    def __init__(self, seconds: float = 0.0) -> None:
        self.now = 0.0
        self.scored: list[str] = []
        self.runs: list[int] = []
        self._seconds = seconds

    async def score(self, question: str, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        self.now += self._seconds * sum(candidate.tokens is None for candidate in candidates)
        self.scored.extend(candidate.text for candidate in candidates)
        self.runs.append(len(candidates))
        return np.array([candidate.text.count("needle") for candidate in candidates], dtype=np.float32)

    def probability(self, score: float) -> float | None:
        return None


def numbered_documents(number: int) -> list[Document]:
    return [document(f"d{n}.md", f"Common subject, sentence {n}. " + filler(60, n)) for n in range(number)]


async def library_of(documents: Sequence[Document]) -> Library:
    library = await Library.open(MemoryStore(), HashEmbedder())
    for one in documents:
        await library.add(one)
    return library


def run(documents: Sequence[Document], check: Callable[[Library], object]) -> None:
    async def body() -> None:
        await check(await library_of(documents))  # type: ignore[misc]

    asyncio.run(body())


def scaled(scores: dict[Key, float]) -> dict[Key, float]:
    """To mean 0 and deviation 1."""
    mean, deviation = statistics.fmean(scores.values()), statistics.pstdev(scores.values())
    return {key: (score - mean) / deviation for key, score in scores.items()}


def test_stages_and_passages_agree() -> None:
    async def check(library: Library) -> None:
        question = "common subject sentence 7"
        retrieval = await Retriever(library, CountingReranker()).retrieve(question)
        stages = retrieval.stages
        assert list(stages) == ["lexical", "dense", "fusion", "rerank", "blend", "complement"]
        assert len(stages["lexical"]) == len(stages["dense"]) == len(stages["fusion"]) == 50

        # Every score of both rankers, by asking for all.
        (asked,) = await library.embedder.embed([question])
        words, meaning = library.lexical.search(terms(question), 1000), library.vectors.search(asked, 1000)
        found = dict.fromkeys(key for name in ("lexical", "dense") for key, _ in stages[name])
        assert len(found) > 50
        lexical = scaled({key: dict(words).get(key, 0.0) for key in found})
        dense = scaled({key: dict(meaning)[key] for key in found})
        fused = {key: 0.4 * lexical[key] + 0.6 * dense[key] for key in found}
        expected = sorted(fused, key=lambda key: -fused[key])[:50]
        assert [score for _, score in stages["fusion"]] == pytest.approx([fused[key] for key in expected], abs=1e-5)
        for key, score in stages["fusion"]:
            assert score == pytest.approx(fused[key], abs=1e-5)
        needles = dict(stages["rerank"])
        assert set(needles) == {key for key, _ in stages["fusion"]}
        mixed = {key: (lexical[key] + dense[key] + scaled(needles)[key]) / 3 for key in needles}
        assert dict(stages["blend"]) == pytest.approx(mixed, abs=1e-5)

        assert stages["complement"][0][0] == stages["blend"][0][0]
        assert [p.chunk.key for p in retrieval.fused] == [key for key, _ in stages["fusion"]]
        assert [p.chunk.key for p in retrieval.passages] == [key for key, _ in stages["complement"]]
        for passage in retrieval.passages:
            for stage, placing in passage.placings.items():
                assert stages[stage][placing.rank - 1] == (passage.chunk.key, placing.score)
        for name in stages:
            values = [score for _, score in stages[name]]
            assert values == sorted(values, reverse=True)
        assert retrieval.record()["blend"][0] == {
            "document": stages["blend"][0][0][0],
            "chunk": stages["blend"][0][0][1],
            "rank": 1,
            "score": round(stages["blend"][0][1], 6),
        }

    some = document("n.md", "Common subject, sentence 7 with a needle. " + filler(60, 99))
    run([*numbered_documents(70), some], check)


def test_fused_passages_are_shown_before_reranking() -> None:
    async def check(library: Library) -> None:
        reranker = CountingReranker()
        shown: list[Passage] = []
        before: list[int] = []

        def on_fused(passages: list[Passage]) -> None:
            shown.extend(passages)
            before.append(len(reranker.scored))

        retrieval = await Retriever(library, reranker).retrieve("common subject", on_fused=on_fused)
        assert before == [0]
        assert tuple(shown) == retrieval.fused

    run(numbered_documents(15), check)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.0, 50), (0.001, 50), (0.025, 40), (0.05, 20), (0.5, 12)],
)
def test_as_many_are_reranked_as_the_device_can_afford(seconds: float, expected: int) -> None:
    async def check(library: Library) -> None:
        reranker = CountingReranker(seconds)
        seen: list[tuple[int, int]] = []
        retriever = Retriever(library, reranker, clock=lambda: reranker.now)
        retrieval = await retriever.retrieve("common subject", progress=lambda *state: seen.append(state))
        assert len(reranker.scored) == len(retrieval.stages["rerank"]) == expected
        assert len(retrieval.passages) == 50
        assert seen[-1] == (expected, expected)

    run(numbered_documents(60), check)


async def library_with_some_stored(documents: Sequence[Document], stored: Collection[str]) -> Library:
    """Documents whose ids are in `stored` have their token vectors stored."""
    store, settings = MemoryStore(), RetrievalSettings(token_vectors="computed")
    for one in documents:
        switch = None if one.id in stored else settings
        await (await Library.open(store, HashEmbedder(token_dimensions=8), switch)).add(one)
    return await Library.open(store, HashEmbedder(token_dimensions=8))


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        (50, [50]),
        (0, [8, 4]),
        (5, [12]),
        (20, [20, 8]),  # eight more, which tell what they cost
    ],
)
def test_passages_whose_token_vectors_are_stored_cost_no_time(stored: int, expected: list[int]) -> None:
    """`stored`: how many of the first. A passage whose vectors are computed takes half of the time there is."""

    async def run() -> None:
        documents = numbered_documents(60)
        plain = await Retriever(await library_of(documents)).retrieve("common subject")
        library = await library_with_some_stored(documents, {p.document.id for p in plain.fused[:stored]})
        reranker = CountingReranker(0.5)
        retrieval = await Retriever(library, reranker, clock=lambda: reranker.now).retrieve("common subject")
        assert [p.chunk.key for p in retrieval.fused] == [p.chunk.key for p in plain.fused]
        assert reranker.runs == expected
        assert len(retrieval.passages) == 50

    asyncio.run(run())


def test_a_calibrated_rerankers_probability_comes_with_the_passage() -> None:
    class Calibrated(CountingReranker):
        def probability(self, score: float) -> float | None:
            return 0.25 + score / 2

    async def check(library: Library) -> None:
        retrieval = await Retriever(library, Calibrated()).retrieve("common subject sentence")
        for passage in retrieval.passages:
            probability = 0.75 if "needle" in passage.chunk.text else 0.25
            assert passage.placings["rerank"].probability == retrieval.probabilities[passage.chunk.key] == probability
            assert passage.placings["fusion"].probability is None
        assert [entry["probability"] for entry in retrieval.record()["rerank"]][:2] == [0.75, 0.25]

    run([*numbered_documents(10), document("n.md", "Common subject with a needle. " + filler(90, 99))], check)


def test_the_same_question_gives_the_same_order_whatever_the_clock_says() -> None:
    async def check(library: Library) -> None:
        seconds = count(0, 0.3)
        reranker = CountingReranker()
        retriever = Retriever(library, reranker, clock=lambda: next(seconds))
        shown: list[list[Passage]] = []
        first = await retriever.retrieve("common subject", on_fused=shown.append)
        scored = len(reranker.scored)
        assert await retriever.retrieve("common subject", on_fused=shown.append) is first
        assert len(reranker.scored) == scored
        assert shown[0] == shown[1]
        await library.remove(first.passages[0].document.id)
        later = await retriever.retrieve("common subject")
        assert first.passages[0].chunk not in [passage.chunk for passage in later.passages]

    run(numbered_documents(20), check)


def test_a_reranker_lifts_a_passage_and_is_one_voice_of_three() -> None:
    async def check(library: Library) -> None:
        plain = await Retriever(library).retrieve("common subject sentence")
        assert list(plain.stages) == ["lexical", "dense", "fusion", "complement"]
        assert plain.passages[0].chunk == plain.fused[0].chunk
        reranked = await Retriever(library, CountingReranker()).retrieve("common subject sentence")
        needle = next(p for p in reranked.passages if "needle" in p.chunk.text)
        assert needle.placings["blend"].rank < needle.placings["fusion"].rank
        assert needle.placings["rerank"].rank == 1
        assert reranked.fused[0].chunk in [passage.chunk for passage in reranked.passages[:2]]

    haystack = [*numbered_documents(10), document("n.md", "Common subject with a needle. " + filler(90, 99))]
    run(haystack, check)


def test_copies_are_folded() -> None:
    text = "The deposit is two months' rent. " + filler(80, 1)
    copies = [document(f"copy {n}.md", text, title="Lease") for n in range(3)]
    other = document("other.md", text.replace("two", "three"), title="Lease")

    async def check(library: Library) -> None:
        retrieval = await Retriever(library).retrieve("deposit rent")
        assert [p.document.name for p in retrieval.passages].count("other.md") == 1
        assert len(retrieval.passages) == 2

    run([*copies, other], check)


def test_filter_comes_before_the_best_k() -> None:
    documents = [*numbered_documents(80), document("only.md", "Something about a subject. " + filler(60, 500))]

    async def check(library: Library) -> None:
        wanted = documents[-1].id
        retrieval = await Retriever(library).retrieve("common subject sentence", within={wanted})
        assert {passage.document.id for passage in retrieval.passages} == {wanted}

    run(documents, check)


@pytest.mark.parametrize("documents", [[], [Document("4" * 64, "scan.pdf", "pdf", "scan", (), 1)]])
def test_a_library_without_text_gives_an_empty_retrieval(documents: list[Document]) -> None:
    async def check(library: Library) -> None:
        shown: list[list[Passage]] = []
        retrieval = await Retriever(library, CountingReranker()).retrieve("anything", on_fused=shown.append)
        assert retrieval.passages == retrieval.fused == ()
        assert shown == [[]]

    run(documents, check)


def test_an_empty_question_finds_nothing() -> None:
    async def check(library: Library) -> None:
        assert (await Retriever(library).retrieve("  ")).passages == ()

    run(numbered_documents(2), check)


@pytest.mark.parametrize(
    ("identifier", "asked"),
    [
        ("E-4711/b", "e-4711/b"),
        ("ISO 9001:2015", "ISO 9001:2015"),
        ("foo_bar()", "foo_bar()"),
        ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
        ("认证系统使用JWT令牌", "认证"),
        ("L'été à Évian", "evian"),
    ],
)
def test_identifiers_come_first(identifier: str, asked: str) -> None:
    near = [
        "E-4712/b",
        "E-4711/c",
        "ISO 9001:2008",
        "ISO 27001",
        "foo_baz()",
        "bar_foo()",
        "DE88 3704 0044 0532 0130 01",
    ]
    documents = [document(f"{n}.md", f"About {name} here. " + filler(60, n)) for n, name in enumerate(near)]
    documents.append(document("right.md", f"About {identifier} here. " + filler(120, 77)))

    async def check(library: Library) -> None:
        retrieval = await Retriever(library).retrieve(asked)
        best_by_words, _ = retrieval.stages["lexical"][0]
        assert library.info(best_by_words[0]).name == "right.md"
        assert retrieval.passages[0].document.name == "right.md"

    run(documents, check)


def test_what_was_named_outweighs_a_nearer_vector() -> None:
    # For the embedder the near miss is the better match: it shares the question's other words.
    near = document("near.md", "Which torque has the bolt E-4712/b in the gearbox? " + filler(30, 1))
    right = document("right.md", "Bolt E-4711/b: 25 Nm. " + filler(120, 2))

    async def check(library: Library) -> None:
        retrieval = await Retriever(library).retrieve("Which torque has the bolt E-4711/b in the gearbox?")
        assert retrieval.stages["dense"][0][0][0] == near.id
        assert [key[0] for key, _ in retrieval.stages["exact"]] == [right.id]
        assert retrieval.passages[0].document.name == "right.md"

    run([near, right, *numbered_documents(5)], check)


def passage_of(text: str, name: str = "a/guide.pdf", page: int | None = 4) -> Passage:
    chunk = Chunk("5" * 64, 0, text, 0, len(text), 0, len(text), page, page)
    return Passage(chunk, DocumentInfo("5" * 64, name, "pdf", "t", 1, 1), 1.0)


@pytest.mark.parametrize(
    ("passage", "expected"),
    [
        (passage_of("By default the\n limit  is SIXTY-four tables."), True),
        (passage_of("By default the limit is sixty-four tables.", name="other.pdf"), False),
        (passage_of("The whole quote the limit is sixty-four tables on a wrong page.", page=9), True),
        (passage_of("limit is sixty"), True),  # three of five words
        (passage_of("limit is sixty", page=9), False),
        (passage_of("limit is sixty", page=None), True),
        (passage_of("limit is"), False),
        (passage_of("limit " + "far " * 30 + "sixty " + "far " * 30 + "tables"), False),
    ],
)
def test_what_counts_as_the_evidence(passage: Passage, expected: bool) -> None:
    assert holds(passage, Evidence("guide.pdf", "limit is sixty-four tables", page=4)) is expected


def test_documents_in_a_language_that_the_embedder_does_not_know_are_found_by_their_words() -> None:
    documents = [replace(one, language=code) for one, code in zip(numbered_documents(3), ("en", "de", ""), strict=True)]
    english, german, unknown = (one.id for one in documents)

    async def dense(languages: tuple[str, ...], within: Collection[str] | None = None) -> set[str]:
        embedder = HashEmbedder()
        embedder.languages = languages
        library = await Library.open(MemoryStore(), embedder)
        for one in documents:
            await library.add(one)
        retrieval = await Retriever(library).retrieve("Common subject", within=within)
        assert {key[0] for key, _ in retrieval.stages["lexical"]} == set(within or (english, german, unknown))
        return {key[0] for key, _ in retrieval.stages["dense"]}

    assert asyncio.run(dense(())) == {english, german, unknown}
    assert asyncio.run(dense(("en",))) == {english, unknown}
    assert asyncio.run(dense(("en",), [german, unknown])) == {unknown}
