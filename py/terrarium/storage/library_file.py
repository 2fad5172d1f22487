"""A whole library as one file, `NAME.terrarium`: what leaves one machine and enters another.

A ZIP archive of entries that are stored as they are (not compressed), so that any unpacker shows what is inside:

    mimetype        first, `MIMETYPE`, which stands at a fixed place of the file, as in EPUB
    documents/<id>  one for each document: 4 bytes n (little-endian), n bytes of JSON {kind: [length, …]}, and the
                    values of all kinds end to end; the one value of kind "documents" is the document's record
    library.json    last: {"format": 1, "schema": n, "documents": [{"id", "size", "sha256"}, …]}, in the entries' order

No time, machine or user is written: the same values in the same order give the same bytes. What was asked (traces) and
what was measured here (settings) stay where they are. The hashes show damage; they do not tell who made the file.

Knows nothing of records or chunks: `transfer.py` does. Format of the archive: APPNOTE.TXT, PKWARE; through `zipfile`.
"""

from __future__ import annotations

import hashlib
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import IO

from terrarium.errors import StorageError
from terrarium.storage.protocol import KINDS, Kind

FORMAT = 1
MIMETYPE = b"application/vnd.terrarium.library"
HEAD = b"mimetype" + MIMETYPE
HEAD_AT = 30  # bytes of a ZIP entry's header before its name
MANIFEST = "library.json"
KEPT: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind not in ("traces", "settings"))
_LENGTH = struct.Struct("<I")
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that ZIP knows

Values = Mapping[Kind, Sequence[bytes]]

NOT_ONE = (
    "This is not a Terrarium library. Choose a file that “Save as one file” or `terrarium index` wrote; "
    "its name ends in .terrarium."
)
DAMAGED = (
    "The library file is damaged or was not copied whole ({why}). Copy it again, or save it again where it came from."
)
NEWER = (
    "This library file was written by a newer version of Terrarium ({what} {found}, this version reads up to {known}). "
    "Nothing was changed. Open it with the newer version."
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A document's place in the manifest: `size` and `sha256` are those of its whole entry."""

    id: str
    size: int
    sha256: str


def is_library_file(start: bytes) -> bool:
    """Whether a file begins as a library does; 71 bytes are enough."""
    return start[:4] == b"PK\3\4" and start[HEAD_AT:].startswith(HEAD)


class LibraryFileWriter:
    """Gives the file piece by piece, in order; each method returns the pieces that it adds. Nothing goes back."""

    def __init__(self, schema: int) -> None:
        self._schema = schema
        self._entries: list[Entry] = []
        self._pieces = _Pieces()
        self._archive = zipfile.ZipFile(self._pieces, "w")

    def begin(self) -> list[bytes]:
        self._add("mimetype", [MIMETYPE])
        return self._pieces.take()

    def document(self, document_id: str, values: Values) -> list[bytes]:
        lengths = {kind: [len(value) for value in values[kind]] for kind in KEPT if kind in values}
        head = json.dumps(lengths).encode()
        parts = [_LENGTH.pack(len(head)), head, *(value for kind in lengths for value in values[kind])]
        self._entries.append(Entry(document_id, sum(map(len, parts)), _sha256(parts)))
        self._add(f"documents/{document_id}", parts)
        return self._pieces.take()

    def end(self) -> list[bytes]:
        manifest = {"format": FORMAT, "schema": self._schema, "documents": [asdict(entry) for entry in self._entries]}
        self._add(MANIFEST, [json.dumps(manifest, indent=1).encode()])
        self._archive.close()
        return self._pieces.take()

    def _add(self, name: str, parts: Sequence[bytes]) -> None:
        info = zipfile.ZipInfo(name, _EPOCH)
        info.create_system = 3  # else it is the machine's own
        info.external_attr = 0o644 << 16
        info.file_size = sum(map(len, parts))  # decides on the form for more than 4 GB
        with self._archive.open(info, "w") as entry:
            for part in parts:
                entry.write(part)


class LibraryFileReader:
    """Reads the manifest at once and documents when they are asked for. Raises StorageError with a sentence."""

    def __init__(self, file: IO[bytes]) -> None:
        with _explained():
            file.seek(0)
            if not is_library_file(file.read(HEAD_AT + len(HEAD))):
                raise StorageError(NOT_ONE)
            self._bytes = file.seek(0, io.SEEK_END)
            self._archive = zipfile.ZipFile(file)
            manifest = json.loads(self._stored(MANIFEST).read())
            if manifest["format"] > FORMAT:
                raise StorageError(NEWER.format(what="format", found=manifest["format"], known=FORMAT))
            self.schema = int(manifest["schema"])
            self.entries = tuple(Entry(one["id"], int(one["size"]), one["sha256"]) for one in manifest["documents"])

    @property
    def size(self) -> int:
        """Bytes of all documents."""
        return sum(entry.size for entry in self.entries)

    def document(self, entry: Entry) -> dict[Kind, list[bytes]]:
        """Every value of one document, its hash checked."""
        digest = hashlib.sha256()

        def take(length: int) -> bytes:
            if not 0 <= length <= entry.size:
                raise ValueError("a length that cannot be")
            data = stored.read(length)
            if len(data) < length:
                raise EOFError("it ends too early")
            digest.update(data)
            return data

        with _explained(), self._stored(f"documents/{entry.id}") as stored:
            lengths = json.loads(take(_LENGTH.unpack(take(_LENGTH.size))[0]))
            if not set(lengths) <= set(KEPT):
                raise ValueError("it holds what a document has not")
            values = {kind: [take(length) for length in lengths[kind]] for kind in KEPT if kind in lengths}
            if stored.read(1) or digest.hexdigest() != entry.sha256:
                raise ValueError(f"the hash of the document {entry.id[:8]}… is another one")
        return values

    def record(self, entry: Entry) -> bytes:
        """The record of a document alone, which comes first; its hash is not checked."""
        with _explained(), self._stored(f"documents/{entry.id}") as stored:
            lengths = json.loads(stored.read(_LENGTH.unpack(stored.read(_LENGTH.size))[0]))
            return stored.read(lengths["documents"][0])

    def _stored(self, name: str) -> IO[bytes]:
        info = self._archive.getinfo(name)
        if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
            raise ValueError("a compressed entry")  # never written here; what it unpacks to has no bounds
        if info.header_offset + info.compress_size > self._bytes:
            raise EOFError("it ends too early")  # before anybody makes room for what an entry claims to hold
        return self._archive.open(info)


class _Pieces:
    """What `zipfile` writes to: a stream that only goes forward, so that the tab can pass it on in pieces."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def take(self) -> list[bytes]:
        pieces, self._pieces = self._pieces, []
        return pieces


def _sha256(parts: Sequence[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


@contextmanager
def _explained() -> Iterator[None]:
    """Whatever a damaged archive makes of `zipfile` and `json` becomes one sentence."""
    try:
        yield
    except (zipfile.BadZipFile, EOFError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise StorageError(DAMAGED.format(why=str(error).strip("'\"") or type(error).__name__)) from error
    except (NotImplementedError, RuntimeError, OverflowError, OSError, struct.error, zlib.error) as error:
        raise StorageError(DAMAGED.format(why=error)) from error
