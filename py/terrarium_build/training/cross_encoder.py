"""A cross-encoder in torch over the embedder's own weights: one logit for a question and a passage read together.

    h     = the last states of [CLS] question [SEP] passage [SEP]
    logit = h[CLS] · w + s · cos(mean of the question's h, mean of the passage's h) + b

w starts at zero, so before training the order is that of a cosine between two means: what the embedder was made for.
Nogueira and Cho, Passage Re-ranking with BERT, 2019, have w and b alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import torch
from safetensors.numpy import load_file
from torch import Tensor
from torch.nn import functional

from .joining import Joined, join
from .states import States

EPSILON = 1e-12
START_SCALE, START_BIAS = 20.0, -15.0
LONGEST = 256  # tokens of both when ranking, as many as the embedder reads of a passage
HEAD = ("head.weight", "head.scale", "head.bias")


class CrossEncoder:
    """Embeddings and the lowest `frozen` layers keep the embedder's weights; the others and the head may learn."""

    def __init__(self, weights: Path, frozen: int, heads: int = 12) -> None:
        """`weights`: the embedder's float32 checkpoint."""
        self.heads = heads
        arrays = {name: one for name, one in load_file(weights).items() if not name.startswith("pooler")}
        self.tensors = {name: torch.from_numpy(one) for name, one in arrays.items() if one.dtype.kind == "f"}
        self.width = self.tensors["embeddings.word_embeddings.weight"].shape[1]
        self.layers = 1 + max(int(name.split(".")[2]) for name in self.tensors if name.startswith("encoder."))
        self.frozen = frozen
        self.tensors["head.weight"] = torch.zeros(self.width)
        self.tensors["head.scale"], self.tensors["head.bias"] = torch.tensor(START_SCALE), torch.tensor(START_BIAS)
        learned = tuple(f"encoder.layer.{layer}." for layer in range(frozen, self.layers))
        self.body = {name: one.requires_grad_() for name, one in self.tensors.items() if name.startswith(learned)}
        self.head = {name: self.tensors[name].requires_grad_() for name in HEAD}

    def state_dict(self) -> dict[str, Tensor]:
        return {name: one.detach().clone() for name, one in (self.body | self.head).items()}

    def load_state_dict(self, state: Mapping[str, Tensor]) -> None:
        with torch.no_grad():
            for name, one in state.items():
                self.tensors[name].copy_(one)

    def logits(self, joined: Joined) -> Tensor:
        """[rows]"""
        hidden = self.hidden(joined).float()
        asked, answer = (_mean(hidden, torch.from_numpy(one)) for one in (joined.question, joined.passage))
        alike = functional.cosine_similarity(asked, answer, dim=-1)
        weight, scale, bias = (self.head[name] for name in HEAD)
        with torch.autocast("cpu", enabled=False):
            logits: Tensor = hidden[:, 0] @ weight + scale * alike + bias
        return logits

    def hidden(self, joined: Joined) -> Tensor:
        """[rows, t, width]: the last states."""
        real = torch.from_numpy(joined.real)
        with torch.no_grad():
            hidden = self._embeddings(torch.from_numpy(joined.ids), torch.from_numpy(joined.types))
            for layer in range(self.frozen):
                hidden = self._layer(layer, hidden, real)
        for layer in range(self.frozen, self.layers):
            hidden = self._layer(layer, hidden, real)
        return hidden

    def _embeddings(self, ids: Tensor, types: Tensor) -> Tensor:
        words, places, kinds = (
            self.tensors[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")
        )
        return self._normal("embeddings.", words[ids] + places[: ids.shape[1]] + kinds[types])

    def _layer(self, number: int, hidden: Tensor, real: Tensor) -> Tensor:
        name = f"encoder.layer.{number}."
        rows, length, width = hidden.shape

        def heads(part: str) -> Tensor:
            found = self._dense(f"{name}attention.self.{part}.", hidden)
            return found.view(rows, length, self.heads, width // self.heads).transpose(1, 2)

        mask = real[:, None, None, :]
        mixed = functional.scaled_dot_product_attention(heads("query"), heads("key"), heads("value"), attn_mask=mask)
        mixed = self._dense(f"{name}attention.output.dense.", mixed.transpose(1, 2).reshape(rows, length, width))
        hidden = self._normal(f"{name}attention.output.", hidden + mixed)
        inner = functional.gelu(self._dense(f"{name}intermediate.dense.", hidden))
        return self._normal(f"{name}output.", hidden + self._dense(f"{name}output.dense.", inner))

    def _dense(self, name: str, x: Tensor) -> Tensor:
        return functional.linear(x, self.tensors[f"{name}weight"], self.tensors[f"{name}bias"])

    def _normal(self, name: str, x: Tensor) -> Tensor:
        weight, bias = self.tensors[f"{name}LayerNorm.weight"], self.tensors[f"{name}LayerNorm.bias"]
        return functional.layer_norm(x.float(), (self.width,), weight, bias, EPSILON)


def reads_both(model: CrossEncoder, states: States, longest: int = LONGEST) -> Callable[[str, list[str]], list[float]]:
    """The model as a reranker; texts are read by their token ids in `states`."""

    def rerank(question: str, texts: list[str]) -> list[float]:
        asked = states.tokens(states.place[question])
        joined = join([(asked, states.tokens(states.place[text])) for text in texts], longest)
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            scores: list[float] = model.logits(joined).tolist()
        return scores

    return rerank


def _mean(hidden: Tensor, chosen: Tensor) -> Tensor:
    shares = chosen / chosen.sum(dim=1, keepdim=True).clamp(min=1)
    return (hidden * shares[..., None]).sum(dim=1)
