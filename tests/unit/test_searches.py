"""What a search can be told beside its question, and several searches made one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.unit.retrieval_fakes import HashEmbedder, document, filler

from terrarium.library import Library
from terrarium.model import Document
from terrarium.retrieval.funnel import Retrieval, Retriever, Search, merged
from terrarium.runtime.protocols import Candidate
from terrarium.storage.memory import MemoryStore


def run(documents: Sequence[Document], check: Callable[[Retriever], Awaitable[None]]) -> None:
    async def body() -> None:
        library = await Library.open(MemoryStore(), HashEmbedder())
        for one in documents:
            await library.add(one)
        await check(Retriever(library))

    asyncio.run(body())


def names(retrieval: Retrieval) -> list[str]:
    return [passage.document.name for passage in retrieval.passages]


ABOUT = {
    name: document(name, f"Something of {name} and the {name}s. " + filler(60, n)) for n, name in enumerate("uvxyz")
}


@pytest.mark.parametrize(
    ("rankers", "expected"),
    [
        (("lexical",), ["lexical", "fusion", "complement"]),
        (("dense",), ["dense", "fusion", "complement"]),
    ],
)
def test_one_ranker_alone(rankers: tuple[str, ...], expected: list[str]) -> None:
    async def check(retriever: Retriever) -> None:
        retrieval = await retriever.search(Search("Something of x", rankers=rankers))  # type: ignore[arg-type]
        assert list(retrieval.stages) == expected
        assert names(retrieval)[0] == "x"
        assert [key for key, _ in retrieval.stages["fusion"]] == [key for key, _ in retrieval.stages[rankers[0]]]

    run(list(ABOUT.values()), check)


def test_extra_terms_find_what_the_question_does_not() -> None:
    async def check(retriever: Retriever) -> None:
        plain = await retriever.search(Search("something", rankers=("lexical",)))
        more = await retriever.search(Search("something", {"z": 2.0}, rankers=("lexical",)))
        assert names(more)[0] == "z"
        assert more.stages["lexical"][0][1] > dict(plain.stages["lexical"])[more.stages["lexical"][0][0]]

    run(list(ABOUT.values()), check)


def test_wider_searches_keep_more() -> None:
    async def check(retriever: Retriever) -> None:
        assert len((await retriever.search(Search("common subject"))).passages) == 50
        assert len((await retriever.search(Search("common subject", candidates=70))).passages) == 70
        assert len((await retriever.search(Search("common subject", candidates=5))).stages["lexical"]) == 5

    run([document(f"{n}", f"Common subject {n}. " + filler(60, n)) for n in range(80)], check)


def test_within() -> None:
    async def check(retriever: Retriever) -> None:
        chosen = frozenset(one.id for one in (ABOUT["u"], ABOUT["v"]))
        assert sorted(names(await retriever.search(Search("Something of z", within=chosen)))) == ["u", "v"]
        assert sorted(names(await retriever.retrieve("Something of z", within=chosen))) == ["u", "v"]

    run(list(ABOUT.values()), check)


@pytest.mark.parametrize("quotes", ["“{}”", '"{}"', "«{}»"])
def test_what_is_quoted_stands_in_the_first_passage(quotes: str) -> None:
    near = document("near", "The seal of the pump; the pump and its wet seal. Seal, wet, pump. " + filler(30, 1))
    right = document("right", "Here the Pump\nSeal is wet. " + filler(100, 2))

    async def check(retriever: Retriever) -> None:
        plain = await retriever.retrieve("Which pump seal gets wet?")
        assert names(plain)[0] == "near"
        assert "phrase" not in plain.stages
        quoted = await retriever.retrieve(f"Which {quotes.format('pump seal')} gets wet?")
        assert [key[0] for key, _ in quoted.stages["phrase"]] == [right.id]
        assert names(quoted)[0] == "right"

    run([near, right, *ABOUT.values()], check)


def test_merged_by_hand() -> None:
    async def check(retriever: Retriever) -> None:
        whole = await retriever.retrieve("something")
        parts = [await retriever.retrieve(f"the {name}s") for name in "uz"]
        one = merged(whole, parts)
        assert one.question == whole.question
        assert one.fused == whole.fused
        assert sorted(names(one)) == sorted(names(whole))
        ranks = {name: [1 + names(found).index(name) for found in (whole, *parts)] for name in names(whole)}
        sums = {name: sum(1 / (1 + rank) for rank in of_name) for name, of_name in ranks.items()}
        assert [passage.score for passage in one.passages] == pytest.approx(sorted(sums.values(), reverse=True))
        assert names(one)[0] == max(sums, key=lambda name: sums[name])
        assert {names(part)[0] for part in parts} <= set(names(one)[:3])
        assert [passage.placings["merged"].rank for passage in one.passages] == [1, 2, 3, 4, 5]
        assert [key for key, _ in one.stages["merged"]] == [passage.chunk.key for passage in one.passages]
        scores = [passage.score for passage in one.passages]
        assert scores == sorted(scores, reverse=True)
        assert merged(whole, []).passages[0].chunk == whole.passages[0].chunk

    run(list(ABOUT.values()), check)


def test_copies_are_named_by_the_passage_that_they_are_folded_under() -> None:
    text = "The deposit is two months' rent. " + filler(80, 1)
    first, second = document("lease a", text, title="Lease"), document("lease b", text, title="Lease")
    other = document("lease c", text.replace("two", "three"), title="Lease")

    async def check(retriever: Retriever) -> None:
        retrieval = await retriever.retrieve("deposit rent")
        also = {passage.document.name: [copy.document.name for copy in passage.also] for passage in retrieval.passages}
        assert also in ({"lease a": ["lease b"], "lease c": []}, {"lease b": ["lease a"], "lease c": []})
        together = merged(retrieval, [await retriever.retrieve("rent")])
        assert {p.document.name: [c.document.name for c in p.also] for p in together.passages} == also

    run([first, second, other], check)


def test_copies_are_folded_over_merged_retrievals() -> None:
    """Each of the two is found alone: only together they are copies."""
    text = "The deposit is two months' rent. " + filler(80, 1)
    first, second = document("lease a", text, title="Lease"), document("lease b", text, title="Lease")

    async def check(retriever: Retriever) -> None:
        alone = [await retriever.search(Search("deposit", within=frozenset({one.id}))) for one in (first, second)]
        (passage,) = merged(alone[0], alone[1:]).passages
        assert passage.document.name == "lease a"
        assert [copy.document.name for copy in passage.also] == ["lease b"]

    run([first, second], check)


def test_two_contracts_from_one_template_are_not_taken_for_one() -> None:
    clause = "This contract ends on {} unless it is renewed in writing by both sides. " + filler(80, 1)
    dates = {"mill.pdf": "31 March 2026", "harbour.pdf": "30 June 2027"}
    contracts = [document(name, clause.format(date), title="Lease") for name, date in dates.items()]

    async def check(retriever: Retriever) -> None:
        for name, date in dates.items():
            retrieval = await retriever.retrieve(f"Which contract ends on {date}?")
            assert names(retrieval)[0] == name
            assert sorted(names(retrieval)) == sorted(dates)
            assert not any(passage.also for passage in retrieval.passages)

    run(contracts, check)


def test_the_reranker_has_no_voice_in_languages_that_it_does_not_know() -> None:
    """Its vectors are the embedder's. Passages in other languages keep the order of their words."""

    class Backwards:
        id = "backwards"

        async def score(self, question: str, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
            return np.array([-candidate.text.count("kaution") for candidate in candidates], np.float32)

        def probability(self, score: float) -> float | None:
            return None

    texts = [f"{'kaution ' * n}steht auf der seite {n}. " + filler(60, n) for n in range(4)]

    async def order(languages: tuple[str, ...]) -> list[str]:
        embedder = HashEmbedder()
        embedder.languages = languages
        library = await Library.open(MemoryStore(), embedder)
        for n, text in enumerate(texts):
            await library.add(replace(document(f"{n}", text), language="de"))
        retrieval = await Retriever(library, Backwards()).search(Search("kaution", rankers=("lexical",)))
        return [library.info(key[0]).name for key, _ in retrieval.stages["blend"]]

    known, unknown = asyncio.run(order(("de",))), asyncio.run(order(("en",)))
    assert unknown == ["3", "2", "1"]
    assert known != unknown


def test_a_document_may_go_while_the_reranker_runs() -> None:
    class Remover:
        id = "remover"

        def __init__(self, library: Library) -> None:
            self._library = library

        async def score(self, question: str, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
            for document_id in list(self._library.documents)[:3]:
                await self._library.remove(document_id)
            return np.zeros(len(candidates), np.float32)

        def probability(self, score: float) -> float | None:
            return None

    async def body() -> None:
        library = await Library.open(MemoryStore(), HashEmbedder())
        for one in ABOUT.values():
            await library.add(one)
        retriever = Retriever(library, Remover(library))
        assert len((await retriever.retrieve("Something of x")).passages) == 5
        assert len((await retriever.retrieve("Something of x")).passages) == 2

    asyncio.run(body())
