"""A run as a report for people: report.md, and report.html, one page without scripts that needs no network."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from terrarium.evaluation.answer_tables import answer_lines, answer_tables
from terrarium.evaluation.markdown import to_markdown
from terrarium.evaluation.worst import worst_found, worst_lines, wrongly_judged

try:
    import jinja2

    from terrarium.desk.evaluation import plots
except ImportError as error:
    from terrarium.errors import TerrariumError

    raise TerrariumError(
        f"A report is made by jinja2 and matplotlib ({error}). Install them: pip install 'terrarium[evaluate]'."
    ) from error

TEMPLATE = "report.html.j2"


def write_report(result: Mapping[str, Any], folder: Path) -> list[Path]:
    """Both files, in a folder that is made when it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    markdown, html = folder / "report.md", folder / "report.html"
    markdown.write_text(
        "\n".join([to_markdown(result), *answer_lines(result), *worst_lines(result)]) + "\n", encoding="utf-8"
    )
    html.write_text(to_html(result), encoding="utf-8")
    return [markdown, html]


def to_html(result: Mapping[str, Any]) -> str:
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    template = environment.from_string(
        files("terrarium.desk.evaluation").joinpath(TEMPLATE).read_text(encoding="utf-8")
    )
    return template.render(
        result=result,
        figures=_figures(result),
        answers=answer_tables(result["answers"]["by_mode"]) if "answers" in result else [],
        worst=worst_found(result),
        wrong=wrongly_judged(result),
    )


def _figures(result: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(caption, SVG) of what the run has numbers for."""
    found: list[tuple[str, str]] = []
    if result["scored"]:
        found += [
            ("Recall by cutoff", plots.recall_curves(result)),
            ("Means with their 95 % intervals", plots.measures(result)),
            ("Rank of the first relevant document or quote, share of the questions", plots.first_ranks(result)),
        ]
    if sum("stages" in of for of in result["by_kind"].values()) > 1:
        found.append(("Recall among the first 3, by kind of question", plots.by_kind(result, "recall@3")))
    if "refusal" in result:
        found.append(("What the judge made of each question", plots.judged(result)))
    return found
