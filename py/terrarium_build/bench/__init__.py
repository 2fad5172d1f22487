"""`build.py bench`: how fast the page is, each figure beside a peer that was measured in the same run.

Both halves of a round run one right after the other, so a busy machine slows them alike; the ratio is what counts.
docs/benchmarks.md says what each ratio means and what it does not.
"""

from __future__ import annotations

from pathlib import Path

from terrarium.errors import TerrariumError
from terrarium_build.bench.boot import measure_boot
from terrarium_build.bench.figures import Report
from terrarium_build.bench.lexical import lexical_figures
from terrarium_build.bench.library import measure_library
from terrarium_build.bench.models import measure_models
from terrarium_build.bench.tab import measure_tab
from terrarium_build.packing import write_whole
from terrarium_build.paths import STATE, BuildError, say


def bench(index: Path, *, as_json: bool = False) -> int:
    """The whole page. Print the report and keep it. Always 0: numbers are for people to judge. Raises BuildError."""
    report = Report()
    try:
        bare = measure_boot(index, report)
        measure_tab(index, report, bare)
        report.figures += lexical_figures()
    except TerrariumError as error:  # the desk has a sentence for what it misses
        raise BuildError(str(error)) from error
    return _show(report, "report", as_json=as_json)


def bench_models(index: Path, *, rounds: int, as_json: bool = False) -> int:
    """The models alone, likewise."""
    report = Report()
    measure_models(index, report, rounds)
    return _show(report, "models", as_json=as_json)


def bench_library(index: Path, *, chunks: int, as_json: bool = False) -> int:
    """A large library alone, likewise."""
    report = Report()
    measure_library(index, report, chunks)
    return _show(report, "library", as_json=as_json)


def _show(report: Report, name: str, *, as_json: bool) -> int:
    folder = STATE / "bench"
    write_whole(folder / f"{name}.md", f"{report.markdown()}\n".encode())
    write_whole(folder / f"{name}.json", f"{report.json()}\n".encode())
    print(report.json() if as_json else report.markdown())
    say(f"Kept as {folder / name}.md and {name}.json.")
    return 0
