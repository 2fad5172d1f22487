"""ZIP archives that cannot fill the memory: every read is counted, nothing is ever written to disk."""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass
from types import TracebackType

from terrarium.errors import PasswordNeeded, UnreadableFile

MOST_BYTES = 200 * 1024 * 1024  # of all members together, unpacked
MOST_RATIO = 150  # unpacked to packed, for members above 1 MiB; prose packs to a fifth, XML to a thirtieth
MOST_MEMBERS = 20_000
MOST_FILES = 1000  # inside of one that was added
DEEPEST = 5  # files inside of files: a mail that was forwarded four times, with what is attached to it

ENCRYPTED = 1  # of a member's flags (APPNOTE.TXT 4.4.4)

DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, ValueError, OSError, EOFError)


@dataclass(slots=True)
class Allowance:
    """What a file that was added may still hold, counted down by all that is in it, however deep."""

    size: int = MOST_BYTES  # unpacked
    files: int = MOST_FILES
    depth: int = DEEPEST


class Archive:
    """Members by name. Reading one that is missing, damaged or too large raises UnreadableFile."""

    def __init__(self, archive: zipfile.ZipFile, name: str, allowance: Allowance) -> None:
        self._archive = archive
        self._name = name
        self._allowance = allowance
        self.names = archive.namelist()

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._archive.close()

    def read(self, member: str) -> bytes:
        if self._allowance.size < 0:
            raise too_large(self._name)
        try:
            if self._archive.getinfo(member).flag_bits & ENCRYPTED:
                raise PasswordNeeded(f"“{member}” in “{self._name}” opens with a password only. Unpack it to add it.")
            with self._archive.open(member) as stream:
                data = stream.read(self._allowance.size + 1)
        except KeyError as error:
            raise UnreadableFile(f"“{self._name}” is damaged: “{member}” is missing in it.") from error
        except DAMAGED as error:
            message = f"“{self._name}” is damaged: “{member}” in it cannot be unpacked ({error})."
            raise UnreadableFile(message) from error
        self._allowance.size -= len(data)
        if self._allowance.size < 0:
            raise too_large(self._name)
        return data


def open_archive(data: bytes, name: str, allowance: Allowance | None = None) -> Archive:
    """Refuses at once what its own directory calls too large; `read` counts what is really there."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, EOFError) as error:
        raise UnreadableFile(f"“{name}” is damaged: its archive cannot be opened ({error}).") from error
    members = archive.infolist()
    bomb = any(m.file_size > 2**20 and m.file_size > MOST_RATIO * max(m.compress_size, 1) for m in members)
    if bomb or len(members) > MOST_MEMBERS or sum(m.file_size for m in members) > MOST_BYTES:
        raise too_large(name)
    return Archive(archive, name, allowance or Allowance())


def too_large(name: str) -> UnreadableFile:
    return UnreadableFile(
        f"“{name}” was not read: it unpacks to over {MOST_BYTES >> 20} MB or over {MOST_RATIO} times its size."
    )
