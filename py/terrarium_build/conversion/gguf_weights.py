"""A GGUF file as float32 matrices and a vocabulary, read tensor by tensor so that memory stays at one of them.

For the architectures "qwen2" and "llama", which share one layer layout. Rows of Q and K that llama.cpp's converter
interleaved for its rotary embedding are put back into the order of the original checkpoint.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGUFReader
from gguf.quants import dequantize
from numpy.typing import NDArray

from .arithmetic import Floats
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
        self.architecture = str(self._field("general.architecture"))
        if self.architecture not in ARCHITECTURES:
            raise ValueError(f"{path.name} holds a {self.architecture} model; known are {', '.join(ARCHITECTURES)}.")
        self.sizes = self._sizes()

    def has(self, name: str) -> bool:
        return name in self._tensors

    def matrix(self, name: str) -> Floats:
        """[outputs, inputs]."""
        tensor = self._tensors[name]
        values: Floats = dequantize(tensor.data, tensor.tensor_type)
        matrix = values.reshape(int(tensor.shape[1]), int(tensor.shape[0])).astype(np.float32, copy=False)
        return self._ordered(name, matrix)

    def vector(self, name: str) -> Floats:
        return self._ordered(name, self._tensors[name].data.astype(np.float32).reshape(-1))

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

    def _ordered(self, name: str, rows: NDArray[Any]) -> NDArray[Any]:
        if self.architecture != "llama" or not any(part in name for part in (".attn_q.", ".attn_k.")):
            return rows
        half = self.sizes.head_size // 2
        return rows.reshape(-1, half, 2, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)
