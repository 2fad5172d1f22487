"""A folder with the real page and interface, and a scripted engine in the place of `boot.js` and the worker."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

from terrarium_build.npm import bundle
from terrarium_build.paths import NODE_MODULES, ROOT

MICROPYTHON = NODE_MODULES / "@micropython/micropython-webassembly-pyscript"

FAKES = (
    "fake_trace.js",
    "fake_library.js",
    "fake_evaluation.js",
    "fake_report.js",
    "fake_recognise.js",
    "fake_viewer.js",
    "fake_engine.js",
)
PAGE_FILES = ("whole.js", "seal.js", "interface.js")

START = """
const decode = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
addEventListener("DOMContentLoaded", () => {
  const assets = new Map(Object.entries(interfaceFiles).map(([name, text]) => [name, decode(text)]));
  startInterface(assets).then(
    () => (document.documentElement.dataset.stage = "interface"),
    (error) => (document.documentElement.dataset.stage = `failed: ${error.message}`),
  );
});
"""


def interface_files() -> dict[str, bytes]:
    """The assets that `startInterface` reads, made from the sources and the installed packages."""
    files = {"pyscript-core.mjs": bundle(NODE_MODULES / "@pyscript/core/dist/core.js", "esm")}
    files |= {name: (MICROPYTHON / name).read_bytes() for name in ("micropython.mjs", "micropython.wasm")}
    return files | {f"ui/{path.name}": path.read_bytes() for path in sorted((ROOT / "web/ui").glob("*.py"))}


def write_page(folder: Path) -> Path:
    """Write the page into `folder`; return its index.html. The policy and the seal are the real ones."""
    encoded = {name: base64.b64encode(data).decode() for name, data in interface_files().items()}
    (folder / "files.js").write_text(f"const interfaceFiles = {json.dumps(encoded)};", "utf-8")
    (folder / "start.js").write_text(START, "utf-8")
    styles = sorted((ROOT / "web").glob("*.css"))
    fakes = (Path(__file__).with_name(name) for name in FAKES)
    for source in (*styles, *(ROOT / "web" / name for name in PAGE_FILES), *fakes):
        (folder / source.name).write_bytes(source.read_bytes())
    deferred = ("files.js", "seal.js", *FAKES, "interface.js", "start.js")
    tags = "\n".join(f'<script defer src="{name}"></script>' for name in deferred)
    page = (ROOT / "web/index.html").read_text("utf-8")
    page = re.sub(r"(<script defer [^\n]*\n)+", lambda _: tags + "\n", page, count=1)
    index = folder / "index.html"
    index.write_text(page, "utf-8")
    return index
