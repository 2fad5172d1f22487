"""`terrarium replay`: the question of a trace asked again here, and what came out otherwise, stage by stage.

A trace is what the page or `terrarium ask` keeps of a question (docs/trace.md). It is asked again with its turns,
filter and kind of answer, over the library that is named, with the same embedder and generator where they are there and
with as many tokens of passages as it was then. Settings are those of this version: that they changed is one of the
differences. Nothing is kept: a library that is named stays as it is, but for the files that are added to a store.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from terrarium.answers.answering import AnswerSettings
from terrarium.desk.record_texts import Record
from terrarium.engine import Engine
from terrarium.errors import TerrariumError
from terrarium.request import Request
from terrarium.trace import FORMAT

LISTED = 20  # questions of a file that are named when one is to be chosen

WHAT_IT_IS = "It is a file of traces as the page saves it: one line of JSON for each question."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("trace", type=Path, metavar="TRACE", help="a file of traces (JSON Lines), as the page saves it")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="documents to ask, beside the library")
    parser.add_argument("--library", type=Path, help="the library to ask: a store, or a file that the page has saved")
    parser.add_argument("--record", metavar="N|ID", help="which trace of the file, by its place or its id")
    parser.add_argument("--generator", help="id of the generator, or “none”; without it the one that wrote")
    parser.add_argument("--json", action="store_true", help="print the differences and the new record as JSON")
    parser.set_defaults(token_vectors="stored")


def read_record(path: Path, wanted: str | None = None) -> Record:
    """One trace of a file. `wanted` is its place (from 1) or the beginning of its id. Raises TerrariumError."""
    try:
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        records = [json.loads(line) for line in lines]
    except OSError as error:
        raise TerrariumError(f"{path} could not be read: {error.strerror}. Check its name, then try again.") from error
    except ValueError as error:
        raise TerrariumError(f"{path} holds no traces ({error}). {WHAT_IT_IS}") from error
    for number, record in enumerate(records, start=1):
        if not isinstance(record, dict) or not {"format", "id", "question"} <= record.keys():
            raise TerrariumError(f"Line {number} of {path} is no trace. {WHAT_IT_IS}")
    record = _chosen(records, path, wanted)
    if record["format"] > FORMAT:
        raise TerrariumError(
            f"This trace was written by a newer version of Terrarium (format {record['format']}, this version reads up "
            f"to {FORMAT}). Replay it with the newer version."
        )
    return record


def _chosen(records: Sequence[dict[str, Any]], path: Path, wanted: str | None) -> dict[str, Any]:
    if not records:
        raise TerrariumError(f"{path} is empty. {WHAT_IT_IS}")
    if wanted is None and len(records) == 1:
        return records[0]
    places = [str(place) for place in range(1, len(records) + 1)]
    found = [
        record
        for place, record in zip(places, records, strict=True)
        if wanted is not None and (wanted == place or (wanted not in places and record["id"].startswith(wanted)))
    ]
    if len(found) == 1:
        return found[0]
    first = max(len(records) - LISTED, 0)
    listed = [f"  {n}  {r['id'][:8]}  {r['question']}" for n, r in enumerate(records[first:], start=first + 1)]
    why = "holds several traces" if wanted is None else f"has {'several traces' if found else 'no trace'} “{wanted}”"
    raise TerrariumError("\n".join([f"{path} {why}. Choose one with --record, by its place or its id:", *listed]))


def request_of(record: Record) -> Request:
    """What was asked. A record of format 1 does not hold the turns: its question is asked as it was understood."""
    older = "turns" not in record
    return Request.of(
        {
            "question": record.get("resolved", record["question"]) if older else record["question"],
            "mode": record.get("mode", "both"),
            "turns": record.get("turns", []),
            "filter": record.get("filter"),
        }
    )


def settings_of(record: Record) -> AnswerSettings:
    """A graphics processor reads more than WebAssembly does; here as much is read as was where the trace was made."""
    then = record.get("engine", {}).get("answers", {})
    known = AnswerSettings()
    backends = record.get("models", {}).get("backends", {})
    backend = backends.get(model_of(record, "generator"), "wasm")
    name = "source_tokens" if backend == "wasm" else "source_tokens_webgpu"
    return replace(known, source_tokens=int(then.get(name, getattr(known, name))))


def model_of(record: Record, task: str) -> str | None:
    """The name of the model that did it, without its hash; None where none did."""
    model_id: str | None = record.get("models", {}).get(task)
    return model_id.partition("@")[0] if model_id else None


async def replayed(record: Record, engine: Engine) -> Record:
    """The new record. Raises TerrariumError when the library is empty."""
    if not engine.library.documents:
        raise TerrariumError("There are no documents to ask. Name a library with --library, or files behind the trace.")
    _, trace = await engine.made(request_of(record), lambda _event: None)
    new: Mapping[str, Any] = json.loads(trace.close())
    return new
