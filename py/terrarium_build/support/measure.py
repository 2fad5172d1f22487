"""Each example held against its passages by the engine's own check: what it came to, and by which fault."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from terrarium.answers.support import Grounds
from terrarium.desk.evaluation.embeddings import CachedEmbedder
from terrarium.models.catalogue import open_embedder, open_reranker
from terrarium.runtime.native import NativeRuntime

from .examples import Example

Row = dict[str, Any]


async def measured(examples: Iterable[Example], models: Path | None, embeddings: Path) -> list[Row]:
    """One row an example: the example without its passages, `kept`, and of each passage shares, closeness, faults."""
    runtime = NativeRuntime(models, threads=1)
    embedder = CachedEmbedder(await open_embedder(runtime), embeddings)
    reranker = await open_reranker(runtime, embedder)
    rows = []
    for one in examples:
        pairs = zip(one.titles, one.passages, strict=True)
        grounds = Grounds(one.question, {n: (text, (title,)) for n, (title, text) in enumerate(pairs, start=1)})
        found = await grounds.check(one.sentence, reranker)
        checks = [
            {
                "overlap": support.overlap,
                "grounding": support.grounding,
                "closeness": support.closeness,
                "faults": sorted({fault.kind for fault in support.faults}),
            }
            for support in found.values()
        ]
        row = asdict(one) | {"kept": any(support.holds for support in found.values()), "checks": checks}
        del row["passages"], row["titles"]
        rows.append(row)
    return rows


def write_rows(rows: Iterable[Row], path: Path) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def read_examples(path: Path) -> Iterator[Example]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Example(**row | {"passages": tuple(row["passages"]), "titles": tuple(row["titles"])})
