"""`build.py bench --accuracy`: how close every graph of a generator is to the file that it was made of.

Each graph is run by onnxruntime on this machine's processor. What a GPU makes of it is the self-test's part.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray

from terrarium.runtime.native import NativeRuntime, NativeTokenizer
from terrarium_build.bench.figures import table
from terrarium_build.bench.reference import Floats, ReferenceDecoder
from terrarium_build.fetch import Fetcher
from terrarium_build.lock import read_lock
from terrarium_build.models import Model, build_model, read_models
from terrarium_build.paths import say

HEAD = ("model", "graph", "tensors", "likeliest token", "KL divergence, mean", "largest")
QUESTIONS = (
    "What is the capital of France?",
    "Write a Python function that reverses a string.",
    "Explain in one sentence why the sky is blue.",
    "How many legs does a spider have?",
    "Translate to German: The water is warm.",
    "What does HTTP status 404 mean?",
    "Name three primary colours.",
    "List the files of a folder in bash.",
    "What is 17 times 23?",
    "Who wrote Faust?",
    "Wie heißt die Hauptstadt von Österreich?",
    "水的化学式是什么？",
)
PASSAGES = (
    ("How much water does the tank hold?", "The tank holds nine litres. It is cleaned every second week."),
    ("When was the bridge closed?", "The bridge was built in 1931 and closed in 1987: a pier had cracked."),
    ("Which port does the server use?", "By default the server listens on port 8420. Set PORT to change it."),
    ("Who may enter the archive?", "The archive is open to members only. Guests may read in the hall."),
    ("What should be done when the pump stops?", "If the pump stops, close valve B, wait two minutes, press RESET."),
    ("Is the map in the appendix?", "Tables are in appendix A. The map was left out and can be ordered by post."),
    ("How long is the warranty?", "The warranty covers parts for two years; labour is covered for six months."),
    ("Wann öffnet das Museum?", "Das Museum öffnet um zehn Uhr, sonntags um elf. Montags ist es geschlossen."),
)


@dataclass(frozen=True, slots=True)
class Closeness:
    """Last-token distributions against the reference's, over prompts."""

    same_top: int
    prompts: int
    mean: float
    largest: float


def closeness(logits: Floats, expected: Floats) -> Closeness:
    """Both [prompts, vocabulary]."""
    p, q = _log_softmax(expected), _log_softmax(logits)
    divergence = (np.exp(p) * (p - q)).sum(-1)
    same = int((logits.argmax(-1) == expected.argmax(-1)).sum())
    return Closeness(same, len(logits), float(divergence.mean()), float(divergence.max()))


def accuracy(ids: Sequence[str]) -> str:
    """The table of these models in Markdown. Fetches and converts what is not there yet."""
    lock, fetcher = read_lock(), Fetcher()
    rows = []
    for model in (read_models()[id] for id in ids):
        files = build_model(model, lock, fetcher)
        folder = next(iter(files.values())).path.parent
        prompts = _prompts(NativeTokenizer(folder / model.description["files"]["tokenizer"]))
        say(f"Reading {len(prompts)} prompts with {model.id} in numpy")
        expected = ReferenceDecoder(fetcher.fetch(lock[model.description["conversion"]["weights"]])).logits(prompts)
        for backend, names in model.description["backends"].items():
            say(f"Reading them with {names['graph']}")
            close = closeness(graph_logits(model, folder, backend, prompts), expected)
            size = tensor_bytes(folder / names["graph"])
            top = f"{close.same_top} of {close.prompts}"
            rows.append([model.id, backend, f"{size / 1e6:,.0f} MB", top, f"{close.mean:.4f}", f"{close.largest:.4f}"])
    return table(HEAD, rows)


def tensor_bytes(graph: Path) -> int:
    """Of the external tensors that it reads: a weights file may serve two graphs, and a tensor have two names."""
    tensors = onnx.load(graph, load_external_data=False).graph.initializer
    places = ({entry.key: entry.value for entry in tensor.external_data} for tensor in tensors)
    return sum(size for _, size in {(place["offset"], int(place["length"])) for place in places if place})


def graph_logits(model: Model, folder: Path, backend: str, prompts: Sequence[Sequence[int]]) -> Floats:
    """[prompts, vocabulary] of each prompt's last position, by a graph in `folder`."""
    return asyncio.run(_graph_logits(model, folder, backend, prompts))


async def _graph_logits(model: Model, folder: Path, backend: str, prompts: Sequence[Sequence[int]]) -> Floats:
    names, sizes = model.description["backends"][backend], model.description["generate"]
    session = await NativeRuntime(folder).session(names["graph"], names["weights"])
    rows = []
    for ids in prompts:
        length = len(ids)
        capacity = length if "seqlens_k" in session.inputs else 0
        empty = np.zeros((1, sizes["kv_heads"], capacity, sizes["head_size"]), np.float32)
        feeds: dict[str, NDArray[np.generic]] = {name: empty for name in session.inputs if name.startswith("past.")}
        feeds |= {"input_ids": np.array([ids], np.int64), "rows": np.array([1], np.int64)}
        if capacity:
            feeds["seqlens_k"] = np.array([length - 1], np.int32)
            feeds["total_sequence_length"] = np.array(length, np.int32)
        else:
            feeds["used"] = np.array([0], np.int64)
        fetched, _ = await session.run(feeds, ["logits"])
        rows.append(fetched["logits"].reshape(-1))
    return np.stack(rows).astype(np.float32)


def _prompts(tokenizer: NativeTokenizer) -> list[list[int]]:
    asked = [*QUESTIONS, *(f"{passage}\n\nAnswer from this passage: {question}" for question, passage in PASSAGES)]
    texts = [f"<|im_start|>user\n{text}<|im_end|>\n<|im_start|>assistant\n" for text in asked]
    return [ids.tolist() for ids in tokenizer.encode_batch(texts, special=False)]


def _log_softmax(logits: Floats) -> NDArray[np.float64]:
    x = logits.astype(np.float64)
    x -= x.max(-1, keepdims=True)
    return np.asarray(x - np.log(np.exp(x).sum(-1, keepdims=True)))
