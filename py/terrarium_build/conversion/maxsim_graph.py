"""Late interaction as a graph without weights: each question token finds its best passage token (ColBERT, 2020).

score(n) = mean over question tokens q of max over passage tokens t of question[q] · passages[n, t]. ColBERT sums; the
mean gives the same order within one question and keeps scores of short and long questions in [-1, 1].
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .graph import Graph

FAR_BELOW = -1e4  # under every product of unit vectors: a padded position never wins the maximum


def write_maxsim(path: Path, dimensions: int) -> None:
    """Inputs question [q, d], passages [n, t, d], mask [n, t] (1 = a token that counts); output scores [n]."""
    with Graph("maxsim") as graph:
        question = graph.input("question", np.float32, ["q", dimensions])
        passages = graph.input("passages", np.float32, ["n", "t", dimensions])
        mask = graph.input("mask", np.float32, ["n", "t"])
        axis = graph.constant(np.array([-1]))
        # [n, t, d] @ [d, q] → [n, t, q]
        products = graph.node("MatMul", passages, graph.node("Transpose", question, perm=[1, 0]))
        counts = graph.node("Unsqueeze", mask, axis)  # [n, t, 1]
        padding = graph.node("Sub", graph.constant(np.float32(1)), counts)
        penalty = graph.node("Mul", padding, graph.constant(np.float32(FAR_BELOW)))
        best = graph.node(
            "ReduceMax", graph.node("Add", products, penalty), graph.constant(np.array([1])), keepdims=0
        )  # [n, q]
        graph.node("ReduceMean", best, axis, out="scores", keepdims=0)
        graph.output("scores", np.float32, ["n"])
        graph.save(path)
