"""Commands as tasks: each ends in exactly one message, whatever happens to it."""

from __future__ import annotations

import asyncio
from typing import Any

from terrarium.errors import UnreadableFile
from terrarium.worker import Dispatcher, packed_model


class Engine:
    async def handle(self, command: str, args: dict[str, Any], emit: Any) -> dict[str, Any]:
        if command == "wait":
            await asyncio.sleep(60)
        if command == "unreadable":
            raise UnreadableFile("“a.pdf” cannot be read.")
        if command == "mistake":
            raise ZeroDivisionError
        if command == "memory":
            raise MemoryError
        emit({"type": "progress", "done": 1})
        return {"echo": args}


def messages_of(*steps: tuple[str, int, str]) -> list[dict[str, Any]]:
    """What is posted when the steps ("receive" or "cancel", id, command) come in one after the other."""
    posted: list[dict[str, Any]] = []

    async def play() -> None:
        dispatcher = Dispatcher(Engine(), posted.append)
        for kind, number, command in steps:
            if kind == "receive":
                dispatcher.receive(number, command, {"n": number})
            elif kind == "pause":
                await asyncio.sleep(0.01)
            else:
                dispatcher.cancel(number)
        await asyncio.sleep(0.01)

    asyncio.run(play())
    return posted


def test_events_come_before_the_result() -> None:
    assert messages_of(("receive", 7, "echo")) == [
        {"id": 7, "event": {"type": "progress", "done": 1}},
        {"id": 7, "result": {"echo": {"n": 7}}},
    ]


def test_own_errors_keep_their_name_and_sentence() -> None:
    (message,) = messages_of(("receive", 1, "unreadable"))
    assert message == {"id": 1, "error": {"kind": "UnreadableFile", "message": "“a.pdf” cannot be read."}}


def test_other_errors_get_a_sentence_and_a_traceback() -> None:
    (message,) = messages_of(("receive", 1, "mistake"))
    assert message["error"]["kind"] == "InternalError"
    assert "ZeroDivisionError" in message["error"]["message"] and "Traceback" in message["error"]["detail"]
    (message,) = messages_of(("receive", 1, "memory"))
    assert "memory" in message["error"]["message"]


def test_cancel_ends_a_running_command_and_no_other() -> None:
    posted = messages_of(("receive", 1, "wait"), ("receive", 2, "echo"), ("pause", 0, ""), ("cancel", 1, ""))
    assert [(m["id"], m["error"]["kind"]) for m in posted if "error" in m] == [(1, "Cancelled")]
    assert [m["id"] for m in posted if "result" in m] == [2]


def test_cancel_before_the_first_step_is_answered_too() -> None:
    (message,) = messages_of(("receive", 1, "echo"), ("cancel", 1, ""))
    assert message["error"]["kind"] == "Cancelled"


def test_cancel_after_the_end_changes_nothing() -> None:
    posted = messages_of(("receive", 1, "echo"), ("pause", 0, ""), ("cancel", 1, ""), ("cancel", 99, ""))
    assert [sorted(message) for message in posted] == [["event", "id"], ["id", "result"]]


class Files:
    """A runtime as far as `packed_model` looks at it."""

    def __init__(self, files: dict[str, str]) -> None:
        self._files = files

    def has(self, file: str) -> bool:
        return file in self._files

    def read_text(self, file: str) -> str:
        return self._files[file]


def test_packed_model_is_the_one_whose_graph_came_along() -> None:
    def card(name: str, task: str) -> str:
        table = "backends.wasm" if task == "generate" else "files"
        return f'id = "{name}"\ntask = "{task}"\nfiles.tokenizer = "t"\n{table}.graph = "{name}.onnx"\n'

    tasks = {"d": "embed", "e": "embed", "a": "generate", "b": "generate"}
    cards = {f"{name}.toml": card(name, task) for name, task in tasks.items()}
    came = Files(cards | {"e.onnx": "", "b.onnx": ""})
    assert packed_model(came, list(cards), "generate") == "b"  # type: ignore[arg-type]
    assert packed_model(came, list(cards), "embed") == "e"  # type: ignore[arg-type]
    assert packed_model(Files(cards), list(cards), "generate") is None  # type: ignore[arg-type]
