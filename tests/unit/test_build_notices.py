"""Notices and bill of materials name every component; tracked files name no package registry."""

from __future__ import annotations

import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from terrarium_build.components import Component, components_of, standard_text
from terrarium_build.contents import is_packed
from terrarium_build.fetch import Fetcher
from terrarium_build.lock import Asset, read_lock
from terrarium_build.models import packed_models
from terrarium_build.notices import notices
from terrarium_build.paths import ROOT
from terrarium_build.sbom import sbom


class OneWheel(Fetcher):
    """A fetcher that has one small wheel for every name."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.path = folder / "some.whl"
        with zipfile.ZipFile(self.path, "w") as wheel:
            wheel.writestr("some-1.dist-info/licenses/LICENSE", "Do as you please, says the wheel.")

    def fetch(self, asset: Asset) -> Path:
        return self.path


@pytest.fixture(scope="module")
def components(tmp_path_factory: pytest.TempPathFactory) -> list[Component]:
    return components_of(read_lock(), packed_models(["small"]), OneWheel(tmp_path_factory.mktemp("wheels")))


def test_every_component_is_in_both_lists_with_a_licence_text(components: list[Component]) -> None:
    text, document = notices(components), json.loads(sbom(components, "1"))
    listed = {(entry["name"], entry["version"]) for entry in document["components"]}
    for component in components:
        assert component.text.strip()
        assert f"{component.name} {component.version}" in text
        assert (component.name, component.version) in listed
    assert len(listed) == len(components) == len({entry["bom-ref"] for entry in document["components"]})


def test_every_packed_wheel_package_and_model_is_a_component(components: list[Component]) -> None:
    names = {component.name for component in components}
    wheels = {
        asset.name.rpartition("/")[2].partition("-")[0].replace("_", "-")
        for asset in read_lock().values()
        if is_packed(asset) and asset.name.endswith(".whl")
    }
    dependencies = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["dependencies"]
    models = {model.description["name"] for model in packed_models(["small"])}
    assert wheels | dependencies.keys() | models <= names
    assert {"numpy", "pyodide", "CPython"} <= names
    assert "typescript" not in names and "esbuild" not in names


def test_language_data_is_under_its_own_licence_not_its_npm_packages(components: list[Component]) -> None:
    data = {component.name: component for component in components if component.name.endswith(".traineddata")}
    assert sorted(data) == ["chi_sim.traineddata", "deu.traineddata", "eng.traineddata"]
    assert {component.licence for component in data.values()} == {"Apache-2.0"}


def test_a_wheels_own_licence_text_goes_before_the_standard_one(components: list[Component]) -> None:
    (mammoth,) = (component for component in components if component.name == "mammoth")
    assert mammoth.text == "Do as you please, says the wheel."
    assert "Do as you please" in notices(components)


def test_a_shared_text_stands_once() -> None:
    two = [Component(name, "1", "MIT", f"pkg:npm/{name}@1", "", "One text for both.") for name in ("left", "right")]
    text = notices(two)
    assert text.count("One text for both.") == 1
    assert text.count("left 1") == text.count("right 1") == 2


def test_alternatives_of_a_licence_bring_all_their_texts() -> None:
    text = standard_text("Apache-2.0 OR BSD-2-Clause")
    assert "Apache License" in text and "Redistributions in binary form" in text


def test_the_bill_has_no_time_and_no_random_number(components: list[Component]) -> None:
    assert sbom(components, "1") == sbom(list(components), "1")
    document = json.loads(sbom(components, "1"))
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    assert "serialNumber" not in document and "timestamp" not in document["metadata"]
    hashed = {entry["name"]: entry["hashes"][0]["content"] for entry in document["components"] if "hashes" in entry}
    assert hashed["numpy"] == next(a.sha256 for name, a in read_lock().items() if name.startswith("numpy-"))


def test_no_tracked_file_names_a_package_registry() -> None:
    """Whoever builds has their own registries; the clients know them."""
    hosts = [part.encode() for part in ("pypi" + ".org", "python" + "hosted.org", "registry.npm" + "js.org")]
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT, capture_output=True, check=False,
    )  # fmt: skip
    if listing.returncode:
        pytest.skip("not a git checkout, so which files are tracked is unknown")
    names = [name for name in listing.stdout.decode().split("\0") if name and (ROOT / name).is_file()]
    assert "build.py" in names
    for name in names:
        data = (ROOT / name).read_bytes()
        assert not [host for host in hosts if host in data], name
