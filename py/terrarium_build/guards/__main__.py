"""The steps, each of which keeps its result in the work folder; see the package's docstring."""

from __future__ import annotations

import argparse
import asyncio
import pickle
from pathlib import Path
from typing import Any

import numpy as np

from terrarium.models.catalogue import open_embedder
from terrarium.runtime.native import NativeRuntime

from . import honest
from .attacks import made_attacks
from .code_fit import fit_code
from .fit import RIDGES, fit
from .report import report
from .toml import HEAD, written

EMBEDDERS = ("minilm-l6", "e5-small")
THINNED = 3  # of a larger embedder every third passage will do
DEVELOPMENT = ("clapnq", "hotpotqa", "scifact")  # the manuals are reported only


def embed_step(args: argparse.Namespace, name: str) -> None:
    """The passages, the attacks and the vectors of all their sentences."""
    embedder = asyncio.run(open_embedder(NativeRuntime(args.models, threads=1), name))
    english = bool(embedder.languages)
    counted = honest.counted(args.data, embedder.tokenizer)
    known = [passage for some in counted.values() for passage in some]
    learned = honest.learned(args.data / "train", embedder.tokenizer, known, english=english)
    if not english:
        learned, counted = learned[::2], {name: some[::THINNED] for name, some in counted.items()}
    attacks = [one for one in made_attacks() if not english or one.language == "en"]
    passages = [*learned, *(passage for some in counted.values() for passage in some)]
    texts = sorted({text for passage in [*passages, *(one.sentences for one in attacks)] for text in passage})
    vectors = asyncio.run(embedder.embed(texts))
    found = {
        "id": embedder.id,
        "learned": learned,
        "counted": counted,
        "attacks": attacks,
        "vectors": dict(zip(texts, vectors.astype(np.float32), strict=True)),
    }
    (args.work / f"{name}.pickle").write_bytes(pickle.dumps(found))


def fit_step(name: str, found: dict[str, Any]) -> str:
    development = [passage for name in DEVELOPMENT for passage in found["counted"][name] if passage]
    attacks, honest, vectors = found["attacks"], found["learned"], found["vectors"]
    code = fit_code(attacks, honest, vectors)
    return written(found["id"], fit(attacks, honest, development, vectors, RIDGES[name]), code, found)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m terrarium_build.guards", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds data, train and e2e")
    parser.add_argument("--work", type=Path, required=True, help="where each step keeps what it made")
    parser.add_argument("--models", type=Path, help="the converted models; by default where the build leaves them")
    parser.add_argument(
        "--out", type=Path, default=Path("py/terrarium/guards/classifier.toml"), help="what `fit` writes"
    )
    parser.add_argument("--embedders", nargs="*", choices=EMBEDDERS, default=EMBEDDERS)
    parser.add_argument("steps", nargs="+", choices=("embed", "fit", "report"))
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    if "embed" in args.steps:
        for name in args.embedders:
            embed_step(args, name)
    known = {name: pickle.loads((args.work / f"{name}.pickle").read_bytes()) for name in args.embedders}
    if "fit" in args.steps:
        parts = [HEAD, *(fit_step(name, found) for name, found in known.items())]
        args.out.write_text("\n".join(parts), encoding="utf-8")
    if "report" in args.steps:
        for name, found in known.items():
            print(report(name, found, args.data, asyncio.run(open_embedder(NativeRuntime(args.models), name))))


if __name__ == "__main__":
    main()
