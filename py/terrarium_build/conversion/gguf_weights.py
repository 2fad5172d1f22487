"""A GGUF file's sizes, vocabulary and tensors, the tensors in their own blocks.

For the architectures "qwen2" and "llama", which share one layer layout. Rows of Q and K that llama.cpp's converter
interleaved for its rotary embedding are put back into the order of the original checkpoint; a row stays whole, so its
blocks stay as they are.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGUFReader
from numpy.typing import NDArray

from terrarium.weights.blocks import SUPPORTED, Bytes

from .tokenizer_files import Vocabulary

ARCHITECTURES = ("qwen2", "llama")


@dataclass(frozen=True, slots=True)
class Sizes:
    layers: int
    width: int
    heads: int
    kv_heads: int
    head_size: int
    vocabulary: int
    rope_base: float
    epsilon: float


class GgufWeights:
    """Raises ValueError when the file is of another architecture."""

    def __init__(self, path: Path) -> None:
        self._reader = GGUFReader(path)
        self._tensors = {tensor.name: tensor for tensor in self._reader.tensors}
        self._added: dict[str, NDArray[np.float32]] = {}
        self._file = path.name
        self.architecture = str(self._field("general.architecture"))
        if self.architecture not in ARCHITECTURES:
            raise ValueError(f"{path.name} holds a {self.architecture} model; known are {', '.join(ARCHITECTURES)}.")
        self.sizes = self._sizes()

    def add(self, name: str, values: NDArray[np.float32]) -> None:
        """A matrix that the file has not, under a name of its own."""
        self._added[name] = values

    def has(self, name: str) -> bool:
        return name in self._tensors

    def kind(self, name: str) -> str:
        """The tensor's block format. Raises ValueError for one that `terrarium.weights` cannot unpack."""
        if name in self._added:
            return "F32"
        kind: str = self._tensors[name].tensor_type.name
        if kind not in SUPPORTED:
            raise ValueError(f"{self._file}: {name} is of type {kind}; supported are {', '.join(SUPPORTED)}.")
        return kind

    def shape(self, name: str) -> tuple[int, int]:
        """[outputs, inputs]; a vector of n is one row."""
        if name in self._added:
            rows, columns = self._added[name].shape
            return rows, columns
        sizes = [int(size) for size in self._tensors[name].shape]
        return (sizes[1], sizes[0]) if len(sizes) == 2 else (1, sizes[0])

    def rows(self, name: str) -> Bytes:
        """[outputs, bytes of a row]."""
        if name in self._added:
            return self._added[name].view(np.uint8)
        rows, columns = self.shape(name)
        raw = np.ascontiguousarray(self._tensors[name].data).view(np.uint8)
        raw = raw.reshape(columns if rows == 1 else rows, -1)
        return self._ordered(name, raw).reshape(rows, -1)

    def require_all_used(self, used: Collection[str]) -> None:
        """Raises ValueError for a tensor that the graph leaves out: it would compute something else without a word."""
        unknown = sorted(self._tensors.keys() - set(used))
        if unknown:
            raise ValueError(f"{self._file}: no part of the graph reads {', '.join(unknown)}.")

    def vocabulary(self) -> Vocabulary:
        keys = ("tokens", "token_type", "merges", "pre")
        return Vocabulary(*(self._field(f"tokenizer.ggml.{key}") for key in keys))

    def _sizes(self) -> Sizes:
        def number(key: str) -> Any:
            return self._field(f"{self.architecture}.{key}")

        width, heads = number("embedding_length"), number("attention.head_count")
        return Sizes(
            layers=number("block_count"),
            width=width,
            heads=heads,
            kv_heads=number("attention.head_count_kv"),
            head_size=width // heads,
            vocabulary=int(self._tensors["token_embd.weight"].shape[1]),
            rope_base=number("rope.freq_base"),
            epsilon=number("attention.layer_norm_rms_epsilon"),
        )

    def _field(self, key: str) -> Any:
        return self._reader.fields[key].contents()

    def _ordered(self, name: str, rows: Bytes) -> Bytes:
        if self.architecture != "llama" or not any(part in name for part in (".attn_q.", ".attn_k.")):
            return rows
        half = self.sizes.head_size // 2
        return rows.reshape(-1, half, 2, rows.shape[1]).swapaxes(1, 2).reshape(rows.shape)
