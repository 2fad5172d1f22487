"""What `bench --accuracy` measures with: its reference against another implementation, its measure against a sum."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFReader
from gguf.quants import dequantize
from tests.fixtures import tiny_gguf
from tests.unit import model_references

from terrarium.runtime.native import NativeTokenizer, default_folder
from terrarium_build.bench.accuracy import closeness, graph_logits, tensor_bytes
from terrarium_build.bench.reference import ReferenceDecoder
from terrarium_build.conversion.decoder_graph import Backend, decoder_graph
from terrarium_build.conversion.gguf_weights import GgufWeights
from terrarium_build.conversion.weights_files import WeightsFile
from terrarium_build.lock import read_lock
from terrarium_build.models import read_models
from terrarium_build.paths import cache_folder


@pytest.mark.parametrize("architecture", ["qwen2", "llama"])
@pytest.mark.parametrize("separate_head", [False, True])
def test_the_reference_agrees_with_a_pass_over_one_prompt(tmp_path: Path, architecture: str, separate_head: bool):
    source = tmp_path / "tiny.gguf"
    tiny_gguf.write_tiny_gguf(source, architecture, separate_head=separate_head)
    tensors = {tensor.name: tensor for tensor in GGUFReader(source).tensors}

    def tensor(name: str):
        found = tensors.get(name)
        if found is None:
            return None
        return dequantize(found.data, found.tensor_type).reshape(tuple(int(n) for n in found.shape[::-1]))

    prompts = [[5, 17, 99, 3], list(range(40, 90)), [200]]
    sizes = {"layers": tiny_gguf.LAYERS, "heads": tiny_gguf.HEADS, "kv_heads": tiny_gguf.KV_HEADS}
    expected = [model_references.decoder(tensor, ids, base=tiny_gguf.ROPE_BASE, **sizes) for ids in prompts]
    np.testing.assert_allclose(ReferenceDecoder(source).logits(prompts), expected, atol=1e-4)


def test_closeness_of_distributions():
    half, quarter = np.log([[0.5, 0.5]]), np.log([[0.25, 0.75]])
    expected = np.concatenate([half, half]).astype(np.float32) + 3  # logits have no zero of their own
    found = closeness(np.concatenate([half, quarter]).astype(np.float32), expected)
    divergence = 0.5 * np.log(2) + 0.5 * np.log(2 / 3)
    assert (found.same_top, found.prompts) == (1, 2)
    assert found.mean == pytest.approx(divergence / 2, abs=1e-6)
    assert found.largest == pytest.approx(divergence, abs=1e-6)


def test_a_graph_is_charged_for_what_it_reads_of_a_shared_file(tmp_path: Path):
    source = tmp_path / "tiny.gguf"
    tiny_gguf.write_tiny_gguf(source, "qwen2")
    file, weights = WeightsFile("weights"), GgufWeights(source)
    backends: tuple[Backend, ...] = ("webgpu", "webgpu-f16")
    for backend in backends:
        made = decoder_graph(weights, backend, file, positions=64, tied=True)
        made.save(tmp_path / backend, "")
        assert tensor_bytes(tmp_path / backend) == sum(tensor.place.bytes for tensor in made.made)
    whole, half = (tensor_bytes(tmp_path / backend) for backend in backends)
    assert half < whole < sum(tensor.place.bytes for tensor in file.tensors)


@pytest.mark.slow
def test_graphs_of_a_real_model_stay_close():
    model = read_models()["smollm2-135m"]
    source = cache_folder() / "assets" / read_lock()["smollm2-135m.gguf"].sha256
    names = [backend["weights"] for backend in model.description["backends"].values()]
    if not source.is_file() or not all((default_folder() / name).is_file() for name in names):
        pytest.skip(f"{model.id} has not been converted, and no build packs it")
    tokenizer = NativeTokenizer(default_folder() / model.description["files"]["tokenizer"])
    texts = ["The tank holds nine litres of", "In winter the days are short and the nights are", "2, 4, 6, 8,"]
    prompts = [ids.tolist() for ids in tokenizer.encode_batch(texts, special=False)]
    expected = ReferenceDecoder(source).logits(prompts)
    exact, half, rounded = (
        closeness(graph_logits(model, default_folder(), name, prompts), expected)
        for name in ("webgpu", "webgpu-f16", "wasm")
    )
    assert exact.same_top == len(prompts)
    assert exact.largest < 1e-5
    assert half.largest < 1e-3
    assert rounded.largest < 0.2
