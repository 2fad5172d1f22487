"""A store that forgets: for tests, and for tabs that may not keep anything (private windows)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from terrarium.storage.protocol import KINDS, Kind


class MemoryStore:
    """Everything in dictionaries. Lost when the process or the tab ends."""

    persistent = False

    def __init__(self) -> None:
        self._values: dict[Kind, dict[str, bytes]] = {kind: {} for kind in KINDS}

    async def put(self, values: Mapping[Kind, Mapping[str, bytes]]) -> None:
        copies = {kind: {key: bytes(value) for key, value in entries.items()} for kind, entries in values.items()}
        for kind, entries in copies.items():
            self._values[kind].update(entries)

    async def get(self, kind: Kind, key: str) -> bytes | None:
        return self._values[kind].get(key)

    async def get_many(self, kind: Kind, keys: Sequence[str]) -> list[bytes | None]:
        return [self._values[kind].get(key) for key in keys]

    async def keys(self, kind: Kind) -> list[str]:
        return sorted(self._values[kind])

    async def items(self, kind: Kind) -> dict[str, bytes]:
        return dict(sorted(self._values[kind].items()))

    async def delete(self, keys: Mapping[Kind, list[str]]) -> None:
        for kind, names in keys.items():
            for name in names:
                self._values[kind].pop(name, None)

    async def close(self) -> None:
        pass
