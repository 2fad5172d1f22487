"""The head and its calibration as one small file, with what it was made from in its metadata."""

from __future__ import annotations

import json
from pathlib import Path

from safetensors import safe_open
from safetensors.numpy import save_file


def export(head: Path, calibration: Path, out: Path) -> None:
    """`out` is what the conversion of the embedder reads; slope and intercept stand in its metadata."""
    table = json.loads(calibration.read_text(encoding="utf-8"))
    with safe_open(head, "numpy") as file:
        arrays = {name: file.get_tensor(name) for name in file.keys()}
        about = {**file.metadata(), "calibration": json.dumps(table)}
    save_file(arrays, out, about)
    out.chmod(0o644)  # the library writes files that only their owner can read
