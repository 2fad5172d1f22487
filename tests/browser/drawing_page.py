"""A page with nothing but the code that draws pages of PDFs, under the policies of the real one after its seal."""

from __future__ import annotations

from pathlib import Path

from tests.browser.bare_page import write_bare_page

from terrarium_build.npm import bundle
from terrarium_build.paths import NODE_MODULES, ROOT

SCRIPTS = ("seal.js", "bridge/assets.js", "bridge/sealed_workers.js", "bridge/pages.js")
FILES = ("cmaps/UniJIS-UTF16-H.bcmap", "standard_fonts/LiberationSans-Regular.ttf", "standard_fonts/FoxitFixed.pfb")


def write_page(folder: Path) -> Path:
    """Its index.html."""
    pdfjs = NODE_MODULES / "pdfjs-dist"
    names = (*FILES, *(f"wasm/{path.name}" for path in (pdfjs / "wasm").glob("[jo]*.wasm")))
    files = {f"pdf/{name}": (pdfjs / name).read_bytes() for name in names}
    files["page_worker.js"] = bundle(ROOT / "web/page_worker.js", "iife")
    return write_bare_page(folder, SCRIPTS, "drawing_page.js", "pageFiles", files)
