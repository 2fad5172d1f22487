"""A random decoder that asks of a graphics processor what the generators ask of it, and the answers that it must give.

One layer with every block format of the generators' weights, two key-value heads of 64 and a prompt of 70 tokens: the
shape in which onnxruntime-web's attention goes wrong on devices with subgroups of 4. The answers are logits of the
graph in float32 by onnxruntime on this machine's CPU, each computed in one run over the whole text; the self-test
reaches them in steps, with keys and values written in place and rolled back once. The graph in float16 must come near.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
from gguf import GGMLQuantizationType as Kind
from gguf import GGUFWriter
from gguf.quants import quantize

from terrarium.weights.plan import Plan

from .decoder_graph import Backend, decoder_graph
from .gguf_weights import GgufWeights
from .weights_files import WeightsFile, write_blocks, write_weights

WIDTH, HEADS, KV_HEADS, FEED_FORWARD, VOCABULARY = 256, 4, 2, 256, 256
HEAD_SIZE, CAPACITY = WIDTH // HEADS, 128
PROMPT = [(37 * place + 5) % VOCABULARY for place in range(70)]
# How many positions are kept of what went before, and the tokens after them.
STEPS = ((0, PROMPT), (70, [3, 44]), (72, [8]), (71, [60, 61, 62]))
# The K formats are read by the gguf package and not written: bytes of a block of 256, and where its scales lie.
K_BLOCKS = {Kind.Q4_K: (144, (0, 2)), Kind.Q6_K: (210, (208,))}
MATRICES = {
    "attn_q": (WIDTH, Kind.Q5_0),
    "attn_k": (HEAD_SIZE * KV_HEADS, Kind.Q5_0),
    "attn_v": (HEAD_SIZE * KV_HEADS, Kind.Q5_0),
    "attn_output": (WIDTH, Kind.Q6_K),
    "ffn_gate": (FEED_FORWARD, Kind.Q8_0),
    "ffn_up": (FEED_FORWARD, Kind.Q4_1),
    "ffn_down": (WIDTH, Kind.Q4_K),
}


def write_gpu_probe(graphs: Mapping[Backend, Path], answers: Path) -> None:
    """The graphs, weights inside, and the answers: {kv_heads, head_size, capacity, steps: [{used, ids, logits}]}."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_gguf(folder / "probe.gguf")
        weights = GgufWeights(folder / "probe.gguf")
        for backend, graph in graphs.items():
            file = WeightsFile("weights")
            made = decoder_graph(weights, backend, file, positions=CAPACITY, tied=True)
            plan = Plan("blocks", write_blocks(folder / "blocks", weights, made.made), {"weights": file.tensors})
            made.save(folder / "graph", write_weights(folder / "weights", folder / "blocks", plan))
            graph.write_bytes(onnx.load(folder / "graph").SerializeToString(deterministic=True))
    session = ort.InferenceSession(graphs["webgpu"].read_bytes(), providers=["CPUExecutionProvider"])
    text: list[int] = []
    steps = []
    for used, ids in STEPS:
        text = [*text[:used], *ids]
        logits = [round(float(value), 5) for value in _logits(session, text)]
        steps.append({"used": used, "ids": ids, "logits": logits})
    known = {"kv_heads": KV_HEADS, "head_size": HEAD_SIZE, "capacity": CAPACITY, "steps": steps}
    answers.write_text(json.dumps(known) + "\n", encoding="utf-8", newline="\n")


def _logits(session: ort.InferenceSession, ids: list[int]) -> np.ndarray:
    """[vocabulary] of the last position."""
    feeds: dict[str, Any] = {
        "input_ids": np.array([ids], np.int64),
        "rows": np.array([1], np.int64),
        "seqlens_k": np.array([len(ids) - 1], np.int32),
        "total_sequence_length": np.array(len(ids), np.int32),
    }
    caches = [value.name for value in session.get_inputs() if value.name.startswith("past.")]
    feeds |= {cache: np.zeros((1, KV_HEADS, CAPACITY, HEAD_SIZE), np.float32) for cache in caches}
    logits: np.ndarray = session.run(["logits"], feeds)[0]
    return logits.reshape(-1)


def _write_gguf(path: Path) -> None:
    random = np.random.default_rng(70)
    writer = GGUFWriter(path, "qwen2")
    writer.add_block_count(1)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_rope_freq_base(10_000.0)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_tensor("token_embd.weight", _matrix(random, VOCABULARY, Kind.Q8_0), raw_dtype=Kind.Q8_0)
    for name, (rows, kind) in MATRICES.items():
        writer.add_tensor(f"blk.0.{name}.weight", _matrix(random, rows, kind), raw_dtype=kind)
        if name in ("attn_q", "attn_k", "attn_v"):
            writer.add_tensor(f"blk.0.{name}.bias", random.normal(0, 0.2, rows).astype(np.float32))
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        writer.add_tensor(f"{name}.weight", random.normal(1, 0.2, WIDTH).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _matrix(random: np.random.Generator, rows: int, kind: Kind) -> np.ndarray:
    """WIDTH wide, as every matrix of this model."""
    if kind not in K_BLOCKS:
        data: np.ndarray = quantize(random.normal(0, WIDTH**-0.5, (rows, WIDTH)).astype(np.float32), kind)
        return data
    size, scales = K_BLOCKS[kind]
    blocks: np.ndarray = random.integers(0, 256, (rows, WIDTH // 256, size), dtype=np.uint8)
    for at in scales:
        blocks[..., at : at + 2] = np.frombuffer(np.float16(1e-4).tobytes(), np.uint8)
    return blocks.reshape(rows, -1)
