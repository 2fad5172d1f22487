"""A page with nothing but the code that draws pages of PDFs, under the policies of the real one after its seal."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

from terrarium_build.npm import bundle
from terrarium_build.paths import NODE_MODULES, ROOT

HERE = Path(__file__).parent
SCRIPTS = ("seal.js", "bridge/assets.js", "bridge/pages.js")
FILES = ("cmaps/UniJIS-UTF16-H.bcmap", "standard_fonts/LiberationSans-Regular.ttf", "standard_fonts/FoxitFixed.pfb")


def write_page(folder: Path) -> Path:
    """Its index.html."""
    pdfjs = NODE_MODULES / "pdfjs-dist"
    names = (*FILES, *(f"wasm/{path.name}" for path in (pdfjs / "wasm").glob("[jo]*.wasm")))
    files = {f"pdf/{name}": (pdfjs / name).read_bytes() for name in names}
    files["page_worker.js"] = bundle(ROOT / "web/page_worker.js", "iife")
    encoded = {name: base64.b64encode(data).decode() for name, data in files.items()}
    (folder / "files.js").write_text(f"const pageFiles = {json.dumps(encoded)};", "utf-8")
    for name in SCRIPTS:
        (folder / Path(name).name).write_bytes((ROOT / "web" / name).read_bytes())
    (folder / "drawing_page.js").write_bytes((HERE / "drawing_page.js").read_bytes())
    policy = re.search(r"<meta http-equiv=[^>]*>", (ROOT / "web/index.html").read_text("utf-8"))
    assert policy
    scripts = (*(Path(name).name for name in SCRIPTS), "files.js", "drawing_page.js")
    tags = "".join(f'<script defer src="{name}"></script>' for name in scripts)
    index = folder / "index.html"
    index.write_text(f'<!doctype html>{policy[0]}<meta charset="utf-8"><title>Pages</title>{tags}', "utf-8")
    return index
