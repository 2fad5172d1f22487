"""assets.lock.toml: every third-party byte, pinned. The file's own head says what its fields mean."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from terrarium_build.paths import ROOT, BuildError

LOCK = ROOT / "assets.lock.toml"
Kind = Literal["npm", "pypi", "url"]
KINDS: tuple[Kind, ...] = ("npm", "pypi", "url")


@dataclass(frozen=True)
class Part:
    """One thing to fetch: `source` is a pinned package or an address, `member` a path inside it ("" for all of it)."""

    kind: Kind
    source: str
    member: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.source}" + (f" ({self.member})" if self.member else "")


@dataclass(frozen=True)
class Place:
    """Where an asset may be had: its parts, one after the other, are its bytes."""

    parts: tuple[Part, ...]

    def __str__(self) -> str:
        more = f" and {len(self.parts) - 1} more" if len(self.parts) > 1 else ""
        return f"{self.parts[0]}{more}"


@dataclass(frozen=True)
class Asset:
    name: str
    version: str
    licence: str
    bytes: int
    sha256: str
    places: tuple[Place, ...]


def read_lock(path: Path = LOCK) -> dict[str, Asset]:
    """All assets by name, in the file's order. Raises BuildError for an entry that pins nothing."""
    assets: dict[str, Asset] = {}
    for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("asset", []):
        name = entry.get("name", "without a name")
        try:
            asset = Asset(
                name=entry["name"],
                version=entry["version"],
                licence=entry["licence"],
                bytes=int(entry["bytes"]),
                sha256=entry["sha256"],
                places=tuple(_place(place) for place in entry["places"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BuildError(f"{path.name}: the entry {name} is incomplete: {error}.") from error
        if name in assets:
            raise BuildError(f"{path.name}: {name} is listed twice.")
        if len(asset.sha256) != 64 or not asset.places:
            raise BuildError(f"{path.name}: {name} needs a SHA-256 of 64 digits and at least one place.")
        assets[name] = asset
    return assets


def _place(entry: dict[str, Any]) -> Place:
    return Place(tuple(_part(part) for part in entry["parts"]) if "parts" in entry else (_part(entry),))


def _part(entry: dict[str, str]) -> Part:
    for kind in KINDS:
        if kind in entry:
            return Part(kind, entry[kind], entry.get("member", ""))
    raise ValueError(f"a place must be one of {', '.join(KINDS)}")
