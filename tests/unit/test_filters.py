from __future__ import annotations

import asyncio
import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.unit.retrieval_fakes import HashEmbedder, document, filler

from terrarium.errors import StorageError, TerrariumError
from terrarium.filters import Filter
from terrarium.indexes.postings import count_terms
from terrarium.indexing import Indexed
from terrarium.library import Library
from terrarium.model import Block, Chunk, Document, DocumentInfo
from terrarium.retrieval.funnel import Retriever
from terrarium.storage.memory import MemoryStore
from terrarium.storage.records import packed_document
from terrarium.text import terms


def info(**given: Any) -> DocumentInfo:
    base: dict[str, Any] = {"id": "1", "name": "a.pdf", "kind": "pdf", "title": "", "size": 1, "chunks": 1}
    return DocumentInfo(**(base | given))


@pytest.mark.parametrize(
    ("given", "admitted"),
    [
        (Filter(), True),
        (Filter(documents=frozenset({"1", "2"})), True),
        (Filter(documents=frozenset({"2"})), False),
        (Filter(documents=frozenset()), False),
        (Filter(collections=frozenset({"work"})), True),
        (Filter(collections=frozenset({""})), False),
        (Filter(kinds=frozenset({"pdf"})), True),
        (Filter(kinds=frozenset({"html"})), False),
        (Filter(added_from=50.0, added_to=50.0), True),
        (Filter(added_from=50.5), False),
        (Filter(added_to=49.5), False),
        (Filter(collections=frozenset({"work"}), kinds=frozenset({"html"})), False),
    ],
)
def test_every_condition_must_hold(given: Filter, admitted: bool) -> None:
    assert given.admits(info(collection="work", added=50.0)) is admitted


def test_filters_come_from_json() -> None:
    text = '{"documents": null, "collections": ["a", ""], "kinds": [], "added_from": 5, "added_to": 6.5}'
    expected = Filter(collections=frozenset({"a", ""}), kinds=frozenset(), added_from=5.0, added_to=6.5)
    assert Filter.of(json.loads(text)) == expected
    assert Filter.of(None) is None
    assert Filter.of({}) == Filter()


@pytest.mark.parametrize("wrong", [{"colour": ["red"]}, {"kinds": "pdf"}, {"added_to": "1 May"}, {"documents": [1]}])
def test_what_is_no_filter_is_told(wrong: dict[str, Any]) -> None:
    with pytest.raises(TerrariumError, match=f"{next(iter(wrong))}.*not understood"):
        Filter.of(wrong)


async def library_of(documents: dict[Document, str], store: MemoryStore | None = None) -> Library:
    library = await Library.open(store or MemoryStore(), HashEmbedder())
    for one, collection in documents.items():
        await library.add(one, collection=collection)
    return library


def indexed(name: str, texts: list[str], vectors: NDArray[np.float32]) -> tuple[Document, Indexed]:
    """A document whose chunks are its paragraphs."""
    made = Document(name * 64, name, "text", name, tuple(Block("paragraph", text) for text in texts), 1)
    spans = [(start, start + len(text)) for start, text in zip(made.block_starts, texts, strict=True)]
    chunks = [Chunk(made.id, n, text, *span, *span) for n, (text, span) in enumerate(zip(texts, spans, strict=True))]
    return made, Indexed(chunks, vectors, count_terms(terms(text) for text in texts))


def test_one_match_in_another_collection_than_500_better_ones_is_found() -> None:
    async def run() -> None:
        question = "the comet returns"
        embedder = HashEmbedder()
        (vector,) = await embedder.embed([question], kind="question")
        noise = np.random.default_rng(1).normal(size=(501, len(vector))).astype(np.float32)
        loud = indexed(
            "a", [f"The comet returns. The comet returns {n}." for n in range(500)], vector + noise[:500] / 50
        )
        quiet = indexed("b", [f"{filler(120, 1000)} The comet returns. {filler(30, 1001)}"], vector + noise[500:] / 5)
        library = await Library.open(MemoryStore(), embedder)
        for (made, parts), collection in ((loud, "A"), (quiet, "B")):
            assert await library.take(*packed_document(made, parts, embedder.id, collection=collection))
        within = library.matching(Filter(collections=frozenset({"B"})))
        retriever = Retriever(library)
        unfiltered = await retriever.retrieve(question)
        assert {passage.document.name for passage in unfiltered.passages} == {"a"}
        for hits in (
            library.lexical.search(terms(question), 10, within),
            library.vectors.search(vector, 10, within),
            (await retriever.retrieve(question, within=within)).stages["fusion"],
        ):
            assert [key for key, _ in hits] == [("b" * 64, 0)]

    asyncio.run(run())


NOTES = document("notes.md", filler(60, 1))
PLANS = document("plans.md", filler(60, 2))
OTHER = document("other.md", filler(60, 3))


def test_collections_are_stored_counted_and_changed() -> None:
    async def run() -> None:
        store = MemoryStore()
        library = await library_of({NOTES: "  my   work ", PLANS: "my work", OTHER: ""}, store)
        work = Filter(collections=frozenset({"my work"}))
        assert library.collections == {"": 1, "my work": 2}
        assert library.matching(work) == frozenset({NOTES.id, PLANS.id})
        revision = library.revision
        assert (await library.assign(PLANS.id, "home")).collection == "home"
        assert library.revision > revision
        for now in (library, await Library.open(store, HashEmbedder())):
            assert now.collections == {"": 1, "home": 1, "my work": 1}
            assert now.matching(work) == frozenset({NOTES.id})
            assert list(now.documents) == [NOTES.id, PLANS.id, OTHER.id]
        assert (await library.add(NOTES, collection="home")).collection == "my work"
        with pytest.raises(StorageError, match="no longer"):
            await library.assign("gone", "home")

    asyncio.run(run())


def test_a_document_indexed_anew_stays_in_its_collection() -> None:
    async def run() -> None:
        store = MemoryStore()
        await library_of({NOTES: "work"}, store)
        library = await Library.open(store, HashEmbedder("new@2"))
        assert (await library.add(NOTES)).collection == "work"

    asyncio.run(run())


def test_a_record_from_before_collections_is_in_none() -> None:
    async def run() -> None:
        store = MemoryStore()
        await library_of({NOTES: ""}, store)
        record = json.loads((await store.items("documents"))[NOTES.id])
        del record["info"]["collection"]
        await store.put({"documents": {NOTES.id: json.dumps(record).encode()}})
        library = await Library.open(store, HashEmbedder())
        assert library.notices == []
        assert library.collections == {"": 1}

    asyncio.run(run())


def test_matching_follows_the_documents() -> None:
    async def run() -> None:
        library = await library_of({NOTES: "a", PLANS: "b"})
        assert library.matching(None) is None
        assert library.matching(Filter()) is None
        only = Filter(kinds=frozenset({"text"}))
        assert library.matching(only) == frozenset({NOTES.id, PLANS.id})
        assert library.matching(only) is library.matching(only)
        await library.remove(NOTES.id)
        assert library.matching(only) == frozenset({PLANS.id})
        await library.add(OTHER)
        assert library.matching(only) == frozenset({PLANS.id, OTHER.id})

    asyncio.run(run())


def test_documents_in_foreign_languages_are_left_to_their_words() -> None:
    async def run() -> None:
        embedder = HashEmbedder()
        embedder.languages = ("en",)
        library = await Library.open(MemoryStore(), embedder)
        await library.add(NOTES)
        assert library.spoken() is None
        assert library.spoken(frozenset({"x"})) == frozenset({"x"})
        fields = {name: getattr(PLANS, name) for name in ("id", "name", "kind", "title", "blocks", "size")}
        await library.add(Document(**fields, language="zh"))
        assert library.spoken() == frozenset({NOTES.id})
        assert library.spoken(frozenset({PLANS.id})) == frozenset()
        await library.remove(PLANS.id)
        assert library.spoken() is None

    asyncio.run(run())
