"""One file read in a process of its own: what came of it, how long it took and how much memory."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import time
from dataclasses import asdict, dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from terrarium.errors import TerrariumError
from terrarium.readers import read_document
from terrarium.readers.pdf_node import NodePdfExtractor


@dataclass(frozen=True, slots=True)
class Reading:
    """Either the document's visible text or an error."""

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
    megabytes: int = 0  # most memory of the process, or of Node where that is more

    def record(self) -> dict[str, Any]:
        """Without the text."""
        return {key: value for key, value in asdict(self).items() if key not in {"text", "text_of_pages"}}


def read_apart(path: Path, password: str | None, limit: float) -> Reading:
    """Read in a new process, which is killed after `limit` seconds together with what it started."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=read_here, args=(path, password, sender), daemon=True)
    started = time.perf_counter()
    process.start()
    sender.close()
    try:
        reading: Reading = receiver.recv() if receiver.poll(limit) else stopped(limit)
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


def stopped(limit: float) -> Reading:
    return Reading(error=f"Reading it was stopped after {limit:.0f} seconds.", error_kind="Stopped")


def read_here(path: Path, password: str | None, sender: Connection) -> None:
    import resource  # noqa: PLC0415 — is not there on Windows, where the other commands run

    os.setsid()  # so that Node, which reads PDFs, is killed with this process
    try:
        reading = asyncio.run(read(path, password))
    except (TerrariumError, OSError) as error:
        reading = Reading(error=str(error), error_kind=type(error).__name__)
    except Exception as error:  # a reader that breaks on one file must be seen as such, among the others
        reading = Reading(error=f"{type(error).__name__}: {error}", error_kind="Crashed")
    most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    sender.send(replace(reading, megabytes=most // 1024))


async def read(path: Path, password: str | None) -> Reading:
    document = await read_document(path.read_bytes(), path.name, pdf=NodePdfExtractor(), password=password)
    seen = [block for block in document.blocks if not block.hidden]
    of_pages: dict[int, str] = {}
    for block in seen:
        if block.page is not None:
            of_pages[block.page] = of_pages.get(block.page, "") + block.text + "\n"
    text = "\n".join(block.text for block in seen)
    return Reading(document.kind, document.pages, len(text.split()), document.title, document.warnings, text, of_pages)
