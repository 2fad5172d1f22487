"""The reader's worker: reads one file at a time where it can be killed. The other end is `reader_web.WebReader`.

What it says: {"type": "progress", "done", "total"} any number of times, then {"type": "read", "read": JSON of
`wire.py`} with the buffers of the files inside, or {"type": "error", "kind", "message", "wrong"}. That kind is the name
of an exception of `terrarium.errors`, "MemoryError", or of what nobody foresaw.

Not for the desk: importing this module needs Pyodide and the worker's `terrarium_bridge`.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable
from typing import Any

from pyodide.ffi import JsBuffer, JsProxy, to_js

from terrarium.errors import TerrariumError
from terrarium.readers.pdf.web import WebPdfExtractor
from terrarium.readers.reading import read_file
from terrarium.readers.wire import dumps, load_words

Post = Callable[[str, JsProxy], None]


async def read(data: JsBuffer, name: str, password: str | None, words: str, post: Post) -> None:
    """`words` are those of `wire.dump_words`, `post` sends a message of JSON with buffers. Raises nothing."""

    def say(buffers: list[bytes] | None = None, **message: Any) -> None:
        post(json.dumps(message, ensure_ascii=False), to_js(buffers or []))

    def progress(done: int, total: int) -> None:
        say(type="progress", done=done, total=total)

    try:
        done = await read_file(
            data.to_bytes(),
            name,
            pdf=WebPdfExtractor(),
            password=password,
            progress=progress,
            words=load_words(words),
        )
        text, buffers = dumps(done)
        say(buffers, type="read", read=text)
    except TerrariumError as error:
        say(type="error", kind=type(error).__name__, message=str(error), wrong=getattr(error, "wrong", False))
    except Exception as error:  # a reader that breaks on one file must not take the others with it
        traceback.print_exc()
        say(type="error", kind=type(error).__name__, message=str(error), wrong=False)
