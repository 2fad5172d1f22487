"""`terrarium index`: folders → a library, as the one file that the page takes in, or as a store that grows.

What was done is kept in a store as it is done, so a run that was stopped goes on where it was. The library file is made
of the store at the end, in one order, dated by the files: the same folder gives the same bytes, on one core or on
many, in one run or in several.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from terrarium.desk.folders import find_files
from terrarium.desk.run import Plan, Run, Say
from terrarium.errors import StorageError
from terrarium.storage.sqlite import SqliteStore
from terrarium.transfer import export_library


async def index(plan: Plan, say: Say) -> int:
    """Index the files and tell how each went. Returns how many could not be read."""
    found, left_out = find_files(plan.paths)
    for sentence in left_out:
        say(f"Left out: {sentence}")
    work = plan.library or _beside(plan.output)
    own = {path.resolve() for path in (work, plan.output) if path}
    found = [file for file in found if file.path not in own]  # a library may lie in its own folder
    store = SqliteStore(work)
    try:
        run = Run(plan, store, say)
        await run.index(found)
        if plan.output:
            file = PathFile(plan.output)
            only = None if plan.library else run.kept
            done = await export_library(store, file, originals=plan.originals, only=only)
            say(f"{plan.output}: {done.documents} documents, {done.size / 1e6:.1f} MB.")
            for notice in done.notices:
                say(notice)
    finally:
        await store.close()
    if plan.library is None:
        work.unlink()
    for name, reason in run.failed:
        say(f"Not in the library: {name}: {reason}")
    return len(run.failed)


def _beside(output: Path | None) -> Path:
    assert output is not None
    return output.with_name(output.name + ".part")


class PathFile:
    """A `NewFile` under a path: it takes the place of an older one when it is whole."""

    def __init__(self, path: Path) -> None:
        self._path, self._new = path, path.with_name(path.name + ".new")
        with self._explained():
            self._file = self._new.open("wb")

    async def write(self, data: bytes) -> None:
        with self._explained():
            self._file.write(data)

    def finish(self) -> Path:
        with self._explained():
            self._file.close()
            os.replace(self._new, self._path)
        return self._path

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            sentence = f"{self._path} could not be written ({error.strerror}). Make room, or choose another place."
            raise StorageError(sentence) from error

    def discard(self) -> None:
        self._file.close()
        self._new.unlink(missing_ok=True)
