"""The engine's side of the messages: commands in, events and one result out, each command a task of its own.

In:  receive(id, command, args) and cancel(id).
Out: {"id", "event"} any number of times, then {"id", "result"} or {"id", "error": {"kind", "message", "detail"?}}.
`kind` is the name of an exception of `terrarium.errors`, "Cancelled", or "InternalError" with a traceback in `detail`.

Knows no command: `engine.py` does. `start` needs Pyodide; `Dispatcher` runs anywhere.
"""

from __future__ import annotations

import asyncio
import json
import tomllib
import traceback
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from terrarium.errors import TerrariumError

if TYPE_CHECKING:
    from terrarium.runtime.protocols import Runtime

Post = Callable[[dict[str, Any]], None]

CANCELLED = "Stopped, as you asked."
OUT_OF_MEMORY = "The tab has run out of memory. Close other tabs, reload the page, and add fewer or smaller files."
UNEXPECTED = "Something in Terrarium went wrong ({name}). What was stored is kept. Try again, or reload the page."


class Handler(Protocol):
    async def handle(self, command: str, args: dict[str, Any], emit: Post) -> dict[str, Any]: ...


class Dispatcher:
    """Runs commands as tasks and reports how each ended, exactly once."""

    def __init__(self, handler: Handler, post: Post) -> None:
        self._handler, self._post = handler, post
        self._tasks: dict[int, asyncio.Task[dict[str, Any]]] = {}

    def receive(self, number: int, command: str, args: dict[str, Any]) -> None:
        """Start a command; returns at once."""
        task = asyncio.ensure_future(self._run(number, command, args))
        self._tasks[number] = task
        # Not inside the coroutine: a task cancelled before its first step never enters it.
        task.add_done_callback(partial(self._finish, number))

    def cancel(self, number: int) -> None:
        """Stop a command at its next await; one that has ended already stays as it ended."""
        if task := self._tasks.get(number):
            task.cancel()

    async def _run(self, number: int, command: str, args: dict[str, Any]) -> dict[str, Any]:
        return await self._handler.handle(command, args, lambda event: self._post({"id": number, "event": event}))

    def _finish(self, number: int, task: asyncio.Task[dict[str, Any]]) -> None:
        del self._tasks[number]
        if task.cancelled():
            self._post({"id": number, "error": {"kind": "Cancelled", "message": CANCELLED}})
        elif error := task.exception():
            self._post({"id": number, "error": describe(error)})
        else:
            self._post({"id": number, "result": task.result()})


def describe(error: BaseException) -> dict[str, str]:
    """An exception as the page shows it: its own sentence if it is ours, else a general one and the traceback."""
    if isinstance(error, TerrariumError):
        return {"kind": type(error).__name__, "message": str(error)}
    detail = "".join(traceback.format_exception(error))
    message = OUT_OF_MEMORY if isinstance(error, MemoryError) else UNEXPECTED.format(name=type(error).__name__)
    return {"kind": "InternalError", "message": message, "detail": detail}


def packed_model(runtime: Runtime, names: list[str], task: str) -> str | None:
    """The id of the model of a task whose files came with the page: the person chose it before the tab was sealed."""
    for name in names:
        card = tomllib.loads(runtime.read_text(name))
        files = next(iter(card.get("backends", {}).values()), card["files"])
        if card["task"] == task and runtime.has(files["graph"]):
            return str(card["id"])
    return None


class _PageDispatcher:
    """A `Dispatcher` for calls from JavaScript: arguments are proxies; buffers become bytes, and files can be read."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher

    def receive(self, number: int, command: str, args: Any) -> None:
        from pyodide.ffi import JsBuffer, JsProxy  # noqa: PLC0415

        from terrarium.runtime.web_files import WebFile  # noqa: PLC0415

        plain = {}
        for key, value in args.object_entries():
            if isinstance(value, JsBuffer):
                plain[key] = value.to_bytes()
            elif isinstance(value, JsProxy) and value.constructor.name in ("File", "Blob"):
                plain[key] = WebFile(value)
            else:
                plain[key] = value.to_py() if isinstance(value, JsProxy) else value
        self._dispatcher.receive(number, command, plain)

    def cancel(self, number: int) -> None:
        self._dispatcher.cancel(number)


async def start(post_json: Callable[[str], None]) -> _PageDispatcher:
    """Open the store and make the engine of this tab. `post_json` sends one message to the page."""
    from terrarium_bridge import assets  # noqa: PLC0415

    from terrarium.engine import Engine  # noqa: PLC0415
    from terrarium.readers.reader_web import WebReader  # noqa: PLC0415
    from terrarium.runtime.web import MODELS, WebRuntime  # noqa: PLC0415
    from terrarium.runtime.web_files import WebNewFile  # noqa: PLC0415
    from terrarium.runtime.web_pages import WebPages  # noqa: PLC0415
    from terrarium.runtime.web_recogniser import WebRecogniser  # noqa: PLC0415
    from terrarium.storage.indexeddb import open_store  # noqa: PLC0415

    runtime = WebRuntime()
    cards = [name.removeprefix(MODELS) for name in assets.names() if name.startswith(MODELS) and name.endswith(".toml")]
    store, notices = await open_store()
    embedder, generator = (packed_model(runtime, cards, task) for task in ("embed", "generate"))
    engine = Engine(
        runtime,
        store,
        WebReader(),
        embedder=embedder,
        generator=generator,
        notices=notices,
        new_file=WebNewFile,
        pages=WebPages(),
        recogniser=WebRecogniser(),
    )
    # NaN is not JSON: it raises here, where the traceback says who made it.
    return _PageDispatcher(Dispatcher(engine, lambda message: post_json(json.dumps(message, allow_nan=False))))
