"""The engine at the desk, with the models of the built page: `terrarium index`, `ask`, `evaluate`, `replay`, `read`."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from terrarium.answers.answering import AnswerSettings
from terrarium.desk import command as desk
from terrarium.desk import read, replay
from terrarium.desk.answer_text import answer_lines
from terrarium.desk.evaluation import arguments, command
from terrarium.desk.replay_report import readable, report
from terrarium.engine import Engine
from terrarium.errors import ModelError, TerrariumError
from terrarium.generation.prefill import Pace
from terrarium.readers.local import LocalReader
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.request import Mode
from terrarium.runtime.native import NativeRuntime, default_folder
from terrarium.settings import RetrievalSettings


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="terrarium", description=__doc__)
    parser.add_argument("--models", type=Path, default=default_folder(), help="folder with the converted models")
    commands = parser.add_subparsers(dest="command", required=True)

    index = commands.add_parser("index", help="read folders and files into a library that the page can take in")
    desk.add_arguments(index)

    ask = commands.add_parser("ask", help="answer a question over files or a library")
    ask.add_argument("files", nargs="*", type=Path, metavar="FILE")
    ask.add_argument("-q", "--question", required=True)
    ask.add_argument(
        "--library", type=Path, help="ask over this library (a store, to which the files are added, or a file)"
    )
    ask.add_argument("--generator", default="qwen2.5-0.5b", help="id of the generator, or “none” to answer by quoting")
    ask.add_argument(
        "--mode",
        choices=get_args(Mode),
        default="both",
        help="quotes of the documents, a written answer, or both (default)",
    )
    ask.add_argument("--json", action="store_true", help="print the whole answer as JSON")
    for one in (index, ask):
        one.add_argument(
            "--token-vectors",
            choices=("stored", "computed"),
            default="stored",
            help="keep the vectors that reranking needs, 9 kB a passage, or compute them at each question",
        )

    evaluate = commands.add_parser("evaluate", help="score retrieval and refusals over an evaluation set, by stage")
    arguments.add_arguments(evaluate)

    again = commands.add_parser("replay", help="ask the question of a trace again and show what came out otherwise")
    replay.add_arguments(again)

    reading = commands.add_parser("read", help="read files and say what came of them, or whether it was expected")
    read.add_arguments(reading)
    reading.add_argument("--jobs", type=int, default=1, help="files that are read at once (default %(default)s)")
    for one in (index, ask, evaluate, again):
        one.add_argument("--embedder", help="id of the embedder; without it the library's own, or minilm-l6")
    return parser


def _note(text: str) -> None:
    """Progress goes to standard error, so that standard output holds the result alone."""
    print(text, file=sys.stderr, flush=True)


async def _open(
    args: argparse.Namespace, generator: str | None = None, settings: AnswerSettings | None = None
) -> Engine:
    engine = Engine(
        NativeRuntime(args.models),
        await desk.open_store(args.library),
        LocalReader(NodePdfExtractor()),
        embedder=args.embedder,
        retrieval=RetrievalSettings(token_vectors=args.token_vectors),
        generator=None if generator == "none" else generator,
        settings=settings,
        pace=Pace(tokens=128, least=128, most=128),  # nobody waits for a cancel: the largest pieces are the quickest
    )
    opened = await engine.open({}, lambda _event: None)
    for notice in opened["notices"]:
        _note(notice)
    return engine


async def _add(engine: Engine, files: Sequence[Path]) -> None:
    """Add the files; one that cannot be read is said and left out."""
    for file in files:
        try:
            result = await engine.add({"name": file.name, "data": file.read_bytes()}, lambda _event: None)
        except (TerrariumError, OSError) as error:
            _note(f"{file.name}: {error}")
            continue
        for info in (result["document"], *result["enclosed"]):
            _note(f"{info['name']}: {'already there' if result['duplicate'] else str(info['chunks']) + ' chunks'}")
            for warning in info["warnings"]:
                _note(f"{info['name']}: {warning}")


async def _index(args: argparse.Namespace) -> int:
    return await desk.run(args, _note)


async def _ask(args: argparse.Namespace) -> int:
    engine = await _open(args, "none" if args.mode == "quote" else args.generator)
    await _add(engine, args.files)
    await engine.load_generator({}, lambda _event: None)
    result = await engine.ask({"question": args.question, "mode": args.mode}, lambda _event: None)
    print(json.dumps(result, ensure_ascii=False, indent=1) if args.json else "\n".join(answer_lines(result)).strip())
    return 0


async def _evaluate(args: argparse.Namespace) -> int:
    return await command.run(args, await desk.open_store(args.library) if args.library else None)


async def _read(args: argparse.Namespace) -> int:
    return await asyncio.to_thread(read.run, args, _note)


async def _replay(args: argparse.Namespace) -> int:
    """0 when what is shown is the same, 1 when it is not, 2 when the question could not be asked."""
    try:
        then = replay.read_record(args.trace, args.record)
        args.embedder = args.embedder or (None if args.library else replay.model_of(then, "embedder"))
        generator = args.generator or replay.model_of(then, "generator")
        engine = await _open(args, generator, replay.settings_of(then))
        await _add(engine, args.files)
        try:
            await engine.load_generator({}, lambda _event: None)
        except ModelError as error:
            _note(f"{error} Without {generator} the documents are quoted.")
        now = await replay.replayed(then, engine)
    except TerrariumError as error:
        _note(str(error))
        return 2
    found = report(then, now)
    print(json.dumps(found, ensure_ascii=False, indent=1) if args.json else readable(then, now))
    return 0 if found["same"] else 1


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of the `terrarium` command. Returns the exit status."""
    args = _parser().parse_args(argv)
    run = {"index": _index, "ask": _ask, "evaluate": _evaluate, "replay": _replay, "read": _read}[args.command]
    try:
        return asyncio.run(run(args))
    except TerrariumError as error:
        _note(str(error))
        return 1
    except KeyboardInterrupt:
        _note("Interrupted. Run the same command again; finished work is kept.")
        return 130
