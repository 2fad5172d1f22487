"""From the navigation to a page that takes files, against the least that could do such work.

The bare peer loads Pyodide, numpy and one onnxruntime-web session of the embedder in a blob worker, out of the same
asset files: no interface, no seal, no check of hashes, no engine, no PDF reader, no library.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Error

from terrarium_build.bench.figures import Figure, Report, stage_medians
from terrarium_build.bench.memory import Memory, renderer_memory
from terrarium_build.driving import BOOT_LIMIT, TerrariumPage, open_chromium
from terrarium_build.paths import BuildError, say
from terrarium_build.scripts import script

ROUNDS = 5
SETTLE = 3.0  # seconds until memory is called at rest
BARE = "bare Pyodide + numpy + onnxruntime-web"


@dataclass(frozen=True, slots=True)
class Boot:
    """`seconds` since the navigation began."""

    seconds: float
    memory: Memory | None
    stages: dict[str, float] = field(default_factory=dict)


def measure_boot(index: Path, report: Report, rounds: int = ROUNDS) -> list[Boot]:
    """Adds the figures to the report; returns the bare peer's rounds."""
    ours, bare = [], []
    with tempfile.TemporaryDirectory() as folder:
        bare_index = write_bare_page(index.parent, Path(folder))
        for number in range(rounds):
            say(f"Boot, round {number + 1} of {rounds}")
            bare.append(_boot_bare(bare_index))
            ours.append(_boot_page(index))
    seconds = [tuple(boot.seconds for boot in boots) for boots in (ours, bare)]
    report.figures.append(Figure("Boot until files may be dropped", "s", BARE, *seconds))
    report.boot_stages = stage_medians([boot.stages for boot in ours])
    pairs = [(page.memory, peer.memory) for page, peer in zip(ours, bare, strict=True)]
    both = [(page, peer) for page, peer in pairs if page and peer]
    if len(both) == rounds:
        for name, kind in (("peak of the boot", "peak"), ("at rest", "rest")):
            sides = [tuple(float(getattr(pair[side], kind)) for pair in both) for side in (0, 1)]
            report.figures.append(Figure(f"Memory without the writer, {name}", "MB", BARE, *sides))
    else:
        report.notes.append("Memory was not measured: this system has no /proc.")
    return bare


def write_bare_page(site: Path, folder: Path) -> Path:
    """A page in `folder` that reads the assets where they lie."""
    worker, page = (script(f"bench/bare_{part}.js") for part in ("worker", "page"))
    path = folder / "index.html"
    path.write_text(
        f'<!doctype html><html><head><meta charset="utf-8"><base href="{site.as_uri()}/"><title>Bare</title></head>'
        f'<body><script type="text/plain" id="worker">{worker}</script><script>{page}</script></body></html>',
        encoding="utf-8",
    )
    return path


def _boot_page(index: Path) -> Boot:
    with open_chromium() as context:
        context.add_init_script(script("bench/ready_clock.js"))
        page = TerrariumPage.open(context, index.as_uri(), writer="none").page
        time.sleep(SETTLE)
        ready, stages = page.evaluate("[readyAfter, terrarium.info.timings]")
        return Boot(ready / 1000, renderer_memory(), stages)


def _boot_bare(index: Path) -> Boot:
    with open_chromium() as context:
        page = context.pages[0]
        page.goto(index.as_uri())
        try:
            page.wait_for_function("() => globalThis.outcome", timeout=BOOT_LIMIT * 1000, polling=200)
        except Error as error:
            raise BuildError(f"The bare page did not start within {BOOT_LIMIT:.0f} s.") from error
        outcome = page.evaluate("outcome")
        if outcome.get("failed"):
            raise BuildError(f"The bare page could not start: {outcome['failed']}")
        time.sleep(SETTLE)
        return Boot(outcome["ready"] / 1000, renderer_memory())
