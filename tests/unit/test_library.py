from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
from numpy.typing import NDArray
from tests.unit.retrieval_fakes import HashEmbedder, document, filler

from terrarium.errors import StorageError
from terrarium.library import Library
from terrarium.model import Block, Chunk, Document, Word
from terrarium.storage import packing
from terrarium.storage.memory import MemoryStore
from terrarium.storage.protocol import KINDS, Kind
from terrarium.storage.sqlite import SqliteStore
from terrarium.storage.stored import stored_embedder
from terrarium.text import terms

CATS = document("cats.md", "Cats sleep sixteen hours a day. " + filler(180, 1), "Whiskers feel. " + filler(180, 2))
DOGS = document("pets/dogs.md", "Dogs bark at the postman. " + filler(180, 3), title="All about dogs")
LONG = document("long.md", *(filler(180, seed) for seed in range(10, 50)))


async def everything(store: MemoryStore) -> dict[str, list[str]]:
    return {kind: list(await store.items(kind)) for kind in KINDS if kind != "settings"}


NOTHING: dict[str, list[str]] = {kind: [] for kind in KINDS if kind != "settings"}


def test_reopened_library_is_the_same_and_embeds_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        library = await Library.open(SqliteStore(tmp_path / "l.sqlite"), HashEmbedder())
        for one in (CATS, DOGS):
            await library.add(one, b"the file")
        embedder = HashEmbedder()
        again = await Library.open(SqliteStore(tmp_path / "l.sqlite"), embedder)
        assert embedder.batches == []
        assert again.documents == library.documents
        assert list(again.documents) == [CATS.id, DOGS.id]
        assert again.notices == []
        query = np.random.default_rng(1).normal(size=64)
        assert again.vectors.search(query, 50) == library.vectors.search(query, 50)
        assert again.lexical.search(terms("cats bark"), 50) == library.lexical.search(terms("cats bark"), 50)
        for info in again.documents.values():
            assert [again.chunk((info.id, n)) for n in range(info.chunks)] == [
                library.chunk((info.id, n)) for n in range(info.chunks)
            ]

    asyncio.run(run())


def test_what_is_kept_of_a_document() -> None:
    async def run() -> None:
        library = await Library.open(MemoryStore(), HashEmbedder())
        info = await library.add(DOGS, b"bytes of the file")
        assert (info.name, info.title, info.size, info.warnings) == (DOGS.name, DOGS.title, 1000, ("A warning.",))
        assert info.chunks >= 1
        assert info.added > 0
        assert await library.document(DOGS.id) == DOGS
        assert library.text(DOGS.id) == DOGS.text
        assert await library.original(DOGS.id) == b"bytes of the file"
        chunk = library.chunk((DOGS.id, 0))
        assert chunk.text == DOGS.text[chunk.start : chunk.end]
        await library.add(CATS)
        assert await library.original(CATS.id) is None

    asyncio.run(run())


def test_headings_are_searched_too() -> None:
    async def run() -> None:
        library = await Library.open(MemoryStore(), HashEmbedder())
        deep = Document(
            "1" * 64,
            "a",
            "text",
            "a",
            (
                Block("heading", "Zoology", level=1),
                Block("paragraph", filler(300, 5)),
                Block("paragraph", filler(300, 6)),
            ),
            1,
        )
        info = await library.add(deep)
        found = [key for key, _ in library.lexical.search(terms("zoology"), 50)]
        assert sorted(found) == [(deep.id, n) for n in range(info.chunks)]

    asyncio.run(run())


def test_each_chunk_gets_its_own_vector_and_progress_is_told() -> None:
    async def run() -> None:
        embedder = HashEmbedder()
        library = await Library.open(MemoryStore(), embedder)
        seen: list[tuple[int, int]] = []
        info = await library.add(LONG, progress=lambda done, total: seen.append((done, total)))
        assert info.chunks > 16
        assert seen[0] == (0, info.chunks)
        assert seen[-1] == (info.chunks, info.chunks)
        for number in range(info.chunks):
            chunk = library.chunk((LONG.id, number))
            text = next(text for batch in embedder.batches for text in batch if chunk.text in text)
            vector = (await HashEmbedder().embed([text]))[0]
            key, score = library.vectors.search(vector, 1)[0]
            assert key == (LONG.id, number)
            assert score == pytest.approx(1, abs=1e-3)

    asyncio.run(run())


def test_the_same_document_twice_is_one() -> None:
    async def run() -> None:
        embedder = HashEmbedder()
        library = await Library.open(MemoryStore(), embedder)
        first, second = await asyncio.gather(library.add(CATS), library.add(CATS))
        batches = len(embedder.batches)
        assert await library.add(CATS) == first == second
        assert len(embedder.batches) == batches
        assert list(library.documents) == [CATS.id]

    asyncio.run(run())


def test_removing_takes_everything_out() -> None:
    async def run() -> None:
        store = MemoryStore()
        library = await Library.open(store, HashEmbedder())
        await library.add(CATS, b"file")
        await library.remove(CATS.id)
        await library.remove(CATS.id)
        assert await everything(store) == NOTHING
        assert library.documents == {}
        assert library.lexical.search(terms("cats"), 5) == []
        assert len(library.vectors) == 0
        await library.add(CATS)
        assert library.lexical.search(terms("cats"), 1)[0][0] == (CATS.id, 0)

    asyncio.run(run())


def test_an_embedder_that_breaks_leaves_nothing() -> None:
    async def run() -> None:
        store = MemoryStore()
        library = await Library.open(store, HashEmbedder(fail_after=2))
        with pytest.raises(RuntimeError, match="the model broke"):
            await library.add(LONG, b"file")
        assert await everything(store) == NOTHING
        assert library.documents == {}

    asyncio.run(run())


@pytest.mark.parametrize("batches", [0, 1, 3])
def test_cancelled_while_embedding_leaves_nothing_and_the_library_goes_on(batches: int) -> None:
    async def run() -> None:
        store = MemoryStore()
        library = await Library.open(store, HashEmbedder())

        def cancel(done: int, _total: int) -> None:
            if done >= 8 * batches:
                adding.cancel()

        adding = asyncio.ensure_future(library.add(LONG, progress=cancel))
        with pytest.raises(asyncio.CancelledError):
            await adding
        assert await everything(store) == NOTHING
        assert library.documents == {}
        await library.add(CATS)
        assert list(library.documents) == [CATS.id]

    asyncio.run(run())


class SlowStore(MemoryStore):
    """`put` takes a while; `putting` is set when it has begun."""

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__()
        self.putting = asyncio.Event()
        self.puts: list[Mapping[Kind, Mapping[str, bytes]]] = []
        self.error = error

    async def put(self, values: Mapping[Kind, Mapping[str, bytes]]) -> None:
        self.putting.set()
        await asyncio.sleep(0.01)
        if self.error:
            raise self.error
        self.puts.append(values)
        await super().put(values)


def test_cancelled_while_writing_leaves_nothing() -> None:
    async def run() -> None:
        store = SlowStore()
        library = await Library.open(store, HashEmbedder())
        adding = asyncio.ensure_future(library.add(CATS, b"file"))
        await store.putting.wait()
        adding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await adding
        assert await everything(store) == NOTHING
        assert library.documents == {}

    asyncio.run(run())


def test_a_full_store_leaves_nothing() -> None:
    async def run() -> None:
        store = SlowStore(StorageError("The disk is full."))
        library = await Library.open(store, HashEmbedder())
        with pytest.raises(StorageError, match="full"):
            await library.add(CATS)
        assert await everything(store) == NOTHING
        assert library.documents == {}
        assert library.lexical.search(terms("cats"), 5) == []

    asyncio.run(run())


def test_a_document_is_written_by_one_put_in_values_of_bounded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MAX_VALUE", 1000)

    async def run() -> None:
        store = SlowStore()
        library = await Library.open(store, HashEmbedder())
        original = bytes(range(256)) * 50
        await library.add(CATS, original)
        assert len(store.puts) == 1
        sizes = [len(value) for kind in KINDS if kind != "documents" for value in (await store.items(kind)).values()]
        assert max(sizes) <= 1000
        assert len(await store.items("originals")) == 13
        again = await Library.open(store, HashEmbedder())
        assert await again.original(CATS.id) == original
        assert await again.document(CATS.id) == CATS
        await again.remove(CATS.id)
        assert await everything(store) == NOTHING

    asyncio.run(run())


def test_vectors_of_another_embedder_are_never_compared() -> None:
    async def run() -> None:
        store = MemoryStore()
        await (await Library.open(store, HashEmbedder("old@1"))).add(CATS, b"file")
        library = await Library.open(store, HashEmbedder("new@2"))
        assert [info.name for info in library.needs_reindexing] == ["cats.md"]
        assert "cats.md" in library.notices[0]
        assert len(library.vectors) == 0
        assert library.lexical.search(terms("whiskers"), 5)

        await library.add(await library.document(CATS.id))
        assert not library.needs_reindexing
        assert not library.notices
        assert len(library.vectors) == library.documents[CATS.id].chunks
        again = await Library.open(store, HashEmbedder("new@2"))
        assert again.needs_reindexing == []
        assert await again.original(CATS.id) == b"file"

    asyncio.run(run())


def test_a_store_tells_which_embedder_most_of_its_vectors_are_of() -> None:
    async def run() -> None:
        store = MemoryStore()
        assert await stored_embedder(store) is None
        await (await Library.open(store, HashEmbedder("old@1"))).add(CATS)
        assert await stored_embedder(store) == "old"
        library = await Library.open(store, HashEmbedder("new@2"))
        for other in (DOGS, LONG):
            await library.add(other)
        assert await stored_embedder(store) == "new"

    asyncio.run(run())


def test_a_newer_schema_is_refused_in_words() -> None:
    async def run() -> None:
        store = MemoryStore()
        await (await Library.open(store, HashEmbedder())).add(CATS)
        await store.put({"settings": {"schema": b"99"}})
        with pytest.raises(StorageError, match="newer version"):
            await Library.open(store, HashEmbedder())

    asyncio.run(run())


@pytest.mark.parametrize("kind", ["blocks", "chunks", "vectors", "postings"])
@pytest.mark.parametrize("damage", ["lost", "cut short"])
def test_a_damaged_document_is_named_and_the_others_open(kind: Kind, damage: str) -> None:
    async def run() -> None:
        store = MemoryStore()
        library = await Library.open(store, HashEmbedder())
        await library.add(CATS)
        await library.add(DOGS)
        value = await store.get(kind, f"{CATS.id}/0")
        assert value is not None
        if damage == "lost":
            await store.delete({kind: [f"{CATS.id}/0"]})
        else:
            await store.put({kind: {f"{CATS.id}/0": value[: len(value) // 2]}})
        again = await Library.open(store, HashEmbedder())
        assert list(again.documents) == [DOGS.id]
        assert "cats.md" in again.notices[0]
        await again.add(CATS)
        assert (await Library.open(store, HashEmbedder())).notices == []

    asyncio.run(run())


def test_a_damaged_record_is_told_and_the_others_open() -> None:
    async def run() -> None:
        store = MemoryStore()
        library = await Library.open(store, HashEmbedder())
        await library.add(CATS)
        await library.add(DOGS)
        await store.put({"documents": {CATS.id: b"{"}})
        again = await Library.open(store, HashEmbedder())
        assert list(again.documents) == [DOGS.id]
        assert CATS.id[:8] in again.notices[0]

    asyncio.run(run())


def test_a_document_without_text() -> None:
    async def run() -> None:
        store = MemoryStore()
        scan = Document("2" * 64, "scan.pdf", "pdf", "scan", (), 5, pages=1, warnings=("No text layer.",))
        info = await (await Library.open(store, HashEmbedder())).add(scan, b"%PDF-")
        assert info.chunks == 0
        again = await Library.open(store, HashEmbedder())
        assert again.documents[scan.id] == info
        assert await again.document(scan.id) == scan

    asyncio.run(run())


def test_packed_chunks_and_documents_come_back() -> None:
    blocks = (
        Block("heading", "Ä 😀", 1, 2),
        Block("list_item", "", None, 3),
        Block("table_row", "a | b", 7, hidden=True),
        Block("code", "x\n\ny\ud800", 8),
    )
    whole = Document("3" * 64, "n", "pdf", "t", blocks, 9, 8, "de", ("w1", "w2"))
    assert packing.unpack_document(packing.pack_document(whole)) == whole
    assert packing.unpack_text(packing.pack_document(whole)) == whole.text
    chunks = [
        Chunk(whole.id, 0, whole.text[0:3], 0, 3, 0, 9, None, None, ()),
        Chunk(whole.id, 1, whole.text[2:9], 2, 9, 0, 9, 1, 2, ("A", "B")),
        Chunk(whole.id, 2, whole.text[4:6], 4, 6, 1, 9, 3, 3, ("A",)),
    ]
    table = packing.unpack_chunks(packing.pack_chunks(chunks), whole.id, whole.text)
    assert [table[number] for number in range(len(table))] == chunks


def test_what_is_stored_of_a_table_a_scan_and_an_older_version() -> None:
    row = Block("table_row", "Name: Ada | Age: 36", row=7, cells=((0, 6, 9), (2, 17, 19)))
    words = (Word(2, "Größe", 72.5, 90.25, 31.0, 12.0), Word(2, "十", 110.0, 90.25, 12.0, 12.0))
    document = Document(
        "ab", "scan.pdf", "pdf", "Scan", (Block("paragraph", "No table."), row), 5, labels=("iv", "1"), recognised=words
    )
    packed = packing.pack_document(document)
    assert packing.unpack_document(packed) == document

    facts, arrays = packing.unpack(packed)
    new = {"row", "cell_count", "cell", "word_page", "word_box"}
    older = {name: array for name, array in arrays.items() if name not in new}
    facts = {name: fact for name, fact in facts.items() if name not in {"labels", "recognised"}}
    found = packing.unpack_document(packing.pack(facts, older))
    assert found.text == document.text
    assert [(block.row, block.cells) for block in found.blocks] == [(0, ()), (0, ())]
    assert (found.labels, found.recognised) == ((), ())


def test_packed_values_are_safetensors() -> None:
    arrays: dict[str, NDArray[Any]] = {
        "bytes": np.arange(5, dtype=np.uint8),
        "halves": np.ones((2, 3), np.float16),
        "none": np.zeros((0, 7), np.float32),
        "numbers": np.arange(4, dtype=np.int32),
    }
    data = packing.pack({"é": [1, None, "x"]}, arrays)
    read = safetensors.numpy.load(data)
    facts, mine = packing.unpack(data)
    assert facts == {"é": [1, None, "x"]}
    for name, array in arrays.items():
        assert read[name].dtype == mine[name].dtype == array.dtype
        assert np.array_equal(read[name], array)
        assert np.array_equal(mine[name], array)


def test_the_commit_record_is_readable_json() -> None:
    async def run() -> None:
        store = MemoryStore()
        await (await Library.open(store, HashEmbedder())).add(CATS)
        record = json.loads((await store.items("documents"))[CATS.id])
        assert record["info"]["name"] == "cats.md"
        assert record["embedder"] == "hash@1"

    asyncio.run(run())


class CountingStore(MemoryStore):
    """Counts the values of each read."""

    def __init__(self) -> None:
        super().__init__()
        self.whole: list[Kind] = []
        self.batches: list[int] = []

    async def items(self, kind: Kind) -> dict[str, bytes]:
        self.whole.append(kind)
        return await super().items(kind)

    async def get_many(self, kind: Kind, keys: Sequence[str]) -> list[bytes | None]:
        self.batches.append(len(keys))
        return await super().get_many(kind, keys)


def test_a_large_library_is_opened_some_documents_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("terrarium.storage.stored._AT_ONCE", 3)

    async def run() -> None:
        store = CountingStore()
        library = await Library.open(store, HashEmbedder())
        for seed in range(10):
            await library.add(document(f"{seed}.md", filler(180, seed)))
        store.whole.clear()
        store.batches.clear()
        again = await Library.open(store, HashEmbedder())
        assert again.documents == library.documents
        assert store.whole == ["documents"]
        assert 10 < len(store.batches)
        assert max(store.batches) <= 3

    asyncio.run(run())


def test_parts_of_another_document_are_told() -> None:
    async def run() -> None:
        store = MemoryStore()
        library = await Library.open(store, HashEmbedder())
        await library.add(LONG)
        await library.add(CATS)
        vectors = await store.get("vectors", f"{LONG.id}/0")
        assert vectors is not None
        await store.put({"vectors": {f"{CATS.id}/0": vectors}})
        again = await Library.open(store, HashEmbedder())
        assert list(again.documents) == [LONG.id]
        assert "cats.md" in again.notices[0]

    asyncio.run(run())


def test_thousands_of_names_are_not_told() -> None:
    async def run() -> None:
        store = MemoryStore()
        library = await Library.open(store, HashEmbedder("old@1"))
        for seed in range(23):
            await library.add(document(f"{seed}.md", filler(60, seed)))
        (notice,) = (await Library.open(store, HashEmbedder("new@2"))).notices
        assert "0.md, 1.md" in notice
        assert "19.md and 3 more. Add these" in notice

    asyncio.run(run())
