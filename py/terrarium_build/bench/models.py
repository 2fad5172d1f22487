"""`build.py bench --models`: the models in the tab against others' on the same weights or the same texts."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from terrarium_build.bench.embedding import embed_vs_transformers_js
from terrarium_build.bench.figures import Figure, Report
from terrarium_build.bench.generators import measure_generators

THREADS = (1, 2)
DEFAULT = "q8"  # what transformers.js loads in WebAssembly when nothing is asked for


def measure_models(index: Path, report: Report, rounds: int) -> None:
    """Adds figures and ratios of medians to the report: `wasm` is what a page opened from disk has, one thread."""
    for threads in THREADS:
        rates = measure_generators(index, threads, rounds)
        report.figures += rates.figures()
        report.summary["wasm" if threads == 1 else f"wasm_{threads}_threads"] = rates.summary()
    embedding = embed_vs_transformers_js(index, rounds)
    report.figures += embedding.values()
    for peer, figure in embedding.items():
        name = "embed_vs_transformers_js" + ("" if peer == DEFAULT else f"_{peer}")
        report.summary["wasm"][name] = ratio_of_medians(figure)


def ratio_of_medians(figure: Figure) -> float:
    return median(figure.ours) / median(figure.theirs)
