"""One file read in a process of its own: what came of it, how long it took and how much memory."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import re
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Protocol

from terrarium.errors import TerrariumError
from terrarium.readers.limits import Limits, given_up, limits_of, too_much_memory
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.readers.reading import read_file
from terrarium.views import reading_view


class Receiver(Protocol):
    """What is needed of a `Connection`."""

    def poll(self, timeout: float, /) -> bool: ...

    def recv(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class Reading:
    """Either the visible text of the file and the files inside of it, or an error."""

    kind: str = ""
    pages: int | None = None
    words: int = 0
    title: str = ""
    warnings: tuple[str, ...] = ()
    text: str = ""
    text_of_pages: dict[int, str] | None = None
    error: str = ""  # the sentence for the person
    error_kind: str = ""  # the exception's name; "Stopped" at the time limit, "Crashed" for anything unforeseen
    seconds: float = 0.0
    megabytes: int = 0  # most memory of the process, or of Node where that is more; of the tab, when it was read there

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> Reading:
        """Of what `views.reading_view` gives, here or in a page."""
        of_pages = {int(page): text for page, text in view["text_of_pages"].items()}
        alike = {name: view[name] for name in ("kind", "pages", "words", "title", "text")}
        return cls(**alike, warnings=tuple(view["warnings"]), text_of_pages=of_pages)

    def record(self) -> dict[str, Any]:
        """Without the text."""
        return {key: value for key, value in asdict(self).items() if key not in {"text", "text_of_pages"}}


def read_apart(path: Path, password: str | None, limit: float | None = None) -> Reading:
    """Read in a new process, which is killed together with what it started when the file is beyond its limits.

    `limit` are seconds altogether that stand in for those by size. `path` must be a file.
    """
    with path.open("rb") as file:
        limits = limits_of(file.read(2), path.stat().st_size)
    if limit is not None:
        limits = replace(limits, silence=limit, whole=limit)
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=read_here, args=(path, password, limits.megabytes, sender), daemon=True)
    started = time.perf_counter()
    process.start()
    sender.close()
    try:
        reading = heard(receiver, limits, path.name)
    except EOFError:
        process.join()
        reading = Reading(error=f"The process that read it ended with {process.exitcode}.", error_kind="Crashed")
    if reading.error_kind == "Stopped":
        kill(process)
    process.join()
    return replace(reading, seconds=round(time.perf_counter() - started, 3))


def kill(process: BaseProcess) -> None:
    assert process.pid  # it was started
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:  # it has not come so far as to lead a group
        process.kill()


def heard(receiver: Receiver, limits: Limits, name: str) -> Reading:
    """What the process sends at last; before that None at each step. Raises EOFError when it ends without a word."""
    started = time.perf_counter()
    while receiver.poll(max(0.0, min(limits.silence, started + limits.whole - time.perf_counter()))):
        reading: Reading | None = receiver.recv()
        if reading is not None:
            return reading
    return Reading(error=str(given_up(name, time.perf_counter() - started)), error_kind="Stopped")


def read_here(path: Path, password: str | None, megabytes: int, sender: Connection) -> None:
    import resource  # noqa: PLC0415 — is not there on Windows, where the other commands run

    os.setsid()  # so that Node, which reads PDFs, is killed with this process
    # Of the data of each process, Node's too: what a program only reserves counts in others of these limits.
    resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    try:
        reading = asyncio.run(read(path, password, lambda done, total: sender.send(None)))
    except (TerrariumError, OSError) as error:
        reading = Reading(error=str(error), error_kind=type(error).__name__)
    except MemoryError:
        reading = Reading(error=str(too_much_memory(path.name, megabytes)), error_kind="UnreadableFile")
    except Exception as error:  # a reader that breaks on one file must be seen as such, among the others
        reading = Reading(error=f"{type(error).__name__}: {error}", error_kind="Crashed")
    own = most_memory() or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    most = max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    sender.send(replace(reading, megabytes=most // 1024))


def most_memory() -> int:
    """kB that this process has held at most, where the system tells; in `ru_maxrss` Linux counts who started it too."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s*(\d+)", status.read_text()) if status.is_file() else None
    return int(found[1]) if found else 0


async def read(path: Path, password: str | None, progress: Callable[[int, int], None] | None = None) -> Reading:
    data = path.read_bytes()
    file = await read_file(data, path.name, pdf=NodePdfExtractor(), password=password, progress=progress)
    return Reading.of(reading_view(file))
