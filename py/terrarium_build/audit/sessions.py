"""The browser sessions of one audit: the sealed page over file:// and http://, and two copies with locks taken off."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from terrarium_build.audit.attacker import Attacker
from terrarium_build.audit.beyond import attempt_beyond, with_any_event
from terrarium_build.audit.controls import Attempt, attempt_all, prepare, with_log
from terrarium_build.audit.copies import open_copy, policy_copy
from terrarium_build.audit.scenario import Played, play
from terrarium_build.audit.watcher import Witnessed, watched_chromium
from terrarium_build.driving import TerrariumPage, serve_folder
from terrarium_build.paths import STATE, say
from terrarium_build.scripts import script


@dataclass
class Session:
    """`leaks`: what anybody saw while the scenario ran; `attempts` and `beyond` came after it.

    `requests`: all addresses that the browser's debugging events showed, from first to last.
    """

    name: str
    attempts: list[Attempt] = field(default_factory=list)
    beyond: list[Attempt] = field(default_factory=list)
    played: Played | None = None
    leaks: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    seconds: float = 0.0


def sealed_session(site: Path, over: str) -> Session:
    """The page as it is built: the scenario, then every attempt to get out. `over` is "file" or "http"."""
    session = Session(f"sealed, {over}://")
    begun = time.time()
    with Attacker() as attacker, _address(site, over) as (address, own), watched_chromium(attacker) as (context, seen):
        prepare(context)
        context.add_init_script(script("audit/watch_own_code.js"))
        say(f"— {session.name}: the scenario")
        driven, session.played = play(context, address, attacker.url)
        ended = time.time()
        say(f"— {session.name}: every way out")
        attempts = attempt_all(driven, attacker)
        beyond = attempt_beyond(driven, attacker)
    session.attempts = with_log(attempts, seen.events, attacker.url)
    session.beyond = with_any_event(beyond, seen.events)
    session.requests = [url for _, url in seen.requests]
    session.leaks = _leaks(session.played, seen, begun, ended, own)
    session.seconds = time.time() - begun
    return session


def control_session(site: Path, policy: bool) -> Session:
    """A copy of the page without its locks, over file://; with `policy`, only the project's own locks are taken off."""
    session = Session("policy alone" if policy else "unsealed")
    begun = time.time()
    STATE.mkdir(exist_ok=True)
    # Not the system's folder: links to the built files work only on one disk.
    with tempfile.TemporaryDirectory(dir=STATE, prefix="audit-") as folder, Attacker() as attacker:
        index = (policy_copy if policy else open_copy)(site, Path(folder) / "site")
        with watched_chromium(attacker) as (context, seen):
            prepare(context)
            say(f"— {session.name}: every way out")
            driven = TerrariumPage.open(context, index.as_uri(), writer="none")
            attempts = attempt_all(driven, attacker)
            beyond = attempt_beyond(driven, attacker)
    session.attempts = with_log(attempts, seen.events, attacker.url)
    session.beyond = with_any_event(beyond, seen.events)
    session.requests = [url for _, url in seen.requests]
    session.seconds = time.time() - begun
    return session


@contextlib.contextmanager
def _address(site: Path, over: str) -> Iterator[tuple[str, str]]:
    """(address of the page, its "host:port" or "")."""
    if over == "file":
        yield (site / "index.html").as_uri(), ""
        return
    with serve_folder(site) as (address, _):
        yield f"{address}index.html", address.split("/")[2]


def _leaks(played: Played, seen: Witnessed, start: float, end: float, own: str) -> list[str]:
    """Everything seen from `start` to `end`; while the page loads, its own host may be asked for its own files."""
    leaks: list[str] = []
    for boot_start, boot_end in [*played.boots, (end, end)]:
        leaks += seen.between(start, boot_start)
        leaks += seen.between(boot_start, boot_end, own)
        start = boot_end
    return leaks
