"""A page with nothing but the code for text recognition, under the policies of the real one after its seal."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

from terrarium_build.contents import OCR_FILES
from terrarium_build.fetch import Fetcher
from terrarium_build.lock import read_lock
from terrarium_build.npm import bundle
from terrarium_build.paths import ROOT

HERE = Path(__file__).parent
SCRIPTS = ("seal.js", "bridge/assets.js", "bridge/ocr.js")


def write_page(folder: Path) -> Path:
    """Its index.html. The recogniser's own files are fetched into the cache where they are missing."""
    lock, fetcher = read_lock(), Fetcher()
    files = {name: fetcher.fetch(lock[name]).read_bytes() for name in OCR_FILES}
    files["ocr_worker.js"] = bundle(ROOT / "web/ocr_worker.js", "iife")
    encoded = {name: base64.b64encode(data).decode() for name, data in files.items()}
    (folder / "files.js").write_text(f"const ocrFiles = {json.dumps(encoded)};", "utf-8")
    for name in SCRIPTS:
        (folder / Path(name).name).write_bytes((ROOT / "web" / name).read_bytes())
    (folder / "ocr_page.js").write_bytes((HERE / "ocr_page.js").read_bytes())
    policy = re.search(r"<meta http-equiv=[^>]*>", (ROOT / "web/index.html").read_text("utf-8"))
    assert policy
    scripts = (*(Path(name).name for name in SCRIPTS), "files.js", "ocr_page.js")
    tags = "".join(f'<script defer src="{name}"></script>' for name in scripts)
    index = folder / "index.html"
    index.write_text(f'<!doctype html>{policy[0]}<meta charset="utf-8"><title>Recognition</title>{tags}', "utf-8")
    return index
