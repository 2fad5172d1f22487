"""A decoder's forward pass in plain numpy over a GGUF file, all prompts at once, one tensor in memory at a time.

What the converted graphs are held against, so it shares nothing with their conversion: weights are read by the gguf
package, and Q and K stay in the order of the file. For the architectures "qwen2" and "llama". float32 throughout.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGUFReader
from gguf.quants import dequantize
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class ReferenceDecoder:
    def __init__(self, path: Path) -> None:
        self._reader = GGUFReader(path)
        self._tensors = {tensor.name: tensor for tensor in self._reader.tensors}
        self._kind = str(self._reader.fields["general.architecture"].contents())
        self._heads = int(self._number("attention.head_count"))
        self._kv_heads = int(self._number("attention.head_count_kv"))
        self._base = float(self._number("rope.freq_base"))
        self._epsilon = np.float32(self._number("attention.layer_norm_rms_epsilon"))

    def logits(self, prompts: Sequence[Sequence[int]]) -> Floats:
        """[prompts, vocabulary], of each prompt's last position."""
        ends = np.cumsum([len(ids) for ids in prompts])
        x = self._tensor("token_embd.weight", [token for ids in prompts for token in ids])  # [tokens, width]
        for layer in range(int(self._number("block_count"))):
            prefix = f"blk.{layer}."
            y = self._norm(x, prefix + "attn_norm")
            parts = [self._linear(y, f"{prefix}attn_{part}") for part in "qkv"]
            splits = [np.split(part, ends[:-1]) for part in parts]
            attended = np.concatenate([self._attention(*part) for part in zip(*splits, strict=True)])
            x = x + self._linear(attended, prefix + "attn_output")
            y = self._norm(x, prefix + "ffn_norm")
            gate = self._linear(y, prefix + "ffn_gate")
            x = x + self._linear(gate / (1 + np.exp(-gate)) * self._linear(y, prefix + "ffn_up"), prefix + "ffn_down")
        last = self._norm(x[ends - 1], "output_norm")
        return self._linear(last, "output" if "output.weight" in self._tensors else "token_embd")

    def _attention(self, q: Floats, k: Floats, v: Floats) -> Floats:
        """One prompt's [t, heads · size], causal."""
        length, size = len(q), q.shape[1] // self._heads
        q, k, v = (part.reshape(length, -1, size).swapaxes(0, 1) for part in (q, k, v))
        shared = self._heads // self._kv_heads
        k, v = np.repeat(self._turned(k), shared, axis=0), np.repeat(v, shared, axis=0)
        scores = self._turned(q) @ k.swapaxes(1, 2) / np.float32(np.sqrt(size))
        scores += np.triu(np.full((length, length), -np.inf, np.float32), 1)
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = shares / shares.sum(-1, keepdims=True) @ v
        return np.asarray(mixed.swapaxes(0, 1).reshape(length, -1))

    def _turned(self, x: Floats) -> Floats:
        """Rotary positions: llama's files pair neighbours of a head, qwen2's pair its halves (Su et al., 2021)."""
        half = x.shape[-1] // 2
        angle = np.outer(np.arange(x.shape[1]), self._base ** (-np.arange(half) / half))
        cos, sin = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)
        if self._kind == "llama":
            a, b = x[..., 0::2], x[..., 1::2]
            return np.stack([a * cos - b * sin, a * sin + b * cos], -1).reshape(x.shape)
        a, b = x[..., :half], x[..., half:]
        return np.concatenate([a * cos - b * sin, a * sin + b * cos], -1)

    def _norm(self, x: Floats, name: str) -> Floats:
        size = np.sqrt((x * x).mean(-1, keepdims=True) + self._epsilon)
        return np.asarray(x / size * self._tensor(name + ".weight"))

    def _linear(self, x: Floats, name: str) -> Floats:
        product = x @ self._tensor(name + ".weight").T
        return product + self._tensor(name + ".bias") if name + ".bias" in self._tensors else product

    def _tensor(self, name: str, rows: Sequence[int] | slice = slice(None)) -> Floats:
        found = self._tensors[name]
        return np.asarray(dequantize(found.data[rows], found.tensor_type), np.float32)

    def _number(self, key: str) -> Any:
        return self._reader.fields[f"{self._kind}.{key}"].contents()
