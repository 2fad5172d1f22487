"""Files inside of files, in a run over a folder: what is there already, and which of several places names one.

Whatever the order in which files are done, the outcome is the same: a file that lies in the folder itself is named
there, any other by the first of its names; it is inside of all files of the run that have it, and dated by them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from terrarium.desk.folders import FoundFile
from terrarium.desk.one_file import Made
from terrarium.enclosing import below, by_outer
from terrarium.storage.protocol import Store
from terrarium.storage.records import Record
from terrarium.storage.stored import SCHEMA, sweep
from terrarium.transfer import stored_records


class Inside:
    """`records` are those of the store by id, `files` those of the run; `fits` tells whether what is stored is what
    would be made now, but for its name. A store that `grows` has what other runs put there."""

    def __init__(
        self,
        store: Store,
        files: Mapping[str, FoundFile],
        records: dict[str, Record],
        fits: Callable[[Record], bool],
        *,
        grows: bool,
    ) -> None:
        self.records = records
        self._store, self._files, self._fits, self._grows = store, files, fits, grows
        self._held = by_outer(record.info for record in records.values())
        self._fresh: set[str] = set()  # made or found right in this run

    def of(self, document_id: str) -> set[str]:
        """What the store has inside of a file, however deep."""
        return set(below(self._held, [document_id])) - {document_id}

    def belong(self, held: Collection[str]) -> bool:
        """Whether all of these may stay as they are."""
        there = all(one in self._files or (self._fits(self.records[one]) and self._named(one)) for one in held)
        self._fresh.update(held if there else ())
        return there

    def _named(self, document_id: str) -> bool:
        """Whether its path is one that it has in this run."""
        info = self.records[document_id].info
        paths = [self._path(outer) for outer in info.within if outer in self.records]
        return self._grows or any(path and info.name.startswith(f"{path}/") for path in paths)

    def _path(self, document_id: str) -> str:
        """What a file is called in this run, "" for one that is no longer there."""
        if document_id in self._files:
            return self._files[document_id].name
        return self.records[document_id].info.name if self._named(document_id) else ""

    async def put(self, made: Sequence[Made]) -> set[str]:
        """Store what is not there yet under a name that comes first. Returns the ids of all of them."""
        for one in made:
            info = one.record.info
            old = self.records.get(info.id)
            within = dict.fromkeys((*(old.info.within if old else ()), *info.within))
            if old is not None and self._may_stay(old, info.name):
                record, values = old.inside(list(within), alone=old.info.alone), {}
            else:
                record, values = one.record.inside(list(within), alone=False), one.values
                self._fresh.add(info.id)
            settings = {"schema": str(SCHEMA).encode()}
            await self._store.put({**values, "documents": {info.id: record.dumps()}, "settings": settings})
            if old is not None:
                await sweep(self._store, old, record)
            self.records[info.id] = record
        return {one.record.info.id for one in made}

    def _may_stay(self, old: Record, name: str) -> bool:
        if old.info.id in self._files:
            return old.info.name == self._files[old.info.id].name
        return self._fits(old) if self._grows else old.info.id in self._fresh and old.info.name <= name

    async def settle(self, kept: Collection[str]) -> None:
        """Say of everything that is kept what it is inside of, and since when."""
        records = {record.info.id: record for record in await stored_records(self._store)}
        there = records.keys() if self._grows else set(kept)

        def outers(document_id: str) -> list[str]:
            return sorted(
                {*records[document_id].info.within} & there, key=lambda outer: (records[outer].info.name, outer)
            )

        def date(document_id: str) -> float:
            if document_id in self._files:
                return self._files[document_id].modified
            info = records[document_id].info
            return info.added if info.alone and self._grows else min(map(date, outers(document_id)), default=info.added)

        changed = {}
        for one in there & set(kept):
            old = records[one]
            alone = one in self._files or (self._grows and old.info.alone)
            new = old.inside(outers(one), alone=alone)
            new = replace(new, info=replace(new.info, added=date(one)))
            if new != old:
                changed[one] = new.dumps()
        if changed:
            await self._store.put({"documents": changed})
