"""Runs of a person's questions, kept in the store's "settings": the newest `MOST_RUNS`, and a list of what they were.

A run is one JSON value; the records of its single questions are traces, which go when it goes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from terrarium.errors import TerrariumError
from terrarium.shelf import TraceShelf
from terrarium.storage.protocol import Store

MOST_RUNS = 20
_INDEX = "evaluation runs"
_RUN = "evaluation run "
_HEAD = ("id", "date", "name", "mode", "made", "asked", "total", "library", "models", "figures")

Run = dict[str, Any]


def seen(row: Mapping[str, Any]) -> Run:
    """A question of a run as the page shows it, a tenth of what is kept: without the measures and lists of passages."""
    judged = row["judgement"] or {}
    return {
        **row,
        "stages": {stage: {"ranks": found["ranks"]} for stage, found in row["stages"].items()},
        "judgement": {name: judged.get(name) for name in ("verdict", "probability", "refused")},
        "steps": [],
    }


class Runs:
    """Those of one store, and on its shelf the traces of their questions."""

    def __init__(self, store: Store, shelf: TraceShelf) -> None:
        self._store, self._shelf = store, shelf

    async def heads(self) -> list[Run]:
        """What each run was, without its questions; the newest first."""
        stored = await self._store.get("settings", _INDEX)
        found: list[Run] = json.loads(stored) if stored else []
        return found

    async def get(self, identity: str) -> Run:
        """Raises TerrariumError for a run that is not kept."""
        stored = await self._store.get("settings", _RUN + identity)
        if stored is None:
            raise TerrariumError("This run is no longer kept. Choose another one, or run the questions again.")
        found: Run = json.loads(stored)
        return found

    async def keep(self, run: Mapping[str, Any]) -> None:
        """Add a run, and forget the oldest beyond `MOST_RUNS`. Raises StorageError."""
        heads = [{name: run[name] for name in _HEAD}, *(await self.heads())]
        values = {_RUN + run["id"]: json.dumps(run, ensure_ascii=False).encode(), _INDEX: _dumped(heads[:MOST_RUNS])}
        await self._store.put({"settings": values})
        for head in heads[MOST_RUNS:]:
            await self._delete(head["id"])

    async def forget(self, identity: str) -> None:
        """Remove a run with the traces of its questions; one that is not there is no error."""
        heads = [head for head in await self.heads() if head["id"] != identity]
        await self._store.put({"settings": {_INDEX: _dumped(heads)}})
        await self._delete(identity)

    async def _delete(self, identity: str) -> None:
        await self._store.delete({"settings": [_RUN + identity]})
        await self._shelf.forget(identity)


def _dumped(heads: list[Run]) -> bytes:
    return json.dumps(heads, ensure_ascii=False).encode()
