"""Chunks embedded a second in the tab, ours beside @huggingface/transformers: the same model, texts, tokenizer and
onnxruntime-web, one thread.

The peer has the published export of all-MiniLM-L6-v2 twice: in float32 ("fp32"), and with dynamic int8 ("q8", its
default in WebAssembly), which is made here as its own conversion does: quantize_dynamic.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort

from terrarium.chunks.chunking import chunk_document, embedding_text
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.readers.reading import read_document
from terrarium.runtime.native import NativeRuntime
from terrarium_build.bench.figures import Figure
from terrarium_build.bench.serving import serve
from terrarium_build.bench.texts import made_text
from terrarium_build.bench.writer_pages import open_page, places, wait
from terrarium_build.driving import open_chromium
from terrarium_build.fetch import Fetcher
from terrarium_build.lock import read_lock
from terrarium_build.models import EMBEDDERS
from terrarium_build.npm import npm_package
from terrarium_build.paths import BuildError, cache_folder, say
from terrarium_build.scripts import script

EMBEDDER = "english"
BATCH = 8  # of the peer: larger ones pad more
PEERS = ("fp32", "q8")
AGREE = {"fp32": 0.98, "q8": 0.95}  # cosines below which the two do not do the same work

Pair = tuple[float, float]


def embed_vs_transformers_js(index: Path, rounds: int = 3) -> dict[str, Figure]:
    """Chunks a second, by what the peer loads: PEERS. Raises BuildError when a side does not start or disagrees."""
    rates: dict[str, list[Pair]] = {peer: [] for peer in PEERS}
    documents = [chunk_texts(seed) for seed in range(rounds + 1)]
    with _pages(index) as pages:
        for number, texts in enumerate(documents):  # the first warms up
            say(f"Embedding, round {number} of {rounds}" if number else "Embedding, warming up")
            found = {name: _embed(page, name, texts) for name, page in pages.items()}
            check(found)
            seconds = {name: result["seconds"] for name, result in found.items()}
            if number:
                for peer in PEERS:
                    rates[peer].append((len(texts) / seconds["ours"], len(texts) / seconds[peer]))
    version = npm_package("@huggingface/transformers")["version"]
    return {
        peer: Figure(
            f"Embedding beside {peer}",
            "chunks/s",
            f"@huggingface/transformers {version}, {peer}, batches of {BATCH}, one thread",
            tuple(ours for ours, _ in pairs),
            tuple(theirs for _, theirs in pairs),
        )
        for peer, pairs in rates.items()
    }


def chunk_texts(seed: int) -> list[str]:
    """What is embedded of a made document of about sixty chunks, in the document's order."""
    name = f"huts {seed}.md"
    document = asyncio.run(read_document(made_text(seed).encode(), name, pdf=NodePdfExtractor()))
    tokenizer = NativeRuntime().tokenizer(f"{EMBEDDERS[EMBEDDER]}.tokenizer.json")
    return [embedding_text(chunk, document.title) for chunk in chunk_document(document, tokenizer)]


def _embed(page: Any, name: str, texts: list[str]) -> dict[str, Any]:
    asked: dict[str, Any] = {"texts": texts}
    if name == "ours":
        found = wait(page, "bench", f"await embed({json.dumps(asked)!r})")
    else:
        found = wait(page, "embed", asked | {"batch": BATCH})
    return dict(found)


def check(found: Mapping[str, Mapping[str, Any]]) -> None:
    ours = np.array(found["ours"]["vectors"])
    for peer in PEERS:
        cosines = (ours * np.array(found[peer]["vectors"])).sum(1)
        if cosines.min() < AGREE[peer]:
            raise BuildError(f"The vectors agree with {peer}'s to {cosines.min():.3f} only; the benchmark is void.")


@contextlib.contextmanager
def _pages(index: Path) -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        write_peer(Path(folder) / "minilm")
        more: dict[str, Path | str] = {"/peer/": Path(folder), "/transformers.html": _peer_page()}
        with serve(places(index) | more, isolated=False) as host, open_chromium() as context:
            say("Loading both sides")
            ours = open_page(context, f"{host}engine.html#threads=1&embedder={EMBEDDER}")
            wait(ours, "bench", script("bench/embed_in_tab.py"))
            wait(ours, "bench", f"await load({EMBEDDERS[EMBEDDER]!r})")
            peers = {peer: open_page(context, f"{host}transformers.html#dtype={peer}") for peer in PEERS}
            yield {"ours": ours, **peers}


def _peer_page() -> str:
    imports = {
        "onnxruntime-web/webgpu": "/npm/onnxruntime-web/dist/ort.wasm.bundle.min.mjs",
        "onnxruntime-common": "/npm/onnxruntime-common/dist/esm/index.js",
    }
    head = '<!doctype html><html><head><meta charset="utf-8"><title>Benchmark</title>'
    table = f'<script type="importmap">{json.dumps({"imports": imports})}</script>'
    body = f'<script type="module">{script("bench/transformers_page.js")}</script>'
    return f"{head}{table}</head><body>{body}</body></html>"


def write_peer(folder: Path) -> None:
    """The peer's model folder, as transformers.js expects it from a hub."""
    from onnxruntime.quantization import quantize_dynamic  # noqa: PLC0415 (needs a second)

    (folder / "onnx").mkdir(parents=True)
    export = Fetcher().fetch(read_lock()["minilm-l6.export.onnx"])
    # The export holds int8 weights and casts them; folded, it is the float32 graph that it stands for.
    plain = folder / "onnx" / "model.onnx"
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(plain)
    ort.InferenceSession(str(export), options, providers=["CPUExecutionProvider"])
    quantize_dynamic(plain, folder / "onnx" / "model_quantized.onnx", per_channel=True)
    shutil.copyfile(cache_folder() / "models" / "minilm-l6.tokenizer.json", folder / "tokenizer.json")
    config = {"model_type": "bert", "hidden_size": 384, "num_attention_heads": 12, "num_hidden_layers": 6}
    tokens = {"tokenizer_class": "BertTokenizer", "model_max_length": 256, "pad_token": "[PAD]"}
    for name, content in (("config.json", config), ("tokenizer_config.json", tokens)):
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
