"""The store of the desk: one SQLite file, one table.

SQLite's rollback journal with `synchronous=FULL` is what makes `put` whole and durable. Calls block: at the desk
nothing else wants the event loop while a document is written.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from terrarium.errors import StorageError
from terrarium.storage.protocol import Kind

_TABLE = """
CREATE TABLE IF NOT EXISTS entries (
    kind TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (kind, key)
)
"""


class SqliteStore:
    """Values in the file `path`, which is made when it does not exist. Raises StorageError."""

    persistent = True

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._explained("opened"):
            self._connection = sqlite3.connect(path, isolation_level=None)
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute(_TABLE)

    async def put(self, values: Mapping[Kind, Mapping[str, bytes]]) -> None:
        rows = [(kind, key, value) for kind, entries in values.items() for key, value in entries.items()]
        with self._explained("written"), self._transaction():
            self._connection.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", rows)

    async def get(self, kind: Kind, key: str) -> bytes | None:
        (value,) = await self.get_many(kind, [key])
        return value

    async def get_many(self, kind: Kind, keys: Sequence[str]) -> list[bytes | None]:
        query = "SELECT value FROM entries WHERE kind = ? AND key = ?"
        with self._explained("read"), self._transaction("DEFERRED"):
            rows = [self._connection.execute(query, (kind, key)).fetchone() for key in keys]
        return [row[0] if row else None for row in rows]

    async def keys(self, kind: Kind) -> list[str]:
        with self._explained("read"):
            rows = self._connection.execute("SELECT key FROM entries WHERE kind = ? ORDER BY key", (kind,))
            return [key for (key,) in rows]

    async def items(self, kind: Kind) -> dict[str, bytes]:
        with self._explained("read"):
            return dict(self._connection.execute("SELECT key, value FROM entries WHERE kind = ? ORDER BY key", (kind,)))

    async def delete(self, keys: Mapping[Kind, list[str]]) -> None:
        rows = [(kind, name) for kind, names in keys.items() for name in names]
        with self._explained("written"), self._transaction():
            self._connection.executemany("DELETE FROM entries WHERE kind = ? AND key = ?", rows)

    async def close(self) -> None:
        self._connection.close()

    @contextmanager
    def _transaction(self, mode: str = "IMMEDIATE") -> Iterator[None]:
        self._connection.execute(f"BEGIN {mode}")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # a full disk rolls back by itself
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _explained(self, what: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StorageError(
                f"The library {self._path} could not be {what}: {error}. Nothing was changed. "
                "Check that the file is a Terrarium library, that no other program holds it and that the disk has room."
            ) from error
