"""Memory of the page's renderer process, from Linux's /proc: page, worker and WebAssembly live in that one."""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Memory:
    """`peak`: most of it that ever was resident, the browser's own program included; `rest`: its share now. In MB.

    Chromium starts the system's count of the peak anew every now and then: over minutes take `watched_peak`.
    """

    peak: float
    rest: float


def renderer_memory(root: int | None = None) -> Memory | None:
    """Of the largest renderer among the processes that `root` (this process) started; None where there is no /proc."""
    found = [memory for pid in _descendants(root or os.getpid()) if (memory := _renderer(pid))]
    return max(found, key=lambda memory: memory.rest, default=None)


@contextlib.contextmanager
def watched_peak(interval: float = 0.1) -> Iterator[Callable[[], float]]:
    """Looks at the renderers below this process every `interval` seconds while the `with` lasts.

    Gives a function that returns the most MB that one of them had resident at a look; 0 where there is no /proc.
    """
    most, ended = 0.0, threading.Event()

    def watch() -> None:
        nonlocal most
        while not ended.wait(interval):
            for pid in _descendants(os.getpid()):
                most = max(most, _resident(pid))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield lambda: most
    finally:
        ended.set()
        thread.join()


def _descendants(root: int) -> Iterator[int]:
    children: dict[int, list[int]] = {}
    for folder in PROC.glob("[0-9]*"):
        try:
            # The name of the program, in parentheses, may hold anything; what follows it is fixed.
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError, ValueError):
            continue  # it has ended
        children.setdefault(parent, []).append(int(folder.name))
    waiting = [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        yield from below
        waiting += below


def _is_renderer(folder: Path) -> bool:
    return b"--type=renderer" in (folder / "cmdline").read_bytes()


def _resident(pid: int) -> float:
    """MB; 0 for what is no renderer, or has ended."""
    folder = PROC / str(pid)
    try:
        return _kilobytes(folder / "status", "VmRSS") if _is_renderer(folder) else 0.0
    except OSError:
        return 0.0


def _renderer(pid: int) -> Memory | None:
    folder = PROC / str(pid)
    try:
        if not _is_renderer(folder):
            return None
        return Memory(_kilobytes(folder / "status", "VmHWM"), _kilobytes(folder / "smaps_rollup", "Pss"))
    except OSError:
        return None


def _kilobytes(file: Path, field: str) -> float:
    found = re.search(rf"^{field}:\s+(\d+) kB", file.read_text(), re.MULTILINE)
    return int(found[1]) * 1024 / 1e6 if found else 0.0
