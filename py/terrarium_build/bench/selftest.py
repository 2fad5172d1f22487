"""`build.py bench --selftest`: what the built page's self-test found on this machine, in Chromium, opened from disk."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from terrarium.models.selftest import PROBE
from terrarium_build.bench.figures import shown, table
from terrarium_build.driving import TerrariumPage, open_chromium
from terrarium_build.paths import BuildError, say

HEAD = ("model", "backend", "verdict", "reading", "writing", "why")


def selftest(index: Path, *, as_json: bool = False) -> int:
    """Print which backend each model got, and why. 1 when a model got none. Raises BuildError."""
    with open_chromium() as context:
        say("Opening the page in a fresh profile, so that every model proves itself anew")
        driven = TerrariumPage.open(context, index.as_uri())
        driven.wait_writer()
        status: dict[str, Any] = driven.page.evaluate("terrarium.call('status', {}).promise")
    verdicts = status["selftest"]
    if not verdicts:
        raise BuildError("The page's engine tested no model. Build the page anew and run again.")
    print(json.dumps(status, ensure_ascii=False, indent=1) if as_json else table(HEAD, rows(verdicts)))
    return 1 if without_backend(verdicts) else 0


def rows(verdicts: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """A row a pair of model and backend; speeds in tokens a second, where there are any."""
    return [
        [
            one["model"],
            one["backend"],
            "chosen" if one["chosen"] else "passed" if one["passed"] else "refused",
            *(shown(one[kind]) if one[kind] else "" for kind in ("reading", "writing")),
            one["reason"].replace("|", "/"),
        ]
        for one in verdicts
    ]


def without_backend(verdicts: Sequence[Mapping[str, Any]]) -> set[str]:
    """Models that run nowhere. The probe, which proves a device and answers nobody, is none of them."""
    models = {one["model"] for one in verdicts if one["model"].partition("@")[0] != PROBE}
    return models - {one["model"] for one in verdicts if one["chosen"]}
