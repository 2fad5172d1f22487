"""Weights that the tab makes of blocks are the bytes that the desk made, and a graphics processor takes them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page
from tests.browser.pages import native_logits, open_ready, read_manifest, run

from terrarium.runtime.native import default_folder
from terrarium_build.models import model_for

pytestmark = pytest.mark.browser

MODEL = "qwen2.5-0.5b"
# Of each file the smallest tensor of every layout and format: file, offset, bytes and SHA-256.
CODE = """
import hashlib, json
from terrarium.runtime.web_weights import StandIn
from terrarium.weights.plan import Plan
plan = Plan.from_json(json.loads(runtime.read_text(args["model"] + ".weights.json")))
found = []
for file, tensors in plan.files.items():
    smallest = {}
    for made in sorted(tensors, key=lambda made: -made.place.bytes):
        smallest[made.layout, plan.index[made.sources[-1]].kind] = made.place
    with StandIn(plan, file, "models/" + plan.blocks) as stand:
        for place in smallest.values():
            data = stand.file.subarray(place.offset, place.offset + place.bytes).to_bytes()
            found.append([file, place.offset, len(data), hashlib.sha256(data).hexdigest()])
json.dumps(found)
"""

PARK = """
import hashlib, json
from terrarium_bridge import assets
name = args["name"]
await assets.park(name)
gone = name not in assets.names().to_py() and assets.has(name)
await assets.restore(name)
data, digest = assets.bytes(name), hashlib.sha256()
for start in range(0, data.length, 1 << 24):
    digest.update(data.subarray(start, start + (1 << 24)).to_bytes())
json.dumps([gone, digest.hexdigest()])
"""

IDS = [9707, 11, 1879, 0]
CAPACITY = 16
# One pass over IDS on WebGPU.
PASS = """
import json
import numpy as np
session = await runtime.session(args["graph"], args["weights"], "webgpu")
past = np.zeros((1, args["kv_heads"], args["capacity"], args["head_size"]), np.float32)
feeds = {name: past for name in session.inputs if name.startswith("past.")}
ids = np.array([args["ids"]], np.int64)
feeds |= {"input_ids": ids, "rows": np.array([1], np.int64)}
feeds |= {"seqlens_k": np.array([ids.size - 1], np.int32), "total_sequence_length": np.array(ids.size, np.int32)}
arrays, _ = await session.run(feeds, ["logits"])
json.dumps(arrays["logits"].reshape(-1).tolist())
"""


@pytest.fixture(scope="module")
def page(browser: Browser, probe_with_writer: Path) -> Iterator[Page]:
    page = open_ready(browser, (probe_with_writer / "index.html").as_uri())
    yield page
    page.context.close()


def desk_models(dist: Path, model: str) -> Path:
    """The desk's models, if the page was built of them."""
    folder, blocks = default_folder(), f"{model}.blocks"
    packed = {entry["name"]: entry["sha256"] for entry in read_manifest(dist)["assets"]}.get(f"models/{blocks}")
    record = folder / f"{model}.files.json"
    if not record.is_file() or json.loads(record.read_text("utf-8"))[blocks]["sha256"] != packed:
        pytest.skip(f"{folder} and the page do not hold the same {blocks}")
    return folder


def test_every_layout_and_format(page: Page, dist: Path) -> None:
    models = desk_models(dist, MODEL)
    found = run(page, CODE, model=MODEL)
    assert len({file for file, *_ in found}) == 2
    assert len(found) > 12
    for file, offset, size, digest in found:
        with (models / file).open("rb") as source:
            source.seek(offset)
            assert hashlib.sha256(source.read(size)).hexdigest() == digest, (file, offset)


def test_parked_blocks_come_back(page: Page, probe_with_writer: Path) -> None:
    name = f"models/{MODEL}.blocks"
    entry = next(entry for entry in read_manifest(probe_with_writer)["assets"] if entry["name"] == name)
    assert run(page, PARK, name=name) == [True, entry["sha256"]]


@pytest.mark.slow
def test_webgpu_gives_the_native_logits(gpu_browser: Browser, probe_with_writer: Path, dist: Path) -> None:
    """On the software adapter. Of the large generator test_large_generator.py knows."""
    model = model_for("small")
    backend, sizes = model.description["backends"]["webgpu"], model.description["generate"]
    (native,) = native_logits(desk_models(dist, model.id) / backend["graph"], IDS)
    page = open_ready(gpu_browser, f"{(probe_with_writer / 'index.html').as_uri()}#gpu=software&writer=small")
    if "webgpu" not in run(page, "import json; json.dumps(runtime.name)"):
        pytest.skip("this browser has no software adapter")
    sizes = {name: sizes[name] for name in ("kv_heads", "head_size")}
    names = {name: backend[name] for name in ("graph", "weights")}
    logits = run(page, PASS, **names, **sizes, ids=IDS, capacity=CAPACITY)
    page.context.close()
    np.testing.assert_allclose(logits, native, atol=1e-3)
