"""A page with nothing but the code for text recognition, under the policies of the real one after its seal."""

from __future__ import annotations

from pathlib import Path

from tests.browser.bare_page import write_bare_page

from terrarium_build.contents import OCR_FILES
from terrarium_build.fetch import Fetcher
from terrarium_build.lock import read_lock
from terrarium_build.npm import bundle
from terrarium_build.paths import ROOT

SCRIPTS = ("seal.js", "bridge/assets.js", "bridge/sealed_workers.js", "bridge/ocr.js")


def write_page(folder: Path) -> Path:
    """Its index.html. The recogniser's own files are fetched into the cache where they are missing."""
    lock, fetcher = read_lock(), Fetcher()
    files = {name: fetcher.fetch(lock[name]).read_bytes() for name in OCR_FILES}
    files["ocr_worker.js"] = bundle(ROOT / "web/ocr_worker.js", "iife")
    return write_bare_page(folder, SCRIPTS, "ocr_page.js", "ocrFiles", files)
