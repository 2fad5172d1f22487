"""What no Content Security Policy covers: new windows, links, downloads, navigation, WebRTC, look-ups ahead of a link.

Here the page rests on its own code. Three things stand for that: each way is tried in the sealed page and its outcome
reported (here), the project's own sources are searched for the means (own_code.py), and while the whole scenario runs
nothing may use them (watch_own_code.js).
"""

from __future__ import annotations

import time
from dataclasses import replace

from playwright.sync_api import Error

from terrarium_build.audit.attacker import Attacker
from terrarium_build.audit.controls import Attempt
from terrarium_build.audit.net_log import NetEvent
from terrarium_build.driving import TerrariumPage
from terrarium_build.scripts import expression

PATIENCE = 0.8  # seconds for each


def attempt_beyond(driven: TerrariumPage, attacker: Attacker) -> list[Attempt]:
    """Each way by itself; those that leave an open page come last."""
    attempts: list[Attempt] = []
    ways = expression("audit/beyond.js")
    for way in driven.page.evaluate(f"() => Object.keys({ways})"):
        start = time.time()
        try:
            driven.page.evaluate(f"([way, url]) => {ways}[way](url)", [way, f"{attacker.url}/beyond/{len(attempts)}"])
            result = "done"
        except Error as error:
            result = error.message.splitlines()[0]
        driven.page.wait_for_timeout(PATIENCE * 1000)
        end = time.time()
        if driven.page.url.startswith(attacker.url):
            driven.page.go_back(wait_until="commit")
        for page in driven.page.context.pages:
            if page != driven.page:
                page.close()
        attempts.append(Attempt("page", way, result, start, end, bool(attacker.since(start))))
    return attempts


def with_any_event(attempts: list[Attempt], events: list[NetEvent]) -> list[Attempt]:
    """For attempts that were made one at a time: anything in Chromium's log between start and end is theirs."""
    return [replace(a, logged=any(a.start <= event.time <= a.end for event in events)) for a in attempts]
