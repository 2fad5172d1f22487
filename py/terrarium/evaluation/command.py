"""`terrarium evaluate`: an evaluation set asked of the engine at the desk, scored stage by stage."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from terrarium.answers.answering import Answerer
from terrarium.chunks.chunking import ChunkSettings
from terrarium.evaluation.asking import STAGES, Asker, Outcome, Stage
from terrarium.evaluation.embeddings import CachedEmbedder
from terrarium.evaluation.lines import BadSet
from terrarium.evaluation.markdown import to_markdown
from terrarium.evaluation.prepared import default_cache, prepared_library
from terrarium.evaluation.progress import Progress
from terrarium.evaluation.report import compare, summary
from terrarium.evaluation.sets import HALVES, EvaluationSet, load_set
from terrarium.library import Library
from terrarium.models.catalogue import EMBEDDER, RERANKER, open_embedder, open_reranker, read_card
from terrarium.retrieval.funnel import Retriever
from terrarium.retrieval.strips import CountTokens
from terrarium.runtime.native import NativeRuntime
from terrarium.settings import RetrievalSettings
from terrarium.storage.protocol import Store
from terrarium.storage.stored import stored_embedder

GENERATOR = "qwen2.5-0.5b"  # whose tokens the budget of sources is counted in


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("set", type=Path, metavar="SET", help="a BEIR folder, RAG JSON Lines, or a question set")
    parser.add_argument(
        "--documents", nargs="+", type=Path, default=[], metavar="PATH", help="what questions are about"
    )
    parser.add_argument("--library", type=Path, help="ask this library instead")
    parser.add_argument("--split", default="test", help="of a BEIR folder: qrels/SPLIT.tsv")
    parser.add_argument("--half", choices=HALVES, help="of a set without splits: half of the questions, by their ids")
    parser.add_argument("--limit", type=int, metavar="N", help="the first N questions only")
    parser.add_argument("--stages", type=_stages, default=STAGES, help=f"of {','.join(STAGES)}; “final” judges too")
    parser.add_argument("--own-passages", action="store_true", help="search each question's own passages only")
    parser.add_argument("--compare", type=Path, metavar="RUN.json", help="paired test against an earlier run's JSON")
    parser.add_argument("--report", type=Path, metavar="FOLDER", help="write report.md and report.html with plots")
    parser.add_argument("--json", metavar="FILE", help="write the whole result as JSON; “-” prints it")


def _stages(text: str) -> tuple[Stage, ...]:
    asked = text.split(",")
    if unknown := set(asked).difference(STAGES):
        raise argparse.ArgumentTypeError(f"no stage {', '.join(sorted(unknown))}; there are {', '.join(STAGES)}")
    return tuple(stage for stage in STAGES if stage in asked)


async def run(args: argparse.Namespace, store: Store | None) -> int:
    """Evaluate, write what was asked for, print Markdown unless JSON goes to standard output. Returns the status.

    `store` is the opened `--library`.
    """
    earlier = _earlier(args.compare) if args.compare else None
    chosen = load_set(args.set, args.documents, args.split).half(args.half).first(args.limit)
    _check(chosen, args)
    say = Progress()
    runtime = NativeRuntime(args.models)
    answerer, embedder = await _open(chosen, args.embedder, store, runtime, say)
    asker = Asker(answerer, args.stages, _generator_tokens(runtime), args.own_passages)

    asked, left_out = _answerable_here(chosen, answerer.library)
    outcomes: list[Outcome] = []
    for done, question in enumerate(asked, start=1):
        outcomes.append(await asker.ask(question))
        say("asking", done, len(asked))
    say.end()
    embedder.close()
    result = {
        "set": {
            **_described(chosen, answerer.library),
            "split": args.split if chosen.format == "beir" else None,
            "half": args.half,
            "own_passages": args.own_passages,
            "questions": len(asked),
            "left_out": left_out,
        },
        "models": answerer.models,
        "settings": {
            "retrieval": asdict(RetrievalSettings()),
            "answer": asdict(answerer.settings),
            "chunks": asdict(ChunkSettings()),
        },
        "embedded": embedder.computed,
        **summary(outcomes, args.stages),
    }
    if earlier:
        result["compared"] = {"with": args.compare.name, **compare(earlier, result)}
    _write(result, args)
    return 0


async def _open(
    chosen: EvaluationSet, embedder: str | None, store: Store | None, runtime: NativeRuntime, say: Progress
) -> tuple[Answerer, CachedEmbedder]:
    """The product over the set's library, or over `store`, without a generator."""
    cache, settings = default_cache(), RetrievalSettings()
    name = embedder or (await stored_embedder(store) if store else None) or EMBEDDER
    cached = CachedEmbedder(await open_embedder(runtime, name), cache / "embeddings")
    fits = read_card(runtime, RERANKER).settings["embedder"] == name
    reranker = await open_reranker(runtime, cached) if fits else None
    if store:
        library = await Library.open(store, cached, settings)
    else:
        library = await prepared_library(chosen, cached, settings, cache, say)
    models = {"embedder": cached.id, "reranker": reranker.id if reranker else None, "runtime": runtime.name}
    return Answerer(library, Retriever(library, reranker, settings), None, models), cached


def _described(chosen: EvaluationSet, library: Library) -> dict[str, Any]:
    unread = [one.name for one in chosen.files if sha256(one.read_bytes()).hexdigest() not in library.documents]
    return {
        "name": chosen.name,
        "format": chosen.format,
        "documents": len(library.documents),
        "passages": sum(info.chunks for info in library.documents.values()),
        "unreadable": unread,
    }


def _write(result: dict[str, Any], args: argparse.Namespace) -> None:
    text = json.dumps(result, ensure_ascii=False, indent=1)
    if args.json == "-":
        print(text)
    else:
        print(to_markdown(result))
        if args.json:
            Path(args.json).write_text(text + "\n", encoding="utf-8")
    if args.report:
        # Its libraries come with the extra “evaluate”.
        from terrarium.evaluation.page import write_report

        for path in write_report(result, args.report):
            print(path, file=sys.stderr)


def _check(chosen: EvaluationSet, args: argparse.Namespace) -> None:
    if chosen.format == "questions" and not chosen.files and not args.library:
        raise BadSet("A question set is asked about documents: name them with --documents or --library.")
    if args.own_passages and chosen.format != "rag":
        raise BadSet("Only the questions of a RAG file come with passages of their own: leave out --own-passages.")
    for path in filter(None, (args.report, args.json != "-" and args.json)):
        if not Path(path).absolute().parent.is_dir():
            raise BadSet(f"{path} cannot be written: its folder is not there. Make it first.")
    if args.library and chosen.format != "questions":
        raise BadSet(f"{args.set} brings its own documents: leave out --library.")


def _earlier(path: Path) -> dict[str, Any]:
    try:
        run: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if {"stages", "questions"} <= run.keys():
            return run
    except (OSError, ValueError, AttributeError) as error:
        raise BadSet(f"{path} cannot be compared with: {error}.") from error
    raise BadSet(f"{path} is no result of `terrarium evaluate --json`.")


def _answerable_here(chosen: EvaluationSet, library: Library) -> tuple[list[Any], dict[str, list[str]]]:
    """Questions that can be scored, and by reason the ids of the others."""
    files = {info.name.rsplit("/", 1)[-1] for info in library.documents.values()}
    elsewhere = [q for q in chosen.questions if any(evidence.file not in files for evidence in q.evidence)]
    asked = [question for question in chosen.questions if question not in elsewhere]
    return asked, {"about files that the library does not hold": [q.id for q in elsewhere]} if elsewhere else {}


def _generator_tokens(runtime: NativeRuntime) -> CountTokens | None:
    if not runtime.has(f"{GENERATOR}.toml"):
        return None
    tokenizer = runtime.tokenizer(read_card(runtime, GENERATOR).files["tokenizer"])
    return lambda texts: [len(ids) for ids in tokenizer.encode_batch(texts, special=False)]
