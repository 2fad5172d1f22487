"""models/*.toml → converted models in the user's cache, where the desk finds them too.

A result is kept at `converted/<id>/<key>/`, the key being a hash of the TOML file, of the inputs' hashes and of the
converter's source, and shown under its files' own names in `models/`. An interrupted conversion leaves nothing there.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from terrarium_build.fetch import Fetcher
from terrarium_build.lock import Asset
from terrarium_build.packing import OnDisk
from terrarium_build.paths import MODELS, ROOT, BuildError, cache_folder, megabytes, say

UNFINISHED = ".part"
ABANDONED = 3600.0  # seconds without a new file in an unfinished conversion, which takes minutes

# The generators that a build may be asked to pack, best first, and the models that they are.
GENERATORS = {"large": "qwen2.5-1.5b", "small": "qwen2.5-0.5b"}
# The embedders that a build may be asked to pack, the page's first choice first.
EMBEDDERS = {"english": "minilm-l6", "multilingual": "e5-small"}
# Sources that a converted model depends on.
CONVERTERS = (ROOT / "py/terrarium_build/conversion", ROOT / "py/terrarium/weights")


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
        """Every file that the conversion writes, beside the description and its record."""
        return file_names(self.description)

    @property
    def packed(self) -> list[str]:
        """Those of the files that the page loads."""
        made_there = {backend.get("weights") for backend in self.description.get("backends", {}).values()}
        return [name for name in self.files if name not in made_there]

    def inputs(self, lock: dict[str, Asset]) -> list[Asset]:
        """The assets that its [conversion] table names."""
        values = self.description["conversion"].values()
        return [lock[value] for value in values if isinstance(value, str) and value in lock]

    @property
    def own_inputs(self) -> list[Path]:
        """The files beside the TOML file that its [conversion] table names: weights that were trained here."""
        values = self.description["conversion"].values()
        paths = [self.toml.with_name(value) for value in values if isinstance(value, str)]
        return [path for path in paths if path.is_file()]


def file_names(description: Mapping[str, Any]) -> list[str]:
    """Every file that a model's description names, its own and those of its backends."""
    names = [*description["files"].values()]
    for backend in description.get("backends", {}).values():
        names += [backend["graph"], backend.get("weights")]
    return list(dict.fromkeys(name for name in names if name))


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


def packed_models(generators: Sequence[str], embedders: Collection[str] = tuple(EMBEDDERS)) -> list[Model]:
    """The embedders asked for, the reranker, then the generators asked for."""
    models = read_models()
    rerankers = [model for model in models.values() if model.description["task"] == "rerank"]
    chosen = [models[EMBEDDERS[name]] for name in EMBEDDERS if name in embedders]
    return [*chosen, *rerankers, *(model_for(name) for name in generators)]


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
    for path in model.own_inputs:
        digest.update(path.read_bytes())
    for asset in inputs:
        digest.update(asset.sha256.encode())
    for folder in CONVERTERS:
        for path in sorted(folder.glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:24]


def _convert(model: Model, inputs: dict[str, Path], folder: Path) -> None:
    # Only a conversion needs onnx and gguf, which take a second to import.
    from terrarium_build.conversion import convert

    # Two builds may share the cache: each works in a folder of its own, and the first to end is kept.
    unfinished = folder.with_name(f"{folder.name}.{os.getpid()}{UNFINISHED}")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    convert(model.toml, inputs, unfinished)
    missing = [name for name in model.files if not (unfinished / name).is_file()]
    if missing:
        raise BuildError(f"The conversion of {model.id} did not write {', '.join(missing)}.")
    if folder.is_dir():
        shutil.rmtree(unfinished)
    else:
        unfinished.rename(folder)


def _record(folder: Path, model: Model) -> dict[str, dict[str, Any]]:
    record: dict[str, dict[str, Any]] = json.loads((folder / f"{model.id}.files.json").read_text(encoding="utf-8"))
    return record


def _delete_others(store: Path, keep: Path) -> None:
    """What earlier versions left, and what interrupted conversions did; another build's own work is let be."""
    for path in store.iterdir():
        busy = path.name.endswith(UNFINISHED) and time.time() - path.stat().st_mtime < ABANDONED
        if path != keep and not busy:
            shutil.rmtree(path, ignore_errors=True)


def _show(folder: Path, models: Path) -> None:
    """Hard links, so that a model lies on the disk once; copies where the file system knows no links."""
    models.mkdir(parents=True, exist_ok=True)
    for source in sorted(folder.iterdir()):
        shown = models / source.name
        if shown.exists() and (shown.samefile(source) or _same_copy(shown, source)):
            continue
        partial = models / f"{source.name}.{os.getpid()}{UNFINISHED}"
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
