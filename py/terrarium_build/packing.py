"""Bytes → script shards of dist/assets/. The shape of the manifest is in web/types.d.ts.

A page on file:// can load sibling scripts and nothing else, so assets travel as scripts. Base64 in a comment of a
function that is never run costs a third of the time of a string literal, and shards of more than 24 MiB are slow.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from terrarium_build.paths import BuildError, cache_folder

SHARD = 24 << 20
# What gzip does not make smaller than this is left as it is: wheels, zips, and int8 weights, which shrink to 0.88 and
# would take longer to unzip than the bytes saved take to load.
WORTHWHILE = 0.8
SAMPLE = 1 << 20


class Source(Protocol):
    """Where an asset's bytes come from."""

    @property
    def sha256(self) -> str: ...

    def read(self) -> bytes: ...


@dataclass(frozen=True)
class InMemory:
    data: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    def read(self) -> bytes:
        return self.data


@dataclass(frozen=True)
class OnDisk:
    """A file whose hash is known already: large files are read only when they must be packed."""

    path: Path
    sha256: str

    def read(self) -> bytes:
        return self.path.read_bytes()


@dataclass(frozen=True)
class Content:
    """An asset to pack. `members` makes it a bundle."""

    name: str
    group: str
    source: Source
    members: tuple[dict[str, Any], ...] = ()


def bundle_of(name: str, group: str, files: dict[str, bytes]) -> Content:
    """Many small files as one asset, in the order given."""
    members, offset = [], 0
    for member, data in files.items():
        members.append({"name": member, "offset": offset, "length": len(data)})
        offset += len(data)
    return Content(name, group, InMemory(b"".join(files.values())), tuple(members))


def pack(content: Content, out: Path) -> dict[str, Any]:
    """Writes the shards under out/assets and returns the manifest's entry."""
    entry, stored = stored_bytes(content)
    slug = re.sub(r"[^A-Za-z0-9.]+", "-", content.name).strip("-")
    shards = []
    for index, start in enumerate(range(0, len(stored), SHARD) or [0]):
        piece = stored[start : start + SHARD]
        # The hash keeps the shards of two versions apart on a host that has both, or in a browser's cache.
        file = f"assets/{slug}.{content.source.sha256[:8]}.{index}.js"
        write_whole(out / file, shard_script(f"{content.name}#{index}", piece))
        shards.append({"file": file, "bytes": len(piece)})
    return entry | {"shards": shards}


def stored_bytes(content: Content) -> tuple[dict[str, Any], bytes]:
    """The manifest's entry but for its shards, and the bytes to cut into shards."""
    data = content.source.read()
    found = hashlib.sha256(data).hexdigest()
    if found != content.source.sha256:
        raise BuildError(
            f"{content.name}: expected SHA-256 {content.source.sha256}, found {found}. "
            f"A file in {cache_folder()} is damaged; delete that folder and run again."
        )
    zipped = gzip.compress(data, 9, mtime=0) if worth_compressing(data) else b""
    entry: dict[str, Any] = {
        "name": content.name,
        "group": content.group,
        "bytes": len(data),
        "sha256": content.source.sha256,
        "gzip": bool(zipped),
    }
    if content.members:
        entry["members"] = list(content.members)
    return entry, zipped or data


def worth_compressing(data: bytes) -> bool:
    """Whether gzip saves more than a fifth, judged on at most 16 MiB spread over the data."""
    step = max(SAMPLE, len(data) // 16)
    sample = b"".join(data[start : start + SAMPLE] for start in range(0, len(data), step))
    return bool(sample) and len(gzip.compress(sample, 6)) < WORTHWHILE * len(sample)


def shard_script(label: str, piece: bytes) -> bytes:
    return b"__asset(%s,function(){/*%s*/});\n" % (json.dumps(label).encode(), base64.b64encode(piece))


def shard_files(entry: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """Each shard's file and its exact size, to tell whether what was written is still there."""
    for index, shard in enumerate(entry["shards"]):
        overhead = len(shard_script(f"{entry['name']}#{index}", b""))
        yield shard["file"], overhead + 4 * -(-shard["bytes"] // 3)


def manifest_script(manifest: dict[str, Any]) -> bytes:
    return b"__manifest(%s);\n" % json.dumps(manifest, indent=1, ensure_ascii=False).encode()


def write_whole(path: Path, data: bytes) -> None:
    """A file is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".part")
    partial.write_bytes(data)
    partial.replace(path)
