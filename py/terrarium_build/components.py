"""The third-party components of a build, for its notices and its bill of materials."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from terrarium_build.contents import is_packed
from terrarium_build.fetch import Fetcher
from terrarium_build.lock import Asset
from terrarium_build.models import Model
from terrarium_build.npm import shipped_packages
from terrarium_build.paths import ROOT

LICENCES = Path(__file__).parent / "licences"
LANGUAGE_DATA = ".traineddata.gz"
LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)


@dataclass(frozen=True)
class Component:
    """`licence` is an SPDX expression; `purl` a package URL, or an address for what has none; `sha256` may be ""."""

    name: str
    version: str
    licence: str
    purl: str
    sha256: str
    text: str


def components_of(lock: dict[str, Asset], models: list[Model], fetcher: Fetcher) -> list[Component]:
    """Everything that is packed beside the project's own code, by name."""
    wheels = [asset for asset in lock.values() if is_packed(asset) and asset.name.endswith(".whl")]
    found = [
        *_npm_components(),
        *(_wheel_component(asset, fetcher.fetch(asset)) for asset in wheels),
        *(model_component(model, lock) for model in models),
        *(_language_component(asset) for asset in lock.values() if asset.name.endswith(LANGUAGE_DATA)),
        # The interpreter and its standard library inside Pyodide's files, which no package of an index stands for.
        Component("CPython", "3.12.7", "PSF-2.0", "pkg:github/python/cpython@v3.12.7", "", standard_text("PSF-2.0")),
    ]
    # npm installs one version of a package in several folders.
    unique = {(component.name.lower(), component.version): component for component in found}
    return [unique[key] for key in sorted(unique)]


def _npm_components() -> Iterator[Component]:
    for path, entry in shipped_packages().items():
        name = path.rpartition("node_modules/")[2]
        licence = entry["license"].replace("APACHE", "Apache")
        purl = f"pkg:npm/{name.replace('@', '%40')}@{entry['version']}"
        # pdf.js keeps the licences of its fonts and character maps beside these.
        files = [*sorted((ROOT / path).glob("*")), *sorted((ROOT / path).glob("*/LICENSE*"))]
        files = [file for file in files if file.is_file() and LICENCE_FILE.match(file.name)]
        texts = [file.read_text(encoding="utf-8", errors="replace").strip() for file in files]
        text = "\n\n".join(texts) or standard_text(licence)
        yield Component(name, entry["version"], licence, purl, "", text)


def _wheel_component(asset: Asset, path: Path) -> Component:
    name = asset.name.rpartition("/")[2].partition("-")[0].replace("_", "-")
    with zipfile.ZipFile(path) as wheel:
        described = sorted(member for member in wheel.namelist() if ".dist-info/" in member)
        members = [member for member in described if LICENCE_FILE.match(member.rpartition("/")[2])]
        texts = [wheel.read(member).decode(errors="replace").strip() for member in members]
    text = "\n\n".join(texts) or standard_text(asset.licence)
    return Component(name, asset.version, asset.licence, f"pkg:pypi/{name}@{asset.version}", asset.sha256, text)


def _language_component(asset: Asset) -> Component:
    """What text recognition knows of one language, by its upstream file."""
    file = asset.name.rpartition("/")[2].removesuffix(".gz")
    purl = f"pkg:github/tesseract-ocr/tessdata_best@{asset.version}#{file}"
    return Component(file, asset.version, asset.licence, purl, asset.sha256, standard_text(asset.licence))


def model_component(model: Model, lock: dict[str, Asset]) -> Component:
    """Its hash is that of the published weights: the packed files are made here."""
    inputs = model.inputs(lock)
    version, sha256 = (inputs[0].version, inputs[0].sha256) if inputs else ("", "")
    licence, description = model.description["licence"], model.description
    return Component(description["name"], version, licence, description["source"], sha256, standard_text(licence))


def standard_text(licence: str) -> str:
    """The text of a licence whose component brings none; of each alternative of an SPDX expression."""
    ids = [part for part in re.split(r"[\s()]+", licence) if part not in ("", "OR", "AND", "WITH")]
    return "\n\n".join((LICENCES / f"{part}.txt").read_text(encoding="utf-8").strip() for part in ids)
