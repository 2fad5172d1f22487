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

from terrarium.decoding import CausalDecoder
from terrarium.embedding import SentenceEmbedder
from terrarium.errors import ModelError
from terrarium.reranking import LateInteraction
from terrarium.runtime.protocols import Decoder, Embedder, Reranker, Runtime

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
    settings: Mapping[str, Any]
    id: str  # name and hash


@dataclass(frozen=True, slots=True)
class Models:
    """What the engine works with. Without a generator it answers by quoting."""

    embedder: Embedder
    reranker: Reranker
    generator: Decoder | None


def read_card(runtime: Runtime, name: str) -> Card:
    """Raises ModelError when the runtime has no such model."""
    table = tomllib.loads(runtime.read_text(f"{name}.toml"))
    files = table["files"]
    record = json.loads(runtime.read_text(f"{name}.files.json"))
    digest = record[files["graph"]]["sha256"]
    task = table["task"]
    return Card(
        name=table["id"],
        task=task,
        title=table["name"],
        licence=table["licence"],
        files=files,
        settings=table[task],
        id=f"{table['id']}@{digest[:HASH_DIGITS]}",
    )


async def open_embedder(runtime: Runtime, name: str = EMBEDDER) -> SentenceEmbedder:
    card = _card_for(runtime, name, "embed")
    session = await runtime.session(card.files["graph"], card.files.get("data"))
    tokenizer = runtime.tokenizer(card.files["tokenizer"])
    sizes = {key: card.settings[key] for key in ("dimensions", "max_tokens")}
    return SentenceEmbedder(card.id, session, tokenizer, **sizes)


async def open_reranker(runtime: Runtime, embedder: SentenceEmbedder, name: str = RERANKER) -> LateInteraction:
    card = _card_for(runtime, name, "rerank")
    if not embedder.id.startswith(card.settings["embedder"] + "@"):
        raise ModelError(f"{card.title} needs the embedder {card.settings['embedder']}, not {embedder.id}.")
    return LateInteraction(card.id, await runtime.session(card.files["graph"], card.files.get("data")), embedder)


async def open_generator(runtime: Runtime, name: str) -> CausalDecoder:
    card = _card_for(runtime, name, "generate")
    session = await runtime.session(card.files["graph"], card.files.get("data"))
    tokenizer = runtime.tokenizer(card.files["tokenizer"])
    sizes = {key: card.settings[key] for key in ("kv_heads", "head_size", "max_tokens")}
    return CausalDecoder(card.id, session, tokenizer, **sizes)


async def open_models(runtime: Runtime, *, generator: str | None) -> Models:
    """The default embedder and reranker, and the generator of that name."""
    embedder = await open_embedder(runtime)
    reranker = await open_reranker(runtime, embedder)
    return Models(embedder, reranker, await open_generator(runtime, generator) if generator else None)


def _card_for(runtime: Runtime, name: str, task: str) -> Card:
    card = read_card(runtime, name)
    if card.task != task:
        raise ModelError(f"{name} is a model for the task {card.task}, not for {task}.")
    return card
