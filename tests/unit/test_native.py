"""The desk runtime and the catalogue, on tiny models."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.fixtures import tiny_gguf
from tests.unit.tiny_models import make_models

from terrarium.errors import ModelError
from terrarium.models.catalogue import open_generator, open_models, read_card
from terrarium.runtime.native import NativeRuntime, default_folder
from terrarium.runtime.protocols import Candidate


@pytest.fixture(scope="module")
def runtime(tmp_path_factory) -> NativeRuntime:
    return NativeRuntime(make_models(tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("models")))


def test_default_folder_follows_the_users_cache(monkeypatch, tmp_path: Path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "terrarium" / "models"


def test_all_models_open_by_their_descriptions(runtime: NativeRuntime):
    async def run():
        models = await open_models(runtime, generator="tiny-writer")
        vectors = await models.embedder.embed(["warm water", "green light"])
        assert models.reranker is not None
        scores = await models.reranker.score("warm water", [Candidate("warm water"), Candidate("green light")])
        assert models.generator is not None
        logits, cache = await models.generator.forward([1, 2, 3], None)
        return models, vectors, scores, logits, cache

    models, vectors, scores, logits, cache = asyncio.run(run())
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert scores[0] > scores[1]
    assert models.reranker.probability(0.5) == pytest.approx(0.5)
    assert models.reranker.probability(0.75) == pytest.approx(1 / (1 + np.exp(-2)))
    assert logits.shape == (1, 300)
    assert cache.length == 3
    digest = hashlib.sha256((runtime.folder / "e.onnx").read_bytes()).hexdigest()
    assert models.embedder.id == f"minilm-l6@{digest[:12]}"


def test_no_generator_is_a_choice(runtime: NativeRuntime):
    models = asyncio.run(open_models(runtime, generator=None))
    assert models.generator is None


def test_a_model_of_another_task_is_refused(runtime: NativeRuntime):
    assert read_card(runtime, "maxsim").task == "rerank"
    with pytest.raises(ModelError, match="rerank"):
        asyncio.run(open_generator(runtime, "maxsim"))


def test_missing_and_broken_models_are_named(tmp_path: Path):
    runtime = NativeRuntime(tmp_path)
    assert not runtime.has("x.onnx")
    with pytest.raises(ModelError, match=r"x\.onnx is not in"):
        asyncio.run(runtime.session("x.onnx"))
    (tmp_path / "x.onnx").write_bytes(b"not a graph")
    assert runtime.has("x.onnx")
    with pytest.raises(ModelError, match=r"x\.onnx does not load"):
        asyncio.run(runtime.session("x.onnx"))
    with pytest.raises(ModelError, match=r"x\.toml"):
        runtime.read_text("x.toml")


def test_wrong_inputs_are_a_model_error(runtime: NativeRuntime):
    async def run():
        session = await runtime.session("e.onnx")
        await session.run({"input_ids": np.zeros((1, 2), np.float32)}, ["sentence"])

    with pytest.raises(ModelError, match="could not run"):
        asyncio.run(run())


def test_results_are_written_into_places_that_were_made_for_them(runtime: NativeRuntime):
    async def run():
        session = await runtime.session("g.webgpu.onnx", "g.webgpu.onnx_data", "webgpu")
        heads, size = (tiny_gguf.KV_HEADS, tiny_gguf.WIDTH // tiny_gguf.HEADS)
        presents = [name for name in session.outputs if name.startswith("present.")]
        places: dict[str, Any] = {name: session.allocate(np.float32, (1, heads, 64, size)) for name in presents}
        feeds: dict[str, Any] = {
            "input_ids": np.array([[1, 2, 3]]),
            "rows": np.array([1]),
            "seqlens_k": np.array([2], np.int32),
            "total_sequence_length": np.array(3, np.int32),
            **{name.replace("present", "past"): place for name, place in places.items()},
        }
        kept: dict[str, Any] = (await session.run(feeds, ["logits"], presents))[1]
        await session.run(feeds, ["logits"], (), places)
        return [(kept[name].value.numpy(), places[name].value.numpy().copy()) for name in presents]

    for kept, written in asyncio.run(run()):
        np.testing.assert_array_equal(kept, written)
        assert written.any()


def test_a_released_tensor_cannot_be_fed(runtime: NativeRuntime):
    async def run():
        decoder = await open_generator(runtime, "tiny-writer")
        _, cache = await decoder.forward([1, 2], None)
        cache.release()
        await decoder.forward([3], cache)

    with pytest.raises(ModelError, match="release"):
        asyncio.run(run())


def test_tokenizer_adds_markers_when_asked_and_leaves_them_out_of_text(runtime: NativeRuntime):
    tokenizer = runtime.tokenizer("e.json")
    plain, marked = (tokenizer.encode_batch(["warm fish"], special=special)[0] for special in (False, True))
    assert marked.tolist() == [tokenizer.token_id("[CLS]"), *plain.tolist(), tokenizer.token_id("[SEP]")]
    assert marked.dtype == np.int32
    assert tokenizer.decode(marked.tolist()) == "warm fish"
    assert tokenizer.token_id("no such token") is None
