"""Token vectors in a library: stored with the document, read by chunk, never those of another model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from tests.unit.retrieval_fakes import HashEmbedder, document, filler

from terrarium.chunks.chunking import embedding_text
from terrarium.errors import StorageError
from terrarium.indexes.segments import Key
from terrarium.library import Library
from terrarium.settings import RetrievalSettings
from terrarium.storage import packing
from terrarium.storage.memory import MemoryStore
from terrarium.storage.protocol import KINDS, Kind

CATS = document("cats.md", "Cats sleep sixteen hours a day. " + filler(180, 1), "Whiskers feel. " + filler(180, 2))
DOGS = document("dogs.md", *(filler(180, seed) for seed in range(3, 9)))
DIMENSIONS = 24


def embedder(id: str = "hash@1", **options) -> HashEmbedder:
    return HashEmbedder(id, token_dimensions=DIMENSIONS, **options)


def keys_of(library: Library) -> list[Key]:
    return [(info.id, number) for info in library.documents.values() for number in range(info.chunks)]


async def filled(store: MemoryStore, settings: RetrievalSettings | None = None) -> Library:
    library = await Library.open(store, embedder(), settings)
    for one in (CATS, DOGS):
        await library.add(one, b"the file")
    return library


def test_each_chunk_has_those_of_its_own_text_also_after_reopening() -> None:
    async def run() -> None:
        store = MemoryStore()
        library = await filled(store)
        again = await Library.open(store, embedder())
        keys = keys_of(library)
        assert len(keys) > 6
        texts = [embedding_text(library.chunk(key), library.info(key[0]).title) for key in keys]
        _, expected = await embedder().embed_with_tokens(texts)
        for opened in (library, again):
            found = await opened.token_vectors(keys[::-1])
            assert set(found) == set(keys)
            for key, vectors in zip(keys, expected, strict=True):
                np.testing.assert_array_equal(found[key], vectors)
        assert await again.token_vectors([]) == {}

    asyncio.run(run())


def test_a_chunk_costs_half_a_byte_a_dimension_and_token() -> None:
    async def run() -> None:
        store = MemoryStore()
        library = await filled(store)
        values = await store.items("tokens")
        assert sorted(values) == sorted(f"{document_id}/{number}" for document_id, number in keys_of(library))
        for key, vectors in (await library.token_vectors(keys_of(library))).items():
            assert len(values[f"{key[0]}/{key[1]}"]) == vectors.size / 2

    asyncio.run(run())


def test_packed_levels_come_back() -> None:
    levels = np.random.default_rng(1).integers(-8, 8, (37, DIMENSIONS), dtype=np.int8)
    np.testing.assert_array_equal(packing.unpack_tokens(packing.pack_tokens(levels), DIMENSIONS), levels)


def test_they_go_with_their_document() -> None:
    async def run() -> None:
        store = MemoryStore()
        library = await filled(store)
        key = (CATS.id, 0)
        await library.remove(CATS.id)
        assert all(name.startswith(DOGS.id) for name in await store.items("tokens"))
        assert await library.token_vectors([key]) == {}, "a search may still hold the key"
        await library.remove(DOGS.id)
        assert [kind for kind in KINDS if kind != "settings" and await store.items(kind)] == []

    asyncio.run(run())


def test_switched_off_nothing_is_stored_and_what_is_stored_is_used() -> None:
    async def run() -> None:
        computed = RetrievalSettings(token_vectors="computed")
        store = MemoryStore()
        library = await filled(store, computed)
        assert await store.items("tokens") == {}
        assert await library.token_vectors(keys_of(library)) == {}
        stored = MemoryStore()
        keys = keys_of(await filled(stored))
        assert len(await (await Library.open(stored, embedder(), computed)).token_vectors(keys)) == len(keys)

    asyncio.run(run())


def test_an_embedder_without_token_vectors_stores_none() -> None:
    async def run() -> None:
        store = MemoryStore()
        library = await Library.open(store, HashEmbedder())
        await library.add(CATS)
        assert await store.items("tokens") == {}
        assert await library.token_vectors(keys_of(library)) == {}

    asyncio.run(run())


def test_an_earlier_graph_gave_sentence_vectors_that_count_and_token_vectors_that_do_not() -> None:
    async def run() -> None:
        store = MemoryStore()
        keys = keys_of(await filled(store))
        library = await Library.open(store, embedder("hash@2", earlier=["hash@1"]))
        assert library.notices == []
        assert len(library.vectors) == len(keys)
        assert await library.token_vectors(keys) == {}
        before = library.revision
        await library.add(CATS)
        assert library.revision == before, "it is there already"

    asyncio.run(run())


def test_a_library_of_before_opens_and_has_none() -> None:
    async def run() -> None:
        store = MemoryStore()
        keys = keys_of(await filled(store))
        for document_id, value in (await store.items("documents")).items():
            record = json.loads(value)
            del record["tokens"], record["parts"]["tokens"]
            await store.put({"documents": {document_id: json.dumps(record).encode()}})
        await store.delete({"tokens": list(await store.items("tokens"))})
        library = await Library.open(store, embedder())
        assert library.notices == []
        assert keys_of(library) == keys
        assert await library.token_vectors(keys) == {}
        await library.remove(CATS.id)
        assert list(library.documents) == [DOGS.id]

    asyncio.run(run())


def test_indexed_anew_nothing_of_the_old_embedder_stays() -> None:
    async def run() -> None:
        store = MemoryStore()
        await filled(store)
        library = await Library.open(store, HashEmbedder("other@1"))
        assert len(library.needs_reindexing) == 2
        for one in (CATS, DOGS):
            await library.add(await library.document(one.id))
        assert await store.items("tokens") == {}
        assert await library.original(CATS.id) == b"the file"
        assert (await Library.open(store, HashEmbedder("other@1"))).notices == []

    asyncio.run(run())


@pytest.mark.parametrize("value", [None, b"", b"x" * (DIMENSIONS // 2 + 1)])
def test_what_is_lost_or_damaged_is_left_out(value: bytes | None) -> None:
    async def run() -> None:
        store = MemoryStore()
        keys = keys_of(await filled(store))
        name = f"{keys[1][0]}/{keys[1][1]}"
        await (store.delete({"tokens": [name]}) if value is None else store.put({"tokens": {name: value}}))
        library = await Library.open(store, embedder())
        assert library.notices == []
        assert set(await library.token_vectors(keys)) == set(keys) - {keys[1]}

    asyncio.run(run())


def test_a_store_without_room_for_them_keeps_the_document() -> None:
    class Small(MemoryStore):
        room = 0

        async def put(self, values: Mapping[Kind, Mapping[str, bytes]]) -> None:
            if sum(len(value) for of_kind in values.values() for value in of_kind.values()) > self.room:
                raise StorageError("The browser's storage is full.")
            await super().put(values)

    async def run() -> None:
        bare, store = MemoryStore(), Small()
        await (await Library.open(bare, embedder(), RetrievalSettings(token_vectors="computed"))).add(DOGS)
        needed = sum([len(value) for kind in KINDS for value in (await bare.items(kind)).values()])
        store.room = needed + 20  # the moment of adding may have more digits
        await (await Library.open(store, embedder())).add(DOGS)
        assert [await store.items(kind) for kind in KINDS if kind != "documents"] == [
            await bare.items(kind) for kind in KINDS if kind != "documents"
        ]
        library = await Library.open(store, embedder())
        assert await library.token_vectors(keys_of(library)) == {}
        store.room = 100
        with pytest.raises(StorageError, match="full"):
            await library.add(CATS)
        assert list(library.documents) == [DOGS.id]

    asyncio.run(run())


def test_a_store_that_cannot_be_read_is_as_one_without() -> None:
    class Closed(MemoryStore):
        async def get_many(self, kind: Kind, keys: Sequence[str]) -> list[bytes | None]:
            raise StorageError("The browser closed the library. Reload the page.")

    async def run() -> None:
        library = await filled(Closed())
        assert await library.token_vectors(keys_of(library)) == {}

    asyncio.run(run())
