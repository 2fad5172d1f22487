"""The library of an evaluation set, indexed once and kept as a SQLite file in the user's cache folder.

Its name is made of all that determines it: the documents, the embedder, whether token vectors are kept, and the source
of every module that reads, cuts, counts or packs. A change of fusion, reranking or judging finds it again; one of the
chunker makes a new one, from remembered vectors wherever a text is the same.
"""

from __future__ import annotations

import ast
import hashlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from glob import escape
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from terrarium.desk.evaluation.embeddings import CachedEmbedder
from terrarium.desk.evaluation.sets import EvaluationSet, read_documents
from terrarium.indexing import index_document
from terrarium.library import Library
from terrarium.model import Document
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.runtime.protocols import Embedder, Kind, Progress
from terrarium.settings import RetrievalSettings
from terrarium.storage.protocol import Store
from terrarium.storage.sqlite import SqliteStore

PACKAGE = Path(__file__).resolve().parents[2]
# What these import is followed; what opens, ranks or answers is not among it.
ROOTS = ("indexing.py", "storage/packing.py", "storage/records.py", "desk/evaluation/sets.py")
# All of them: which format's module reads a file is looked up by name.
READERS = tuple(path.relative_to(PACKAGE).as_posix() for path in sorted((PACKAGE / "readers").rglob("*.py")))
_AT_ONCE = 256  # texts whose vectors are in memory at a time
KEPT = 24 * 3600  # seconds that an unused library of the same set stays

Say = Callable[[str, int, int], None]  # (stage, done, total)


def default_cache() -> Path:
    """<cache>/terrarium/evaluation."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "terrarium" / "evaluation"


async def prepared_library(
    chosen: EvaluationSet, embedder: CachedEmbedder, settings: RetrievalSettings, cache: Path, say: Say
) -> Library:
    """The library, from the cache when it is there. A file that cannot be read is said on standard error, left out."""
    stem = f"{chosen.name}-{embedder.id}-{chosen.digest[:12]}"
    path = cache / "libraries" / f"{stem}-{_made_by(chosen, settings)}.sqlite"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        try:
            await _build(chosen, embedder, settings, unfinished, say)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
        _sweep(path, stem)
    os.utime(path)
    say("opening the library", 0, 1)
    library = await Library.open(SqliteStore(path), embedder, settings)
    say("opening the library", 1, 1)
    return library


async def _build(
    chosen: EvaluationSet, embedder: CachedEmbedder, settings: RetrievalSettings, path: Path, say: Say
) -> None:
    documents, failed = await read_documents(chosen, NodePdfExtractor(), lambda *count: say("reading", *count))
    for sentence in failed:
        print(f"\n{sentence}", end="", file=sys.stderr)
    wanted = Wanted(embedder)
    tokens = settings.token_vectors == "stored" and embedder.token_dimensions > 0
    for done, document in enumerate(documents):
        await index_document(document, wanted, tokens=tokens)
        say("cutting", done + 1, len(documents))
    embed = embedder.embed_with_tokens if tokens else embedder.embed
    texts = sorted({*wanted.texts}, key=len)
    for start in range(0, len(texts), _AT_ONCE):
        await embed(texts[start : start + _AT_ONCE])  # the library finds it remembered
        say("embedding", min(start + _AT_ONCE, len(texts)), len(texts))
    store = SqliteStore(path)
    await _fill(store, documents, embedder, settings, say)
    await store.close()


async def _fill(
    store: Store, documents: Sequence[Document], embedder: Embedder, settings: RetrievalSettings, say: Say
) -> None:
    library = await Library.open(store, embedder, settings)
    for done, document in enumerate(documents):
        await library.add(document)
        say("indexing", done + 1, len(documents))


class Wanted:
    """An embedder that reads nothing: `texts` is what it was asked for."""

    def __init__(self, embedder: Embedder) -> None:
        self.id, self.compatible = embedder.id, embedder.compatible
        self.dimensions, self.token_dimensions = embedder.dimensions, embedder.token_dimensions
        self.max_tokens, self.tokenizer = embedder.max_tokens, embedder.tokenizer
        self.languages, self.unrelated = embedder.languages, embedder.unrelated
        self.texts: list[str] = []

    async def embed(
        self, texts: Sequence[str], progress: Progress | None = None, *, kind: Kind = "passage"
    ) -> NDArray[np.float32]:
        self.texts += texts
        return np.zeros((len(texts), self.dimensions), np.float32)

    async def embed_with_tokens(
        self, texts: Sequence[str], progress: Progress | None = None, *, kind: Kind = "passage"
    ) -> tuple[NDArray[np.float32], list[NDArray[np.int8]]]:
        return await self.embed(texts, kind=kind), [np.zeros((1, self.token_dimensions), np.int8)] * len(texts)


def _made_by(chosen: EvaluationSet, settings: RetrievalSettings) -> str:
    """A digest of the sources and settings that a library is made by."""
    digest = hashlib.sha256(settings.token_vectors.encode())
    extractor = NodePdfExtractor().root / "web"
    scripts = sorted(extractor.glob("pdf/*.mjs")) if chosen.files else []
    for path in [*sources((*ROOTS, *READERS)), *scripts]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def sources(roots: Sequence[str]) -> list[Path]:
    """The modules of this package that the roots import, directly or through others, also inside functions."""
    found: dict[Path, None] = {}
    waiting = [PACKAGE / root for root in roots]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found[path] = None
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("terrarium."):
                parts = (node.module or "").split(".")[1:]
                base = PACKAGE.joinpath(*parts)
                candidates = [base.with_suffix(".py"), base / "__init__.py"]
                candidates += [(base / alias.name).with_suffix(".py") for alias in node.names]
                waiting += [one for one in candidates if one.is_file()]
    return sorted(found)


def _sweep(path: Path, stem: str) -> None:
    """Remove libraries of the same set that nobody used for a day: by other sources, or left unfinished."""
    for other in path.parent.glob(f"{escape(stem)}-*"):
        if other != path and time.time() - other.stat().st_mtime > KEPT:
            other.unlink(missing_ok=True)
