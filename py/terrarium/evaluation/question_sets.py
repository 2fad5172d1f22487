"""A person's question sets, kept together in one value of the store's "settings"."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from terrarium.evaluation.lines import BadSet
from terrarium.evaluation.question_rows import checked_rows
from terrarium.storage.protocol import Store

MOST_SETS = 20
_KEY = "question sets"

Set = dict[str, Any]  # {id, name, made: whether from passages, questions}


class QuestionSets:
    """Those of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._changing = asyncio.Lock()

    async def all(self) -> list[Set]:
        """In the order in which they were begun."""
        stored = await self._store.get("settings", _KEY)
        found: list[Set] = json.loads(stored) if stored else []
        return found

    async def keep(self, given: Mapping[str, Any]) -> Set:
        """Put a set in the place of the one with its id, one without an id behind the others.

        Raises BadSet for questions that cannot be asked and for a set too many, StorageError.
        """
        name = " ".join(str(given.get("name") or "").split()) or "Questions"
        questions = checked_rows(given["questions"])
        kept = {"id": given.get("id") or uuid4().hex[:12], "name": name, "made": bool(given.get("made"))}
        kept["questions"] = questions
        async with self._changing:
            sets = await self.all()
            places = [place for place, one in enumerate(sets) if one["id"] == kept["id"]]
            if places:
                sets[places[0]] = kept
            elif len(sets) >= MOST_SETS:
                raise BadSet(f"There are {MOST_SETS} question sets already. Remove one that you no longer need.")
            else:
                sets.append(kept)
            await self._put(sets)
        return kept

    async def forget(self, identity: str) -> None:
        """One that is not there is no error."""
        async with self._changing:
            await self._put([one for one in await self.all() if one["id"] != identity])

    async def _put(self, sets: list[Set]) -> None:
        await self._store.put({"settings": {_KEY: json.dumps(sets, ensure_ascii=False).encode()}})
