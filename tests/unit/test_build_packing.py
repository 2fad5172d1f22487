"""Shards and bundles, read back as the page reads them."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from terrarium_build import packing
from terrarium_build.packing import Content, InMemory, OnDisk, bundle_of, manifest_script, pack, shard_files
from terrarium_build.paths import BuildError

NOISE = random.Random(7).randbytes(10_000)
TEXT = b"the same words again and again; " * 400


def unpack(entry: dict[str, Any], out: Path) -> bytes:
    """What web/shards.js does: the function's comment, base64, gzip."""
    stored = b""
    for index, shard in enumerate(entry["shards"]):
        script = (out / shard["file"]).read_text(encoding="ascii")
        found = re.fullmatch(r'__asset\("(.*)",function\(\)\{/\*([A-Za-z0-9+/=]*)\*/\}\);\n', script)
        assert found and found[1] == f"{entry['name']}#{index}"
        piece = base64.b64decode(found[2], validate=True)
        assert len(piece) == shard["bytes"]
        stored += piece
    return gzip.decompress(stored) if entry["gzip"] else stored


@pytest.mark.parametrize("data", [NOISE, TEXT, b"", b"x"], ids=["noise", "text", "empty", "one byte"])
def test_shards_give_back_the_bytes(data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "SHARD", 1000)
    entry = pack(Content("models/some name.onnx", "engine", InMemory(data)), tmp_path)
    assert unpack(entry, tmp_path) == data
    assert (entry["bytes"], entry["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    assert all(shard["bytes"] <= 1000 for shard in entry["shards"])


def test_only_what_shrinks_is_compressed(tmp_path: Path) -> None:
    assert pack(Content("a", "engine", InMemory(TEXT)), tmp_path)["gzip"] is True
    assert pack(Content("b", "engine", InMemory(NOISE)), tmp_path)["gzip"] is False


def test_members_of_a_bundle_are_found_by_offset(tmp_path: Path) -> None:
    files = {"ui/a.py": b"a = 1\n", "ui/empty.py": b"", "ui/z.py": TEXT}
    entry = pack(bundle_of("ui", "interface", files), tmp_path)
    data = unpack(entry, tmp_path)
    found = {m["name"]: data[m["offset"] : m["offset"] + m["length"]] for m in entry["members"]}
    assert found == files


def test_file_sizes_are_known_without_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "SHARD", 4096)
    entry = pack(Content("noise", "engine", InMemory(NOISE)), tmp_path)
    assert dict(shard_files(entry)) == {
        shard["file"]: (tmp_path / shard["file"]).stat().st_size for shard in entry["shards"]
    }


def test_a_damaged_file_of_the_cache_is_named_and_not_packed(tmp_path: Path) -> None:
    path = tmp_path / "cached"
    path.write_bytes(b"damaged")
    expected = hashlib.sha256(b"original").hexdigest()
    with pytest.raises(BuildError) as caught:
        pack(Content("weights", "engine", OnDisk(path, expected)), tmp_path / "dist")
    for fact in ("weights", expected, hashlib.sha256(b"damaged").hexdigest()):
        assert fact in str(caught.value)
    assert not (tmp_path / "dist").exists()


def test_packing_twice_gives_the_same_files(tmp_path: Path) -> None:
    content = bundle_of("ui", "interface", {"a": TEXT, "b": NOISE})
    assert pack(content, tmp_path / "one") == pack(content, tmp_path / "two")
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / run / "assets").iterdir()} for run in ("one", "two")
    )
    assert one == two


def test_the_manifest_is_one_call() -> None:
    manifest = {"format": 1, "assets": [{"name": "ü"}]}
    script = manifest_script(manifest).decode()
    assert script.startswith("__manifest(") and script.endswith(");\n")
    assert json.loads(script.removeprefix("__manifest(").removesuffix(");\n")) == manifest
