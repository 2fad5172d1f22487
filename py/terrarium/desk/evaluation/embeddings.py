"""An embedder that remembers on disk what it read, so that another chunking, fusion or judge reads nothing twice.

A text's vectors depend on the text, on what it is read as and on the model: that is the key, and each model has a file
of its own. What is remembered is exactly what the model gave. Stopped at any moment, at most one group is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from terrarium.desk.evaluation.remembered import digest, open_remembered
from terrarium.runtime.protocols import Kind, Progress, TokenEmbedder
from terrarium.storage.packing import pack_tokens, unpack_tokens

GROUP = 128  # texts embedded between two writes
_TABLE = """
CREATE TABLE IF NOT EXISTS texts (
    kind TEXT NOT NULL, digest BLOB NOT NULL, vector BLOB NOT NULL, tokens BLOB, PRIMARY KEY (kind, digest)
)
"""

Row = tuple[bytes, bytes | None]  # vector, token vectors


class CachedEmbedder:
    """The embedder `inner`, its results kept in `folder`. `computed` counts the texts that the model had to read."""

    def __init__(self, inner: TokenEmbedder, folder: Path) -> None:
        self._inner = inner
        self.id, self.compatible = inner.id, inner.compatible
        self.dimensions, self.token_dimensions = inner.dimensions, inner.token_dimensions
        self.max_tokens, self.tokenizer = inner.max_tokens, inner.tokenizer
        self.languages, self.unrelated = inner.languages, inner.unrelated
        self.computed = 0
        self._connection = open_remembered(folder / f"{inner.id}.sqlite", _TABLE)

    async def embed(
        self, texts: Sequence[str], progress: Progress | None = None, *, kind: Kind = "passage"
    ) -> NDArray[np.float32]:
        """As the embedder's own."""
        rows = self._known(texts, kind)
        for group in _groups([text for text in texts if text not in rows], progress, len(texts)):
            vectors = await self._inner.embed(group, kind=kind)
            # Of a question alone the same run gave the tokens' vectors.
            alone = kind == "question" and len(texts) == 1 and self.token_dimensions > 0
            tokens = (await self._inner.question_tokens(group[0])).tobytes() if alone else None
            self._keep(
                kind, rows, {text: (vector.tobytes(), tokens) for text, vector in zip(group, vectors, strict=True)}
            )
        return self._vectors(texts, rows)

    async def embed_with_tokens(
        self, texts: Sequence[str], progress: Progress | None = None, *, kind: Kind = "passage"
    ) -> tuple[NDArray[np.float32], list[NDArray[np.int8]]]:
        """As the embedder's own."""
        rows = {text: row for text, row in self._known(texts, kind).items() if row[1] is not None}
        for group in _groups([text for text in texts if text not in rows], progress, len(texts)):
            vectors, tokens = await self._inner.embed_with_tokens(group, kind=kind)
            packed = [(vector.tobytes(), pack_tokens(one)) for vector, one in zip(vectors, tokens, strict=True)]
            self._keep(kind, rows, dict(zip(group, packed, strict=True)))
        unpacked = [unpack_tokens(rows[text][1] or b"", self.token_dimensions) for text in texts]
        return self._vectors(texts, rows), unpacked

    async def question_tokens(self, question: str) -> NDArray[np.float32]:
        """As the embedder's own."""
        vector, tokens = self._known([question], "question").get(question, (b"", None))
        if tokens is None:
            if not vector:
                self.computed += 1
            tokens = (await self._inner.question_tokens(question)).tobytes()
            if vector:
                self._write("question", {question: (vector, tokens)})
        return np.frombuffer(tokens, np.float32).reshape(-1, self.token_dimensions)

    def close(self) -> None:
        self._connection.close()

    def _vectors(self, texts: Sequence[str], rows: dict[str, Row]) -> NDArray[np.float32]:
        found = np.zeros((len(texts), self.dimensions), np.float32)
        for place, text in enumerate(texts):
            found[place] = np.frombuffer(rows[text][0], np.float32)
        return found

    def _known(self, texts: Sequence[str], kind: Kind) -> dict[str, Row]:
        query = "SELECT vector, tokens FROM texts WHERE kind = ? AND digest = ?"
        rows = {text: self._connection.execute(query, (kind, digest(text))).fetchone() for text in dict.fromkeys(texts)}
        return {text: row for text, row in rows.items() if row}

    def _keep(self, kind: Kind, rows: dict[str, Row], made: dict[str, Row]) -> None:
        self.computed += len(made)
        rows.update(made)
        self._write(kind, made)

    def _write(self, kind: Kind, made: dict[str, Row]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        values = [(kind, digest(text), *row) for text, row in made.items()]
        self._connection.executemany("INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?)", values)
        self._connection.execute("COMMIT")


def _groups(missing: Sequence[str], progress: Progress | None, total: int) -> Iterator[list[str]]:
    """Of similar length, so that little is padded. `progress` counts what is known as done."""
    ordered = sorted(dict.fromkeys(missing), key=len)
    for start in range(0, len(ordered), GROUP):
        yield ordered[start : start + GROUP]
        if progress:
            progress(total - max(len(ordered) - start - GROUP, 0), total)
