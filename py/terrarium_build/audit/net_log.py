"""Chromium's own record of its network stack, read back: what was asked for, looked up, connected to or sent.

It is written by the browser process (`--log-net-log=FILE --net-log-capture-mode=Everything`), below every page, worker
and service of the browser, so nothing that a page does can hide from it. Loads of `file:`, `blob:` and `data:` never
come this far. It is whole once the browser has closed.

Not here: what the browser sends on its own account. Its start-up chatter is switched off by flags (driving.py); what no
flag stops is told apart by its traffic annotation, a number that browser code attaches and no page can choose.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LOCAL_SCHEMES = ("file:", "blob:", "data:", "about:", "chrome:", "devtools:", "chrome-extension:")
# tools/traffic_annotation/summary/annotations.xml in Chromium: whether somebody is signed in to the browser; updates of
# the browser's components.
BROWSER_OWN = ("gaia_auth_list_accounts", "update_client")
# What driving.py maps the hosts of these requests to: a name that is never looked up.
NOT_FOUND = "~notfound"
BEGIN = 1


@dataclass(frozen=True, slots=True)
class NetEvent:
    """`kind`: "request", "lookup" (of a name), "connection" (TCP) or "datagram" (UDP). `time`: in seconds."""

    time: float
    kind: str
    target: str


def annotation_hash(name: str) -> int:
    """The number of a traffic annotation in the log (net/traffic_annotation/network_traffic_annotation.h)."""
    value = 0
    for character in name:
        value = (value * 31 + ord(character)) % 138003713
    return value


def read_net_log(path: Path) -> list[NetEvent]:
    """What left the browser, or tried to, in order. Raises ValueError when the file is no such log."""
    log = _parse(path.read_text(encoding="utf-8", errors="replace"))
    constants = log["constants"]
    types = {number: name for name, number in constants["logEventTypes"].items()}
    sources = {number: name for name, number in constants["logSourceType"].items()}
    offset = float(constants["timeTickOffset"])
    own = {annotation_hash(name) for name in BROWSER_OWN}
    annotations: dict[int, int] = {}
    peers: dict[int, str] = {}
    events = []
    for entry in log["events"]:
        kind, params, source = types.get(entry["type"], ""), entry.get("params") or {}, entry["source"]["id"]
        if kind == "REQUEST_ALIVE" and "traffic_annotation" in params:
            annotations[source] = params["traffic_annotation"]
        if kind == "UDP_CONNECT" and "address" in params:
            peers[source] = params["address"]
        if sources.get(entry["source"]["type"]) == "NETWORK_QUALITY_ESTIMATOR" or annotations.get(source) in own:
            continue
        time = (offset + float(entry["time"])) / 1000
        events += [NetEvent(time, *seen) for seen in _seen(kind, entry.get("phase"), params, peers.get(source, ""))]
    return events


def _seen(kind: str, phase: int | None, params: dict[str, Any], peer: str) -> Iterator[tuple[str, str]]:
    if kind == "URL_REQUEST_START_JOB" and phase == BEGIN:
        if not str(params.get("url", "")).startswith(LOCAL_SCHEMES):
            yield "request", params.get("url", "?")
    elif kind == "HOST_RESOLVER_MANAGER_REQUEST" and phase == BEGIN:
        if NOT_FOUND not in str(params.get("host", "")):
            yield "lookup", params.get("host", "?")
    elif kind == "TCP_CONNECT_ATTEMPT" and phase == BEGIN:
        yield "connection", params.get("address", "?")
    elif kind == "UDP_BYTES_SENT":
        # A connected socket that sends nothing is how Chromium asks for the route to a host: no packet leaves.
        yield "datagram", params.get("address", peer)


def _parse(text: str) -> dict[str, Any]:
    """The log, also when the browser was stopped before it could write the end."""
    try:
        parsed: dict[str, Any] = json.loads(text)
    except json.JSONDecodeError:
        whole_lines = text[: text.rfind("},\n") + 1]
        if not whole_lines:
            raise ValueError("This is not a network log, or it ends before its first event.") from None
        parsed = json.loads(whole_lines + "]}")
    return parsed
