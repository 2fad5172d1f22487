"""The head in torch, and its training loss. The arithmetic is that of head.py."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from .head import Head

FAR_BELOW = -1e4
START_SCALE = 30.0  # of scores in [-1, 1] before the softmax


class LateInteractionHead(nn.Module):
    def __init__(self, start: Head, *, apart: bool) -> None:
        """`apart`: questions get a projection of their own."""
        super().__init__()
        self.start = start
        self.layers = start.layers

        def parameter(array: NDArray[np.float32]) -> nn.Parameter:
            return nn.Parameter(torch.tensor(array))

        self.projection, self.bias = parameter(start.projection), parameter(start.bias)
        self.question_projection, self.question_bias = self.projection, self.bias
        if apart:
            self.question_projection = parameter(start.question_projection)
            self.question_bias = parameter(start.question_bias)
        self.weight, self.weight_bias = parameter(start.weight), parameter(start.weight_bias)
        self.scale = nn.Parameter(torch.tensor(np.log(START_SCALE), dtype=torch.float32))

    def questions(self, x: Tensor, mask: Tensor) -> Tensor:
        """[q, t, d] of features [q, t, f]; padding gets vectors of nothing, so it adds nothing to a score."""
        weights = functional.softplus(x @ self.weight + self.weight_bias) * mask
        weights = weights / weights.sum(dim=1, keepdim=True)
        vectors = functional.normalize(x @ self.question_projection + self.question_bias, dim=-1)
        return vectors * weights[..., None]

    def passages(self, x: Tensor) -> Tensor:
        return functional.normalize(x @ self.projection + self.bias, dim=-1)

    def scores(self, questions: Tensor, passages: Tensor, mask: Tensor) -> Tensor:
        """[q, p]: questions [q, t, d], passages [p, s, d], mask [p, s] (1 = a token)."""
        q, t, d = questions.shape
        p, s, _ = passages.shape
        products = questions.reshape(q * t, d) @ passages.reshape(p * s, d).T
        products = products.reshape(q, t, p, s) + (1 - mask)[None, None] * FAR_BELOW
        best = products.amax(dim=3)
        real = questions.abs().sum(dim=2) > 0  # a padded token's products are all 0 or FAR_BELOW
        return (best * real[..., None]).sum(dim=1)

    def exported(self) -> Head:
        def array(parameter: Tensor) -> NDArray[np.float32]:
            found: NDArray[np.float32] = parameter.detach().numpy().astype(np.float32).copy()
            return found

        return Head(
            self.layers,
            array(self.projection),
            array(self.bias),
            array(self.question_projection),
            array(self.question_bias),
            array(self.weight),
            array(self.weight_bias),
        )
