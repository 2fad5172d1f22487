"""The bare build: everything → dist/. Unchanged inputs: nothing to do. The same inputs give the same bytes."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from terrarium_build.components import components_of
from terrarium_build.contents import Contents
from terrarium_build.fetch import Fetcher
from terrarium_build.lock import read_lock
from terrarium_build.models import EMBEDDERS, Model, model_for, packed_models
from terrarium_build.notices import notices
from terrarium_build.packing import Content, manifest_script, pack, shard_files, write_whole
from terrarium_build.page import copy_page
from terrarium_build.paths import ROOT, STATE, megabytes, say
from terrarium_build.sbom import sbom

INPUTS = ("assets.lock.toml", "package-lock.json", "requirements.lock.txt", "pyproject.toml", "README.md", "LICENSE")
PACKER = Path(__file__).with_name("packing.py")
INPUT_FOLDERS = ("py", "web", "models")


def build(out: Path, generators: list[str], embedders: Sequence[str] = tuple(EMBEDDERS)) -> Path:
    """dist/ at `out`; returns the path of its index.html."""
    state = State(out)
    inputs = input_hash([*generators, *embedders])
    if state.inputs == inputs and state.is_whole():
        say(f"{out} is up to date.")
        return out / "index.html"
    lock = read_lock()
    fetcher = Fetcher()
    contents = Contents(lock, fetcher).collect(generators, embedders)
    entries = [_packed(content, out, state) for content in contents]
    components = components_of(lock, packed_models(generators, embedders), fetcher)
    manifest = {
        "format": 1,
        "version": project_version(),
        "build": hashlib.sha256("".join(entry["sha256"] for entry in entries).encode()).hexdigest()[:16],
        "embedders": list(embedders),
        "generators": generators,
        "bindings": {name: largest_binding(model_for(name)) for name in generators},
        "assets": entries,
    }
    write_whole(out / "assets" / "manifest.js", manifest_script(manifest))
    write_whole(out / "NOTICES.txt", notices(components).encode())
    write_whole(out / "sbom.cdx.json", sbom(components, project_version()).encode())
    written = {"NOTICES.txt", "sbom.cdx.json", "assets/manifest.js", *copy_page(out)}
    written |= {file for entry in entries for file, _ in shard_files(entry)}
    state.finish(inputs, written, entries)
    size = sum((out / file).stat().st_size for file in written)
    say(f"{out} is built: {len(written)} files, {megabytes(size)}. Open {out / 'index.html'}.")
    return out / "index.html"


def _packed(content: Content, out: Path, state: State) -> dict[str, Any]:
    entry = state.entry(content)
    if entry is None:
        say(f"Packing {content.name}")
        entry = pack(content, out)
        state.remember(entry)
    return entry


class State:
    """What the last build into a folder left there, kept outside of it. Lets an interrupted build resume."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._path = STATE / f"{hashlib.sha256(str(out.resolve()).encode()).hexdigest()[:16]}.json"
        saved = json.loads(self._path.read_text(encoding="utf-8")) if self._path.is_file() else {}
        self.inputs: str = saved.get("inputs", "")
        self._sizes: dict[str, int] = saved.get("sizes", {})
        # Another version of the packer may give other bytes for the same asset.
        self._packer = hashlib.sha256(PACKER.read_bytes()).hexdigest()
        same_packer = saved.get("packer") == self._packer
        self._entries: dict[str, dict[str, Any]] = saved.get("entries", {}) if same_packer else {}

    def is_whole(self) -> bool:
        """Whether all files are there with the sizes that they were written with."""
        return all(self._is_there(file, size) for file, size in self._sizes.items())

    def entry(self, content: Content) -> dict[str, Any] | None:
        """The manifest entry of a content that is packed already, under the same name and with the same bytes."""
        entry = self._entries.get(content.name)
        wanted = (content.source.sha256, content.group, list(content.members))
        if not entry or (entry["sha256"], entry["group"], entry.get("members", [])) != wanted:
            return None
        return entry if all(self._is_there(file, size) for file, size in shard_files(entry)) else None

    def remember(self, entry: dict[str, Any]) -> None:
        """Called after each asset, for the build that resumes when this one is interrupted."""
        self._entries[entry["name"]] = entry
        self._sizes |= dict(shard_files(entry))
        self._save("")

    def finish(self, inputs: str, written: set[str], entries: list[dict[str, Any]]) -> None:
        """Deletes what earlier builds wrote and this one did not; nothing else in the folder is touched."""
        for file in self._sizes.keys() - written:
            (self._out / file).unlink(missing_ok=True)
        self._sizes = {file: (self._out / file).stat().st_size for file in sorted(written)}
        self._entries = {entry["name"]: entry for entry in entries}
        self._save(inputs)

    def _save(self, inputs: str) -> None:
        state = {"inputs": inputs, "packer": self._packer, "sizes": self._sizes, "entries": self._entries}
        write_whole(self._path, json.dumps(state).encode())

    def _is_there(self, file: str, size: int) -> bool:
        path = self._out / file
        return path.is_file() and path.stat().st_size == size


def input_hash(options: list[str]) -> str:
    """One hash over the options and every file that a build reads, except third-party ones, which the locks pin."""
    digest = hashlib.sha256(json.dumps(options).encode())
    for path in _input_files():
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _input_files() -> Iterator[Path]:
    yield from (ROOT / name for name in INPUTS if (ROOT / name).is_file())
    for folder in INPUT_FOLDERS:
        paths = (path for path in sorted((ROOT / folder).rglob("*")) if path.is_file())
        yield from (path for path in paths if "__pycache__" not in path.parts)


def largest_binding(model: Model) -> int:
    """Bytes of the largest matrix that a graphics processor must take at once; 0 for a model without such a graph."""
    return int(model.description.get("backends", {}).get("webgpu", {}).get("binding", 0))


def project_version() -> str:
    with (ROOT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])
