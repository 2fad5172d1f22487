"""What the audit found, as Markdown for people and JSON for programs, and whether it passed."""

from __future__ import annotations

import dataclasses
from typing import Any

from terrarium_build.audit.controls import Attempt
from terrarium_build.audit.sessions import Session

# Neither can be stopped once such a link is in the page; that none ever is, the search and the watch below say.
UNSTOPPABLE = ("link[rel=preconnect]", "link[rel=dns-prefetch]")

PAGE = """# Network audit

{browser}. **{verdict}**

{failures}

## The scenario

Load, drop hostile files of every format, ask, let a model write beacons, open passages and documents, remove, reload,
ask again; watched in Chromium's own network log, in its debugging events and by an attacker.

| page | steps | requests, look-ups, connections, datagrams | time |
|---|---|---|---|
{scenario}

## Every way out, tried

"Seen" in the unsealed copy is the control: the watch works. "Policy alone" has this project's own locks taken off.
"Blocked by code" means that the function itself refused; behind it stands the policy, as the column before shows.
Pyodide's `urllib` reaches out by Emscripten's sockets, which are WebSockets underneath.

{ways}

## What no policy covers, and rests on this page's own code

In the sealed page, guards on clicks, forms and navigation stop what is not refused by the function itself.

{beyond}

{unstoppable} cannot be stopped once such a link is in the page. While the
scenario ran, the page's code made none, nor any window, remote link or connection. Its sources name these means
only here:

{uses}

## What the browser does by itself

No page can see or stop these, and the audit runs with them switched off or set apart:

* Updates of the browser and its components, and whether somebody is signed in to it.
* Autofill: on an http(s) address Chromium may ask Google's server about the kinds of fields that a page with a text
  field has, never about what is typed. It does not do so on file://, nor when autofill is off in its settings.
"""


@dataclasses.dataclass
class Report:
    """All sessions of one audit and the search of the project's own sources."""

    sealed: list[Session]
    unsealed: Session
    policy: Session
    known_uses: list[str]
    unknown_uses: list[str]
    browser: str

    def failures(self) -> list[str]:
        """One line each; none means that nothing leaked and that every control was seen."""
        lines = [f"Use without a reason in the project's own code: {use}" for use in self.unknown_uses]
        for session in self.sealed:
            lines += [f"{session.name}, scenario: {leak}" for leak in session.leaks]
            if played := session.played:
                lines += [f"{session.name}, a step did not do its work: {problem}" for problem in played.problems]
                lines += [f"{session.name}, the page had to stop something: {entry}" for entry in played.ledger]
                lines += [f"{session.name}, own code did what it never should: {entry}" for entry in played.own_code]
            lines += [f"{session.name}: {_name(a)} got out" for a in session.attempts if a.seen]
            lines += [
                f"{session.name}: {_name(a)} got out" for a in session.beyond if a.seen and a.channel not in UNSTOPPABLE
            ]
        lines += [f"policy alone: {_name(a)} got out" for a in self.policy.attempts if a.seen]
        controls = [*self.unsealed.attempts, *self.unsealed.beyond]
        lines += [
            f"unsealed: {_name(a)} was not seen ({a.result}): the watch is blind to it" for a in controls if not a.seen
        ]
        return lines

    def markdown(self) -> str:
        failures = self.failures()
        sessions = [self.unsealed, self.policy, *self.sealed]
        scenario = [(s.name, len(s.played.steps), len(s.leaks), f"{s.seconds:.0f} s") for s in self.sealed if s.played]
        return PAGE.format(
            browser=self.browser,
            verdict=f"Failed: {len(failures)} findings." if failures else "Passed: nothing left the tab.",
            failures="\n".join(f"* {line}" for line in failures),
            scenario="\n".join(_row(*cells) for cells in scenario),
            ways=_table(sessions, [session.attempts for session in sessions]),
            beyond=_table(sessions, [session.beyond for session in sessions]),
            unstoppable=" and ".join(f"`{way}`" for way in UNSTOPPABLE),
            uses="\n".join(f"* {use}" for use in self.known_uses),
        )

    def json(self) -> dict[str, Any]:
        return {"passed": not self.failures(), "failures": self.failures(), **dataclasses.asdict(self)}


def _table(sessions: list[Session], columns: list[list[Attempt]]) -> str:
    lines = [_row("place", "way", *(session.name for session in sessions)), "|---|---|" + "---|" * len(sessions)]
    for attempts in zip(*columns, strict=True):
        first = attempts[0]
        lines.append(_row(first.place, f"`{first.channel}`", *(_cell(attempt) for attempt in attempts)))
    return "\n".join(lines)


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _name(attempt: Attempt) -> str:
    return f"{attempt.channel} from {attempt.place}"


def _cell(attempt: Attempt) -> str:
    """ "seen (log only)": a look-up or a connection that never said anything to the attacker."""
    if attempt.seen:
        return "seen" if attempt.arrived else "seen (log only)"
    by_code = "switched off" in attempt.result or "reads only what came with the page" in attempt.result
    return "blocked by code" if by_code else "blocked"
