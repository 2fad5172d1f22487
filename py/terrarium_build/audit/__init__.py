"""The network audit: does anything leave the tab, and would we see it if it did?"""

from __future__ import annotations

import json
from pathlib import Path

from terrarium_build.audit.own_code import search_own_code
from terrarium_build.audit.report import Report
from terrarium_build.audit.sessions import control_session, sealed_session
from terrarium_build.browsers import find_chromium
from terrarium_build.packing import write_whole
from terrarium_build.paths import STATE, say


def run_audit(index: Path) -> Report:
    """All sessions on the built page whose index.html is given; takes some minutes."""
    site = index.parent
    known, unknown = search_own_code()
    return Report(
        unsealed=control_session(site, policy=False),
        policy=control_session(site, policy=True),
        sealed=[sealed_session(site, "file"), sealed_session(site, "http")],
        known_uses=known,
        unknown_uses=unknown,
        browser=str(find_chromium()),
    )


def audit(index: Path) -> int:
    """Print the report and keep it; 1 when something leaked or a control was not seen."""
    report = run_audit(index)
    folder = STATE / "audit"
    write_whole(folder / "report.md", report.markdown().encode())
    write_whole(folder / "report.json", json.dumps(report.json(), indent=1).encode())
    say(report.markdown())
    say(f"Kept as {folder / 'report.md'} and report.json.")
    return 1 if report.failures() else 0
