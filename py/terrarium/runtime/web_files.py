"""Files in the tab, behind `web/bridge/files.js`: what the person gave, and what is made for them to save.

Not for the desk: importing this module needs Pyodide and the worker's `terrarium_bridge`.
"""

from __future__ import annotations

import io
from typing import Any

from pyodide.ffi import JsException, to_js
from terrarium_bridge import files

from terrarium.errors import StorageError


class WebFile(io.RawIOBase):
    """A browser's File as a file of Python, read where it lies. Raises OSError when it went away or changed."""

    def __init__(self, file: Any) -> None:
        self._file, self._size, self._at = file, int(file.size), 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        return self._at

    def read(self, size: int | None = -1) -> bytes:
        end = self._size if size is None or size < 0 else min(self._at + size, self._size)
        start, self._at = self._at, max(self._at, end)
        try:
            return bytes(files.read(self._file, start, end).to_bytes()) if end > start else b""
        except JsException as error:
            raise OSError(f"the browser could not read it: {error.message or error.name}") from error


class WebNewFile:
    """A `NewFile` whose `finish` gives the number that the page's message is turned into a Blob by."""

    def __init__(self) -> None:
        self._number = int(files.begin())

    async def write(self, data: bytes) -> None:
        try:
            await files.add(self._number, to_js(data))
        except JsException as error:
            raise StorageError(f"The browser has no room for the file ({error.message or error.name}).") from error

    def finish(self) -> int:
        return self._number

    def discard(self) -> None:
        files.discard(self._number)
