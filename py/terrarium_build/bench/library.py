"""`build.py bench --library`: a large library in the engine's worker, and the same code natively, turn by turn."""

from __future__ import annotations

import asyncio
import contextlib
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from terrarium_build.bench.figures import Figure, Report
from terrarium_build.bench.large_library import PER_DOCUMENT, Bench
from terrarium_build.bench.memory import renderer_memory, watched_peak
from terrarium_build.bench.serving import serve
from terrarium_build.bench.writer_pages import open_page, places, wait
from terrarium_build.driving import open_chromium
from terrarium_build.paths import say
from terrarium_build.scripts import script

ROUNDS, QUESTIONS = 4, 40
ENDS = 100  # documents at the beginning and at the end of filling that are compared
NATIVE = "the same code under CPython"
BEFORE = "the worker before, without models"
PERCENTILES = (50, 95)

Call = Callable[..., Any]


def measure_library(index: Path, report: Report, chunks: int, rounds: int = ROUNDS) -> None:
    """Adds the figures to the report, and the ratios to native of searches, of adding and of opening."""
    with _both(index) as (tab, native):
        before = renderer_memory()
        say(f"Filling two libraries with {chunks:,} chunks")
        filled = tab("fill", chunks)
        native("fill", chunks)
        with watched_peak() as most:
            opened = [[side("open")["seconds"]] for side in (tab, native)]
        asked, added = [], []
        for number in range(rounds):
            say(f"Searching, round {number + 1} of {rounds}")
            asked.append([side("ask", QUESTIONS) for side in (tab, native)])
            added.append([side("add_and_ask", ENDS // 20) for side in (tab, native)])
        after = renderer_memory()

    figures = search_figures(asked)
    figures["open"] = Figure(f"Opening a library of {chunks:,} chunks", "s", NATIVE, *map(tuple, opened))
    figures["add"] = _medians("Adding a document that is embedded already", NATIVE, added, "add")
    figures["search_after_adding"] = _medians("The first search after it", NATIVE, added, "search")
    report.summary["library"] = {f"{name}_vs_native": figure.ratio for name, figure in figures.items()}
    spent = filled["milliseconds"]
    ends = [(float(np.median(part)),) for part in (spent[-ENDS:], spent[:ENDS])]
    report.figures += figures.values()
    report.figures.append(Figure("Adding the last documents", "ms", "adding the first, in the tab", *ends))
    if before and after:
        sides = (("at rest", after.rest, before.rest), ("peak while it is opened", most(), before.peak))
        for name, ours, theirs in sides:
            report.figures.append(Figure(f"Memory with the library, {name}", "MB", BEFORE, (ours,), (theirs,)))
    report.notes.append(
        f"{chunks:,} chunks in {len(spent):,} documents of {PER_DOCUMENT}, {filled['bytes'] / 1e6:,.0f} MB as stored; "
        f"{QUESTIONS} questions of each kind a round."
    )


def search_figures(rounds: Sequence[Sequence[dict[str, list[float]]]]) -> dict[str, Figure]:
    """Of milliseconds by kind of search, a pair of tab and native a round."""
    figures = {}
    for kind in rounds[0][0]:
        for percentile in PERCENTILES:
            values = [tuple(float(np.percentile(one[side][kind], percentile)) for one in rounds) for side in (0, 1)]
            name = "Search" if kind == "search" else f"Search, {kind}"
            figures[f"{kind.replace(' ', '_')}_p{percentile}"] = Figure(f"{name}, p{percentile}", "ms", NATIVE, *values)
    return figures


def _medians(name: str, peer: str, rounds: Sequence[Sequence[dict[str, list[float]]]], kind: str) -> Figure:
    return Figure(name, "ms", peer, *[tuple(float(np.median(one[side][kind])) for one in rounds) for side in (0, 1)])


@contextlib.contextmanager
def _both(index: Path) -> Iterator[tuple[Call, Call]]:
    """An empty library on each side: functions that call a method of its `Bench`."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serve(places(index), isolated=False) as host,
        open_chromium() as context,
        # A thread of its own: Playwright's synchronous half keeps an event loop running in the caller's.
        ThreadPoolExecutor(1) as thread,
    ):
        page = open_page(context, f"{host}engine.html#threads=1")
        wait(page, "bench", script("bench/large_library.py"))
        bench = Bench()

        def tab(name: str, *arguments: Any) -> Any:
            return wait(page, "bench", f"await call({', '.join(map(json.dumps, (name, *arguments)))})")

        def native(name: str, *arguments: Any) -> Any:
            return thread.submit(lambda: asyncio.run(getattr(bench, name)(*arguments))).result()

        tab("begin", "")
        native("begin", str(Path(folder) / "library.sqlite"))
        yield tab, native
