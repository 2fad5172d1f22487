"""`build.py read`: files read inside the built page in Chromium from file://, and compared as `terrarium read` does.

The page's engine reads them as it reads a file that is added, and keeps nothing. A page that crashes or no longer
answers costs the file that it was reading: the next one is read in a new page.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Error

from terrarium.desk.read import read_all
from terrarium.desk.reading import Reading
from terrarium.errors import TerrariumError
from terrarium.readers.limits import given_up
from terrarium_build.bench.memory import watched_peak
from terrarium_build.driving import TerrariumPage, open_chromium
from terrarium_build.paths import BuildError, say
from terrarium_build.scripts import expression

CRASHED = "The tab crashed while it was read."
LONGEST = 3600.0  # seconds for a file, where the page's own limits are the ones that are tried
# How the page tells of a file that it gave up, which at the desk is no error that somebody may have expected either.
GIVEN_UP = {"Stopped": " was given up after ", "Crashed": " broke its reader ("}
INPUT = "() => Object.assign(document.createElement('input'), { type: 'file' })"


def read(index: Path, args: argparse.Namespace) -> int:
    """As `desk.read.read_all`, whose options these are. Raises BuildError when the page does not start."""
    try:
        with open_chromium() as context:
            page = PageReader(context, index)
            return read_all(args, lambda file, password: page.read(file, password, args.limit), say)
    except TerrariumError as error:
        print(error, file=sys.stderr)
        return 1


class PageReader:
    """Reads in one page after the other, each for as long as it lives."""

    def __init__(self, context: BrowserContext, index: Path) -> None:
        self._context, self._index = context, index
        self._driven: TerrariumPage | None = None
        self.progress: list[tuple[int, int, float]] = []  # (done, total, seconds after its start) of the last file

    def read(self, file: Path, password: str | None, limit: float | None = None) -> Reading:
        """Read one file, for at most about `limit` seconds; None leaves it to the page's own limits.

        Raises BuildError when a page does not start.
        """
        driven = self._driven = self._driven or self._opened()
        with watched_peak(0.25) as most:
            try:
                found = read_in(driven, file, password, limit or LONGEST)
            except Error as error:
                if "crash" not in str(error).lower() and not driven.page.is_closed():
                    raise BuildError(f"{file.name} could not be given to the page: {error}") from error
                found = {"error": {"kind": "Crashed", "message": CRASHED}, "seconds": 0.0, "progress": []}
            memory = round(most())
        self.progress = [(int(done), int(total), seconds) for done, total, seconds in found["progress"]]
        reading = replace(as_reading(found, file.name), seconds=round(found["seconds"], 3), megabytes=memory)
        if found.get("stuck") or reading.error_kind == "Crashed":
            self._driven = None
        return reading

    def _opened(self) -> TerrariumPage:
        """A new page, before the old ones go: a browser without any ends."""
        old = self._context.pages
        self._context.new_page()
        for page in old:
            page.close()
        return TerrariumPage.open(self._context, self._index.as_uri(), writer="none")


def read_in(driven: TerrariumPage, file: Path, password: str | None, limit: float) -> dict[str, Any]:
    """What read_in_page.js gives. Raises playwright's Error, among others when the page crashes."""
    holder = driven.page.evaluate_handle(INPUT).as_element()
    assert holder  # INPUT makes an element
    holder.set_input_files(str(file.resolve()))
    asked = {"input": holder, "password": password, "limit": limit}
    found: dict[str, Any] = driven.page.evaluate(expression("read_in_page.js"), asked)
    holder.dispose()
    return found


def as_reading(found: Mapping[str, Any], name: str) -> Reading:
    """An error that is none of the engine's own sentences counts as a crash, as it does at the desk."""
    if found.get("stopped"):
        return Reading(error=str(given_up(name, found["seconds"])), error_kind="Stopped")
    if error := found.get("error"):
        kind = "Crashed" if error["kind"] == "InternalError" else error["kind"]
        return Reading(error=error["message"], error_kind=_given_up(error["message"]) or kind)
    return Reading.of(found["result"])


def _given_up(message: str) -> str:
    return next((kind for kind, said in GIVEN_UP.items() if message.startswith("Reading “") and said in message), "")
