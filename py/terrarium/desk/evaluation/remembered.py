"""Files in which runs remember what is dear to make. Several processes may share one."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

_WAIT = 60.0  # seconds for another process that writes


def open_remembered(path: Path, table: str) -> sqlite3.Connection:
    """The file at `path` with that table, made where it is not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=_WAIT, isolation_level=None)
    # A cache may lose its last writes: what is missing is made again.
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute(table)
    return connection


def digest(text: str) -> bytes:
    """SHA-256; of lone surrogates too."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
