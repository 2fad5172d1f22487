"""Tries to get out of an opened page from each place that can run code, and notes what an attacker and Chromium saw.

Places: the page, the engine's worker, a worker inside the engine (made the way a PDF is read) and the engine's Python.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import BrowserContext, Worker

from terrarium_build.audit.attacker import Attacker
from terrarium_build.audit.net_log import NetEvent
from terrarium_build.driving import TerrariumPage
from terrarium_build.paths import BuildError

HERE = Path(__file__).parent
PROBES = "python_channels.py"
SETTLE = 1.0  # seconds for what is on its way to arrive
# Added at the end of the engine's source: a test has no other way to the interpreter, and production code offers none.
HOLD_PYTHON = """
{ const load = loadPyodide; loadPyodide = async (options) => (self.auditPython = await load(options)); }
"""
APPEND_TO_ENGINE = """{
    const Plain = Blob;
    window.Blob = class extends Plain {
        constructor(parts = [], options) {
            const engine = parts.length > 5 && typeof parts[0] === "string" && parts[0].includes("removeNetwork");
            super(engine ? [...parts, %s] : parts, options);
        }
    };
}""" % json.dumps(HOLD_PYTHON)
IN_NESTED_WORKER = """async ([probe, base]) => {
    const { bytes } = bridgeAssets;
    const source = `self.onmessage = async () => self.postMessage({ type: "done", results: await (${probe})("${base}") });`;
    bridgeAssets.bytes = (name) => (name === "pdf_worker.js" ? new TextEncoder().encode(source) : bytes(name));
    const id = bridgePdf.open(new Uint8Array(1), undefined);
    bridgeAssets.bytes = bytes;
    const message = JSON.parse(await bridgePdf.next(id));
    bridgePdf.close(id);
    if (!message.results) throw new Error(`The nested worker said ${JSON.stringify(message)}.`);
    return message.results;
}"""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One channel from one place. `result` is what the code that tried was told; `arrived` is what the attacker saw."""

    place: str
    channel: str
    result: str
    start: float
    end: float
    arrived: bool
    logged: bool = False

    @property
    def seen(self) -> bool:
        return self.arrived or self.logged


def prepare(context: BrowserContext) -> None:
    """To be called before the page is opened."""
    context.add_init_script(APPEND_TO_ENGINE)


def attempt_all(driven: TerrariumPage, attacker: Attacker) -> list[Attempt]:
    """Every channel from every place; takes about fifteen seconds."""
    probe = (HERE / "channels.js").read_text(encoding="utf-8")
    probe = probe[probe.index("async (") :].rstrip().rstrip(";")
    engine = engine_worker(driven)
    places = {
        "page": lambda base: driven.page.evaluate(probe, base),
        "engine worker": lambda base: engine.evaluate(probe, base),
        "worker in the engine": lambda base: engine.evaluate(IN_NESTED_WORKER, [probe, base]),
        "Python": lambda base: json.loads(run_python(engine, PROBES, f"await attempt_all({base!r})")),
        "Python, urllib": lambda base: json.loads(run_python(engine, PROBES, f"await attempt_urllib({base!r})")),
    }
    return [attempt for place, work in places.items() for attempt in _from(place, work, attacker)]


def engine_worker(driven: TerrariumPage) -> Worker:
    for worker in driven.page.workers:
        if worker.evaluate("typeof bridgeAssets !== 'undefined'"):
            return worker
    raise BuildError("The page has no engine worker.")


def run_python(engine: Worker, module: str, expression: str) -> str:
    """Run one of the python_*.py files beside this one in the engine, then an expression; its value as text."""
    code = (HERE / module).read_text(encoding="utf-8") + f"\n{expression}\n"
    return str(engine.evaluate("(code) => auditPython.runPythonAsync(code)", code))


def _from(place: str, work: Callable[[str], dict[str, str]], attacker: Attacker) -> Iterator[Attempt]:
    start = time.time()
    base = f"{attacker.url}/{re.sub(r'[^a-zA-Z]+', '-', place).strip('-')}"
    results = work(base)
    time.sleep(SETTLE)
    end = time.time()
    arrivals = [arrival for arrival in attacker.since(start) if arrival.time <= end]
    paths = {channel_of(arrival.what) for arrival in arrivals if arrival.protocol != "UDP"}
    for channel, result in sorted(results.items()):
        arrived = any(a.protocol == "UDP" for a in arrivals) if channel == "WebTransport" else channel in paths
        if channel == "urllib.request":
            arrived = bool(arrivals)
        yield Attempt(place, channel, result, start, end, arrived)


def channel_of(path: str) -> str:
    """ "/page/fetch" → "fetch"; "" for anything else."""
    parts = path.split("?")[0].split("/")
    return parts[2] if len(parts) > 2 else ""


def with_log(attempts: list[Attempt], events: list[NetEvent], attacker: str) -> list[Attempt]:
    """The attempts again, with what Chromium's own log says about each."""
    return [_logged(attempt, [e for e in events if attempt.start <= e.time <= attempt.end], attacker) for attempt in attempts]


def _logged(attempt: Attempt, events: list[NetEvent], attacker: str) -> Attempt:
    address = attacker.split("//")[1]
    asked = {channel_of("/" + e.target.split(address)[1].lstrip("/")) for e in events if e.kind == "request" and address in e.target}
    logged = any(e.kind == "datagram" for e in events) if attempt.channel == "WebTransport" else attempt.channel in asked
    if attempt.channel == "urllib.request":
        logged = bool(events)
    return Attempt(attempt.place, attempt.channel, attempt.result, attempt.start, attempt.end, attempt.arrived, logged)
