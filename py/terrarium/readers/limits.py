"""What reading one file may take, by how much there is to read: the same at the desk and in the tab.

Time is counted between steps (a page, a row of a table, a file inside of it), so that a long file that comes on is
never given up in the middle, and bounded as a whole all the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from terrarium.errors import UnreadableFile
from terrarium.readers.archive import MOST_BYTES

SECONDS = 30.0  # for the smallest file, on a laptop that does other things too
SECONDS_PER_MEGABYTE = 6.0
STEPS = 20  # silences that reading may take in all
MEGABYTES = 512
MEGABYTES_PER_MEGABYTE = 24
MOST_MEGABYTES = 2048
PACKED = 10  # XML packs to a tenth

AGAIN = "Split it, or open it in its program and save it again, then add it."


@dataclass(frozen=True, slots=True)
class Limits:
    silence: float  # seconds without a step
    whole: float  # seconds altogether
    megabytes: int  # of memory


def limits_of(data: bytes, size: int | None = None) -> Limits:
    """Of a file's bytes, or of its first ones and its size. An archive counts for what it may unpack to."""
    size = len(data) if size is None else size
    if data.startswith(b"PK"):
        size = max(size, min(size * PACKED, MOST_BYTES))
    silence = SECONDS + SECONDS_PER_MEGABYTE * size / 1e6
    megabytes = min(MEGABYTES + MEGABYTES_PER_MEGABYTE * size / 1e6, MOST_MEGABYTES)
    return Limits(silence, STEPS * silence, int(megabytes))


def given_up(name: str, seconds: float) -> UnreadableFile:
    return UnreadableFile(f"Reading “{name}” was given up after {seconds:.0f} seconds. {AGAIN}")


def too_much_memory(name: str, megabytes: int) -> UnreadableFile:
    return UnreadableFile(f"“{name}” needs more than {megabytes} MB of memory to be read. {AGAIN}")


def broken_off(name: str, reason: str) -> UnreadableFile:
    return UnreadableFile(f"Reading “{name}” broke its reader ({reason}). {AGAIN}")
