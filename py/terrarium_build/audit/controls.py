"""Tries to get out of an opened page from each place that can run code, and notes what an attacker and Chromium saw.

Places: the page; the engine's worker, its Python and a worker inside of it (made the way a PDF's pages are drawn); the
reader's worker, its Python and a worker inside of that (made the way a PDF is read).
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from playwright.sync_api import BrowserContext, Worker

from terrarium_build.audit.attacker import Attacker
from terrarium_build.audit.net_log import NetEvent
from terrarium_build.driving import TerrariumPage
from terrarium_build.paths import BuildError
from terrarium_build.scripts import expression, script

PROBES = "audit/python_channels.py"
SETTLE = 1.0  # seconds for what is on its way to arrive


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
    context.add_init_script(script("audit/keep_python.js"))


def attempt_all(driven: TerrariumPage, attacker: Attacker) -> list[Attempt]:
    """Every channel from every place; takes about half a minute."""
    probe = expression("audit/channels.js")
    nested = expression("audit/nested_worker.js")
    engine, reader = engine_worker(driven), reader_worker(driven)
    places = {
        "page": lambda base: driven.page.evaluate(probe, base),
        "engine worker": lambda base: engine.evaluate(probe, base),
        "worker in the engine": lambda base: engine.evaluate(nested, [probe, base]),
        "reader worker": lambda base: reader.evaluate(probe, base),
        "worker in the reader": lambda base: reader.evaluate(nested, [probe, base]),
        "Python of the reader": lambda base: json.loads(run_python(reader, PROBES, f"await attempt_all({base!r})")),
        "Python": lambda base: json.loads(run_python(engine, PROBES, f"await attempt_all({base!r})")),
        "Python, urllib": lambda base: json.loads(run_python(engine, PROBES, f"await attempt_urllib({base!r})")),
    }
    return [attempt for place, work in places.items() for attempt in _from(place, work, attacker)]


def engine_worker(driven: TerrariumPage) -> Worker:
    return _worker_with(driven, "bridgeReader")


def reader_worker(driven: TerrariumPage) -> Worker:
    """Made as for a file, where none was read yet."""
    engine_worker(driven).evaluate("bridgeReader.start()")
    return _worker_with(driven, "bridgePdf")


def _worker_with(driven: TerrariumPage, bridge: str) -> Worker:
    for worker in driven.page.workers:
        if worker.evaluate(f"typeof {bridge} !== 'undefined'"):
            return worker
    raise BuildError(f"The page has no worker with {bridge}.")


def run_python(worker: Worker, module: str, call: str) -> str:
    """Run one of the python_*.py files beside this one in a worker, then a call; its value as text."""
    code = f"{script(module)}\n{call}\n"
    return str(worker.evaluate("(code) => auditPython.runPythonAsync(code)", code))


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
    parts = path.split("?", maxsplit=1)[0].split("/")
    return parts[2] if len(parts) > 2 else ""


def with_log(attempts: list[Attempt], events: list[NetEvent], attacker: str) -> list[Attempt]:
    """The attempts again, with what Chromium's own log says about each."""
    return [_logged(a, [e for e in events if a.start <= e.time <= a.end], attacker) for a in attempts]


def _logged(attempt: Attempt, events: list[NetEvent], attacker: str) -> Attempt:
    asked = {channel_of(event.target.split(attacker.split(":")[2])[-1]) for event in events if event.kind == "request"}
    if attempt.channel == "WebTransport":
        return replace(attempt, logged=any(event.kind == "datagram" for event in events))
    if attempt.channel == "urllib.request":
        return replace(attempt, logged=bool(events))
    return replace(attempt, logged=attempt.channel in asked)
