"""Variants of the built page for tests: without generators, with one shard changed, with a probe for an engine."""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page

from terrarium_build.packing import Content, bundle_of, manifest_script, pack

BOOT_LIMIT_MS = 240_000
# A busy machine is no failure: what is expected of a page may take as long as this, and usually takes milliseconds.
PATIENCE_MS = 60_000
# File name → element type. "loop" is one of its own, because a graph can be loaded once.
IDENTITY_GRAPHS = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7, "bool": 9, "float16": 10, "loop": 1}
PROBE_ENGINE = Path(__file__).with_name("probe_engine.py")


def read_manifest(page: Path) -> dict[str, Any]:
    text = (page / "assets/manifest.js").read_text("utf-8")
    manifest: dict[str, Any] = json.loads(text[text.index("(") + 1 : text.rindex(")")])
    return manifest


def lean_copy(page: Path, out: Path, *, generators: bool = False) -> Path:
    """A copy, without generators unless they are asked for."""
    manifest = read_manifest(page)
    if not generators:
        manifest["assets"] = [entry for entry in manifest["assets"] if not entry["group"].startswith("generator-")]
        manifest["generators"] = []
    (out / "assets").mkdir(parents=True)
    for path in page.iterdir():
        if path.is_file():
            shutil.copyfile(path, out / path.name)
    for entry in manifest["assets"]:
        for shard in entry["shards"]:
            (out / shard["file"]).symlink_to((page / shard["file"]).resolve())
    (out / "assets/manifest.js").write_bytes(manifest_script(manifest))
    return out


def asset_bytes(page: Path, entry: dict[str, Any]) -> bytes:
    """The final bytes of an asset that is stored in one shard."""
    (shard,) = entry["shards"]
    found = re.search(rb"/\*(.*)\*/", (page / shard["file"]).read_bytes(), re.DOTALL)
    assert found
    stored = base64.b64decode(found.group(1))
    return gzip.decompress(stored) if entry["gzip"] else stored


def probe_copy(page: Path, out: Path, *, generators: bool = False) -> Path:
    """A copy whose engine is `probe_engine.py`, with small graphs; all below the engine is real."""
    lean_copy(page, out, generators=generators)
    change_own_wheel(out, with_probe)
    graphs = {f"models/identity-{name}.onnx": identity_graph(number) for name, number in IDENTITY_GRAPHS.items()}
    add_assets(out, [bundle_of("identity-graphs", "engine", graphs)])
    return out


def change_own_wheel(page: Path, change: Callable[[bytes], bytes]) -> None:
    """Apply `change` to the wheel of the engine in a copied page."""
    manifest = read_manifest(page)
    at = next(i for i, entry in enumerate(manifest["assets"]) if entry["name"] == "wheels")
    entry = manifest["assets"][at]
    data = asset_bytes(page, entry)
    wheels = {m["name"]: data[m["offset"] : m["offset"] + m["length"]] for m in entry["members"]}
    own = next(name for name in wheels if name.startswith("wheels/terrarium-"))
    wheels[own] = change(wheels[own])
    manifest["assets"][at] = pack(bundle_of("wheels", "engine", wheels), page)
    (page / "assets/manifest.js").write_bytes(manifest_script(manifest))


def add_assets(page: Path, contents: Iterable[Content], **changed: Any) -> None:
    """Pack more into a copied page; `changed` are entries of its manifest."""
    manifest = read_manifest(page)
    manifest["assets"] += [pack(content, page) for content in contents]
    (page / "assets/manifest.js").write_bytes(manifest_script(manifest | changed))


def open_ready(browser: Browser, address: str) -> Page:
    """In a context of its own, for the caller to close. Fails with the page's own sentence if it does not start."""
    page = browser.new_context().new_page()
    page.goto(address)
    page.wait_for_selector("html[data-stage=ready], html[data-stage=failed]", timeout=BOOT_LIMIT_MS)
    assert page.get_attribute("html", "data-stage") == "ready", page.inner_text("#boot")
    return page


def native_logits(graph: Path, ids: Sequence[int], rows: int = 1) -> NDArray[np.float32]:
    """[rows, vocabulary] of a decoder's graph for WebGPU, by onnxruntime on the CPU in one run over the whole text."""
    session = onnxruntime.InferenceSession(str(graph), providers=["CPUExecutionProvider"])
    feeds: dict[str, Any] = {"input_ids": np.array([ids]), "rows": np.array([rows])}
    feeds |= {"seqlens_k": np.array([len(ids) - 1], np.int32), "total_sequence_length": np.array(len(ids), np.int32)}
    for value in session.get_inputs():
        if value.name.startswith("past."):
            _, kv_heads, _, head_size = value.shape
            feeds[value.name] = np.zeros((1, kv_heads, len(ids), head_size), np.float32)
    logits: NDArray[np.float32] = session.run(["logits"], feeds)[0][0]
    return logits


def identity_graph(onnx_type: int) -> bytes:
    """y = x, [n, 2], in one element type."""
    value = [onnx.helper.make_tensor_value_info(name, onnx_type, ["n", 2]) for name in ("x", "y")]
    graph = onnx.helper.make_graph([onnx.helper.make_node("Identity", ["x"], ["y"])], "identity", value[:1], value[1:])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=9)
    return bytes(model.SerializeToString())


def with_probe(wheel: bytes) -> bytes:
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(wheel)) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            new.writestr(name, PROBE_ENGINE.read_bytes() if name == "terrarium/engine.py" else old.read(name))
    return changed.getvalue()


def change_shard(page: Path, asset: str, change: Callable[[bytes], bytes]) -> Path:
    """Apply `change` to the first shard of an asset; returns its file."""
    entry = next(entry for entry in read_manifest(page)["assets"] if entry["name"] == asset)
    file: Path = page / entry["shards"][0]["file"]
    changed = change(file.read_bytes())
    file.unlink()  # it may be a link into the built page
    file.write_bytes(changed)
    return file


def run(page: Page, code: str, **args: Any) -> Any:
    """Run Python in the engine of a `probe_copy`; its last expression must be JSON."""
    script = """(args) => terrarium.call('run', args).promise.then(
        ({value}) => value, (error) => { throw new Error(error.detail || error.message); })"""
    return json.loads(page.evaluate(script, {"code": code, **args}))
