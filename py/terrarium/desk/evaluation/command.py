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
from terrarium.desk.evaluation.answered import answer_all
from terrarium.desk.evaluation.arguments import GENERATOR, check
from terrarium.desk.evaluation.embeddings import CachedEmbedder
from terrarium.desk.evaluation.injected import try_attacks
from terrarium.desk.evaluation.prepared import default_cache, prepared_library
from terrarium.desk.evaluation.progress import Progress
from terrarium.desk.evaluation.sets import EvaluationSet, load_set
from terrarium.evaluation.answer_tables import answer_lines
from terrarium.evaluation.asking import Asker, Outcome
from terrarium.evaluation.lines import BadSet
from terrarium.evaluation.markdown import to_markdown
from terrarium.evaluation.report import compare, summary
from terrarium.library import Library
from terrarium.models.catalogue import EMBEDDER, RERANKER, open_embedder, open_reranker, read_card
from terrarium.retrieval.funnel import Retriever
from terrarium.retrieval.strips import CountTokens
from terrarium.runtime.native import NativeRuntime
from terrarium.settings import RetrievalSettings
from terrarium.storage.protocol import Store
from terrarium.storage.stored import stored_embedder


async def run(args: argparse.Namespace, store: Store | None) -> int:
    """Evaluate, write what was asked for, print Markdown unless JSON goes to standard output. Returns the status.

    `store` is the opened `--library`.
    """
    earlier = _earlier(args.compare) if args.compare else None
    whole = load_set(args.set, args.documents, args.split)
    chosen = whole.first_of_each(args.each).half(args.half).first(args.limit)
    check(chosen, args)
    say = Progress()
    runtime = NativeRuntime(args.models)
    answerer, embedder = await _open(chosen, args.embedder, store, runtime, say)
    asker = Asker(answerer, args.stages, _generator_tokens(runtime), args.own_passages)

    asked, left_out = _answerable_here(chosen, answerer.library)
    outcomes: list[Outcome] = []
    for done, question in enumerate(asked, start=1):
        outcomes.append(await asker.ask(question))
        say("asking", done, len(asked))
    answers = (
        await answer_all(answerer, embedder, asked, args.modes, args.generator, runtime, say) if args.answers else {}
    )
    if args.injection:
        answers |= await try_attacks(answerer, asked, args.injection, args.generator, runtime, say)
    say.end()
    embedder.close()
    result = {
        "set": {
            **_described(chosen, answerer.library),
            "split": args.split if chosen.format == "beir" else None,
            "half": args.half,
            "each": args.each,
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
        **answers,
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
        print("\n".join([to_markdown(result), *answer_lines(result)]))
        if args.json:
            Path(args.json).write_text(text + "\n", encoding="utf-8")
    if args.report:
        # Its libraries come with the extra “evaluate”.
        from terrarium.desk.evaluation.page import write_report

        for path in write_report(result, args.report):
            print(path, file=sys.stderr)


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
