"""Files inside of files as documents of a library: they come, stay and go with what they are inside of."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Mapping
from typing import Any

import pytest
from tests.fixtures.documents import zipped
from tests.unit.retrieval_fakes import HashEmbedder, filler
from tests.unit.test_library import NOTHING, everything
from tests.unit.test_readers_mail import message
from tests.unit.test_readers_texts import NoPdf

from terrarium.adding import Added, add_file
from terrarium.errors import StorageError, TerrariumError
from terrarium.filters import Filter
from terrarium.library import Library
from terrarium.readers.content import ReadFile
from terrarium.readers.reading import read_file
from terrarium.storage.memory import MemoryStore
from terrarium.storage.protocol import Kind
from terrarium.text import terms
from terrarium.transfer import BytesFile, export_library, import_library

PRICES = "Prices of the boats.\n\n" + filler(180, 1) + "\n"
TERMS = "Terms of the hire.\n\n" + filler(180, 2)


async def opened(data: bytes, name: str) -> ReadFile:
    return await read_file(data, name, pdf=NoPdf())


async def offer(subject: str = "Offer", **attached: str) -> ReadFile:
    """A mail with text files."""
    mail = message("Here is what you asked for.", subject)
    for name, text in (attached or {"prices": PRICES, "terms": TERMS}).items():
        mail.add_attachment(text, filename=f"{name}.txt")
    mail.set_boundary("end of a part")  # a random one would make another file each time
    return await opened(bytes(mail), f"mails/{subject.lower()}.eml")


def names(library: Library) -> list[str]:
    return sorted(info.name for info in library.documents.values())


def by_name(library: Library, name: str) -> Any:
    (info,) = (info for info in library.documents.values() if info.name.endswith(name))
    return info


def scenario(run: Any, store: MemoryStore | None = None, embedder: HashEmbedder | None = None) -> Any:
    async def go() -> Any:
        return await run(await Library.open(store or MemoryStore(), embedder or HashEmbedder()))

    return asyncio.run(go())


def test_each_is_stored_found_filtered_and_opened_by_itself():
    async def run(library: Library) -> None:
        added = await add_file(library, await offer(), collection="boats")
        assert isinstance(added, Added) and not added.duplicate
        assert [info.name for info in added.enclosed] == ["mails/offer.eml/prices.txt", "mails/offer.eml/terms.txt"]
        prices = added.enclosed[0]
        assert (prices.within, prices.alone, prices.collection) == ((added.document.id,), False, "boats")
        assert (added.document.within, added.document.alone) == ((), True)
        assert await library.original(prices.id) == PRICES.encode()
        assert library.text(prices.id).startswith("Prices of the boats.")
        assert "Prices" not in library.text(added.document.id)
        ((found, _), *_) = library.lexical.search(terms("prices boats"), 5)
        assert found[0] == prices.id
        only = library.matching(Filter(documents=frozenset({prices.id})))
        assert {key[0] for key, _ in library.lexical.search(terms("the"), 50, only)} <= {prices.id}

    scenario(run)


def test_what_a_library_has_of_them_is_there_after_opening_it_again():
    async def run(library: Library) -> None:
        await add_file(library, await offer())
        again = await Library.open(store, HashEmbedder())
        assert again.documents == library.documents

    store = MemoryStore()
    scenario(run, store)


def test_the_same_file_again_is_a_duplicate_and_what_was_taken_out_comes_back():
    async def run(library: Library) -> None:
        embedder = library.embedder
        assert isinstance(embedder, HashEmbedder)
        await add_file(library, await offer())
        batches = len(embedder.batches)
        assert (await add_file(library, await offer())).duplicate
        assert len(embedder.batches) == batches
        assert await library.remove(by_name(library, "terms.txt").id)
        again = await add_file(library, await offer())
        assert not again.duplicate and len(again.enclosed) == 2
        assert len(library.documents) == 3

    scenario(run)


def test_removing_a_file_takes_what_is_only_inside_of_it():
    async def run(library: Library) -> None:
        first = await add_file(library, await offer("One"))
        second = await add_file(library, await offer("Two", prices=PRICES, more="More about it."))
        shared = by_name(library, "prices.txt")
        assert shared.within == (first.document.id, second.document.id)
        gone = await library.remove(first.document.id)
        assert set(gone) == {first.document.id, first.enclosed[1].id}
        assert names(library) == ["mails/one.eml/prices.txt", "mails/two.eml", "mails/two.eml/more.txt"]
        assert library.info(shared.id).within == (second.document.id,)
        await library.remove(second.document.id)
        assert library.documents == {} and await everything(store) == NOTHING

    store = MemoryStore()
    scenario(run, store)


def test_removing_an_archive_takes_the_mails_in_it_and_their_attachments():
    async def run(library: Library) -> None:
        inner = await offer()
        archive = await opened(zipped({"in/offer.eml": inner.data, "a.txt": "Alpha."}), "box.zip")
        await add_file(library, archive)
        assert "box.zip/in/offer.eml/prices.txt" in names(library)
        assert len(await library.remove(archive.document.id)) == 5
        assert library.documents == {}

    scenario(run)


@pytest.mark.parametrize("itself_first", [True, False])
def test_a_file_that_was_also_added_itself_stays(itself_first):
    async def run(library: Library) -> None:
        alone, mail = await opened(PRICES.encode(), "prices.txt"), await offer()
        for one in (alone, mail) if itself_first else (mail, alone):
            await add_file(library, one)
        info = library.info(alone.document.id)
        assert info.alone and info.within == (mail.document.id,)
        assert len(await library.remove(mail.document.id)) == 2
        again = await Library.open(store, HashEmbedder())
        assert [(info.within, info.alone) for info in again.documents.values()] == [((), True)]

    store = MemoryStore()
    scenario(run, store)


def test_removing_one_that_is_inside_leaves_the_others():
    async def run(library: Library) -> None:
        added = await add_file(library, await offer())
        assert await library.remove(added.enclosed[0].id) == [added.enclosed[0].id]
        assert names(library) == ["mails/offer.eml", "mails/offer.eml/terms.txt"]
        assert await library.remove("0" * 64) == []

    scenario(run)


def test_an_archive_without_text_of_its_own_is_kept_with_its_warnings():
    async def run(library: Library) -> None:
        archive = await opened(zipped({"a.txt": "Alpha.", "b.png": b"\x89PNG\r\n\x1a\n\0"}), "box.zip")
        added = await add_file(library, archive)
        assert (added.document.chunks, len(added.document.warnings), len(added.enclosed)) == (0, 1, 1)

    scenario(run)


@pytest.mark.parametrize("text", [0.2, 0.5, 0.9])
def test_cancelled_nothing_of_the_file_stays_and_what_was_there_is_as_it_was(text):
    async def run(library: Library) -> None:
        long = await offer("Long", prices=PRICES, **{f"part{n}": filler(800, 20 + n) for n in range(4)})
        await add_file(library, await offer("Short", prices=PRICES))
        before, stored = library.documents, await everything(store)

        def cancel(done: int, total: int) -> None:
            if done >= text * total:
                adding.cancel()

        adding = asyncio.ensure_future(add_file(library, long, cancel))
        with pytest.raises(asyncio.CancelledError):
            await adding
        assert library.documents == before
        assert await everything(store) == stored
        assert (await Library.open(store, HashEmbedder())).documents == before
        assert len((await add_file(library, long)).enclosed) == 5

    store = MemoryStore()
    scenario(run, store)


def test_an_embedder_that_breaks_leaves_nothing():
    async def run(library: Library) -> None:
        with pytest.raises(RuntimeError, match="the model broke"):
            await add_file(library, await offer())
        assert library.documents == {} and await everything(store) == NOTHING

    store = MemoryStore()
    scenario(run, store, HashEmbedder(fail_after=2))


class SmallStore(MemoryStore):
    """Has room for so many documents."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    async def put(self, values: Mapping[Kind, Mapping[str, bytes]]) -> None:
        if "blocks" in values:
            if not self.room:
                raise StorageError("The disk is full.")
            self.room -= 1
        await super().put(values)


def test_of_a_file_that_finds_no_room_what_came_in_whole_stays_and_is_said():
    async def run(library: Library) -> None:
        with pytest.raises(
            StorageError, match=r"The disk is full\. 2 of the 3 documents .*offer.eml.* stay; add it again"
        ):
            await add_file(library, await offer())
        assert names(library) == ["mails/offer.eml", "mails/offer.eml/prices.txt"]
        assert (await Library.open(store, HashEmbedder())).documents == library.documents
        store.room = 5
        assert not (await add_file(library, await offer())).duplicate
        assert len(library.documents) == 3

    store = SmallStore(2)
    scenario(run, store)


def test_a_full_store_from_the_first_on_says_only_that():
    async def run(library: Library) -> None:
        with pytest.raises(StorageError, match=r"^The disk is full\.$"):
            await add_file(library, await offer())
        assert library.documents == {}

    scenario(run, SmallStore(0))


def test_what_is_removed_while_it_is_added_does_not_come_back_in_parts():
    async def run(library: Library) -> None:
        mail = await offer()
        adding = asyncio.ensure_future(add_file(library, mail))
        while mail.document.id not in library:
            await asyncio.sleep(0)
        await library.remove(mail.document.id)
        with pytest.raises(TerrariumError, match="was removed while it was added"):
            await adding
        assert library.documents == {}

    scenario(run)


def test_a_library_of_an_earlier_version_opens_and_nothing_in_it_is_inside_of_anything():
    async def run(library: Library) -> None:
        await add_file(library, await opened(PRICES.encode(), "prices.txt"))
        (key,) = library.documents
        record = json.loads((await store.items("documents"))[key])
        for name in ("within", "alone"):
            del record["info"][name]
        await store.put({"documents": {key: json.dumps(record).encode()}})
        again = await Library.open(store, HashEmbedder())
        assert again.notices == [] and again.documents == library.documents

    store = MemoryStore()
    scenario(run, store)


def test_what_is_inside_of_what_travels_with_a_library_file():
    async def run(library: Library) -> None:
        mail = await offer()
        await add_file(library, mail)
        saved = await export_library(store, BytesFile())
        there = await Library.open(MemoryStore(), HashEmbedder())
        assert (await import_library(there, io.BytesIO(saved.file))).added == 3
        assert there.documents == library.documents
        assert len(await there.remove(mail.document.id)) == 3

    store = MemoryStore()
    scenario(run, store)


def test_progress_over_several_files_never_goes_back():
    async def run(library: Library) -> None:
        told: list[tuple[int, int]] = []
        await add_file(library, await offer(), lambda done, total: told.append((done, total)))
        parts = [done / total for done, total in told]
        assert parts == sorted(parts) and parts[0] == 0 and parts[-1] == 1
        assert len(set(parts)) > 3

    scenario(run)


def test_a_filter_that_names_a_file_admits_what_is_inside_of_it():
    async def run(library: Library) -> None:
        mail = await offer()
        box = await add_file(library, await opened(zipped({"in/offer.eml": mail.data, "a.txt": "Alpha."}), "box.zip"))
        other = await add_file(library, await opened(b"Other.", "other.txt"))
        admitted = library.matching(Filter(documents=frozenset({box.document.id})))
        assert admitted == frozenset(library.documents) - {other.document.id}
        within = [by_name(library, name).id for name in ("prices.txt", "terms.txt")]
        assert library.matching(Filter(documents=frozenset({mail.document.id}))) == frozenset(
            {mail.document.id, *within}
        )

    scenario(run)


def test_a_library_file_tells_what_else_a_file_is_inside_of():
    async def run(library: Library) -> None:
        mail = await offer()
        await add_file(library, mail)
        saved = await export_library(store, BytesFile())
        for alone, left in ((True, ["prices.txt"]), (False, [])):
            there = await Library.open(MemoryStore(), HashEmbedder())
            first = await opened(PRICES.encode(), "prices.txt") if alone else await offer("Other", prices=PRICES)
            await add_file(there, first)
            taken = await import_library(there, io.BytesIO(saved.file))
            assert (taken.added, taken.already) == (2, 1)
            assert mail.document.id in by_name(there, "prices.txt").within
            await there.remove(first.document.id if not alone else mail.document.id)
            await there.remove(mail.document.id)
            assert names(there) == left

    store = MemoryStore()
    scenario(run, store)
