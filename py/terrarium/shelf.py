"""Where traces are kept: the newest of them, in the library's store.

A record of a library of manuals is 40 to 90 kB, so that `KEPT` of them stay below 50 MB. They stand under keys that
begin with their time, and a store's keys are in order: the oldest are the first. The traces of an evaluation's run
stand beside them, do not count, and go with the run.
"""

from __future__ import annotations

from terrarium.storage.protocol import Store
from terrarium.trace import Trace

KEPT = 500  # traces
_RUN = "run "


class TraceShelf:
    """The traces of one store. Raises StorageError as the store does."""

    def __init__(self, store: Store, kept: int = KEPT) -> None:
        self._store, self._kept = store, kept

    async def put(self, trace: Trace, run: str = "") -> None:
        """Close a record and keep it; of those that belong to no run the oldest beyond the limit go."""
        key = f"{trace.record['time']} {trace.id}"
        await self._store.put({"traces": {f"{_RUN}{run} {key}" if run else key: trace.close()}})
        asked = [key for key in await self._store.keys("traces") if not key.startswith(_RUN)]
        if len(asked) > self._kept:
            await self._store.delete({"traces": asked[: -self._kept]})

    async def get(self, trace_id: str) -> bytes | None:
        """One record as a line of JSON; None when there is none of that id any more."""
        key = next((key for key in await self._store.keys("traces") if key.endswith(f" {trace_id}")), None)
        return None if key is None else await self._store.get("traces", key)

    async def lines(self) -> list[bytes]:
        """Every record, the oldest first."""
        return list((await self._store.items("traces")).values())

    async def forget(self, run: str = "") -> int:
        """Remove all that belong to no run, or all of one run; how many there were."""
        every = await self._store.keys("traces")
        keys = [key for key in every if (key.startswith(f"{_RUN}{run} ") if run else not key.startswith(_RUN))]
        await self._store.delete({"traces": keys})
        return len(keys)
