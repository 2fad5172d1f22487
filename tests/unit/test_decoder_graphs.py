"""Both graphs of a decoder, run by onnxruntime, against a numpy forward pass over the same GGUF file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime as ort
import pytest
from gguf import GGMLQuantizationType as Kind
from gguf import GGUFReader
from gguf.quants import dequantize
from tests.fixtures import tiny_gguf
from tests.unit import model_references as reference

from terrarium.weights.plan import Plan
from terrarium_build.conversion.decoder_graph import Backend, decoder_graph
from terrarium_build.conversion.gguf_weights import GgufWeights
from terrarium_build.conversion.weights_files import WeightsFile, write_blocks, write_weights

CAPACITY = 64
PROMPTS = ([5, 17, 99, 3], list(range(40, 90)), [200])
HEAD_SIZE = tiny_gguf.WIDTH // tiny_gguf.HEADS


def stored_tensors(path: Path):
    """A GGUF file's tensors as they lie there, read without the converter."""
    tensors = {tensor.name: tensor for tensor in GGUFReader(path).tensors}

    def tensor(name: str):
        if name not in tensors:
            return None
        found = tensors[name]
        return dequantize(found.data, found.tensor_type).reshape(tuple(int(n) for n in found.shape[::-1]))

    return tensor


def expected_logits(path: Path, ids: list[int]) -> np.ndarray:
    sizes = {"layers": tiny_gguf.LAYERS, "heads": tiny_gguf.HEADS, "kv_heads": tiny_gguf.KV_HEADS}
    return reference.decoder(stored_tensors(path), ids, base=tiny_gguf.ROPE_BASE, **sizes)


class Graph:
    """A converted graph in plain onnxruntime."""

    def __init__(self, source: Path, folder: Path, backend: Backend, *, tied: bool, exact: bool = False) -> None:
        weights = GgufWeights(source)
        file = WeightsFile("weights")
        made = decoder_graph(weights, backend, file, positions=CAPACITY, tied=tied, exact=exact)
        plan = Plan("blocks", write_blocks(folder / "blocks", weights, made.made), {"weights": file.tensors})
        made.save(folder / "onnx", write_weights(folder / "weights", folder / "blocks", plan))
        self.size = (folder / "weights").stat().st_size
        self.session = ort.InferenceSession(str(folder / "onnx"), providers=["CPUExecutionProvider"])
        self.backend = backend
        self.caches = [x.name for x in self.session.get_inputs() if x.name.startswith("past.")]

    def empty(self) -> dict[str, np.ndarray]:
        positions = 0 if self.backend == "wasm" else CAPACITY
        return {name: np.zeros((1, tiny_gguf.KV_HEADS, positions, HEAD_SIZE), np.float32) for name in self.caches}

    def run(self, ids: list[int], past: dict[str, np.ndarray], used: int, rows: int = 1):
        """Logits [rows, vocabulary] and the cache."""
        feeds = {"input_ids": np.array([ids]), "rows": np.array([rows]), **past}
        if self.backend == "wasm":
            feeds["used"] = np.array([used])
        else:
            feeds["seqlens_k"] = np.array([used + len(ids) - 1], np.int32)
            feeds["total_sequence_length"] = np.array(used + len(ids), np.int32)
        present = [name.replace("past", "present") for name in self.caches]
        logits, *kept = self.session.run(["logits", *present], feeds)
        return logits[0], dict(zip(self.caches, kept, strict=True))


@pytest.fixture(scope="module", params=["wasm", "webgpu"])
def graph(request, tmp_path_factory) -> Graph:
    folder = tmp_path_factory.mktemp(request.param)
    tiny_gguf.write_tiny_gguf(folder / "tiny.gguf", "qwen2")
    return Graph(folder / "tiny.gguf", folder, request.param, tied=True, exact=request.param == "wasm")


@pytest.mark.parametrize("architecture", ["qwen2", "llama"])
@pytest.mark.parametrize("separate_head", [False, True])
@pytest.mark.parametrize(
    ("backend", "exact"), [("wasm", True), ("wasm", False), ("webgpu", False), ("webgpu-f16", False)]
)
def test_graphs_agree_with_numpy(tmp_path: Path, architecture: str, separate_head: bool, backend: Backend, exact: bool):
    source = tmp_path / "tiny.gguf"
    tiny_gguf.write_tiny_gguf(source, architecture, separate_head=separate_head)
    graph = Graph(source, tmp_path, backend, tied=not separate_head, exact=exact)
    for ids in PROMPTS:
        (logits,), _ = graph.run(ids, graph.empty(), 0)
        expected = expected_logits(source, ids)
        if exact or backend == "webgpu":
            np.testing.assert_allclose(logits, expected, atol=2e-4)
        elif backend == "webgpu-f16":  # eleven bits; logits lie between -4 and 4
            np.testing.assert_allclose(logits, expected, atol=0.02)
        else:  # seven bits for weights and activations leave about 1 % of noise in each of the 2 × 4 products
            assert reference.cosine(logits, expected) > 0.998


@pytest.mark.parametrize("kind", [Kind.Q4_1, Kind.Q5_0, Kind.F16])
@pytest.mark.parametrize("backend", ["wasm", "webgpu", "webgpu-f16"])
def test_embeddings_of_every_kind_are_found_in_the_head(tmp_path: Path, kind: Kind, backend: Backend):
    source = tmp_path / "tiny.gguf"
    tiny_gguf.write_tiny_gguf(source, "qwen2", embedding=kind)
    graph = Graph(source, tmp_path, backend, tied=True)
    (logits,), _ = graph.run(PROMPTS[1], graph.empty(), 0)
    expected = expected_logits(source, PROMPTS[1])
    if backend != "wasm":
        np.testing.assert_allclose(logits, expected, atol=0.02 if backend == "webgpu-f16" else 2e-4)
    else:
        assert reference.cosine(logits, expected) > 0.998


def test_logits_of_the_last_rows(graph: Graph):
    ids = PROMPTS[1]
    rows, _ = graph.run(ids, graph.empty(), 0, rows=5)
    assert rows.shape == (5, tiny_gguf.VOCABULARY)
    for back in range(5):
        (one,), _ = graph.run(ids[: len(ids) - back], graph.empty(), 0)
        np.testing.assert_allclose(rows[4 - back], one, atol=2e-4)


def test_a_cache_is_cut_by_a_smaller_number(graph: Graph):
    _, cache = graph.run(list(range(30)), graph.empty(), 0)
    (cut,), cache = graph.run([7, 8], cache, 20)
    (fresh,), _ = graph.run([*range(20), 7, 8], graph.empty(), 0)
    np.testing.assert_allclose(cut, fresh, atol=2e-4)
    (again,), _ = graph.run([9], cache, 22)
    (fresh,), _ = graph.run([*range(20), 7, 8, 9], graph.empty(), 0)
    np.testing.assert_allclose(again, fresh, atol=2e-4)


@pytest.mark.parametrize("backend", ["wasm", "webgpu", "webgpu-f16"])
def test_tied_embedding_is_stored_once(tmp_path: Path, backend: Backend):
    source = tmp_path / "tiny.gguf"
    tiny_gguf.write_tiny_gguf(source, "qwen2", separate_head=True)
    tied, separate = (Graph(source, tmp_path, backend, tied=tied).size for tied in (True, False))
    assert separate - tied >= tiny_gguf.VOCABULARY * tiny_gguf.WIDTH


def test_the_graph_in_float16_adds_half_of_the_scales_and_no_levels(tmp_path: Path):
    source = tmp_path / "tiny.gguf"
    tiny_gguf.write_tiny_gguf(source, "qwen2")
    file, weights = WeightsFile("weights"), GgufWeights(source)
    backends: tuple[Backend, ...] = ("webgpu", "webgpu-f16")
    whole, half = (decoder_graph(weights, name, file, positions=CAPACITY, tied=True).made for name in backends)
    left, added = [made for made in whole if made not in half], [made for made in half if made not in whole]
    assert {made.layout for made in left} == {"float32", "float32_columns", "block_scales", "block_offsets"}
    assert sum(made.place.bytes for made in left) == 2 * sum(made.place.bytes for made in added)


def test_attention_sees_float32_in_the_graph_in_float16(tmp_path: Path):
    """Scores of Qwen2.5 reach 12,000, where neighbours in float16 are 8 apart."""
    source = tmp_path / "tiny.gguf"
    tiny_gguf.write_tiny_gguf(source, "qwen2")
    graph = Graph(source, tmp_path, "webgpu-f16", tied=True)
    assert {value.type for value in graph.session.get_inputs() if value.name.startswith("past.")} == {"tensor(float)"}
    assert graph.session.get_outputs()[0].type == "tensor(float)"


def test_other_architectures_and_types_are_refused_by_name(tmp_path: Path):
    source = tmp_path / "tiny.gguf"
    tiny_gguf.write_tiny_gguf(source, "gemma")
    with pytest.raises(ValueError, match="gemma model; known are qwen2, llama"):
        GgufWeights(source)
    tiny_gguf.write_tiny_gguf(source, "llama", up=Kind.Q4_0)
    with pytest.raises(ValueError, match=r"blk\.0\.ffn_up\.weight is of type Q4_0; supported are .*Q4_K.*Q8_0"):
        decoder_graph(GgufWeights(source), "webgpu", WeightsFile("weights"), positions=CAPACITY, tied=True)
