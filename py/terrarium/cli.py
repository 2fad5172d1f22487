"""The engine at the desk, with the models of the built page: `terrarium index`, `ask`, `evaluate` and `rank`."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from terrarium.engine import Engine
from terrarium.errors import TerrariumError
from terrarium.evaluation import evaluate_retrieval, load_questions
from terrarium.evaluation.collections import first_stages, load_collection, markdown, to_json
from terrarium.prefill import Pace
from terrarium.readers.pdf_node import NodePdfExtractor
from terrarium.runtime.catalogue import open_embedder
from terrarium.runtime.native import NativeRuntime, default_folder
from terrarium.settings import RetrievalSettings
from terrarium.storage.memory import MemoryStore
from terrarium.storage.protocol import Store
from terrarium.storage.sqlite import SqliteStore


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="terrarium", description=__doc__)
    parser.add_argument("--models", type=Path, default=default_folder(), help="folder with the converted models")
    commands = parser.add_subparsers(dest="command", required=True)

    index = commands.add_parser("index", help="read files into a library kept in one file")
    index.add_argument("files", nargs="+", type=Path, metavar="FILE")
    index.add_argument("--library", type=Path, required=True, help="the library's file; made when it is not there")

    ask = commands.add_parser("ask", help="answer a question over files or a library")
    ask.add_argument("files", nargs="*", type=Path, metavar="FILE")
    ask.add_argument("-q", "--question", required=True)
    ask.add_argument("--library", type=Path, help="ask over this library, with the files added to it")
    ask.add_argument("--generator", default="qwen2.5-0.5b", help="id of the generator, or “none” to answer by quoting")
    ask.add_argument("--json", action="store_true", help="print the whole answer as JSON")
    for command in (index, ask):
        command.add_argument(
            "--token-vectors",
            choices=("stored", "computed"),
            default="stored",
            help="keep the vectors that reranking needs, 9 kB a passage, or compute them at each question",
        )

    evaluate = commands.add_parser("evaluate", help="score the retrieval over a question set, stage by stage")
    evaluate.add_argument("questions", type=Path, metavar="QUESTIONS.jsonl")
    evaluate.add_argument("files", nargs="*", type=Path, metavar="FILE")
    evaluate.add_argument("--library", type=Path)
    evaluate.set_defaults(token_vectors="stored")
    evaluate.add_argument("--json", action="store_true")
    for command in (index, ask, evaluate):
        command.add_argument("--embedder", help="id of the embedder; without it the library's own, or minilm-l6")

    rank = commands.add_parser("rank", help="score the first stages over collections in BEIR's format, by nDCG@10")
    rank.add_argument("collections", nargs="+", type=Path, metavar="FOLDER")
    rank.add_argument("--embedder", nargs="+", default=["minilm-l6"], metavar="ID", help="ids of embedders to compare")
    rank.add_argument("--json", action="store_true", help="print every question's score")
    return parser


def _store(library: Path | None) -> Store:
    return SqliteStore(library) if library else MemoryStore()


def _note(text: str) -> None:
    """Progress goes to standard error, so that standard output holds the result alone."""
    print(text, file=sys.stderr, flush=True)


async def _open(args: argparse.Namespace, generator: str | None = None) -> Engine:
    engine = Engine(
        NativeRuntime(args.models),
        _store(args.library),
        NodePdfExtractor(),
        embedder=args.embedder,
        retrieval=RetrievalSettings(token_vectors=args.token_vectors),
        generator=generator,
        pace=Pace(tokens=128, least=128, most=128),  # nobody waits for a cancel: the largest pieces are the quickest
    )
    opened = await engine.open({}, lambda _event: None)
    for notice in opened["notices"]:
        _note(notice)
    return engine


async def _add(engine: Engine, files: Sequence[Path]) -> int:
    """Add the files; one that cannot be read is said and left out. Returns how many those were."""
    failed = 0
    for file in files:
        try:
            result = await engine.add({"name": file.name, "data": file.read_bytes()}, lambda _event: None)
        except (TerrariumError, OSError) as error:
            failed += 1
            _note(f"{file.name}: {error}")
            continue
        info = result["document"]
        _note(f"{file.name}: {'already there' if result['duplicate'] else str(info['chunks']) + ' chunks'}")
        for warning in info["warnings"]:
            _note(f"{file.name}: {warning}")
    return failed


async def _index(args: argparse.Namespace) -> int:
    return 1 if await _add(await _open(args), args.files) else 0


async def _ask(args: argparse.Namespace) -> int:
    engine = await _open(args, None if args.generator == "none" else args.generator)
    await _add(engine, args.files)
    await engine.load_generator({}, lambda _event: None)
    result = await engine.ask({"question": args.question}, lambda _event: None)
    print(json.dumps(result, ensure_ascii=False, indent=1) if args.json else _readable(result))
    return 0


def _readable(result: dict[str, Any]) -> str:
    lines = [result["answer"], ""]
    for citation in result["citations"]:
        page = f", page {citation['page']}" if citation["page"] else ""
        lines.append(f"[{citation['number']}] {citation['document']}{page}: “{' '.join(citation['quote'].split())}”")
    return "\n".join(lines).rstrip()


async def _evaluate(args: argparse.Namespace) -> int:
    engine = await _open(args)
    await _add(engine, args.files)
    report = await evaluate_retrieval(engine.answerer.retriever, load_questions(args.questions))
    print(report.to_json() if args.json else report.to_markdown())
    return 0


async def _rank(args: argparse.Namespace) -> int:
    """On one thread, as in the tab: the rates that are printed stand for one."""
    runtime = NativeRuntime(args.models, threads=1)
    embedders = [await open_embedder(runtime, name) for name in args.embedder]
    results = []
    for folder in args.collections:
        collection = load_collection(folder)
        _note(f"{collection.name}: {len(collection.documents)} documents, {len(collection.questions)} questions")
        results.append((collection, await first_stages(collection, embedders)))
    print(to_json(results) if args.json else markdown(results))
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of the `terrarium` command. Returns the exit status."""
    args = _parser().parse_args(argv)
    run = {"index": _index, "ask": _ask, "evaluate": _evaluate, "rank": _rank}[args.command]
    try:
        return asyncio.run(run(args))
    except TerrariumError as error:
        _note(str(error))
        return 1
