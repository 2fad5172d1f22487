from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.store_contract import CONTRACT

from terrarium.errors import StorageError
from terrarium.storage.memory import MemoryStore
from terrarium.storage.protocol import Store
from terrarium.storage.sqlite import SqliteStore

# Writes generations 1, 2, 3, …: in each, eight values of three kinds that all hold the generation's number.
WRITER = """
import asyncio, sys
from pathlib import Path
from terrarium.storage.sqlite import SqliteStore

async def write():
    store = SqliteStore(Path(sys.argv[1]))
    for generation in range(1, 1_000_000):
        value = str(generation).encode().ljust(40_000)
        await store.put({kind: {str(n): value for n in range(8)} for kind in ("blocks", "vectors", "documents")})
        print(generation, flush=True)

asyncio.run(write())
"""


@pytest.mark.parametrize("rule", CONTRACT, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_contract(kind: str, rule: Callable[[Store], object], tmp_path: Path) -> None:
    async def run() -> None:
        store: Store = MemoryStore() if kind == "memory" else SqliteStore(tmp_path / "library.sqlite")
        await rule(store)  # type: ignore[misc]
        await store.close()

    asyncio.run(run())


def test_sqlite_keeps_values_across_openings(tmp_path: Path) -> None:
    async def run() -> None:
        store = SqliteStore(tmp_path / "a library é.sqlite")
        await store.put({"settings": {"a": b"1"}})
        await store.close()
        again = SqliteStore(tmp_path / "a library é.sqlite")
        assert await again.get("settings", "a") == b"1"
        assert again.persistent
        await again.close()

    asyncio.run(run())


@pytest.mark.parametrize("moment", [0.3, 0.5, 0.7])
def test_sqlite_writer_killed_in_the_middle_leaves_whole_puts(moment: float, tmp_path: Path) -> None:
    path = tmp_path / "library.sqlite"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True, env=environment
    ) as writer:
        assert writer.stdout is not None
        times = []
        for _ in range(4):
            confirmed = int(writer.stdout.readline())
            times.append(time.perf_counter())
        time.sleep(moment * (times[-1] - times[-2]))
        writer.send_signal(signal.SIGKILL)

    async def stored() -> list[bytes]:
        store = SqliteStore(path)
        values = [value for kind in ("blocks", "vectors", "documents") for value in (await store.items(kind)).values()]
        await store.close()
        return values

    values = asyncio.run(stored())
    assert len(values) == 24
    assert len(set(values)) == 1, "values of two puts lie side by side"
    assert int(values[0]) >= confirmed, "a put that had returned was lost"


def test_sqlite_names_the_file_that_is_no_library(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir or Madam, " * 100)
    with pytest.raises(StorageError, match=r"letter\.txt"):
        SqliteStore(path)


def test_sqlite_reports_a_full_disk_and_keeps_what_it_had(tmp_path: Path) -> None:
    async def run() -> None:
        store = SqliteStore(tmp_path / "library.sqlite")
        await store.put({"documents": {"a": b"1"}})
        store._connection.execute("PRAGMA max_page_count = 8")
        with pytest.raises(StorageError, match="disk"):
            await store.put({"documents": {"b": b"2"}, "originals": {"b/0": bytes(10**6)}})
        assert await store.items("documents") == {"a": b"1"}
        assert await store.items("originals") == {}
        await store.close()

    asyncio.run(run())
