"""The library in the browser: IndexedDB behind `web/bridge/idb.js`.

One transaction a `put`, on the disk before it returns. One tab writes: the first to open the library; in a second
one every change is refused with a sentence until it is reloaded alone.
Not for the desk: importing this module needs Pyodide and the worker's `terrarium_bridge`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyodide.ffi import JsException, to_js
from terrarium_bridge import idb

from terrarium.errors import StorageError
from terrarium.storage.memory import MemoryStore
from terrarium.storage.protocol import KINDS, Kind, Store

READ_ONLY = (
    "Terrarium is open in another tab, which keeps the library: this one can read and search it, but not change it. "
    "Close the other tab and reload this one."
)
NOT_KEPT = "The browser keeps no data for this page ({reason}): what you add is gone when you close the tab."

SENTENCES = {
    "QuotaExceededError": "The browser's storage is full. Nothing was lost and nothing was added: remove documents, "
    "or free space on the disk, and try again.",
    "InvalidStateError": "The browser closed the library ({message}). Reload the page.",
    "AbortError": "The browser stopped writing, so nothing was changed. Try again; if it fails again, reload the page.",
    "UnknownError": "The browser could not use its storage; the disk may be full or the profile damaged. "
    "Nothing was changed. Restart the browser and try again.",
}


def _storage_error(error: JsException) -> StorageError:
    sentence = SENTENCES.get(error.name, "The browser's storage failed ({message}). Nothing was changed; try again.")
    return StorageError(sentence.format(message=error.message))


class IndexedDBStore:
    """A `Store`; `writable` is False in a second tab."""

    persistent = True

    def __init__(self, *, writable: bool) -> None:
        self.writable = writable

    async def put(self, values: Mapping[Kind, Mapping[str, bytes]]) -> None:
        entries = [(kind, key, value) for kind, of_kind in values.items() for key, value in of_kind.items()]
        if entries:
            self._check_writable()
            await self._change(idb.put, to_js(entries))

    async def delete(self, keys: Mapping[Kind, list[str]]) -> None:
        entries = [(kind, key) for kind, of_kind in keys.items() for key in of_kind]
        if entries:
            self._check_writable()
            await self._change(idb.remove, to_js(entries))

    def _check_writable(self) -> None:
        if not self.writable:
            raise StorageError(READ_ONLY)

    async def _change(self, change: object, entries: object) -> None:
        try:
            await change(entries)  # type: ignore[operator]
        except JsException as error:
            raise _storage_error(error) from error

    async def get(self, kind: Kind, key: str) -> bytes | None:
        (value,) = await self.get_many(kind, [key])
        return value

    async def get_many(self, kind: Kind, keys: Sequence[str]) -> list[bytes | None]:
        try:
            values = await idb.getMany(kind, to_js(list(keys)))
        except JsException as error:
            raise _storage_error(error) from error
        return [None if value is None else value.to_bytes() for value in values]

    async def keys(self, kind: Kind) -> list[str]:
        try:
            return list(await idb.keys(kind))
        except JsException as error:
            raise _storage_error(error) from error

    async def items(self, kind: Kind) -> dict[str, bytes]:
        try:
            entries = await idb.items(kind)
        except JsException as error:
            raise _storage_error(error) from error
        return {key: value.to_bytes() for key, value in entries}

    async def close(self) -> None:
        idb.close()


async def open_store() -> tuple[Store, tuple[str, ...]]:
    """The browser's store, or one in memory where the browser has none, and notices for the person."""
    try:
        writable = bool(await idb.open(to_js(list(KINDS))))
    except JsException as error:
        return MemoryStore(), (NOT_KEPT.format(reason=error.message or error.name),)
    return IndexedDBStore(writable=writable), () if writable else (READ_ONLY,)
