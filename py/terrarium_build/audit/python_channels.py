"""How the engine's or the reader's Python can try to reach the network. Sent as text; never imported at the desk."""

# mypy: ignore-errors

import asyncio
import importlib.util
import json
import urllib.request

import js
from pyodide.http import open_url, pyfetch


def channels(base):
    """Channel → a function that tries it. Each asks for `base` + "/" + its own name."""

    async def xhr():
        request = js.XMLHttpRequest.new()
        request.open("GET", f"{base}/js.XMLHttpRequest", False)
        request.send()

    async def websocket():
        js.WebSocket.new(f"{base.replace('http', 'ws')}/js.WebSocket")
        await asyncio.sleep(0.5)

    async def synchronous():
        open_url(f"{base}/pyodide.http.open_url")

    async def install():
        import micropip  # noqa: PLC0415

        await micropip.install(f"{base}/micropip.install/beacon-1.0-py3-none-any.whl")

    with_micropip = {"micropip.install": install} if importlib.util.find_spec("micropip") else {}

    return {
        "js.fetch": lambda: js.fetch(f"{base}/js.fetch"),
        "js.XMLHttpRequest": xhr,
        "js.WebSocket": websocket,
        "pyodide.http.pyfetch": lambda: pyfetch(f"{base}/pyodide.http.pyfetch"),
        "pyodide.http.open_url": synchronous,
        **with_micropip,
    }


async def attempt(work):
    try:
        await asyncio.wait_for(work(), 3)
    except Exception as error:
        return f"{type(error).__name__}: {error}"[-300:]
    return "done"


async def attempt_all(base):
    return json.dumps({name: await attempt(work) for name, work in channels(base).items()})


async def attempt_urllib(base):
    """Six times: Python gives its socket up at once, on a busy machine before the WebSocket beneath has knocked."""

    async def work():
        urllib.request.urlopen(f"{base}/urllib.request", timeout=3).read()

    outcome = ""
    for _ in range(6):
        outcome = await attempt(work)
        await asyncio.sleep(0.5)
    return json.dumps({"urllib.request": outcome})
