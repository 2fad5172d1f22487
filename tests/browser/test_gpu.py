"""WebGPU in the tab, on Chromium's software adapter: slow, and right where the real ones must be right.

A decoder of random weights, made of its blocks in the tab, is held against onnxruntime under CPython.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from playwright.sync_api import Browser, Page, Playwright
from tests.browser.pages import BOOT_LIMIT_MS, asset_bytes, probe_copy, read_manifest, run
from tests.fixtures import tiny_gguf
from tests.unit.tiny_models import make_models

from terrarium_build.conversion import convert
from terrarium_build.driving import QUIET, serve_folder
from terrarium_build.packing import Content, InMemory, bundle_of, manifest_script, pack
from terrarium_build.paths import ROOT

pytestmark = pytest.mark.browser

GENERATOR = "tiny-writer"
FILES = ("g.wasm.onnx", "g.webgpu.onnx", "g.json")
DESCRIPTIONS = (f"{GENERATOR}.toml", f"{GENERATOR}.files.json")
CAPACITY = 1024
PROMPT = [(37 * place + 5) % tiny_gguf.VOCABULARY for place in range(40)]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Those of the unit tests, the decoder with room for a prompt."""
    sources, out = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("models")
    make_models(sources, out)
    toml = sources / f"{GENERATOR}.toml"
    text = toml.read_text().replace("max_tokens = 64", f"max_tokens = {CAPACITY}")
    toml.write_text(text.replace("g.onnx", "g.wasm.onnx"))
    convert(toml, {path.name: path for path in sources.iterdir()}, out)
    return out


@pytest.fixture(scope="module")
def folder(dist: Path, models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page with a probe for an engine, the real one beside it, and a random decoder as its only generator."""
    page = probe_copy(dist, tmp_path_factory.mktemp("gpu") / "page")
    manifest = read_manifest(page)
    at = next(i for i, entry in enumerate(manifest["assets"]) if entry["name"] == "wheels")
    data = asset_bytes(page, manifest["assets"][at])
    members = manifest["assets"][at]["members"]
    wheels = {one["name"]: data[one["offset"] : one["offset"] + one["length"]] for one in members}
    own = next(name for name in wheels if name.startswith("wheels/terrarium-"))
    changed = BytesIO(wheels[own])
    with zipfile.ZipFile(changed, "a") as wheel:
        wheel.write(ROOT / "py/terrarium/engine.py", "terrarium/real_engine.py")
    manifest["assets"][at] = pack(bundle_of("wheels", "engine", {**wheels, own: changed.getvalue()}), page)
    generator = [models / name for name in (*DESCRIPTIONS, *FILES, "g.blocks", "g.weights.json")]
    for path in generator:
        content = Content(f"models/{path.name}", "generator-tiny", InMemory(path.read_bytes()))
        manifest["assets"].append(pack(content, page))
    manifest |= {"generators": ["tiny"], "bindings": {"tiny": 19200}}
    (page / "assets/manifest.js").write_bytes(manifest_script(manifest))
    return page


@pytest.fixture(scope="module")
def gpu_browser(playwright: Playwright, chromium: str) -> Iterator[Browser]:
    arguments = [*QUIET, "--enable-unsafe-webgpu"]
    browser = playwright.chromium.launch(executable_path=chromium, headless=True, args=arguments)
    yield browser
    browser.close()


def opened(browser: Browser, address: str) -> Page:
    page = browser.new_page()
    page.goto(address)
    page.wait_for_selector("html[data-stage=ready], html[data-stage=failed]", timeout=BOOT_LIMIT_MS)
    assert page.get_attribute("html", "data-stage") == "ready", page.inner_text("#boot")
    return page


@pytest.fixture(scope="module")
def page(gpu_browser: Browser, folder: Path) -> Iterator[Page]:
    page = opened(gpu_browser, (folder / "index.html").as_uri() + "#gpu=software")
    found = run(page, "import json; f = await runtime.accelerator(); json.dumps([f.refused, f.name])")
    if found[0]:
        pytest.skip(f"no software adapter in this browser: {found[0]}")
    yield page
    page.close()


@pytest.fixture(scope="module")
def native(models: Path) -> Callable[[list[int], int], np.ndarray]:
    """Logits [rows, vocabulary] of the graph for WebGPU, computed in one run over the whole text on the CPU."""
    session = onnxruntime.InferenceSession(str(models / "g.webgpu.onnx"), providers=["CPUExecutionProvider"])
    caches = [value.name for value in session.get_inputs() if value.name.startswith("past.")]
    shape = (1, tiny_gguf.KV_HEADS, CAPACITY, tiny_gguf.WIDTH // tiny_gguf.HEADS)

    def logits(ids: list[int], rows: int) -> np.ndarray:
        feeds: dict[str, Any] = {cache: np.zeros(shape, np.float32) for cache in caches}
        feeds |= {"input_ids": np.array([ids]), "rows": np.array([rows])}
        feeds["seqlens_k"] = np.array([len(ids) - 1], np.int32)
        feeds["total_sequence_length"] = np.array(len(ids), np.int32)
        result: np.ndarray = session.run(["logits"], feeds)[0][0]
        return result

    return logits


def test_logits_in_place_and_after_a_rollback_are_those_of_a_fresh_native_run(page: Page, native: Any) -> None:
    code = """
import json
from terrarium.runtime.catalogue import open_generator
from terrarium_bridge import ort
decoder = await open_generator(runtime, "tiny-writer", "webgpu")
prompt = json.loads(args["prompt"])
found, cache = [], None
for ids, rows in ((prompt, 3), ([3, 44], 2), ([8], 1)):
    logits, cache = await decoder.forward(ids, cache, rows)
    found.append(logits.tolist())
logits, cache = await decoder.forward([60, 61], cache.cut(len(prompt) + 1), 2)
found.append(logits.tolist())
logits, cache = await decoder.forward([7, 9, 11], None, 1)
found.append(logits.tolist())
held = ort.counts().to_py()
await decoder.release()
json.dumps([found, held, ort.counts().to_py()])
"""
    found, held, after = run(page, code, prompt=str(PROMPT))
    texts = [(PROMPT, 3), ([*PROMPT, 3, 44], 2), ([*PROMPT, 3, 44, 8], 1), ([*PROMPT, 3, 60, 61], 2), ([7, 9, 11], 1)]
    for logits, (text, rows) in zip(found, texts, strict=True):
        np.testing.assert_allclose(np.array(logits), native(text, rows), atol=1e-3)
    assert held["tensors"] == 2 * tiny_gguf.LAYERS and after["tensors"] == 0


PROVE = """
import json
from terrarium.proofs import Disproved, prove_operators
answers = json.loads(runtime.read_text("gpu-probe.answers.json"))
session = await runtime.session("gpu-probe.onnx", None, "webgpu")
try:
    await prove_operators(session, answers)
    found = ""
except Disproved as error:
    found = str(error)
await session.release()
json.dumps(found)
"""


def test_this_adapter_passes_the_proof_of_its_operators(page: Page) -> None:
    assert run(page, PROVE) == ""


def test_a_lost_processor_is_replaced_and_the_question_asked_once_more(page: Page) -> None:
    code = """
import json
from terrarium.real_engine import Engine
from terrarium.storage.memory import MemoryStore
from terrarium_bridge import gpu
engine = Engine(runtime, MemoryStore(), None, generator="tiny-writer")
events = []
async def call(command, **args):
    return await engine.handle(command, args, events.append)
async def told(question):
    events.clear()
    answer = await call("ask", question=question)
    return [answer["mode"], [event["message"] for event in events if event["type"] == "notice"]]
await call("open")
await call("add", name="rules.md", data=b"# Borrowing\\n\\nMembers may borrow up to six books for 21 days.\\n")
# The software adapter would be left for the quicker WebAssembly, and takes its time.
import functools
import terrarium.loading
import terrarium.selftest
from terrarium.generation import GenerationSettings, Generator
terrarium.selftest.PLENTY = 1e9
terrarium.loading.prompt_prefix = lambda: "Answer."
terrarium.loading.Generator = functools.partial(Generator, settings=GenerationSettings(max_new_tokens=3))
await call("load_generator")
question = "How many books may members borrow?"
before = await told(question)
(await gpu.open()).destroy()
lost = await told(question)
again = await told(question)
status = await call("status")
json.dumps([before, lost, again, status])
"""
    before, lost, again, status = run(page, code)
    assert before[1] == [] and again[1] == []
    assert len(lost[1]) == 1 and "asked once more" in lost[1][0]
    assert before[0] == lost[0] == again[0]
    backends = status["models"]["backends"]
    assert backends.pop(GENERATOR) == "webgpu" and set(backends.values()) == {"wasm"}
    rows = {(row["model"].split("@")[0], row["backend"]): row for row in status["selftest"]}
    assert rows["gpu-probe", "webgpu"]["passed"] and rows[GENERATOR, "webgpu"]["chosen"]
    assert {name for name, _ in rows} == {"gpu-probe", GENERATOR, *backends}
    assert all(bool(row["device"]) == (backend == "webgpu") for (_, backend), row in rows.items())


def test_subgroups_on_this_adapter_are_found_out(gpu_browser: Browser, folder: Path) -> None:
    """The control: with the feature that bridge/gpu.js leaves out, attention is wrong here and the proof must fail."""
    page = opened(gpu_browser, (folder / "index.html").as_uri() + "#gpu=software")
    code = """
import json
from js import GPUAdapter, navigator
from pyodide.ffi import create_proxy
original = GPUAdapter.prototype.requestDevice
def request(adapter, descriptor):
    descriptor.requiredFeatures.push("subgroups")
    return original.call(adapter, descriptor)
GPUAdapter.prototype.requestDevice = create_proxy(request, capture_this=True)
adapter = await navigator.gpu.requestAdapter()
json.dumps(adapter.features.has("subgroups") and adapter.info.subgroupMaxSize == 4)
"""
    if not run(page, code):
        pytest.skip("this adapter has no subgroups of 4")
    found = run(page, PROVE)
    page.close()
    assert "computes wrongly" in found


@pytest.mark.parametrize(("hash", "loaded"), [("", "ort.wasm.min.js"), ("#gpu=software", "ort.jspi.min.js")])
def test_one_build_of_the_runtime_is_loaded(gpu_browser: Browser, folder: Path, hash: str, loaded: str) -> None:
    with serve_folder(folder) as (address, asked):
        page = opened(gpu_browser, address + hash)
        refused = run(page, "import json; json.dumps((await runtime.accelerator()).refused)")
        page.close()
    scripts = [path.split("/")[-1] for path in asked if "/ort" in path]
    assert all(script.startswith("ort") for script in scripts)
    libraries = {name for name in ("ort.wasm.min.js", "ort.jspi.min.js") if any(s.startswith(name) for s in scripts)}
    assert libraries == {loaded}
    assert ("is a program" in refused) == (not hash)
