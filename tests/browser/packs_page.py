"""A page with nothing but the code for model packs, and small packs for it: the whole page takes seconds to start."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from terrarium_build.packing import Content, InMemory, bundle_of
from terrarium_build.packs import write_pack
from terrarium_build.paths import ROOT

VERSION = "1.2.3"
HERE = Path(__file__).parent
SCRIPTS = ("shards.js", "choices.js", "gpu.js", "pack_file.js", "pack_store.js", "packs.js")
# The page's own assets that a pack might try to replace.
OWN = {"name": "worker-source", "group": "engine", "members": [{"name": "worker.js"}, {"name": "models/minilm.onnx"}]}


def write_page(folder: Path, version: str = VERSION, generators: tuple[str, ...] = ()) -> Path:
    """index.html of a page of that version whose folder has these generators."""
    folder.mkdir(parents=True, exist_ok=True)
    assets = [{"shards": [], **OWN}]
    manifest = {"format": 1, "version": version, "generators": generators, "bindings": {}, "assets": assets}
    for name in SCRIPTS:
        (folder / name).write_bytes((ROOT / "web" / name).read_bytes())
    (folder / "manifest.js").write_text(f"const manifest = {json.dumps(manifest)};", "utf-8")
    (folder / "packs_page.js").write_bytes((HERE / "packs_page.js").read_bytes())
    scripts = (*SCRIPTS, "manifest.js", "packs_page.js")
    tags = "".join(f'<script defer src="{name}"></script>' for name in scripts)
    index = folder / "index.html"
    index.write_text(f'<!doctype html><meta charset="utf-8"><title>Packs</title>{tags}', "utf-8")
    return index


def small_pack(folder: Path, files: dict[str, bytes], generator: str = "tiny", **changed: Any) -> bytes:
    """A pack of these files; what `changed` names is put into its header or, with `group`, into its assets."""
    group = changed.pop("group", f"generator-{generator}")
    header = {
        "version": VERSION,
        "generator": generator,
        "title": "Tiny",
        "licence": "MIT",
        "notices": "",
        "binding": 0,
    }
    first, *others = files
    contents = [bundle_of(f"models-{generator}", group, {first: files[first]})]
    contents += [Content(name, group, InMemory(files[name])) for name in others]
    path = folder / f"terrarium-{generator}.pack"
    write_pack(path, header | changed, contents)
    return path.read_bytes()


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()
