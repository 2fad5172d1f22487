"""Three witnesses of what one browser sends: its own network log, the browser's debugging events, and an attacker.

The attacker answers for every host name but 127.0.0.1 itself, so a beacon to any address arrives. The debugging events
cover the page, its workers and their workers; the log covers the whole browser. `Witnessed` is what they saw.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import BrowserContext, Request

from terrarium_build.audit.attacker import Arrival, Attacker
from terrarium_build.audit.net_log import NetEvent, read_net_log
from terrarium_build.driving import open_chromium

NETWORK = ("http:", "https:", "ws:", "wss:", "ftp:")


@dataclass
class Witnessed:
    """`events` and `arrivals` are whole once the `with` of `watched_chromium` has ended."""

    requests: list[tuple[float, str]] = field(default_factory=list)
    events: list[NetEvent] = field(default_factory=list)
    arrivals: list[Arrival] = field(default_factory=list)

    def between(self, start: float, end: float, own: str = "") -> list[str]:
        """What was seen in that time, one line each, without what went to `own`, the page's own "host:port"."""
        lines = [
            f"request seen by the browser: {url}"
            for at, url in self.requests
            if start <= at <= end and not _is(own, url)
        ]
        lines += [
            f"{e.kind} in Chromium's log: {e.target}"
            for e in self.events
            if start <= e.time <= end and not _is(own, e.target)
        ]
        lines += [f"arrived over {a.protocol}: {a.what}" for a in self.arrivals if start <= a.time <= end]
        return lines


def _is(own: str, target: str) -> bool:
    return bool(own) and own == target.rsplit("//", maxsplit=1)[-1].split("/", maxsplit=1)[0]


@contextlib.contextmanager
def watched_chromium(attacker: Attacker) -> Iterator[tuple[BrowserContext, Witnessed]]:
    """A browser with all three witnesses in place."""
    seen = Witnessed()

    def note(request: Request) -> None:
        if request.url.startswith(NETWORK):
            seen.requests.append((time.time(), request.url))

    def refused(request: Request) -> None:
        # The policy stopped it inside the page: an attempt (the page's ledger has it), not a request.
        if request.failure and "csp" in request.failure.lower():
            seen.requests = [(at, url) for at, url in seen.requests if url != request.url]

    begun = time.time()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "net-log.json"
        resolver = f"MAP * 127.0.0.1:{attacker.port}, EXCLUDE 127.0.0.1"
        with open_chromium(net_log=log, resolver=resolver) as context:
            context.on("request", note)
            context.on("requestfailed", refused)
            yield context, seen
        seen.events = read_net_log(log)
        seen.arrivals = attacker.since(begun)
