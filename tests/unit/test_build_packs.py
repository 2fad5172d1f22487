"""Model packs as files: the same bytes again, and no damage that goes unnoticed."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from terrarium_build import packs
from terrarium_build.packing import Content, InMemory, bundle_of
from terrarium_build.packs import read_assets, write_pack
from terrarium_build.paths import BuildError

WEIGHTS = random.Random(3).randbytes(10_000)
TEXT = b'{"the": 1, "same": 2, "again": 3}' * 300
HEADER = {"version": "1.2.3", "generator": "tiny", "title": "Tiny", "licence": "MIT", "notices": "text"}
CONTENTS = (
    bundle_of("models-tiny", "generator-tiny", {"models/tiny.toml": b'id = "tiny"\n', "models/tiny.files.json": b"{}"}),
    Content("models/tiny.onnx", "generator-tiny", InMemory(WEIGHTS)),
    Content("models/tiny.tokenizer.json", "generator-tiny", InMemory(TEXT)),
    Content("models/empty", "generator-tiny", InMemory(b"")),
)


@pytest.fixture(autouse=True)
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "SLICE", 4096)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    path = tmp_path / "terrarium-tiny.pack"
    write_pack(path, HEADER, CONTENTS)
    return path


def test_every_asset_comes_back(pack: Path) -> None:
    found = {entry["name"]: data for entry, data in read_assets(pack)}
    assert found == {content.name: content.source.read() for content in CONTENTS}


def test_the_layout_is_the_documented_one(pack: Path) -> None:
    """Taken apart by hand, as another program would from web/types.d.ts."""
    data = pack.read_bytes()
    assert data[:16] == b"TERRARIUM PACK 1"
    length = int.from_bytes(data[16:20], "little")
    header, body = data[52 : 52 + length], data[52 + length :]
    assert data[20:52] == hashlib.sha256(header).digest()
    described = json.loads(header)
    assert {key: described[key] for key in HEADER} == HEADER
    shards = [shard for asset in described["assets"] for shard in asset["shards"]]
    for shard in shards:
        piece, body = body[: shard["bytes"]], body[shard["bytes"] :]
        assert hashlib.sha256(piece).hexdigest() == shard["sha256"]
        assert shard["bytes"] <= 4096
    assert body == b""
    gzipped = {asset["name"]: asset["gzip"] for asset in described["assets"]}
    assert gzipped["models/tiny.tokenizer.json"] and not gzipped["models/tiny.onnx"]
    assert described["assets"][0]["members"][1] == {"name": "models/tiny.files.json", "offset": 12, "length": 2}


def test_writing_twice_gives_the_same_bytes_and_leaves_nothing_else(pack: Path, tmp_path: Path) -> None:
    again = tmp_path / "again" / pack.name
    write_pack(again, HEADER, CONTENTS)
    assert again.read_bytes() == pack.read_bytes()
    assert list(again.parent.iterdir()) == [again]


def flip(position: int) -> Callable[[bytes], bytes]:
    return lambda data: data[:position] + bytes([data[position] ^ 1]) + data[position:][1:]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda data: b"PACK" + data, "not a model pack"),
        (lambda data: data[:30], "header"),
        (flip(60), "header"),
        (flip(-5000), "damaged or cut short in models/tiny.onnx"),
        (lambda data: data[:-1], "damaged or cut short in models/tiny.tokenizer.json"),
        (lambda data: data + b"x", "something follows"),
    ],
    ids=["unrelated", "stump", "changed header", "changed weights", "cut", "longer"],
)
def test_damage_is_named(change: Callable[[bytes], bytes], sentence: str, pack: Path) -> None:
    pack.write_bytes(change(pack.read_bytes()))
    with pytest.raises(BuildError, match=sentence):
        list(read_assets(pack))


def test_a_damaged_source_leaves_no_pack(tmp_path: Path) -> None:
    class Changed(InMemory):
        def read(self) -> bytes:
            return self.data + b"!"

    with pytest.raises(BuildError, match="tiny"):
        write_pack(tmp_path / "x.pack", HEADER, [Content("models/tiny.onnx", "generator-tiny", Changed(b"weights"))])
    assert list(tmp_path.iterdir()) == []
