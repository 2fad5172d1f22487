"""Model packs: one generator as one file, for a page whose folder lacks it. The layout is in web/types.d.ts.

The same inputs give the same bytes. The hashes show damage; they do not say who made a pack.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from terrarium_build.components import model_component
from terrarium_build.contents import Contents
from terrarium_build.fetch import Fetcher
from terrarium_build.lock import read_lock
from terrarium_build.models import Model, model_for
from terrarium_build.notices import notices
from terrarium_build.packing import Content, stored_bytes
from terrarium_build.paths import BuildError, megabytes, say
from terrarium_build.site import largest_binding, project_version

MAGIC = b"TERRARIUM PACK 1"
HEAD = struct.Struct("<I32s")  # the header's length and SHA-256
SLICE = 64 << 20


def make_pack(generator: str, out: Path, model: Model | None = None) -> Path:
    """`terrarium-GENERATOR.pack` in the folder `out`, its model converted when that has not been done."""
    lock, fetcher, model = read_lock(), Fetcher(), model or model_for(generator)
    component = model_component(model, lock)
    header = {
        "version": project_version(),
        "generator": generator,
        "title": component.name,
        "licence": component.licence,
        "binding": largest_binding(model),
        "notices": notices([component]),
    }
    path = out / f"terrarium-{generator}.pack"
    write_pack(path, header, Contents(lock, fetcher).generator(generator, model))
    unpacked = sum(len(data) for _, data in read_assets(path))
    say(f"{path} is written and read back: {megabytes(path.stat().st_size)}, {megabytes(unpacked)} unpacked.")
    return path


def write_pack(path: Path, header: dict[str, Any], contents: Iterable[Content]) -> None:
    """A pack with these contents; the file is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial, body = (path.with_name(path.name + end) for end in (".part", ".slices"))
    try:
        with body.open("wb") as output:
            entries = [_append(content, path.name, output) for content in contents]
        encoded = json.dumps(header | {"assets": entries}, sort_keys=True, separators=(",", ":")).encode()
        with partial.open("wb") as output, body.open("rb") as slices:
            output.write(MAGIC + HEAD.pack(len(encoded), hashlib.sha256(encoded).digest()) + encoded)
            shutil.copyfileobj(slices, output, 1 << 20)
        partial.replace(path)
    finally:
        for file in (partial, body):
            file.unlink(missing_ok=True)


def _append(content: Content, file: str, output: IO[bytes]) -> dict[str, Any]:
    entry, stored = stored_bytes(content)
    shards = []
    for start in range(0, len(stored), SLICE) or [0]:
        piece = memoryview(stored)[start : start + SLICE]
        output.write(piece)
        shards.append({"file": file, "bytes": len(piece), "sha256": hashlib.sha256(piece).hexdigest()})
    return entry | {"shards": shards}


def read_header(file: IO[bytes]) -> dict[str, Any]:
    """A pack's header; the file then stands at the first shard. Raises BuildError for what is no pack, or damaged."""
    if file.read(len(MAGIC)) != MAGIC:
        raise BuildError(f"{file.name} is not a model pack of this format.")
    length, digest = HEAD.unpack(file.read(HEAD.size).ljust(HEAD.size, b"\0"))
    encoded = file.read(length)
    if hashlib.sha256(encoded).digest() != digest:
        raise BuildError(f"{file.name} is damaged: its header has another hash than it names.")
    header: dict[str, Any] = json.loads(encoded)
    return header


def read_assets(path: Path) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Each asset's entry and final bytes, every hash checked. Raises BuildError for a damaged pack."""
    with path.open("rb") as file:
        for entry in read_header(file)["assets"]:
            stored = b"".join(_checked(file, shard, entry["name"]) for shard in entry["shards"])
            data = gzip.decompress(stored) if entry["gzip"] else stored
            if hashlib.sha256(data).hexdigest() != entry["sha256"]:
                raise BuildError(f"{path} is damaged: {entry['name']} has another hash than the header names.")
            yield entry, data
        if file.read(1):
            raise BuildError(f"{path} is damaged: something follows its last asset.")


def _checked(file: IO[bytes], shard: dict[str, Any], name: str) -> bytes:
    piece = file.read(shard["bytes"])
    if hashlib.sha256(piece).hexdigest() != shard["sha256"]:
        raise BuildError(f"{file.name} is damaged or cut short in {name}.")
    return piece
