"""The vectors that an embedder must give wherever it runs: those of its weights in float32, by onnxruntime here.

The self-test compares what a browser computes with them; `terrarium.models.proofs` says how closely and why.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
from tokenizers import Tokenizer

from .bert_graph import Bert, Weights, write_bert

DIGITS = 5
TEXTS = (
    "The tank holds nine litres of water.",
    "Moss and ferns want shade, a lid that stays closed, and water once a month; sand does not hold it long enough.",
    "Table 4: 1,024 kB in 3.5 s at 21 °C, which is 12 % less than in 2019 (see page 7).",
    "Das Glas steht am Fenster, aber nie in der prallen Sonne. 苔藓喜欢潮湿的地方。",
)


def write_answers(path: Path, weights: Weights, heads: int, tokenizer: Path, settings: Mapping[str, Any]) -> None:
    """{texts, vectors [texts, dimensions]}. The texts are read as passages; `settings` is the model's table [embed]."""
    with tempfile.TemporaryDirectory() as folder:
        graph = Path(folder) / "exact.onnx"
        write_bert(graph, weights, Bert(heads=heads, exact=True))
        session = ort.InferenceSession(graph, providers=["CPUExecutionProvider"])
    encoder = Tokenizer.from_file(str(tokenizer))
    encoder.no_truncation()
    encoder.no_padding()
    vectors = []
    for text in TEXTS:
        tokens = encoder.encode(settings.get("passage_prefix", "") + text).ids
        if len(tokens) > settings["max_tokens"]:
            tokens = [*tokens[: settings["max_tokens"] - 1], tokens[-1]]
        ids = np.array([tokens], np.int64)
        (vector,) = session.run(["sentence"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0]
        vectors.append([round(float(value), DIGITS) for value in vector])
    path.write_text(json.dumps({"texts": TEXTS, "vectors": vectors}) + "\n", encoding="utf-8", newline="\n")
