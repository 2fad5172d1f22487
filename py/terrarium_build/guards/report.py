"""What the guard finds and what it takes for an instruction wrongly: the figures of `models/guard.md`."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from terrarium.guards.instructions import find_instructions
from terrarium.guards.phrases import names_a_model
from terrarium.runtime.protocols import Embedder
from terrarium.sentences import sentence_spans

from .fit import Vectors
from .honest import Passage

AROUND = 3  # sentences of the clean text on either side, about a chunk of it


def report(name: str, found: dict[str, Any], data: Path, embedder: Embedder) -> str:
    """Markdown: alarms on honest passages, then the attacks of BIPIA by category, which nothing was tuned on."""
    lines = [f"**{name}**", "", "| honest sentences of | sentences | flagged | by a phrase | passages with any |"]
    lines += ["|---|---|---|---|---|"]
    lines += [_alarms(set_name, passages, found, embedder) for set_name, passages in found["counted"].items()]
    lines += [
        "",
        "| attacks | placed | any sentence found | every sentence found | by a phrase |",
        "|---|---|---|---|---|",
    ]
    for category, counts in asyncio.run(_attacked(data / "data" / "rag", embedder)).items():
        placed, some, whole, worded = (sum(column) for column in zip(*counts, strict=True))
        lines.append(f"| {category} | {placed} | {some / placed:.2f} | {whole / placed:.2f} | {worded / placed:.2f} |")
    return "\n".join(lines) + "\n"


def _alarms(name: str, passages: Sequence[Passage], found: dict[str, Any], embedder: Embedder) -> str:
    flags = [_found(passage, found["vectors"], embedder) for passage in passages if passage]
    count = sum(map(len, flags))
    worded = sum(names_a_model(sentence) for passage in passages for sentence in passage)
    alarms = sum(map(sum, flags))
    return f"| {name} | {count} | {alarms} ({alarms / count:.2%}) | {worded} | {sum(map(any, flags))} of {len(flags)} |"


def _found(sentences: Sequence[str], vectors: Vectors, embedder: Embedder) -> list[bool]:
    return find_instructions(sentences, np.stack([vectors[one] for one in sentences]), embedder.compatible)


async def _attacked(folder: Path, embedder: Embedder) -> dict[str, list[tuple[int, int, int, int]]]:
    """By category, of each attack in its passage: placed, any sentence found, all found, any by a phrase."""
    rows: dict[str, list[tuple[int, int, int, int]]] = defaultdict(list)
    for row in _rows(folder / "bipia_injected_email_table.jsonl"):
        attack, text = row["injection"], row["passages"][0]["text"]
        at = text.find(attack)
        before, after = (_sentences(text[:at]), _sentences(text[at + len(attack) :])) if at >= 0 else ([], [])
        own = _sentences(attack)
        passage = [*before[-AROUND:], *own, *after[:AROUND]]
        flags = find_instructions(passage, await embedder.embed(passage), embedder.compatible)
        of_attack = flags[len(before[-AROUND:]) :][: len(own)]
        one = (1, int(any(of_attack)), int(all(of_attack)), int(any(map(names_a_model, own))))
        rows[str(row["injection_category"])].append(one)
        rows["all"].append(one)
    return dict(rows)


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


def _rows(path: Path) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
