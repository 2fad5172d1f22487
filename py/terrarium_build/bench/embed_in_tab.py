"""Runs inside the engine's worker, where Pyodide reads it as text: texts embedded by the clock."""

from __future__ import annotations

import json
import time

from terrarium.models.catalogue import open_embedder
from terrarium.models.embedding import SentenceEmbedder
from terrarium.runtime.web import WebRuntime

embedders: list[SentenceEmbedder] = []


async def load(name: str) -> None:
    embedders.append(await open_embedder(WebRuntime(), name))


async def embed(arguments: str) -> str:
    """{texts} → {seconds, vectors}: from Python's strings to Python's arrays, as when a file is added."""
    texts = json.loads(arguments)["texts"]
    begun = time.perf_counter()
    vectors = await embedders[0].embed(texts)
    return json.dumps({"seconds": time.perf_counter() - begun, "vectors": vectors.tolist()})
