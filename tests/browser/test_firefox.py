"""The same page in Firefox, opened from disk: its rules for files, workers and blobs differ from Chromium's."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from terrarium_build.browsers import find_firefox

pytestmark = pytest.mark.browser

SCRIPT = Path(__file__).with_name("firefox_boot.mjs")
ROOT = SCRIPT.parents[2]

# Arrays through onnxruntime, bytes through IndexedDB, and a PDF worker made by the reader's, which the engine's made.
CODE = """
import json
import numpy as np
session = await runtime.session("identity-int64.onnx")
arrays, _ = await session.run({"x": np.array([[1, 2]], dtype=np.int64)}, ["y"])
await store.put({"settings": {"key": b"value"}})
try:
    await reader.read(b"%PDF-1.4 nothing", "a.pdf")
except Exception as error:
    said = str(error)
json.dumps([arrays["y"].tolist(), type(store).__name__, (await store.get("settings", "key")).decode(), said])
"""


def test_engine_works_from_disk_in_firefox(probe: Path) -> None:
    firefox = find_firefox()
    if firefox is None:
        pytest.skip("no Firefox on this machine")
    if not (ROOT / "node_modules/puppeteer-core").is_dir():
        pytest.skip("puppeteer-core is not installed; run `npm ci`")
    command = ["node", str(SCRIPT), str(firefox), (probe / "index.html").as_uri(), CODE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, done.stderr
    outcome = json.loads(done.stdout)
    assert (outcome["stage"], outcome["failure"]) == ("ready", "")
    *rest, said = json.loads(outcome["value"])
    assert rest == [[[1, 2]], "IndexedDBStore", "value"] and "the PDF is damaged" in said
    assert outcome["requests"] == []
