"""Opens models by their description files: `<id>.toml`, and `<id>.files.json` with the hash of each file.

A model's id in traces and in stored indexes is its name and the first twelve hexadecimal digits of its graph's SHA-256;
a graph with external weights records their hash, so that the graph's own stands for both.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from terrarium.errors import ModelError
from terrarium.models.decoding import CausalDecoder
from terrarium.models.embedding import SentenceEmbedder
from terrarium.models.late_interaction import LateInteraction
from terrarium.runtime.protocols import Backend, Decoder, Embedder, Kind, Reranker, Runtime, TokenEmbedder

EMBEDDER = "minilm-l6"
RERANKER = "maxsim"
HASH_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Card:
    """One model's description. `settings` is the table named after its task: [embed], [rerank] or [generate]."""

    name: str
    task: str
    title: str
    licence: str
    files: Mapping[str, str]
    backends: Mapping[str, Mapping[str, Any]]  # graph and weights by backend; empty where `files` names the one graph
    settings: Mapping[str, Any]
    digests: Mapping[str, str]  # file → SHA-256
    id: str  # name and hash


@dataclass(frozen=True, slots=True)
class Models:
    """What the engine works with. Without a generator it answers by quoting, without a reranker it fuses only."""

    embedder: Embedder
    reranker: Reranker | None
    generator: Decoder | None


def read_card(runtime: Runtime, name: str) -> Card:
    """Raises ModelError when the runtime has no such model."""
    table = tomllib.loads(runtime.read_text(f"{name}.toml"))
    files, backends = table["files"], table.get("backends", {})
    record = json.loads(runtime.read_text(f"{name}.files.json"))
    digests = {file: one["sha256"] for file, one in record.items()}
    digest = digests[next(iter(backends.values()), files)["graph"]]
    task = table["task"]
    return Card(
        name=table["id"],
        task=task,
        title=table["name"],
        licence=table["licence"],
        files=files,
        backends=backends,
        settings=table.get(task, {}),
        digests=digests,
        id=f"{table['id']}@{digest[:HASH_DIGITS]}",
    )


async def open_embedder(runtime: Runtime, name: str = EMBEDDER) -> SentenceEmbedder:
    card = _card_for(runtime, name, "embed")
    session = await runtime.session(card.files["graph"], card.files.get("data"))
    tokenizer = runtime.tokenizer(card.files["tokenizer"])
    settings = ("dimensions", "max_tokens", "token_dimensions", "earlier", "unrelated", "languages")
    given = {key: card.settings[key] for key in settings if key in card.settings}
    prefixes: dict[Kind, str] = {kind: card.settings.get(f"{kind}_prefix", "") for kind in ("question", "passage")}
    return SentenceEmbedder(card.id, session, tokenizer, prefixes=prefixes, **given)


async def open_reranker(runtime: Runtime, embedder: TokenEmbedder, name: str = RERANKER) -> LateInteraction:
    card = _card_for(runtime, name, "rerank")
    if not embedder.id.startswith(card.settings["embedder"] + "@"):
        raise ModelError(f"{card.title} needs the embedder {card.settings['embedder']}, not {embedder.id}.")
    session = await runtime.session(card.files["graph"], card.files.get("data"))
    return LateInteraction(card.id, session, embedder, calibration=card.settings.get("calibration"))


async def open_generator(runtime: Runtime, name: str, backend: Backend = "wasm") -> CausalDecoder:
    card = _card_for(runtime, name, "generate")
    files = card.backends[backend]
    session = await runtime.session(files["graph"], files["weights"], backend)
    tokenizer = runtime.tokenizer(card.files["tokenizer"])
    sizes = {key: card.settings[key] for key in ("kv_heads", "head_size", "max_tokens")}
    return CausalDecoder(card.id, session, tokenizer, **sizes)


def writing_habits(runtime: Runtime, name: str, decoder: Decoder) -> tuple[list[int], bool]:
    """(tokens with which a generator ends an answer, whether it may put questions into other words), by its card."""
    settings = read_card(runtime, name).settings
    stop_ids = [i for i in map(decoder.tokenizer.token_id, settings["stop"]) if i is not None]
    return stop_ids, bool(settings.get("rephrases", False))


async def open_models(runtime: Runtime, *, generator: str | None, embedder: str = EMBEDDER) -> Models:
    """The embedder of that name, the reranker if it was trained for this embedder, and the generator of that name."""
    opened = await open_embedder(runtime, embedder)
    fits = read_card(runtime, RERANKER).settings["embedder"] == embedder
    reranker = await open_reranker(runtime, opened) if fits else None
    return Models(opened, reranker, await open_generator(runtime, generator) if generator else None)


def _card_for(runtime: Runtime, name: str, task: str) -> Card:
    card = read_card(runtime, name)
    if card.task != task:
        raise ModelError(f"{name} is a model for the task {card.task}, not for {task}.")
    return card
