"""models/*.toml → converted models in the user's cache, where the desk finds them too.

A result is kept at `converted/<id>/<key>/`, the key being a hash of the TOML file, of the inputs' hashes and of the
converter's source, and shown under its files' own names in `models/`. An interrupted conversion leaves nothing there.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from terrarium_build.fetch import Fetcher
from terrarium_build.lock import Asset
from terrarium_build.packing import OnDisk
from terrarium_build.paths import MODELS, BuildError, cache_folder, megabytes, say

# The generators that a build may be asked to pack, best first, and the models that they are.
GENERATORS = {"small": "qwen2.5-0.5b"}


@dataclass(frozen=True)
class Model:
    """What the build needs of a model's TOML file."""

    toml: Path
    description: dict[str, Any]

    @property
    def id(self) -> str:
        return str(self.description["id"])

    @property
    def files(self) -> list[str]:
        return [name for name in self.description["files"].values() if name]

    def inputs(self, lock: dict[str, Asset]) -> list[Asset]:
        """The assets that its [conversion] table names."""
        values = self.description["conversion"].values()
        return [lock[value] for value in values if isinstance(value, str) and value in lock]


def read_models(folder: Path = MODELS) -> dict[str, Model]:
    """Every model by its id."""
    tomls = sorted(folder.glob("*.toml"))
    models = [Model(path, tomllib.loads(path.read_text(encoding="utf-8"))) for path in tomls]
    return {model.id: model for model in models}


def model_for(generator: str) -> Model:
    """The model behind a name of `--generator`."""
    try:
        return read_models()[GENERATORS[generator]]
    except KeyError as error:
        raise BuildError(f"There is no model for --generator {generator}: models/ has no {error}.") from error


def packed_models(generators: list[str]) -> list[Model]:
    """Embedder and reranker, then the generators asked for."""
    always = [model for model in read_models().values() if model.description["task"] != "generate"]
    return [*always, *(model_for(name) for name in generators)]


def build_model(model: Model, lock: dict[str, Asset], fetcher: Fetcher) -> dict[str, OnDisk]:
    """The model's files by name, its TOML file and `<id>.files.json` among them, converted unless they are cached."""
    inputs = model.inputs(lock)
    key = conversion_key(model, inputs)
    store = cache_folder() / "converted" / model.id
    folder = store / key
    if not folder.is_dir():
        say(f"Converting {model.description['name']}")
        _convert(model, fetcher.fetch_all(inputs), folder)
        say(f"  {megabytes(sum(path.stat().st_size for path in folder.iterdir()))} in {folder}")
        _delete_others(store, keep=folder)
    _show(folder, cache_folder() / "models")
    hashes = {name: record["sha256"] for name, record in _record(folder, model).items()}
    small = (f"{model.id}.toml", f"{model.id}.files.json")
    hashes |= {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in small}
    return {name: OnDisk(folder / name, digest) for name, digest in sorted(hashes.items())}


def conversion_key(model: Model, inputs: list[Asset]) -> str:
    digest = hashlib.sha256(model.toml.read_bytes())
    for asset in inputs:
        digest.update(asset.sha256.encode())
    for path in sorted((Path(__file__).parent / "conversion").glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:24]


def _convert(model: Model, inputs: dict[str, Path], folder: Path) -> None:
    # Only a conversion needs onnx and gguf, which take a second to import.
    from terrarium_build.conversion import convert

    unfinished = folder.with_name(folder.name + ".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    convert(model.toml, inputs, unfinished)
    missing = [name for name in model.files if not (unfinished / name).is_file()]
    if missing:
        raise BuildError(f"The conversion of {model.id} did not write {', '.join(missing)}.")
    unfinished.rename(folder)


def _record(folder: Path, model: Model) -> dict[str, dict[str, Any]]:
    record: dict[str, dict[str, Any]] = json.loads((folder / f"{model.id}.files.json").read_text(encoding="utf-8"))
    return record


def _delete_others(store: Path, keep: Path) -> None:
    for path in store.iterdir():
        if path != keep:
            shutil.rmtree(path)


def _show(folder: Path, models: Path) -> None:
    """Hard links, so that a model lies on the disk once; copies where the file system knows no links."""
    models.mkdir(parents=True, exist_ok=True)
    for source in sorted(folder.iterdir()):
        shown = models / source.name
        if shown.exists() and (shown.samefile(source) or _same_copy(shown, source)):
            continue
        partial = models / f"{source.name}.part"
        partial.unlink(missing_ok=True)
        try:
            os.link(source, partial)
        except OSError:
            shutil.copy2(source, partial)
        partial.replace(shown)


def _same_copy(shown: Path, source: Path) -> bool:
    """`copy2` keeps size and time, and no conversion ends in the same nanosecond as another."""
    one, other = shown.stat(), source.stat()
    return (one.st_size, one.st_mtime_ns) == (other.st_size, other.st_mtime_ns)
