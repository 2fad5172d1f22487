"""Forward passes from first principles, in numpy float32, one text at a time: what the graphs are held against."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]


def softmax(x: Floats) -> Floats:
    e = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True))


def unit(x: Floats) -> Floats:
    return np.asarray(x / np.linalg.norm(x, axis=-1, keepdims=True))


def cosine(a: Floats, b: Floats) -> float:
    return float(unit(a.ravel()) @ unit(b.ravel()))


def bert(weights: Mapping[str, Floats], ids: list[int], *, layers: int, heads: int) -> Floats:
    """Last hidden states [t, d]."""
    return bert_states(weights, ids, layers=layers, heads=heads)[-1]


def bert_states(weights: Mapping[str, Floats], ids: list[int], *, layers: int, heads: int) -> list[Floats]:
    """Each layer's [t, d], as in Devlin et al. 2019 with post-layer normalisation and exact GELU."""

    def norm(x: Floats, name: str) -> Floats:
        x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12)
        return x * weights[name + ".weight"] + weights[name + ".bias"]

    def linear(x: Floats, name: str) -> Floats:
        return x @ weights[name + ".weight"].T + weights[name + ".bias"]

    table = "embeddings.{}_embeddings.weight".format
    x = weights[table("word")][ids] + weights[table("position")][: len(ids)] + weights[table("token_type")][0]
    x = norm(x, "embeddings.LayerNorm")
    states = []
    for layer in range(layers):
        p = f"encoder.layer.{layer}."
        q, k, v = (
            linear(x, f"{p}attention.self.{name}").reshape(len(ids), heads, -1).swapaxes(0, 1)
            for name in ("query", "key", "value")
        )
        mixed = softmax(q @ k.swapaxes(1, 2) / math.sqrt(q.shape[-1])) @ v
        mixed = mixed.swapaxes(0, 1).reshape(len(ids), -1)
        x = norm(linear(mixed, p + "attention.output.dense") + x, p + "attention.output.LayerNorm")
        inner = linear(x, p + "intermediate.dense")
        inner = inner * 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
        x = norm(linear(inner, p + "output.dense") + x, p + "output.LayerNorm")
        states.append(x)
    return states


def token_head(
    head: Mapping[str, Floats], states: list[Floats], layers: tuple[int, ...], *, question: bool = False
) -> Floats:
    """Vectors for late interaction [t, d], of the hidden states of these layers, counted from 1."""
    joined = np.concatenate([unit(states[layer - 1]) for layer in layers], axis=1)
    if not question:
        return unit(joined @ head["projection"] + head["bias"])
    projection = head.get("question_projection", head["projection"])
    bias = head.get("question_bias", head["bias"])
    weights = np.log1p(np.exp(joined @ head["weight"] + head["weight_bias"]))
    return np.asarray(unit(joined @ projection + bias) * weights[:, None])


def decoder(
    tensor: Callable[[str], Any], ids: list[int], *, layers: int, heads: int, kv_heads: int, base: float
) -> Floats:
    """Logits of the last position. `tensor` gives a GGUF file's tensors as they are stored, None for what it lacks.

    Without Q biases the file is of llama's kind, whose rotary embedding turns neighbouring pairs of a head (2i, 2i+1)
    as in Su et al. 2021; with them it is of qwen2's, which pairs i with i + half.
    """
    pairs = "neighbours" if tensor("blk.0.attn_q.bias") is None else "halves"

    def norm(x: Floats, name: str) -> Floats:
        return np.asarray(x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * tensor(name))

    def linear(x: Floats, name: str) -> Floats:
        bias = tensor(name + ".bias")
        return np.asarray(x @ tensor(name + ".weight").T + (0 if bias is None else bias))

    def rotate(x: Floats) -> Floats:
        half = x.shape[-1] // 2
        angle = np.outer(np.arange(x.shape[1]), base ** (-np.arange(half) / half))
        turn = np.exp(1j * angle)
        if pairs == "neighbours":
            turned = (x[..., 0::2] + 1j * x[..., 1::2]) * turn
            return np.stack([turned.real, turned.imag], -1).reshape(x.shape)
        turned = (x[..., :half] + 1j * x[..., half:]) * turn
        return np.concatenate([turned.real, turned.imag], -1)

    x = tensor("token_embd.weight")[ids]
    future = np.triu(np.full((len(ids), len(ids)), -np.inf), 1)
    for layer in range(layers):
        p = f"blk.{layer}."
        y = norm(x, p + "attn_norm.weight")
        q, k, v = (linear(y, p + f"attn_{c}").reshape(len(ids), -1, x.shape[1] // heads).swapaxes(0, 1) for c in "qkv")
        k, v = (np.repeat(z, heads // kv_heads, axis=0) for z in (rotate(k), v))
        mixed = softmax(rotate(q) @ k.swapaxes(1, 2) / math.sqrt(q.shape[-1]) + future) @ v
        x = x + linear(mixed.swapaxes(0, 1).reshape(len(ids), -1), p + "attn_output")
        y = norm(x, p + "ffn_norm.weight")
        gate = linear(y, p + "ffn_gate")
        x = x + linear(gate / (1 + np.exp(-gate)) * linear(y, p + "ffn_up"), p + "ffn_down")
    head = tensor("output.weight")
    return np.asarray((tensor("token_embd.weight") if head is None else head) @ norm(x, "output_norm.weight")[-1])
