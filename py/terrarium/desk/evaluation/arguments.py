"""What `terrarium evaluate` takes, and which of it goes together."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from terrarium.desk.evaluation.answered import MODES
from terrarium.desk.evaluation.sets import HALVES, EvaluationSet
from terrarium.evaluation.asking import STAGES
from terrarium.evaluation.lines import BadSet

GENERATOR = "qwen2.5-0.5b"
Name = TypeVar("Name", bound=str)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("set", type=Path, metavar="SET", help="a BEIR folder, RAG JSON Lines, or a question set")
    parser.add_argument(
        "--documents", nargs="+", type=Path, default=[], metavar="PATH", help="what questions are about"
    )
    parser.add_argument("--library", type=Path, help="ask this library instead")
    parser.add_argument("--split", default="test", help="of a BEIR folder: qrels/SPLIT.tsv")
    parser.add_argument("--half", choices=HALVES, help="of a set without splits: half of the questions, by their ids")
    parser.add_argument("--limit", type=int, metavar="N", help="the first N questions only")
    parser.add_argument("--each", type=int, metavar="N", help="the first N questions of each kind only")
    parser.add_argument(
        "--stages", type=_some_of(STAGES), default=STAGES, help=f"of {','.join(STAGES)}; “final” judges too"
    )
    parser.add_argument("--own-passages", action="store_true", help="search each question's own passages only")
    parser.add_argument("--answers", action="store_true", help="answer the questions too, and score the answers")
    parser.add_argument("--modes", type=_some_of(MODES), default=MODES, help=f"with --answers: of {','.join(MODES)}")
    parser.add_argument("--injection", type=Path, metavar="ATTACKS.jsonl", help="attacks to put into the evidence")
    parser.add_argument("--generator", default=GENERATOR, help="id of the generator that writes the answers")
    parser.add_argument("--compare", type=Path, metavar="RUN.json", help="paired test against an earlier run's JSON")
    parser.add_argument("--report", type=Path, metavar="FOLDER", help="write report.md and report.html with plots")
    parser.add_argument("--json", metavar="FILE", help="write the whole result as JSON; “-” prints it")


def check(chosen: EvaluationSet, args: argparse.Namespace) -> None:
    """Raises BadSet for what cannot be done with this set, or written afterwards."""
    if chosen.format == "questions" and not chosen.files and not args.library:
        raise BadSet("A question set is asked about documents: name them with --documents or --library.")
    if args.own_passages and chosen.format != "rag":
        raise BadSet("Only the questions of a RAG file come with passages of their own: leave out --own-passages.")
    if args.own_passages and args.answers:
        raise BadSet("Answers are asked of the whole library: leave out --own-passages or --answers.")
    for path in filter(None, (args.report, args.json != "-" and args.json)):
        if not Path(path).absolute().parent.is_dir():
            raise BadSet(f"{path} cannot be written: its folder is not there. Make it first.")
    if args.library and chosen.format != "questions":
        raise BadSet(f"{args.set} brings its own documents: leave out --library.")


def _some_of(names: Sequence[Name]) -> Callable[[str], tuple[Name, ...]]:
    """A reader of names with commas between them, into their own order."""

    def read(text: str) -> tuple[Name, ...]:
        asked = text.split(",")
        if unknown := set(asked).difference(names):
            raise argparse.ArgumentTypeError(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(names)}")
        return tuple(name for name in names if name in asked)

    return read
