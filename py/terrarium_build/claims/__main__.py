"""The steps; see the package's docstring."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections.abc import Sequence
from pathlib import Path

from terrarium.desk.evaluation.arguments import GENERATOR
from terrarium.desk.evaluation.embeddings import CachedEmbedder
from terrarium.desk.evaluation.prepared import default_cache
from terrarium.desk.evaluation.sets import load_set
from terrarium.evaluation import local_judge
from terrarium.evaluation.local_judge import LocalJudge, signals
from terrarium.evaluation.markdown import table
from terrarium.evaluation.ragas import SUPPORTED, Judge
from terrarium.models.catalogue import open_embedder, open_generator
from terrarium.runtime.native import NativeRuntime
from terrarium_build.support.examples import Example
from terrarium_build.support.passages import rows_of

from .agreement import HEAD, contexts_of, fact_rows, hand_labels, row
from .fit import Labelled, weights
from .yes_no import YesNoJudge

WEIGHTS = Path(local_judge.__file__).with_suffix(".toml")
EACH_KIND = 80  # examples of a kind and side: with more of them the weights stay what they are
HEADER = "# Made by `python -m terrarium_build.claims fit`; models/local-judge.md says on what.\n"


async def opened() -> tuple[NativeRuntime, CachedEmbedder]:
    runtime = NativeRuntime(threads=1)
    return runtime, CachedEmbedder(await open_embedder(runtime), default_cache() / "embeddings")


def fit_step(work: Path) -> None:
    every = [Example(**row) for name in ("examples", "written") for row in rows_of(work / f"{name}.jsonl")]
    rows = asyncio.run(labelled(chosen(every)))
    lines = [f"{name} = {value:.4f}\n" for name, value in weights(rows).items()]
    WEIGHTS.write_text(HEADER + "".join(lines), encoding="utf-8")
    print(f"{len(rows)} sentences of {len({one.kind for one in rows})} kinds: {WEIGHTS}")


async def labelled(examples: Sequence[Example]) -> list[Labelled]:
    _, embedder = await opened()
    return [Labelled(one.kind, one.supported, await signals(one.sentence, one.passages, embedder)) for one in examples]


def chosen(examples: Sequence[Example]) -> list[Example]:
    """At most `EACH_KIND` of each kind and side, of the documents that are for fitting, the same ones every time."""
    kinds: dict[tuple[str, bool], list[Example]] = {}
    for one in examples:
        if one.fitting:
            kinds.setdefault((one.kind, one.supported), []).append(one)
    rng = random.Random(1)
    return [one for found in kinds.values() for one in rng.sample(found, min(EACH_KIND, len(found)))]


async def agree_step(work: Path, paths: Sequence[Path]) -> None:
    runtime, embedder = await opened()
    contexts = contexts_of([json.loads(path.read_text(encoding="utf-8")) for path in paths])
    labels = [one for one in hand_labels() if (one.set, one.id, one.sentence) in contexts]
    judges: list[Judge] = [LocalJudge(embedder), YesNoJudge(await open_generator(runtime, GENERATOR))]
    sets: dict[str, list[tuple[str, Sequence[str], bool]]] = {
        "written, not fitted on": [
            (one.sentence, one.passages, one.supported)
            for one in (Example(**row) for row in rows_of(work / "written.jsonl"))
            if not one.fitting
        ],
        "shown": [(one.sentence, contexts[one.set, one.id, one.sentence], one.supported) for one in labels],
    }
    rows = []
    for name, found in sets.items():
        for judge in judges:
            said = [await judge.supported(sentence, read) >= SUPPORTED for sentence, read, _ in found]
            rows.append(row(f"{name}: {judge.id}", said, [supported for *_, supported in found]))
    print("\n".join(table(HEAD, rows)))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m terrarium_build.claims")
    steps = parser.add_subparsers(dest="step", required=True)
    fit, agree = steps.add_parser("fit"), steps.add_parser("agree")
    for step in (fit, agree):
        step.add_argument("--work", type=Path, required=True, metavar="FOLDER", help="of terrarium_build.support")
    agree.add_argument("runs", nargs="+", type=Path, metavar="RUN.json")
    steps.add_parser("facts").add_argument("set", type=Path, metavar="SET")
    args = parser.parse_args()
    if args.step == "fit":
        fit_step(args.work)
    elif args.step == "agree":
        asyncio.run(agree_step(args.work, args.runs))
    else:
        print("\n".join(table(HEAD, fact_rows(load_set(args.set)))))


if __name__ == "__main__":
    main()
