"""The files of a folder, under the names that they would have if the folder were dropped onto the page."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

IGNORED = ("Thumbs.db", "desktop.ini")  # what systems leave in folders, as in web/ui/intake.py


@dataclass(frozen=True, slots=True)
class FoundFile:
    name: str  # "share/contracts/2024 b.pdf"
    path: Path
    modified: float  # whole seconds since the epoch


def find_files(paths: Iterable[Path]) -> tuple[list[FoundFile], list[str]]:
    """(the files, in the order of their names; what was left out, a sentence each).

    A file that is named is always taken. Of a folder everything is, but for hidden files and folders and what systems
    leave in them. Links to files are followed, links to folders are not: they may lead round in circles.
    """
    found, left_out = list[FoundFile](), list[str]()
    for given in paths:
        path = given.resolve()
        for name, file in _walk(path, left_out) if path.is_dir() else [(path.name, path)]:
            try:
                found.append(FoundFile(name, file, float(int(file.stat().st_mtime))))
            except OSError as error:
                left_out.append(f"{name} could not be opened ({error.strerror}).")
    return sorted(found, key=lambda one: (one.name, one.path)), left_out


def _walk(top: Path, left_out: list[str]) -> Iterator[tuple[str, Path]]:
    def unreadable(error: OSError) -> None:
        left_out.append(f"The folder {error.filename} could not be opened ({error.strerror}).")

    for folder, below, files in os.walk(top, onerror=unreadable):
        here = Path(folder)
        prefix = (top.name / here.relative_to(top)).as_posix()
        for name in sorted(below):
            if name.startswith("."):
                left_out.append(f"{prefix}/{name}/ is a hidden folder.")
            elif (here / name).is_symlink():
                left_out.append(f"{prefix}/{name}/ is a link to a folder.")
        below[:] = [name for name in below if not name.startswith(".")]
        for name in files:
            if name.startswith(".") or name in IGNORED:
                left_out.append(f"{prefix}/{name} is a hidden file or one of the system's.")
            else:
                yield f"{prefix}/{name}", here / name
