"""WebGPU in the tab, on Chromium's software adapter: slow, and right where the real ones must be right.

A decoder of random weights, made of its blocks in the tab, is held against onnxruntime under CPython.

Chromium's own software adapter has no float16. tests/browser/float16_chromium.py makes a Chromium with one that has.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page
from tests.browser.pages import add_assets, change_own_wheel, native_logits, open_ready, probe_copy, run
from tests.fixtures import tiny_gguf
from tests.unit.tiny_models import make_models

from terrarium_build.conversion import convert
from terrarium_build.driving import serve_folder
from terrarium_build.packing import Content, InMemory
from terrarium_build.paths import ROOT

pytestmark = pytest.mark.browser

GENERATOR = "tiny-writer"
FILES = ("g.wasm.onnx", "g.webgpu.onnx", "g.webgpu-f16.onnx", "g.json")
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
    change_own_wheel(page, with_real_engine)
    files = [models / name for name in (*DESCRIPTIONS, *FILES, "g.blocks", "g.weights.json")]
    contents = [Content(f"models/{path.name}", "generator-tiny", InMemory(path.read_bytes())) for path in files]
    add_assets(page, contents, generators=["tiny"], bindings={"tiny": 19200})
    return page


def with_real_engine(wheel: bytes) -> bytes:
    changed = BytesIO(wheel)
    with zipfile.ZipFile(changed, "a") as archive:
        archive.write(ROOT / "py/terrarium/engine.py", "terrarium/real_engine.py")
    return changed.getvalue()


@pytest.fixture(scope="module")
def page(gpu_browser: Browser, folder: Path) -> Iterator[Page]:
    page = open_ready(gpu_browser, (folder / "index.html").as_uri() + "#gpu=software")
    found = run(page, "import json; f = await runtime.accelerator(); json.dumps([f.refused, f.name])")
    if found[0]:
        pytest.skip(f"no software adapter in this browser: {found[0]}")
    yield page
    page.context.close()


@pytest.fixture
def float16(page: Page) -> bool:
    """Whether this browser's adapter computes in float16."""
    return bool(run(page, "import json; json.dumps((await runtime.accelerator()).float16)"))


def skip_without(float16: bool, backend: str) -> None:
    if backend == "webgpu-f16" and not float16:
        pytest.skip("this browser's adapter has no shader-f16; tests/browser/float16_chromium.py makes one that has")


@pytest.mark.parametrize(("backend", "tolerance"), [("webgpu", 1e-3), ("webgpu-f16", 0.03)])
def test_logits_in_place_and_after_a_rollback_are_those_of_a_fresh_native_run(
    page: Page, models: Path, float16: bool, backend: str, tolerance: float
) -> None:
    skip_without(float16, backend)
    code = """
import json
from terrarium.models.catalogue import open_generator
from terrarium_bridge import ort
decoder = await open_generator(runtime, "tiny-writer", args["backend"])
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
    found, held, after = run(page, code, prompt=str(PROMPT), backend=backend)
    texts = [(PROMPT, 3), ([*PROMPT, 3, 44], 2), ([*PROMPT, 3, 44, 8], 1), ([*PROMPT, 3, 60, 61], 2), ([7, 9, 11], 1)]
    for logits, (text, rows) in zip(found, texts, strict=True):
        expected = native_logits(models / "g.webgpu.onnx", text, rows)
        np.testing.assert_allclose(np.array(logits), expected, atol=tolerance)
    assert held["tensors"] == 2 * tiny_gguf.LAYERS and after["tensors"] == 0


PROVE = """
import json
from terrarium.models.proofs import FLOAT16_TOLERANCE, LOGIT_TOLERANCE, Disproved, prove_operators
answers = json.loads(runtime.read_text("gpu-probe.answers.json"))
half = args["backend"] == "webgpu-f16"
session = await runtime.session("gpu-probe.f16.onnx" if half else "gpu-probe.onnx", None, args["backend"])
try:
    await prove_operators(session, answers, tolerance=FLOAT16_TOLERANCE if half else LOGIT_TOLERANCE)
    found = ""
except Disproved as error:
    found = str(error)
await session.release()
json.dumps(found)
"""


@pytest.mark.parametrize("backend", ["webgpu", "webgpu-f16"])
def test_this_adapter_passes_the_proof_of_its_operators(page: Page, float16: bool, backend: str) -> None:
    skip_without(float16, backend)
    assert run(page, PROVE, backend=backend) == ""


def test_a_lost_processor_is_replaced_and_the_question_asked_once_more(page: Page, float16: bool) -> None:
    code = """
import json
from terrarium.readers.reader_web import WebReader
from terrarium.real_engine import Engine
from terrarium.storage.memory import MemoryStore
from terrarium_bridge import gpu
engine = Engine(runtime, MemoryStore(), WebReader(), generator="tiny-writer")
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
import terrarium.models.selftest
from terrarium.generation.generator import GenerationSettings, Generator
terrarium.models.selftest.PLENTY = 1e9
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
    taken = "webgpu-f16" if float16 else "webgpu"
    assert backends.pop(GENERATOR) == taken and set(backends.values()) == {"wasm"}
    rows = {(row["model"].split("@")[0], row["backend"]): row for row in status["selftest"]}
    assert rows["gpu-probe", taken]["passed"] and rows[GENERATOR, taken]["chosen"]
    assert {name for name, _ in rows} == {"gpu-probe", GENERATOR, *backends}
    assert all(bool(row["device"]) == (backend == taken) for (_, backend), row in rows.items())
    assert float16 or "does not compute in float16" in rows[GENERATOR, "webgpu-f16"]["reason"]


def test_subgroups_on_this_adapter_are_found_out(gpu_browser: Browser, folder: Path) -> None:
    """The control: with the feature that bridge/gpu.js leaves out, attention is wrong here and the proof must fail."""
    page = open_ready(gpu_browser, (folder / "index.html").as_uri() + "#gpu=software")
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
    found = run(page, PROVE, backend="webgpu")
    page.close()
    assert "computes wrongly" in found


@pytest.mark.parametrize(("hash", "loaded"), [("", "ort.wasm.min.js"), ("#gpu=software", "ort.jspi.min.js")])
def test_one_build_of_the_runtime_is_loaded(gpu_browser: Browser, folder: Path, hash: str, loaded: str) -> None:
    with serve_folder(folder) as (address, asked):
        page = open_ready(gpu_browser, address + hash)
        refused = run(page, "import json; json.dumps((await runtime.accelerator()).refused)")
        page.close()
    scripts = [path.split("/")[-1] for path in asked if "/ort" in path]
    assert all(script.startswith("ort") for script in scripts)
    libraries = {name for name in ("ort.wasm.min.js", "ort.jspi.min.js") if any(s.startswith(name) for s in scripts)}
    assert libraries == {loaded}
    assert ("is a program" in refused) == (not hash)
