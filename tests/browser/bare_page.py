"""Pages with nothing but some scripts of the real one, under its policies after the seal."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from terrarium_build.paths import ROOT

HERE = Path(__file__).parent


def write_bare_page(folder: Path, scripts: Sequence[str], own: str, variable: str, files: Mapping[str, bytes]) -> Path:
    """Its index.html. `scripts` are of web/, `own` stands beside this module; `variable` holds `files` in Base64."""
    encoded = {name: base64.b64encode(data).decode() for name, data in files.items()}
    (folder / "files.js").write_text(f"const {variable} = {json.dumps(encoded)};", "utf-8")
    for path in (*(ROOT / "web" / name for name in scripts), HERE / own):
        (folder / path.name).write_bytes(path.read_bytes())
    policy = re.search(r"<meta http-equiv=[^>]*>", (ROOT / "web/index.html").read_text("utf-8"))
    assert policy
    loaded = (*(Path(name).name for name in scripts), "files.js", own)
    tags = "".join(f'<script defer src="{name}"></script>' for name in loaded)
    index = folder / "index.html"
    index.write_text(f'<!doctype html>{policy[0]}<meta charset="utf-8"><title>Bare</title>{tags}', "utf-8")
    return index
