"""The engine as the page sees it: a command with arguments, events on the way, one result or one error."""

import json

from pyscript import window


class EngineError(Exception):
    """What the engine refused to do. `kind` is the name of its exception, `message` is for the person."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


def plain(value: object) -> object:
    """A JavaScript value as dicts, lists, strings and numbers."""
    text = window.JSON.stringify(value)
    return json.loads(text) if isinstance(text, str) else None


async def settled(promise: object) -> object:
    """The promise's value; its rejection as EngineError."""
    outcome = await window.terrariumInterface.settle(promise)
    if not outcome.ok:
        raise EngineError(outcome.kind, outcome.message)
    return outcome.value


async def call(
    command: str, arguments: dict, *, data: object = None, on_event: object = None, on_start: object = None
) -> object:
    """Run a command; the result is the engine's own JavaScript object (see `plain`).

    `data` is an ArrayBuffer that is handed over, `on_event` gets each event as a dict, `on_start` the id for `cancel`.
    """
    given = window.JSON.parse(json.dumps(arguments))
    if data is not None:
        given.data = data

    def heard(event: object) -> None:
        if on_event:
            on_event(plain(event))

    running = window.terrarium.call(command, given, heard)
    if on_start:
        on_start(running.id)
    return await settled(running.promise)


def cancel(call_id: object) -> None:
    window.terrarium.cancel(call_id)
