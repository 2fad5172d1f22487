"""The built page for the tests of this folder: `dist/`, or the folder that TERRARIUM_DIST names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from terrarium_build.browsers import find_chromium

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def built_index() -> Path:
    index = Path(os.environ.get("TERRARIUM_DIST", ROOT / "dist")) / "index.html"
    if not index.is_file():
        pytest.skip(f"{index} is not there; run `python build.py` first")
    if find_chromium() is None:
        pytest.skip("no Chromium is on this machine")
    return index
