"""`python -m terrarium_build.limits`: docs/limits.md from the words and figures that the page shows."""

from __future__ import annotations

import runpy
import textwrap

from terrarium_build.paths import ROOT

PAGE = ROOT / "docs" / "limits.md"
WIDTH = 140
NOTE = (
    "The page shows the same under “What runs here” and with each answer's trace. This file is written from "
    "`web/ui/limits_words.py` and the figures in `web/ui/limits_figures.py` by `python -m terrarium_build.limits`. "
    "How the figures were measured is in [evaluation.md](evaluation.md), [../models/judge.md](../models/judge.md) and "
    "[../models/support.md](../models/support.md)."
)


def limits() -> str:
    """The page as Markdown."""
    words = runpy.run_path(str(ROOT / "web/ui/limits_words.py"))
    figures = runpy.run_path(str(ROOT / "web/ui/limits_figures.py"))["FIGURES"]
    lines = [f"# {words['TITLE']}", "", *_wrapped(words["LEAD"]), ""]
    for title, sentences in words["sections"](figures):
        lines += [f"## {title}", "", *(line for text in sentences for line in _wrapped(text, "* ")), ""]
    return "\n".join([*lines, *_wrapped(NOTE), ""])


def _wrapped(text: str, mark: str = "") -> list[str]:
    indent = " " * len(mark)
    return textwrap.wrap(text, WIDTH, initial_indent=mark, subsequent_indent=indent, break_on_hyphens=False)


if __name__ == "__main__":
    PAGE.write_text(limits(), encoding="utf-8")
