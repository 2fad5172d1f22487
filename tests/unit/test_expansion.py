"""RM3's terms by hand, and passages opened to their sections."""

from __future__ import annotations

import asyncio

import pytest
from tests.unit.retrieval_fakes import HashEmbedder, document

from terrarium.judging.expansion import EXPANSION, EXPANSION_WEIGHT, FEEDBACK, expanded, opened
from terrarium.library import Library
from terrarium.model import Block, Document
from terrarium.retrieval.funnel import Retriever, Search
from terrarium.storage.memory import MemoryStore


def plain(name: str, text: str) -> Document:
    return Document(name * 64, name, "text", "", (Block("paragraph", text),), len(text))


async def library_of(*documents: Document) -> Library:
    library = await Library.open(MemoryStore(), HashEmbedder())
    for one in documents:
        await library.add(one)
    return library


def test_terms_weigh_by_share_rank_and_rarity():
    async def scenario() -> tuple[Search, Library, list[str]]:
        library = await library_of(
            plain("a", "Oyster oyster reef shell."),
            plain("b", "Oyster brine."),
            plain("c", "Brine brine brine."),
        )
        found = await Retriever(library).search(Search("oyster", rankers=("lexical",)))
        search = expanded(Search("oyster"), found.passages, library)
        assert search is not None
        return search, library, [passage.document.name for passage in found.passages]

    search, library, order = asyncio.run(scenario())
    assert "oyster" not in search.extra, "it is asked already"
    lengths = {"a": 4, "b": 2}
    by_hand = {
        term: 1 / lengths[name] / (order.index(name) + 1) * library.lexical.idf(term)
        for term, name in [("reef", "a"), ("shell", "a"), ("brine", "b")]
    }
    most = max(by_hand.values())
    assert search.extra == pytest.approx({term: EXPANSION_WEIGHT * value / most for term, value in by_hand.items()})


def test_only_the_best_passages_lend_and_few_terms_are_lent():
    async def scenario() -> Search | None:
        texts = [" ".join(f"w{n}x{k}" for k in range(20)) + " common" for n in range(FEEDBACK + 3)]
        library = await library_of(*(document(f"{n}.txt", text) for n, text in enumerate(texts)))
        found = await Retriever(library).search(Search("common"))
        kept = {f"w{passage.document.name[0]}" for passage in found.passages[:FEEDBACK]}
        search = expanded(Search("common"), found.passages, library)
        assert search is not None
        assert all(term.partition("x")[0] in kept for term in search.extra if term.startswith("w"))
        return search

    search = asyncio.run(scenario())
    assert search is not None
    assert len(search.extra) == EXPANSION


def test_nothing_new_to_ask_is_no_search():
    async def scenario() -> Search | None:
        library = await library_of(document("oyster", "oyster oyster", title="oyster"))
        found = await Retriever(library).search(Search("oyster"))
        return expanded(Search("oyster"), found.passages, library)

    assert asyncio.run(scenario()) is None


def test_the_best_passages_are_opened_to_their_sections_and_what_lies_inside_is_left_out():
    sentence = (
        "The {} lamp of the lighthouse is lit by hand at dusk and put out by hand at dawn on every day of the year. "
    )
    text = "".join(sentence.format(f"number{n}") for n in range(24))
    one = plain("d", text)

    async def scenario() -> None:
        library = await library_of(one)
        found = await Retriever(library).search(Search("Is lamp number3 lit by hand?"))
        assert len(found.passages) > 1
        grown = opened(found.passages, library)
        first, chunk = found.passages[0].chunk, grown[0].chunk
        assert (chunk.start, chunk.end) == (first.parent_start, first.parent_end)
        assert chunk.text == one.text[chunk.start : chunk.end]
        assert chunk.key == first.key
        for number, passage in enumerate(grown[1:], start=1):
            assert not any(
                a.chunk.start <= passage.chunk.start and passage.chunk.end <= a.chunk.end for a in grown[:number]
            )

    asyncio.run(scenario())
