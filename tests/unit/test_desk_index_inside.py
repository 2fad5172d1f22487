"""`terrarium index` over mails and archives: the same library whatever was there before and in whatever order."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.fixtures.documents import zipped
from tests.unit.test_desk_index import Run, models, stop_after_two
from tests.unit.test_readers_mail import message

from terrarium.desk.command import open_store
from terrarium.desk.one_file import Indexer, Job
from terrarium.model import DocumentInfo
from terrarium.transfer import stored_records

__all__ = ["models"]  # a fixture

PRICES = "The boat costs nine euros a day."


def mail(**attached: str) -> bytes:
    made = message("Here is what you asked for.")
    for name, text in attached.items():
        made.add_attachment(text.encode(), maintype="text", subtype="plain", filename=f"{name}.txt")
    made.set_boundary("end of a part")
    return bytes(made)


FILES = {
    "a.eml": mail(prices=PRICES, terms="No smoking."),
    "b.zip": zipped({"in/offer.eml": mail(more="More fish."), "prices.txt": PRICES}),
    "c.txt": b"More fish.",
    "d.txt": b"Nothing else.",
}
WITHIN = {
    "share/a.eml": [],
    "share/a.eml/prices.txt": ["share/a.eml", "share/b.zip"],
    "share/a.eml/terms.txt": ["share/a.eml"],
    "share/b.zip": [],
    "share/b.zip/in/offer.eml": ["share/b.zip"],
    "share/c.txt": ["share/b.zip/in/offer.eml"],
    "share/d.txt": [],
}


@pytest.fixture
def share(tmp_path: Path) -> Path:
    folder = tmp_path / "share"
    folder.mkdir()
    for number, (name, data) in enumerate(FILES.items()):
        write(folder / name, data, number)
    return folder


def write(path: Path, data: bytes, number: int) -> None:
    path.write_bytes(data)
    os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))


@pytest.fixture
def run(models: Path, share: Path, tmp_path: Path) -> Run:
    return Run(models, share, tmp_path / "library.terrarium")


def kept(path: Path) -> dict[str, DocumentInfo]:
    async def read() -> dict[str, DocumentInfo]:
        store = await open_store(path)
        found = {one.info.name: one.info for one in await stored_records(store)}
        assert all("originals" in one.parts for one in await stored_records(store))
        await store.close()
        return found

    return asyncio.run(read())


def within(path: Path) -> dict[str, list[str]]:
    infos = kept(path)
    names = {info.id: name for name, info in infos.items()}
    return {name: [names[outer] for outer in info.within] for name, info in sorted(infos.items())}


def test_each_is_a_document_of_the_library_dated_by_what_it_came_in(run: Run) -> None:
    assert run() == 0
    assert within(run.out) == WITHIN
    infos = kept(run.out)
    assert {name for name, info in infos.items() if info.alone} == {f"share/{name}" for name in FILES}
    dates = {name: info.added - 1_700_000_000 for name, info in infos.items()}
    assert (dates["share/a.eml/prices.txt"], dates["share/b.zip/in/offer.eml"], dates["share/c.txt"]) == (0, 1, 2)
    assert any("share/b.zip: 0 passages, 3 files in it" in line for line in run.said)


def test_the_same_folder_gives_the_same_bytes_and_nothing_is_computed_twice(run: Run) -> None:
    run()
    first = run.out.read_bytes()
    run()
    assert (run.indexed, run.out.read_bytes()) == ([], first)


CHANGES: dict[str, Callable[[Path], Any]] = {
    "the mail is gone": lambda folder: (folder / "a.eml").unlink(),
    "the archive is gone": lambda folder: (folder / "b.zip").unlink(),
    "the archive has another name": lambda folder: (folder / "b.zip").rename(folder / "0.zip"),
    "the mail has another name": lambda folder: (folder / "a.eml").rename(folder / "z.eml"),
    "a file that is also inside is gone": lambda folder: (folder / "c.txt").unlink(),
    "a file that was inside is there": lambda folder: write(folder / "e.txt", PRICES.encode(), 9),
    "another mail has the same": lambda folder: write(folder / "0.eml", mail(more="More fish.", prices=PRICES), 9),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_there_before_changes_nothing(run: Run, share: Path, change: str) -> None:
    run()
    CHANGES[change](share)
    run()
    grown = run.out.read_bytes()
    run.out.unlink()
    run()
    assert within(run.out).keys() and run.out.read_bytes() == grown


@pytest.mark.parametrize("seed", range(3))
def test_the_order_in_which_files_are_done_changes_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    run()
    first = run.out.read_bytes()
    run.out.unlink()

    async def shuffled(setup: Any, jobs: Sequence[Job]) -> Any:
        indexer = await Indexer.open(setup)
        for job in random.Random(seed).sample(list(jobs), len(jobs)):
            yield job, await indexer.index(job)

    monkeypatch.setattr("terrarium.desk.run.in_this_process", shuffled)
    run()
    assert run.out.read_bytes() == first


def test_a_run_that_was_stopped_goes_on_where_it_was(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run()
    whole = run.out.read_bytes()
    run.out.unlink()
    stop_after_two(run, monkeypatch)
    run()
    assert len(run.indexed) == 2
    assert run.out.read_bytes() == whole


def test_a_store_that_grows_keeps_what_it_has(run: Run, share: Path, tmp_path: Path) -> None:
    store = tmp_path / "library.sqlite"
    run(paths=[share / "c.txt"], output=None, library=store)
    run(paths=[share / "b.zip"], output=None, library=store)
    run(paths=[share / "a.eml"], output=None, library=store)
    assert within(store) == {
        "a.eml": [],
        "a.eml/terms.txt": ["a.eml"],
        "b.zip": [],
        "b.zip/in/offer.eml": ["b.zip"],
        "b.zip/prices.txt": ["a.eml", "b.zip"],
        "c.txt": ["b.zip/in/offer.eml"],
    }
    assert kept(store)["c.txt"].alone
