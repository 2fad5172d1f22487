"""What is counted of a document: its language's stems, its headings and leads; and what older libraries counted."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tests.unit.retrieval_fakes import HashEmbedder, document, filler

from terrarium.library import Library
from terrarium.model import Block, Document
from terrarium.storage import packing
from terrarium.storage.memory import MemoryStore
from terrarium.storage.protocol import Kind
from terrarium.text import question_terms

GERMAN = replace(document("vertrag.txt", "Die Verträge der Häuser. " + filler(60, 1)), language="de")
ENGLISH = replace(document("contract.txt", "The contracts of houses. " + filler(60, 2)), language="en")
CHINESE = replace(document("cat.txt", "黑猫在房子里睡觉。" * 20), language="zh")


def found(library: Library, question: str) -> set[str]:
    words = question_terms(question, library.lexical.languages)
    return {library.info(key[0]).name for key, _ in library.lexical.search(words, 10)}


def test_each_document_is_found_by_words_of_its_language() -> None:
    async def run() -> None:
        store = MemoryStore()
        library = await Library.open(store, HashEmbedder())
        for one in (GERMAN, ENGLISH, CHINESE):
            await library.add(one)
        for opened in (library, await Library.open(store, HashEmbedder())):
            assert opened.lexical.languages == {"de", "en", "zh"}
            assert found(opened, "Vertrages") == found(opened, "das Haus") == {"vertrag.txt"}
            assert found(opened, "a contract") == found(opened, "housing") == {"contract.txt"}
            assert found(opened, "猫") == {"cat.txt"}

    asyncio.run(run())


def test_a_library_from_before_languages_were_told_apart_opens_and_is_found() -> None:
    async def run() -> None:
        store = MemoryStore()
        library = await Library.open(store, HashEmbedder())
        # Counted as English was all that there was, and neither language nor leads were stored.
        info = await library.add(replace(GERMAN, language=""))
        await library.add(ENGLISH)
        later: dict[Kind, set[str]] = {"postings": {"language"}, "chunks": {"lead_start", "lead_length"}}
        for kind, unknown in later.items():
            key = f"{info.id}/0"
            facts, arrays = packing.unpack((await store.items(kind))[key])
            facts = {name: value for name, value in facts.items() if name not in unknown}
            arrays = {name: value for name, value in arrays.items() if name not in unknown}
            await store.put({kind: {key: packing.pack(facts, arrays)}})
        again = await Library.open(store, HashEmbedder())
        assert again.notices == []
        assert found(again, "Verträge") == {"vertrag.txt"}
        assert found(again, "contract") == {"contract.txt"}
        assert again.chunk((info.id, 0)) == library.chunk((info.id, 0))

    asyncio.run(run())


def test_header_cells_find_every_piece_of_a_table() -> None:
    rows = [Block("table_row", row) for row in ["Name\tBirthplace", *(f"Anna number {i}\tUlm" for i in range(200))]]
    table = Document("a" * 64, "people.txt", "text", "People", tuple(rows), size=1, language="en")

    async def run() -> None:
        store = MemoryStore()
        info = await (await Library.open(store, HashEmbedder())).add(table)
        library = await Library.open(store, HashEmbedder())
        assert info.chunks > 3
        assert len(library.lexical.search(["birthplac"], 100)) == info.chunks
        assert [library.chunk((info.id, n)).lead for n in (0, 2)] == ["", "Name\tBirthplace"]

    asyncio.run(run())
