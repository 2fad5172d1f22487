"""One run over the files of a folder: what is there already, what is to be made, what could not be read."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Literal

from terrarium.desk.engines import Outcome, in_this_process, on_dask
from terrarium.desk.folders import FoundFile
from terrarium.desk.inside import Inside
from terrarium.desk.one_file import CHANGED, Job, Refused, Setup
from terrarium.enclosing import with_inside
from terrarium.errors import StorageError
from terrarium.models.catalogue import EMBEDDER, read_card
from terrarium.runtime.native import NativeRuntime
from terrarium.storage import packing
from terrarium.storage.protocol import Kind, Store
from terrarium.storage.records import Record
from terrarium.storage.stored import SCHEMA, stored_embedder
from terrarium.transfer import open_library_file, read_entry, stored_records

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """At least one of `output` (a library file) and `library` (a store) is given."""

    paths: Sequence[Path]
    models: Path
    output: Path | None = None
    library: Path | None = None
    embedder: str | None = None  # its name; None takes the one that the library has, a new one the default
    collection: str = ""
    originals: bool = True
    tokens: bool = True
    engine: Literal["process", "dask"] = "process"
    scheduler: str | None = None
    workers: int | None = None


@dataclass(slots=True)
class Run:
    """Brings a store to what the plan wants of these files."""

    plan: Plan
    store: Store
    say: Say
    kept: set[str] = field(default_factory=set)  # ids of this run's documents that are in the store
    failed: list[tuple[str, str]] = field(default_factory=list)  # (name, reason)

    async def index(self, found: Sequence[FoundFile]) -> None:
        files = self._by_id(found)
        await self._take_over(set(files))
        name = self.plan.embedder or await stored_embedder(self.store) or EMBEDDER
        embedder = read_card(NativeRuntime(self.plan.models), name).id
        records = {one.info.id: one for one in await stored_records(self.store)}
        fits = partial(self._fits, embedder)
        inside = Inside(self.store, files, records, fits, grows=self.plan.library is not None)
        jobs = []
        for document_id, file in files.items():
            record = inside.records.get(document_id)
            held = inside.of(document_id)
            if record and record.info.name == file.name and fits(record) and inside.belong(held):
                await self._put(file, record, {})
                self.kept |= held
            else:
                jobs.append(Job(file.name, file.path, document_id, file.modified))
        self.say(f"{len(files)} files: {len(jobs)} to index, {len(files) - len(jobs)} already there.")
        done = 0
        async for job, made in self._engine(
            Setup(self.plan.models, name, self.plan.tokens, self.plan.collection, self.plan.originals), jobs
        ):
            done += 1
            if isinstance(made, Refused):
                self._refuse(job.name, made.reason)
                continue
            record = made.record
            if old := inside.records.get(job.id):
                await self.store.delete(old.keys)
                record = record.inside(old.info.within, alone=True)
            held = await inside.put(made.inside)  # before it: what is there is there with all that is in it
            if stored := await self._put(files[job.id], record, made.values):
                inside.records[job.id] = stored
                self.kept |= held
            files_in_it = f", {counted(len(made.inside), 'file')} in it" if made.inside else ""
            self.say(f"[{done}/{len(jobs)}] {job.name}: {counted(record.info.chunks, 'passage')}{files_in_it}")
            for one in (made, *made.inside):
                for warning in one.record.info.warnings:
                    self.say(f"{one.record.info.name}: {warning}")
        await inside.settle(self.kept)

    def _by_id(self, found: Sequence[FoundFile]) -> dict[str, FoundFile]:
        """Every content once, under the first of its names."""
        files: dict[str, FoundFile] = {}
        for file in found:
            try:
                with file.path.open("rb") as opened:
                    document_id = hashlib.file_digest(opened, "sha256").hexdigest()
            except OSError as error:
                self._refuse(file.name, f"It could not be opened ({error.strerror}).")
                continue
            if files.setdefault(document_id, file) is not file:
                self.say(f"Left out: {file.name} is the same file as {files[document_id].name}.")
        return files

    async def _take_over(self, wanted: set[str]) -> None:
        """What an older library file of the same name holds of these files need not be computed again."""
        output = self.plan.output
        if self.plan.library or output is None or not output.exists():
            return
        with output.open("rb") as file:
            try:
                reader = open_library_file(file)
            except StorageError as error:
                raise StorageError(f"{output} is there already and would be replaced. {error}") from error
            there = set(await self.store.items("documents"))
            infos = [read_entry(reader, entry)[0].info for entry in reader.entries]
            taken = with_inside(infos, wanted) - there
            for entry in reader.entries:
                if entry.id in taken:
                    _, values = read_entry(reader, entry)
                    await self.store.put(values)

    def _fits(self, embedder: str, record: Record) -> bool:
        """Whether what is stored is what would be made now, but for its name and date."""
        tokens = record.tokens == (embedder if self.plan.tokens else "") or not record.info.chunks
        return record.embedder == embedder and record.info.collection == self.plan.collection and tokens

    async def _put(self, file: FoundFile, record: Record, values: dict[Kind, dict[str, bytes]]) -> Record | None:
        """Store what is not stored yet: date, values, and the file itself where it is wanted, in one `put`.

        Returns what is stored; None when the file is another one meanwhile.
        """
        dated = replace(record, info=replace(record.info, added=file.modified))
        if self.plan.originals and "originals" not in dated.parts:
            data = file.path.read_bytes()
            if hashlib.sha256(data).hexdigest() != record.info.id:
                self._refuse(file.name, CHANGED)
                return None
            pieces = packing.split(data)
            dated = replace(dated, parts={**dated.parts, "originals": len(pieces)})
            values = {**values, "originals": dict(zip(dated.keys["originals"], pieces, strict=True))}
        if values or dated != record:
            settings = {"schema": str(SCHEMA).encode()}
            await self.store.put({**values, "documents": {record.info.id: dated.dumps()}, "settings": settings})
        self.kept.add(record.info.id)
        return dated

    def _engine(self, setup: Setup, jobs: Sequence[Job]) -> AsyncIterator[Outcome]:
        if self.plan.engine == "dask":
            return on_dask(setup, jobs, scheduler=self.plan.scheduler, workers=self.plan.workers)
        return in_this_process(setup, jobs)

    def _refuse(self, name: str, reason: str) -> None:
        self.failed.append((name, reason))
        self.say(f"{name}: {reason}")


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
