"""`terrarium index`: what is found, what is done again, and the same bytes on one process and on a cluster."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from tests.unit.tiny_models import make_models

from terrarium.cli import main
from terrarium.desk import engines, one_file
from terrarium.desk.command import open_store
from terrarium.desk.engines import in_this_process, on_dask
from terrarium.desk.folders import find_files
from terrarium.desk.index import index
from terrarium.desk.one_file import Indexer, Job, Made, Setup
from terrarium.desk.run import Plan
from terrarium.errors import StorageError, TerrariumError
from terrarium.readers import reading
from terrarium.storage.sqlite import SqliteStore
from terrarium.transfer import stored_records

SENTENCE = "The tank holds nine litres of warm green water, and fish like light. "
FILES = {
    "fish.md": "# Fish\n\n" + SENTENCE * 3,
    "b/warm water.txt": SENTENCE * 40,
    "b/light.txt": "Fish like green light.",
    "a.txt": "Nine litres of water.",
    "z copy.txt": "Nine litres of water.",
    "broken.docx": "PK\x03\x04 and then nothing that belongs to an archive",
    ".hidden": "left out",
    ".git/config": "left out",
    "Thumbs.db": "left out",
}
NAMES = ["share/a.txt", "share/b/light.txt", "share/b/warm water.txt", "share/fish.md"]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_models(tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("models"))


@pytest.fixture
def share(tmp_path: Path) -> Path:
    folder = tmp_path / "share"
    for number, (name, text) in enumerate(FILES.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        os.utime(path, (1_700_000_000 + number, 1_700_000_000.5 + number))
    return folder


class Run:
    """`run(**plan)` indexes into `out` and keeps what was said."""

    def __init__(self, models: Path, share: Path, out: Path) -> None:
        self.plan: dict[str, Any] = {"paths": [share], "models": models, "output": out}
        self.out, self.said = out, list[str]()

    def __call__(self, **changed: Any) -> int:
        self.said.clear()
        return asyncio.run(index(Plan(**self.plan | changed), self.said.append))

    @property
    def indexed(self) -> list[str]:
        return [line for line in self.said if line.startswith("[")]


@pytest.fixture
def run(models: Path, share: Path, tmp_path: Path) -> Run:
    return Run(models, share, tmp_path / "library.terrarium")


async def kept(path: Path) -> dict[str, tuple[float, dict[Any, int]]]:
    store = await open_store(path)
    found = {one.info.name: (one.info.added, one.parts) for one in await stored_records(store)}
    await store.close()
    return found


def test_names_are_those_of_a_dropped_folder_and_nothing_is_left_out_silently(share: Path) -> None:
    (share / "round").symlink_to(share, target_is_directory=True)
    found, left_out = find_files([share, share / "b/light.txt"])
    assert [one.name for one in found] == [
        "light.txt",
        "share/a.txt",
        "share/b/light.txt",
        "share/b/warm water.txt",
        "share/broken.docx",
        "share/fish.md",
        "share/z copy.txt",
    ]
    assert found[-1].modified == 1_700_000_004.0
    assert sorted(sentence.split(" ")[0] for sentence in left_out) == [
        "share/.git/",
        "share/.hidden",
        "share/Thumbs.db",
        "share/round/",
    ]


def test_a_folder_becomes_a_library_and_every_file_that_is_not_in_it_is_named(run: Run) -> None:
    assert run() == 1
    found = asyncio.run(kept(run.out))
    assert sorted(found) == NAMES
    assert found["share/a.txt"][0] == 1_700_000_003.0
    assert all(parts["originals"] == 1 and parts["tokens"] >= 1 for _, parts in found.values())
    said = "\n".join(run.said)
    assert "Left out: share/z copy.txt is the same file as share/a.txt." in said
    assert "Not in the library: share/broken.docx" in run.said[-1]
    assert ".hidden" in said
    assert sorted(path.name for path in run.out.parent.iterdir()) == ["library.terrarium", "share"]


def test_the_same_folder_gives_the_same_bytes_and_nothing_is_computed_twice(run: Run, share: Path) -> None:
    run()
    first = run.out.read_bytes()
    run()
    assert (run.indexed, run.out.read_bytes()) == ([], first)
    (share / "a.txt").write_text("The fish like warm water.", "utf-8")
    (share / "b/light.txt").unlink()
    (share / "fish.md").rename(share / "renamed.md")
    run()
    assert len(run.indexed) == 3, "one is new, one has another name, one is no longer the copy of another"
    changed = run.out.read_bytes()
    assert sorted(asyncio.run(kept(run.out))) == [
        "share/a.txt",
        "share/b/warm water.txt",
        "share/renamed.md",
        "share/z copy.txt",
    ]
    run.out.unlink()
    run()
    assert len(run.indexed) == 4
    assert run.out.read_bytes() == changed


def stop_after_two(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run until the third file is begun."""
    seen = 0

    async def stops(self: Indexer, job: Job) -> Any:
        nonlocal seen
        seen += 1
        if seen > 2:
            raise KeyboardInterrupt
        return await original(self, job)

    original = Indexer.index
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Indexer, "index", stops)
        run()


def test_a_run_that_was_stopped_goes_on_where_it_was(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run()
    whole = run.out.read_bytes()
    run.out.unlink()
    stop_after_two(run, monkeypatch)
    assert not run.out.exists()
    run()
    assert len(run.indexed) == 2
    assert run.out.read_bytes() == whole


def test_a_store_grows_and_can_be_written_as_a_file(run: Run, share: Path, tmp_path: Path) -> None:
    store = tmp_path / "library.sqlite"
    assert run(paths=[share / "a.txt"], output=None, library=store) == 0
    assert run(paths=[share / "b"], library=store, collection="boats", originals=False) == 0
    found = asyncio.run(kept(run.out))
    assert sorted(found) == ["a.txt", "b/light.txt", "b/warm water.txt"]
    assert not any("originals" in parts for _, parts in found.values())
    assert "originals" in asyncio.run(kept(store))["a.txt"][1]


def test_a_library_in_its_own_folder_is_no_document_of_it(run: Run, share: Path) -> None:
    assert run(output=share / "library.terrarium") == 1
    assert run(output=share / "library.terrarium") == 1, "besides the file that is broken nothing is refused"
    assert len(asyncio.run(kept(share / "library.terrarium"))) == 4


def test_a_disk_that_cannot_be_written_is_a_sentence_and_what_is_done_is_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "library.terrarium.new").mkdir()
    with pytest.raises(StorageError, match="could not be written"):
        run()
    (tmp_path / "library.terrarium.new").rmdir()
    run()
    assert run.indexed == []


def test_another_file_of_that_name_is_not_overwritten(run: Run) -> None:
    run.out.write_text("a letter")
    with pytest.raises(StorageError, match="would be replaced"):
        run()
    assert run.out.read_text() == "a letter"


def test_a_file_that_breaks_its_reader_fails_alone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def read_file(data: bytes, name: str, **options: Any) -> Any:
        if name.endswith("light.txt"):
            raise ZeroDivisionError("a mistake of a reader")
        return await whole(data, name, **options)

    whole = reading.read_file
    monkeypatch.setattr(one_file, "read_file", read_file)
    assert run() == 2
    assert any("ZeroDivisionError" in line for line in run.said)
    assert len(asyncio.run(kept(run.out))) == 3


def test_the_command_says_what_is_missing(
    models: Path, share: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["--models", str(models), "index"]
    assert main([*command, str(share)]) == 1
    assert "-o NAME.terrarium" in capsys.readouterr().err
    assert main([*command, str(tmp_path / "nowhere"), "-o", str(tmp_path / "x")]) == 1
    assert "There is no" in capsys.readouterr().err
    assert main([*command, str(share / "a.txt"), "-o", str(tmp_path / "x.terrarium"), "--no-originals"]) == 0
    assert list(asyncio.run(kept(tmp_path / "x.terrarium"))) == ["a.txt"]


@pytest.mark.slow
def test_a_cluster_gives_the_same_bytes_as_one_process_and_talks_to_this_machine_only(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed: Any = pytest.importorskip("distributed")
    psutil: Any = pytest.importorskip("psutil")
    listening = set[str]()

    class Watched(distributed.LocalCluster):  # type: ignore[misc]
        async def __aexit__(self, *given: Any) -> None:
            here = psutil.Process()
            for process in (here, *here.children(recursive=True)):
                listening.update(one.laddr.ip for one in process.net_connections() if one.status == "LISTEN")
            await super().__aexit__(*given)

    monkeypatch.setattr(distributed, "LocalCluster", Watched)
    run()
    alone, said = run.out.read_bytes(), sorted(line.split("] ")[-1] for line in run.said)
    run.out.unlink()
    assert run(engine="dask", workers=2) == 1
    assert run.out.read_bytes() == alone
    assert sorted(line.split("] ")[-1] for line in run.said) == said
    assert listening == {"127.0.0.1"}


@pytest.mark.slow
def test_a_cluster_that_is_there_already_is_used(run: Run) -> None:
    distributed: Any = pytest.importorskip("distributed")
    run()
    alone = run.out.read_bytes()
    run.out.unlink()
    address = {"host": "127.0.0.1", "dashboard_address": None}
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, **address) as cluster:
        assert run(engine="dask", scheduler=cluster.scheduler_address) == 1
    assert run.out.read_bytes() == alone


def test_a_cluster_that_is_not_there_is_a_sentence(models: Path, share: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(engines, "CONNECTING", 0.3)

    async def ask() -> None:
        job = Job("a.txt", share / "a.txt", "0" * 64, 0.0)
        async for _ in on_dask(Setup(models, "minilm-l6", True), [job], scheduler="tcp://127.0.0.1:9"):
            pass

    with pytest.raises(TerrariumError, match="No dask scheduler"):
        asyncio.run(ask())


def test_a_file_that_changes_while_it_is_read_is_refused(models: Path, share: Path) -> None:
    async def made() -> list[Any]:
        job = Job("a.txt", share / "a.txt", "0" * 64, 0.0)
        return [one async for _, one in in_this_process(Setup(models, "minilm-l6", True), [job])]

    (refused,) = asyncio.run(made())
    assert not isinstance(refused, Made)
    assert "changed" in refused.reason
    assert isinstance(asyncio.run(open_store(share.parent / "new.sqlite")), SqliteStore)
