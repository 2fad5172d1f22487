"""Late interaction as a graph without weights: each question token finds its best passage token (ColBERT, 2020).

score(n) = Σ over question tokens q of max over passage tokens t of question[q] · passages[n, t] / |passages[n, t]|.
How much a question token counts is the length of its vector. A passage token's length counts nothing, so it may come
in levels of any scale. Padding is the caller's: a token that is given twice changes no maximum.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .graph import MICROSOFT, Graph


def write_maxsim(path: Path, dimensions: int) -> None:
    """Inputs question [q, d] float32, passages [n, t, d] int8; output scores [n] float32."""
    graph = Graph("maxsim")
    question = graph.input("question", np.float32, ["q", dimensions])
    passages = graph.input("passages", np.int8, ["n", "t", dimensions])
    last = graph.constant(np.array([-1]))
    levels = graph.node("Cast", passages, to=1)
    lengths = graph.node("ReduceL2", levels, last, keepdims=0)  # [n, t]
    lengths = graph.node("Max", lengths, graph.constant(np.float32(1)))  # of levels that are whole numbers
    # [q, d] @ [n, d, t] → [n, q, t]: the maximum then runs along neighbours in memory.
    products = graph.node("FusedMatMul", question, levels, domain=MICROSOFT, transB=1)
    cosines = graph.node("Div", products, graph.node("Unsqueeze", lengths, graph.constant(np.array([1]))))
    best = graph.node("ReduceMax", cosines, last, keepdims=0)  # [n, q]
    graph.node("ReduceSum", best, last, out="scores", keepdims=0)
    graph.output("scores", np.float32, ["n"])
    graph.save(path)
