"""The plots of a report as SVG, made by matplotlib: text stays text, the same numbers give the same bytes."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from terrarium.evaluation.listing import CUTOFFS

COLOURS = {"bm25": "#b5651d", "dense": "#2a6f97", "hybrid": "#6a4c93", "reranked": "#2d6a4f", "final": "#1b1b1e"}
BANDS = ((1, "1", "#1b4332"), (3, "2–3", "#40916c"), (10, "4–10", "#95d5b2"), (100, "11–100", "#e9c46a"))
MISSED = ("not found", "#c44536")
VERDICTS = {"correct": "#2d6a4f", "ambiguous": "#e9c46a", "incorrect": "#c44536"}
STYLE: Any = {
    "font.family": "sans-serif",
    "font.size": 10,
    "svg.fonttype": "none",
    "svg.hashsalt": "terrarium",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#8a8a8a",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e6e6e6",
    "legend.frameon": False,
}


@matplotlib.rc_context(STYLE)
def recall_curves(result: Mapping[str, Any]) -> str:
    """Recall by cutoff, a line a stage."""
    figure, axes = _axes(6.4, 3.4)
    for stage, means in result["stages"].items():
        values = [means[f"recall@{k}"] for k in CUTOFFS]
        axes.plot(CUTOFFS, values, marker="o", markersize=4, color=COLOURS[stage], label=stage)
    axes.set_xscale("log")
    axes.set_xticks(CUTOFFS, [str(k) for k in CUTOFFS])
    axes.minorticks_off()
    axes.set_xlabel("first k of the list")
    axes.set_ylabel("recall")
    axes.set_ylim(0, 1.02)
    axes.legend(loc="lower right")
    return _svg(figure)


@matplotlib.rc_context(STYLE)
def measures(result: Mapping[str, Any], names: tuple[str, ...] = ("ndcg@10", "mrr", "recall@3", "all@4")) -> str:
    """Each stage's means with their 95 % intervals."""
    stages = list(result["stages"])
    figure, axes = _axes(6.4, 3.4)
    for place, stage in enumerate(stages):
        at = [row + (len(stages) / 2 - place - 0.5) * 0.15 for row in range(len(names))]
        means = [result["stages"][stage][name] for name in names]
        ends = [result["intervals"][stage][name] for name in names]
        below = [mean - low for mean, (low, _) in zip(means, ends, strict=True)]
        above = [high - mean for mean, (_, high) in zip(means, ends, strict=True)]
        axes.errorbar(means, at, xerr=[below, above], fmt="o", markersize=4, color=COLOURS[stage], label=stage)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlim(0, 1.02)
    axes.grid(axis="y", visible=False)
    axes.invert_yaxis()
    axes.legend(loc="best")
    return _svg(figure)


@matplotlib.rc_context(STYLE)
def first_ranks(result: Mapping[str, Any]) -> str:
    """Where the first relevant document or quote stands: the share of the questions, by stage."""
    stages = list(result["stages"])
    figure, axes = _axes(6.4, 0.5 * len(stages) + 1.2)
    questions = [row["stages"] for row in result["questions"] if row["stages"]]
    for row, stage in enumerate(stages):
        best = [min((rank for rank in one[stage]["ranks"].values() if rank), default=None) for one in questions]
        left, low = 0.0, 0
        for high, label, colour in BANDS:
            share = sum(rank is not None and low < rank <= high for rank in best) / len(best)
            axes.barh(row, share, left=left, color=colour, label=label if row == 0 else None)
            left, low = left + share, high
        axes.barh(row, 1 - left, left=left, color=MISSED[1], label=MISSED[0] if row == 0 else None)
    axes.set_yticks(range(len(stages)), stages)
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.grid(visible=False)
    axes.legend(ncols=len(BANDS) + 1, loc="lower center", bbox_to_anchor=(0.5, 1.0), columnspacing=1, handlelength=1)
    return _svg(figure)


@matplotlib.rc_context(STYLE)
def by_kind(result: Mapping[str, Any], name: str) -> str:
    """One measure by kind of question and stage."""
    kinds = {kind: of["stages"] for kind, of in result["by_kind"].items() if "stages" in of}
    stages = list(result["stages"])
    figure, axes = _axes(6.4, 3.0)
    width = 0.8 / len(stages)
    for place, stage in enumerate(stages):
        at = [column + (place - (len(stages) - 1) / 2) * width for column in range(len(kinds))]
        axes.bar(at, [of[stage][name] for of in kinds.values()], width * 0.9, color=COLOURS[stage], label=stage)
    axes.set_xticks(range(len(kinds)), list(kinds))
    axes.set_ylim(0, 1.02)
    axes.set_ylabel(name)
    axes.grid(axis="x", visible=False)
    axes.legend(ncols=len(stages), loc="lower center", bbox_to_anchor=(0.5, 1.0), columnspacing=1, handlelength=1)
    return _svg(figure)


@matplotlib.rc_context(STYLE)
def judged(result: Mapping[str, Any]) -> str:
    """The judge's probability of each question, one row a kind, coloured by verdict."""
    rows = [row for row in result["questions"] if row["judgement"]]
    kinds = sorted({row["kind"] for row in rows})
    figure, axes = _axes(6.4, 0.6 * len(kinds) + 1.2)
    for verdict, colour in VERDICTS.items():
        found = [row for row in rows if row["judgement"]["verdict"] == verdict]
        # Spread over the row by the place in the list, so that equal values do not hide each other.
        heights = [kinds.index(row["kind"]) + ((place * 7) % 11 - 5) / 16 for place, row in enumerate(found)]
        values = [row["judgement"]["probability"] for row in found]
        axes.scatter(values, heights, s=22, alpha=0.75, color=colour, label=verdict, linewidths=0)
    axes.set_yticks(range(len(kinds)), kinds)
    axes.invert_yaxis()
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel("probability that the passages answer the question")
    axes.grid(axis="y", visible=False)
    axes.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0), columnspacing=1, handletextpad=0.3)
    return _svg(figure)


def _axes(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure((width, height), layout="constrained")
    return figure, figure.subplots()


def _svg(figure: Figure) -> str:
    """The <svg> element alone, to stand in a page."""
    written = io.StringIO()
    figure.savefig(
        written, format="svg", transparent=True, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type"))
    )
    return written.getvalue()[written.getvalue().index("<svg") :]
