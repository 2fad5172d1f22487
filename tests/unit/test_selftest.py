"""Which backend a model gets, and what must keep it from one: wrong numbers, missing memory, lost devices."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.tiny_models import make_models

import terrarium.models.selftest
from terrarium.errors import DeviceLost, ModelError
from terrarium.models.catalogue import open_embedder, open_models
from terrarium.models.proofs import COUNTED, NEXT, Disproved, Speed, prove_decoder, prove_embedder
from terrarium.models.scripted import ByteTokenizer, SeenTokens
from terrarium.models.selftest import SelfTest
from terrarium.models.verdicts import UNFINISHED
from terrarium.runtime.native import NativeRuntime
from terrarium.runtime.protocols import Accelerator, Cache
from terrarium.storage.memory import MemoryStore
from terrarium_build.conversion import convert
from terrarium_build.models import read_models
from terrarium_build.paths import MODELS

Damage = Callable[[np.ndarray], np.ndarray]
GPU = Accelerator(name="a card", binding=1 << 30)
HALF_GPU = Accelerator(name="a newer card", binding=1 << 30, float16=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    models = make_models(tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("models"))
    convert(MODELS / "gpu-probe.toml", {}, models)
    return models


class Device(NativeRuntime):
    """A graphics processor that computes on the CPU. `damage` changes the results of the graphs it names."""

    def __init__(self, folder: Path, gpu: Accelerator = GPU) -> None:
        super().__init__(folder)
        self.gpu = gpu
        self.damage: dict[str, Damage] = {}
        self.broken: dict[str, ModelError] = {}
        self.opened: list[str] = []

    async def accelerator(self) -> Accelerator:
        return self.gpu

    async def session(self, graph: str, data: str | None = None, backend: Any = "wasm") -> Any:
        self.opened.append(graph)
        if graph in self.broken:
            raise self.broken[graph]
        session = await super().session(graph, data, backend)
        if graph in self.damage:
            run, damage = session.run, self.damage[graph]

            async def damaged(*args: Any, **options: Any) -> Any:
                arrays, kept = await run(*args, **options)
                return {name: damage(array) for name, array in arrays.items()}, kept

            session.run = damaged  # type: ignore[method-assign]
        return session


def choose(device: Device, store: MemoryStore | None = None) -> tuple[Any, dict[str, dict[str, Any]]]:
    """The decoder, or the error, and the report by backend of the generator."""
    selftest = SelfTest(device, store or MemoryStore())

    async def scenario() -> Any:
        try:
            return await selftest.generator("tiny-writer")
        except ModelError as error:
            return error

    found = asyncio.run(scenario())
    rows = [row for row in selftest.report() if row["model"].startswith("tiny-writer@")]
    return found, {row["backend"]: row for row in rows}


def test_a_sound_processor_gets_the_generator(folder: Path) -> None:
    device = Device(folder)
    decoder, report = choose(device)
    assert device.opened[0] == "gpu-probe.onnx"
    assert report["webgpu"]["passed"] and report["webgpu"]["device"] == "a card"
    assert report["webgpu"]["reading"] > 0 and report["webgpu"]["writing"] > 0
    assert [row["backend"] for row in report.values() if row["chosen"]] == ["webgpu"]
    logits, _ = asyncio.run(decoder.forward([1, 2, 3], None))
    assert logits.shape == (1, 300)


def test_a_processor_with_float16_gets_the_generator_in_float16(folder: Path) -> None:
    device = Device(folder, HALF_GPU)
    decoder, report = choose(device)
    assert device.opened == ["gpu-probe.f16.onnx", "g.webgpu-f16.onnx"]
    assert [row["backend"] for row in report.values() if row["chosen"]] == ["webgpu-f16"]
    logits, _ = asyncio.run(decoder.forward([1, 2, 3], None))
    assert logits.dtype == np.float32 and np.isfinite(logits).all()


def test_a_processor_without_float16_is_asked_for_float32(folder: Path) -> None:
    device = Device(folder)
    _, report = choose(device)
    assert not any("f16" in graph for graph in device.opened)
    assert not report["webgpu-f16"]["passed"] and "does not compute in float16" in report["webgpu-f16"]["reason"]
    assert report["webgpu"]["chosen"]


@pytest.mark.parametrize(
    ("graph", "damage", "reason", "opened"),
    [
        ("gpu-probe.f16.onnx", lambda x: x + 0.2, "small model of known results", ["gpu-probe.f16.onnx"]),
        ("gpu-probe.f16.onnx", lambda x: x * np.nan, "small model of known results", ["gpu-probe.f16.onnx"]),
        # As after a sum beyond 65,504, the largest number of float16.
        (
            "g.webgpu-f16.onnx",
            lambda x: np.where(x > x.mean(), np.inf, x),
            "numbers that are none",
            ["gpu-probe.f16.onnx", "g.webgpu-f16.onnx"],
        ),
    ],
)
def test_wrong_float16_leaves_float32_on_the_same_processor(
    folder: Path, graph: str, damage: Damage, reason: str, opened: list[str]
) -> None:
    device = Device(folder, HALF_GPU)
    device.damage[graph] = damage
    _, report = choose(device)
    assert reason in report["webgpu-f16"]["reason"]
    assert device.opened == [*opened, "gpu-probe.onnx", "g.webgpu.onnx"]
    assert report["webgpu"]["chosen"]


@pytest.mark.parametrize("damage", [lambda x: x + 0.01, lambda x: x * np.nan, lambda x: x[..., ::-1]])
def test_a_wrong_operator_is_found_before_any_weights_are_loaded(folder: Path, damage: Damage) -> None:
    device = Device(folder)
    device.damage["gpu-probe.onnx"] = damage
    _, report = choose(device)
    assert device.opened == ["gpu-probe.onnx", "g.onnx"]
    assert not report["webgpu"]["passed"] and "small model of known results" in report["webgpu"]["reason"]
    assert report["wasm"]["chosen"]


@pytest.mark.parametrize(
    ("gpu", "reason"),
    [
        (Accelerator(refused="The graphics adapter is a program, slower than WebAssembly."), "is a program"),
        (Accelerator(name="a small card", binding=1000), "takes 0 MiB at once"),
    ],
)
def test_what_cannot_run_is_refused_unloaded(folder: Path, gpu: Accelerator, reason: str) -> None:
    device = Device(folder, gpu)
    _, report = choose(device)
    assert device.opened == ["g.onnx"]
    assert not report["webgpu"]["passed"] and reason in report["webgpu"]["reason"]
    assert report["wasm"]["chosen"]


def test_numbers_that_are_none_refuse_the_generator(folder: Path) -> None:
    device = Device(folder)
    device.damage["g.webgpu.onnx"] = lambda x: np.where(x > x.mean(), np.inf, x)
    _, report = choose(device)
    assert "numbers that are none" in report["webgpu"]["reason"] and report["wasm"]["chosen"]


def test_an_error_is_told_and_tried_again_next_time(folder: Path) -> None:
    store, device = MemoryStore(), Device(folder)
    device.broken["g.webgpu.onnx"] = ModelError("There is no memory.")
    _, report = choose(device, store)
    assert report["webgpu"]["reason"] == "There is no memory." and report["wasm"]["chosen"]
    _, report = choose(Device(folder), store)
    assert report["webgpu"]["chosen"]


def test_with_no_backend_left_the_reasons_are_told(folder: Path) -> None:
    device = Device(folder)
    device.broken = {name: ModelError(f"{name} is broken") for name in ("g.webgpu.onnx", "g.onnx")}
    error, _ = choose(device)
    assert isinstance(error, ModelError)
    assert all(part in str(error) for part in ("answers are quotes", "g.webgpu.onnx is broken", "g.onnx is broken"))


def test_a_device_is_tested_once(folder: Path) -> None:
    store = MemoryStore()
    choose(Device(folder), store)
    again = Device(folder)
    _, report = choose(again, store)
    assert again.opened == ["g.webgpu.onnx"] and report["webgpu"]["chosen"]
    other = Device(folder, Accelerator(name="another card", binding=1 << 30))
    choose(other, store)
    assert other.opened == ["gpu-probe.onnx", "g.webgpu.onnx"]


def test_a_test_that_never_ends_is_begun_twice(folder: Path) -> None:
    store = MemoryStore()
    for attempt in range(3):
        device = Device(folder)
        device.broken["gpu-probe.onnx"] = KeyboardInterrupt()  # type: ignore[assignment]
        if attempt < 2:
            with pytest.raises(KeyboardInterrupt):
                choose(device, store)
    _, report = choose(device, store)
    assert report["webgpu"]["reason"] == UNFINISHED and device.opened == ["g.onnx"]


@pytest.mark.parametrize(
    ("gpu", "cpu", "chosen"), [((10, 1), (60, 8), "wasm"), ((40, 8), (60, 2), "webgpu"), ((900, 40), None, "webgpu")]
)
def test_the_quicker_one_is_chosen_and_a_quick_one_not_compared(
    folder: Path, monkeypatch: pytest.MonkeyPatch, gpu: Any, cpu: Any, chosen: str
) -> None:
    speeds = iter(Speed(*speed) for speed in (gpu, cpu) if speed)

    async def measured(decoder: Any, **_: Any) -> Speed:
        return next(speeds)

    monkeypatch.setattr(terrarium.models.selftest, "prove_decoder", measured)
    _, report = choose(Device(folder))
    assert [row["backend"] for row in report.values() if row["chosen"]] == [chosen]
    assert ("wasm" in report) == bool(cpu)


def test_a_lost_device_is_taken_back_once(folder: Path) -> None:
    async def scenario() -> list[dict[str, Any]]:
        selftest = SelfTest(Device(folder), MemoryStore())
        backends = []
        for _ in range(3):
            await selftest.generator("tiny-writer")
            backends.append(dict(selftest.backends()))
            selftest.device_lost()
        return backends

    assert [each["tiny-writer"] for each in asyncio.run(scenario())] == ["webgpu", "webgpu", "wasm"]


def test_a_device_lost_while_tested_leaves_the_other_backend(folder: Path) -> None:
    device = Device(folder)
    device.broken["g.webgpu.onnx"] = DeviceLost("The graphics processor is gone.")
    _, report = choose(device)
    assert report["wasm"]["chosen"] and "gone" in report["webgpu"]["reason"]


class Counter:
    """A decoder that counts as asked, unless its logits are changed."""

    id, max_tokens = "counter", 1000

    def __init__(self, change: Callable[[np.ndarray, int], np.ndarray] = lambda logits, length: logits) -> None:
        self.tokenizer = ByteTokenizer()
        self.caches: list[SeenTokens] = []
        self._text = self.tokenizer.encode_batch([COUNTED + NEXT + " "], special=False)[0]
        self._change = change

    async def forward(self, ids: Sequence[int], cache: Cache | None, rows: int = 1) -> tuple[np.ndarray, Cache]:
        seen = SeenTokens((*(cache.ids if isinstance(cache, SeenTokens) else ()), *ids))
        self.caches.append(seen)
        logits = np.zeros((rows, self.tokenizer.vocabulary), np.float32)
        logits[-1, self._text[len(seen.ids)]] = 5
        return self._change(logits, len(seen.ids)), seen

    async def release(self) -> None: ...


def test_counting_on_is_the_proof_of_a_decoder() -> None:
    decoder = Counter()
    speed = asyncio.run(prove_decoder(decoder))
    assert speed.reading > 0 and speed.writing > 0
    assert all(cache.released for cache in decoder.caches)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda logits, length: np.roll(logits, 1, axis=1) if length == len(COUNTED) + 2 else logits, "counts wrongly"),
        (lambda logits, length: logits * np.nan, "numbers that are none"),
    ],
)
def test_a_wrong_token_or_no_number_disproves_a_decoder(change: Any, reason: str) -> None:
    decoder = Counter(change)
    with pytest.raises(Disproved, match=reason):
        asyncio.run(prove_decoder(decoder))
    assert all(cache.released for cache in decoder.caches)
    if reason == "counts wrongly":
        with pytest.raises(Disproved):
            asyncio.run(prove_decoder(Counter(change)))
        asyncio.run(prove_decoder(Counter(change), counts=False))


@pytest.mark.parametrize(
    ("change", "reason"), [(lambda x: np.roll(x, 1, axis=1), "wrong"), (lambda x: x * np.nan, "numbers that are none")]
)
def test_wrong_vectors_keep_an_embedder_from_being_used(folder: Path, change: Damage, reason: str) -> None:
    async def scenario(runtime: Device) -> SelfTest:
        selftest = SelfTest(runtime, MemoryStore())
        await selftest.check_embedder(await open_embedder(runtime), "minilm-l6")
        return selftest

    selftest = asyncio.run(scenario(Device(folder)))
    assert selftest.report()[0]["passed"] and selftest.backends() == {"minilm-l6": "wasm"}
    device = Device(folder)
    device.damage["e.onnx"] = change
    with pytest.raises(ModelError, match=reason):
        asyncio.run(scenario(device))


@pytest.mark.parametrize("change", [lambda x: x, lambda x: x[::-1], lambda x: x * np.nan])
def test_wrong_scores_leave_passages_as_they_were_found(folder: Path, change: Damage) -> None:
    async def scenario() -> tuple[Any, Any]:
        device = Device(folder)
        device.damage["r.onnx"] = change
        selftest = SelfTest(device, MemoryStore())
        models = await open_models(device, generator=None)
        return await selftest.checked_reranker(models.reranker), selftest.report()[0]

    reranker, report = asyncio.run(scenario())
    sound = change(np.ones(2)).sum() == 2 and change(np.arange(2))[0] == 0
    assert (reranker is not None) == report["passed"] == sound
    assert sound or report["reason"] == "Its scores are wrong."


def test_a_cosine_below_the_bound_is_wrong(folder: Path) -> None:
    answers = json.loads((folder / "e.answers.json").read_text())
    known = np.array(answers["vectors"], np.float32)
    noise = np.random.default_rng(1).normal(0, 0.03, known.shape)

    async def scenario(vectors: np.ndarray) -> Speed:
        return await prove_embedder(await open_embedder(Device(folder)), answers["texts"], vectors)

    asyncio.run(scenario(known))
    with pytest.raises(Disproved, match="cosine 0.9"):
        asyncio.run(scenario(known + noise))


def test_every_embedder_that_is_packed_has_known_answers() -> None:
    embedders = [model for model in read_models().values() if model.description["task"] == "embed"]
    assert embedders and all("answers" in model.description["files"] for model in embedders)
