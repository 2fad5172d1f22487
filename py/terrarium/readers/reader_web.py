"""The tab's `FileReader`: a worker with a Python of its own (`web/reader_worker.js`), one file at a time.

It is kept between files, and killed when a file takes too long or too much memory, when Python itself breaks in it, and
when reading is cancelled: whatever goes on in it, the engine answers meanwhile, and the next file finds a new one.

Not for the desk: importing this module needs Pyodide and the worker's `terrarium_bridge`.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pyodide.ffi import JsException, to_js
from terrarium_bridge import reader

from terrarium.errors import PasswordNeeded, TerrariumError, UnreadableFile
from terrarium.model import Word
from terrarium.readers.content import ReadFile
from terrarium.readers.limits import Limits, broken_off, given_up, limits_of, too_much_memory
from terrarium.readers.wire import dump_words, loads

SECONDS_TO_START = 120.0
LATER = 5.0  # seconds: a PDF inside of another file is given up by itself before that file is
KEPT_MEGABYTES = 256  # memory of WebAssembly never shrinks


class WebReader:
    """A `FileReader`. `limits` stands in for those by size."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits
        self._reading = asyncio.Lock()

    async def read(
        self,
        data: bytes,
        name: str,
        *,
        password: str | None = None,
        progress: Callable[[int, int], None] | None = None,
        words: Sequence[Word] = (),
    ) -> ReadFile:
        """See `reading.read_file`, whose errors it raises; UnreadableFile also for a file beyond its limits."""
        limits = self._limits or limits_of(data)
        async with self._reading:
            try:
                message = await self._asked(data, name, password, words, limits, progress)
            except BaseException:
                reader.kill()
                raise
            if message.megabytes > KEPT_MEGABYTES:
                reader.kill()
        said = json.loads(message.json)
        if said["type"] == "read":
            return loads(said["read"], data, [buffer.to_bytes() for buffer in message.buffers])
        raise error_of(said, name)

    async def _asked(
        self,
        data: bytes,
        name: str,
        password: str | None,
        words: Sequence[Word],
        limits: Limits,
        progress: Callable[[int, int], None] | None,
    ) -> Any:
        """The reader's last message about the file. Any exception leaves a reader that nobody can use again."""
        try:
            await asyncio.wait_for(reader.start(), SECONDS_TO_START)
        except (JsException, TimeoutError) as error:
            raise UnreadableFile(f"The reader of files could not be started ({error}). Reload the page.") from error
        reader.read(to_js(data), name, password, dump_words(words), limits.megabytes)
        started = time.monotonic()
        while True:
            left = min(limits.silence + LATER, started + limits.whole - time.monotonic())
            try:
                message = await asyncio.wait_for(reader.next(), left)
            except TimeoutError as error:
                raise given_up(name, time.monotonic() - started) from error
            said = json.loads(message.json)
            match said["type"]:
                case "progress":
                    if progress:
                        progress(said["done"], said["total"])
                case "error" if said["kind"] == "MemoryError":
                    raise too_much_memory(name, limits.megabytes)
                case "broken":
                    raise broken_off(name, said["message"])
                case _:
                    return message


def error_of(said: Mapping[str, Any], name: str) -> TerrariumError:
    match said["kind"]:
        case "PasswordNeeded":
            return PasswordNeeded(said["message"], wrong=said["wrong"])
        case "UnreadableFile":
            return UnreadableFile(said["message"])
    return broken_off(name, f"{said['kind']}: {said['message']}")
