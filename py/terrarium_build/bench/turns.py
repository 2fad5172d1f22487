"""`build.py bench --turns`: what one turn costs in the page, stage by stage, over the questions of a set.

The page runs as a person's would: from its folder, on WebAssembly with one thread. Seconds are medians over the
questions that had the stage; marks ("evidence_final", "first_word", "total") are seconds after the question was asked.
On a busy machine they are too long: what counts is what share of the whole a stage has.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from terrarium.evaluation.markdown import number, table
from terrarium.evaluation.questions import load_questions
from terrarium_build.driving import TerrariumPage, open_chromium
from terrarium_build.paths import BuildError

MODES = ("quote", "both")


def bench_turns(index: Path, questions: Path, documents: Sequence[Path], *, as_json: bool = False) -> int:
    """Print a row for each mode. Always 0: numbers are for people to judge. Raises BuildError."""
    files = [file for path in documents for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    if missing := [str(file) for file in files if not file.exists()]:
        raise BuildError(f"There is no file {', '.join(missing)}.")
    asked = [question.text for question in load_questions(questions)]
    found = {mode: stages_of(turns) for mode, turns in _in_page(index, files, asked).items()}
    print(json.dumps(found, indent=1) if as_json else "\n".join(as_table(found)))
    return 0


def stages_of(turns: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Medians of `timings`, in the order in which stages first came up; "questions" is how many turns there were."""
    names = dict.fromkeys(name for turn in turns for name in turn)
    medians = {name: median(turn[name] for turn in turns if name in turn) for name in names}
    return {"questions": len(turns), **medians}


def as_table(found: Mapping[str, Mapping[str, float]]) -> list[str]:
    names = list(dict.fromkeys(name for stages in found.values() for name in stages))
    return table(
        ["median seconds", *names], [[mode, *(number(of.get(n)) for n in names)] for mode, of in found.items()]
    )


def _in_page(index: Path, files: Sequence[Path], questions: Sequence[str]) -> dict[str, list[dict[str, float]]]:
    turns: dict[str, list[dict[str, float]]] = {mode: [] for mode in MODES}
    with open_chromium() as context:
        driven = TerrariumPage.open(context, f"{index.as_uri()}#gpu=off")
        driven.add([file.resolve() for file in files if file.is_file()])
        driven.wait_writer()
        for question in questions:
            for mode in MODES:
                record: dict[str, Any] = driven.ask(question, mode)
                if "error" in record:
                    raise BuildError(f"The page could not answer “{question}”. {record['error']['message']}")
                turns[mode].append(record["result"]["timings"])
    return turns
