"""What came of each model on each backend of this device, kept in the store's "settings" so that it is tried once.

The key names model, graph, backend, device and runtime: another graph, driver or browser version is tried again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace

from terrarium.errors import ModelError, StorageError
from terrarium.models.catalogue import Card
from terrarium.models.proofs import Disproved, Speed
from terrarium.runtime.protocols import Backend, Runtime
from terrarium.storage.protocol import Store

UNFINISHED = "Its test was begun twice and never came to an end."
KEY = "selftest "


@dataclass(frozen=True, slots=True)
class Verdict:
    """Of one pair of model and backend. Speeds are tokens a second, `writing` 0 for a model that does not write."""

    model: str
    backend: Backend
    device: str
    passed: bool
    reason: str = ""  # a sentence, when it did not pass
    reading: float = 0.0
    writing: float = 0.0
    begun: int = 1  # times that the test was begun

    @property
    def seconds(self) -> float:
        """For the text of one question."""
        return Speed(self.reading, self.writing).seconds


class Verdicts:
    """Those of one device. `noted` holds what was asked for since the page was opened, in that order."""

    def __init__(self, runtime: Runtime, store: Store) -> None:
        self.noted: dict[tuple[str, Backend], Verdict] = {}
        self._runtime, self._store = runtime, store

    def note(self, card: Card, verdict: Verdict) -> Verdict:
        """For as long as the page is open."""
        self.noted[card.name, verdict.backend] = verdict
        return verdict

    async def of(self, card: Card, backend: Backend, prove: Callable[[], Awaitable[Speed]]) -> Verdict:
        """The known verdict, or that of `prove` now.

        A wrong result is kept. What may go well next time, want of memory for one, is noted only. A test that takes the
        tab with it is begun once more when the page is opened again, and then never.
        """
        if known := self.noted.get((card.name, backend)):
            return known
        device = (await self._runtime.accelerator()).name if backend != "wasm" else ""
        digest = card.digests[card.backends[backend]["graph"] if card.backends else card.files["graph"]]
        key = f"{KEY}{card.name}@{digest} {backend} {device} {self._runtime.name}"
        stored = await self._store.get("settings", key)
        before = Verdict(**json.loads(stored)) if stored else None
        if before and (before.reason != UNFINISHED or before.begun > 1):
            return self.note(card, before)
        verdict = Verdict(card.id, backend, device, passed=False, reason=UNFINISHED, begun=2 if before else 1)
        await self._keep(key, verdict)
        try:
            speed = await prove()
        except Disproved as error:
            verdict = replace(verdict, reason=str(error))
        except ModelError as error:
            await self._forget(key)
            return self.note(card, replace(verdict, reason=str(error)))
        except (Exception, asyncio.CancelledError):
            await self._forget(key)
            raise
        else:
            verdict = replace(verdict, passed=True, reason="", reading=speed.reading, writing=speed.writing)
        await self._keep(key, verdict)
        return self.note(card, verdict)

    async def _keep(self, key: str, verdict: Verdict) -> None:
        with suppress(StorageError):  # a store that another tab writes: the test is repeated next time
            await self._store.put({"settings": {key: json.dumps(asdict(verdict)).encode()}})

    async def _forget(self, key: str) -> None:
        with suppress(StorageError):
            await self._store.delete({"settings": [key]})
