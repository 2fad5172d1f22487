"""Libraries as files: what comes back, which bytes are written, and what becomes of files that are not whole."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.unit.retrieval_fakes import HashEmbedder, document, filler

from terrarium.errors import StorageError
from terrarium.library import Library
from terrarium.model import Document
from terrarium.storage import library_file
from terrarium.storage.library_file import LibraryFileReader, LibraryFileWriter, is_library_file
from terrarium.storage.memory import MemoryStore
from terrarium.storage.protocol import KINDS
from terrarium.storage.stored import SCHEMA
from terrarium.text import terms
from terrarium.transfer import BytesFile, Imported, export_library, import_library

CATS = document("cats.md", "Cats sleep sixteen hours a day. " + filler(40, 1))
DOGS = document("pets/dogs é.md", "Dogs bark at the postman. " + filler(60, 3), title="All about dogs")
NOTHING = Document("0" * 64, "scan.pdf", "pdf", "scan", (), size=3, pages=1, warnings=("No text.",))
ALL = (CATS, DOGS, NOTHING)


async def filled(*documents: Document, embedder: HashEmbedder | None = None) -> tuple[Library, MemoryStore]:
    store = MemoryStore()
    library = await Library.open(store, embedder or HashEmbedder(token_dimensions=8))
    for one in documents:
        await library.add(one, f"the file {one.name}".encode())
    return library, store


async def exported(store: MemoryStore, **options: Any) -> bytes:
    data = (await export_library(store, BytesFile(), **options)).file
    assert isinstance(data, bytes)
    return data


def make_file(*documents: Document, **options: Any) -> bytes:
    async def run() -> bytes:
        _, store = await filled(*documents)
        return await exported(store, **options)

    return asyncio.run(run())


async def contents(store: MemoryStore) -> dict[str, dict[str, bytes]]:
    return {kind: await store.items(kind) for kind in KINDS if kind not in ("traces", "settings")}


def test_a_library_that_travelled_is_the_same_and_nothing_was_computed_again() -> None:
    async def run() -> None:
        library, store = await filled(*ALL)
        await store.put({"traces": {"1": b"what was asked"}})
        embedder = HashEmbedder(token_dimensions=8)
        there, arrived = await filled(embedder=embedder)
        seen: list[tuple[int, int]] = []
        done = await import_library(there, io.BytesIO(await exported(store)), lambda *at: seen.append(at))
        assert (done, embedder.batches) == (Imported(3, 0, ()), [])
        assert seen[0][0] == 0 and seen == sorted(seen) and seen[-1][0] < seen[-1][1]
        assert await contents(arrived) == await contents(store)
        assert await arrived.items("traces") == {}
        assert there.documents == library.documents
        assert list(there.documents) == list(library.documents)
        query = np.random.default_rng(1).normal(size=64)
        assert there.vectors.search(query, 50) == library.vectors.search(query, 50)
        assert there.lexical.search(terms("dogs bark"), 50) == library.lexical.search(terms("dogs bark"), 50)
        assert await there.document(DOGS.id) == DOGS
        assert await there.original(DOGS.id) == b"the file " + DOGS.name.encode()
        again = await Library.open(arrived, HashEmbedder(token_dimensions=8))
        assert again.documents == library.documents

    asyncio.run(run())


def test_the_same_library_gives_the_same_bytes_wherever_it_came_from() -> None:
    async def run() -> None:
        _, store = await filled(*ALL)
        first = await exported(store)
        there, arrived = await filled()
        await import_library(there, io.BytesIO(first))
        assert await exported(arrived) == first
        assert await exported(store) == first

    asyncio.run(run())


def test_any_unpacker_shows_what_is_inside_and_nothing_of_where_it_was_made() -> None:
    data = make_file(*ALL)
    assert is_library_file(data[:71])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert (names[0], names[-1], len(names)) == ("mimetype", "library.json", 5)
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        manifest = json.loads(archive.read("library.json"))
    assert [f"documents/{one['id']}" for one in manifest["documents"]] == names[1:-1]
    assert (manifest["format"], manifest["schema"]) == (1, SCHEMA)


def test_files_themselves_stay_at_home_when_they_are_not_wanted() -> None:
    async def run() -> None:
        _, store = await filled(CATS)
        whole, lean = await exported(store), await exported(store, originals=False)
        assert b"the file cats.md" in whole
        assert b"the file cats.md" not in lean
        there, _ = await filled()
        await import_library(there, io.BytesIO(lean))
        assert await there.original(CATS.id) is None
        assert await there.document(CATS.id) == CATS

    asyncio.run(run())


def test_documents_that_are_there_stay_as_they_are() -> None:
    async def run() -> None:
        _, store = await filled(CATS, DOGS)
        there, _ = await filled(CATS)
        before = there.info(CATS.id)
        assert await import_library(there, io.BytesIO(await exported(store))) == Imported(1, 1, ())
        assert there.info(CATS.id) == before
        assert await import_library(there, io.BytesIO(await exported(store))) == Imported(0, 2, ())

    asyncio.run(run())


def test_vectors_of_another_embedder_are_taken_in_and_found_by_words_only() -> None:
    async def run() -> None:
        _, store = await filled(CATS, DOGS, embedder=HashEmbedder("other@1", dimensions=32))
        there, _ = await filled()
        done = await import_library(there, io.BytesIO(await exported(store)))
        assert (done.added, done.by_words) == (2, ("other",))
        assert "found by their words only" in done.notices[0]
        assert len(there.vectors) == 0
        assert there.lexical.search(terms("postman"), 1)[0][0][0] == DOGS.id
        assert [info.name for info in there.needs_reindexing] == [CATS.name, DOGS.name]

    asyncio.run(run())


async def outcome(data: bytes, known: dict[str, dict[str, bytes]]) -> bool:
    """Whether the file was refused in words; whatever of it was taken in is as it was sent."""
    library, store = await filled()
    try:
        await import_library(library, io.BytesIO(data))
    except StorageError as error:
        assert "Terrarium" in str(error) or "library file" in str(error)
        refused = True
    else:
        refused = False
        assert len(library.documents) == len(known["documents"])
    for kind, values in (await contents(store)).items():
        ours = [key for key in known[kind] if key.partition("/")[0] in library.documents]
        assert values == {key: known[kind][key] for key in ours}
    return refused


def test_a_changed_byte_anywhere_is_refused_or_makes_no_difference() -> None:
    async def run() -> None:
        _, store = await filled(CATS, NOTHING)
        data, known = await exported(store), await contents(store)
        assert not await outcome(data, known)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            starts = [(info.header_offset + 30 + len(info.filename), info.file_size) for info in archive.infolist()]
        inside = {at for start, size in starts for at in range(start, start + size)}
        for at in sorted({*range(0, len(data), 97), *range(120), *range(len(data) - 900, len(data))}):
            changed = bytearray(data)
            changed[at] ^= 1 << at % 8
            refused = await outcome(bytes(changed), known)
            assert refused or at not in inside, at

    asyncio.run(run())


def test_a_file_that_is_cut_anywhere_is_refused() -> None:
    async def run() -> None:
        _, store = await filled(CATS, NOTHING)
        data, known = await exported(store), await contents(store)
        for length in {0, 1, 70, 71, 500, len(data) // 2, *range(len(data) - 60, len(data))}:
            assert await outcome(data[:length], known), length

    asyncio.run(run())


def compressed(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for info in old.infolist():
            packed = info.filename.startswith("documents/")
            new.writestr(info.filename, old.read(info), zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED)
    return out.getvalue()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda data: b"", "not a Terrarium library"),
        (lambda data: b"%PDF-1.7 and so on" * 100, "not a Terrarium library"),
        (lambda data: data[: len(data) // 2], "not copied whole"),
        (compressed, "compressed entry"),
        (lambda data: data.replace(b'"format": 1', b'"format": 2'), "library.json"),  # its checksum does not agree
    ],
    ids=["empty", "foreign", "cut", "compressed", "changed"],
)
def test_what_is_no_whole_library_is_refused_in_words(make: Callable[[bytes], bytes], sentence: str) -> None:
    with pytest.raises(StorageError, match=sentence):
        reader = LibraryFileReader(io.BytesIO(make(make_file(CATS))))
        reader.document(reader.entries[0])


@pytest.mark.parametrize("what", ["format", "schema"])
def test_a_newer_one_is_refused_and_says_so(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        with monkeypatch.context() as patched:
            if what == "format":
                patched.setattr(library_file, "FORMAT", 2)
            writer = LibraryFileWriter(SCHEMA + (what == "schema"))
            data = b"".join([*writer.begin(), *writer.end()])
        library, _ = await filled()
        with pytest.raises(StorageError, match=rf"newer version of Terrarium \({what}"):
            await import_library(library, io.BytesIO(data))

    asyncio.run(run())


def test_a_record_of_another_document_or_with_missing_parts_is_refused() -> None:
    async def run() -> None:
        _, store = await filled(CATS)
        reader = LibraryFileReader(io.BytesIO(await exported(store)))
        values = reader.document(reader.entries[0])
        wrong = {"1" * 64: values, CATS.id: {**values, "chunks": []}, "../../settings": values}
        for name, given in wrong.items():
            writer = LibraryFileWriter(SCHEMA)
            data = b"".join([*writer.begin(), *writer.document(name, given), *writer.end()])
            library, arrived = await filled()
            with pytest.raises(StorageError, match="damaged"):
                await import_library(library, io.BytesIO(data))
            assert not any((await contents(arrived)).values())

    asyncio.run(run())


def test_what_cannot_be_read_back_is_left_out_of_the_file_and_named() -> None:
    async def run() -> None:
        _, store = await filled(CATS, DOGS)
        await store.delete({"vectors": [f"{DOGS.id}/0"]})
        await store.put({"documents": {"2" * 64: b"{}"}})
        done = await export_library(store, BytesFile())
        assert (done.documents, done.left_out) == (1, ("22222222…", DOGS.name))
        assert DOGS.name in done.notices[0]

    asyncio.run(run())


@pytest.mark.parametrize("stopped_in", [1, 2, 3])
def test_cancelled_while_it_is_taken_in_leaves_whole_documents_only(stopped_in: int) -> None:
    taking: asyncio.Future[Imported]

    class Stopping(MemoryStore):
        puts = 0

        async def put(self, values: Any) -> None:
            self.puts += 1
            if self.puts == stopped_in:
                taking.cancel()
            await asyncio.sleep(0)
            await super().put(values)

    async def run() -> None:
        nonlocal taking
        _, store = await filled(*ALL)
        data, known = await exported(store), await contents(store)
        arrived = Stopping()
        library = await Library.open(arrived, HashEmbedder(token_dimensions=8))
        taking = asyncio.ensure_future(import_library(library, io.BytesIO(data)))
        with pytest.raises(asyncio.CancelledError):
            await taking
        kept = await contents(arrived)
        assert len(library.documents) == stopped_in - 1
        assert list(kept["documents"]) == sorted(library.documents)
        for kind, values in kept.items():
            assert values == {k: v for k, v in known[kind].items() if k.partition("/")[0] in library.documents}

    asyncio.run(run())


def test_a_full_store_says_how_far_it_came() -> None:
    class Full(MemoryStore):
        async def put(self, values: Any) -> None:
            if DOGS.id in values["documents"]:
                raise StorageError("The browser's storage is full.")
            await super().put(values)

    async def run() -> None:
        _, store = await filled(CATS, DOGS)
        library = await Library.open(Full(), HashEmbedder(token_dimensions=8))
        with pytest.raises(
            StorageError, match=r"1 of 2 documents were taken in and stay\. The browser's storage is full"
        ):
            await import_library(library, io.BytesIO(await exported(store)))
        assert list(library.documents) == [CATS.id]

    asyncio.run(run())


def test_a_cancelled_export_leaves_no_file() -> None:
    saving: asyncio.Future[Any]

    class Stopping(BytesFile):
        discarded = False

        async def write(self, data: bytes) -> None:
            saving.cancel()
            await asyncio.sleep(0)

        def discard(self) -> None:
            self.discarded = True

    async def run() -> None:
        nonlocal saving
        _, store = await filled(*ALL)
        file = Stopping()
        saving = asyncio.ensure_future(export_library(store, file))
        with pytest.raises(asyncio.CancelledError):
            await saving
        assert file.discarded

    asyncio.run(run())
