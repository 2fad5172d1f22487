"""The steps, each of which keeps its result in the work folder; see the package's docstring."""

from __future__ import annotations

import argparse
import asyncio
import json
from dataclasses import asdict
from pathlib import Path

from .examples import claims, made
from .fit import fit
from .measure import measured, read_examples, write_rows
from .passages import bases, rows_of
from .report import report
from .shown import shown
from .written import written

EACH = 150  # sentences of every set


def make_step(args: argparse.Namespace) -> None:
    examples = [*made(bases(args.data, args.manuals, EACH))]
    examples += claims(args.data / "data" / "rag" / "scifact_claims_dev.jsonl")
    write_rows(map(asdict, examples), args.work / "examples.jsonl")


def write_step(args: argparse.Namespace) -> None:
    found = asyncio.run(written(args.data, args.manuals, args.models, args.work / "embeddings"))
    write_rows(map(asdict, found), args.work / "written.jsonl")


def shown_step(args: argparse.Namespace) -> None:
    if not args.run:
        raise SystemExit("shown needs --run, the JSON of `terrarium evaluate --answers` over ClapNQ.")
    write_rows(map(asdict, shown(args.run, args.data)), args.work / "shown.jsonl")


def measure_step(args: argparse.Namespace) -> None:
    for name in ("examples", "written", "shown"):
        if (path := args.work / f"{name}.jsonl").exists():
            rows = asyncio.run(measured(read_examples(path), args.models, args.work / "embeddings"))
            write_rows(rows, args.work / f"{name}.measured.jsonl")


def fit_step(args: argparse.Namespace) -> None:
    paths = (args.work / f"{name}.measured.jsonl" for name in ("examples", "written", "shown"))
    rows = [row for path in paths if path.exists() for row in rows_of(path) if row["fitting"]]
    print(json.dumps(fit(rows)))


def report_step(args: argparse.Namespace) -> None:
    rows = [row for row in rows_of(args.work / "examples.measured.jsonl") if not row["fitting"]]
    print(report(rows))
    for name in ("written", "shown"):
        if (path := args.work / f"{name}.measured.jsonl").exists():
            print("\n" + report(list(rows_of(path))))


STEPS = {
    "make": make_step,
    "write": write_step,
    "shown": shown_step,
    "measure": measure_step,
    "fit": fit_step,
    "report": report_step,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m terrarium_build.support", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds data and e2e")
    parser.add_argument("--manuals", type=Path, required=True, help="manuals that no reported question is asked of")
    parser.add_argument("--work", type=Path, required=True, help="where each step keeps what it made")
    parser.add_argument("--models", type=Path, help="the converted models; by default where the build leaves them")
    parser.add_argument("--run", type=Path, help="what `terrarium evaluate --answers --json` wrote, for the step shown")
    parser.add_argument("steps", nargs="+", choices=STEPS)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    for step in args.steps:
        STEPS[step](args)


if __name__ == "__main__":
    main()
