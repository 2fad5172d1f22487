"""One file with all that is inside of it → documents of a library, each stored by itself.

The outermost comes first, so that what is in the library always has its outer files there. Cancelled, or failed for
another reason than a full store, nothing of the file stays that was not there before. When the store is full, what came
in whole stays and is said: it is as good as any document, and adding the file again goes on from there.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from terrarium.errors import StorageError, TerrariumError
from terrarium.library import Library
from terrarium.model import Document, DocumentInfo
from terrarium.readers.content import ReadFile
from terrarium.readers.enclosed import flattened
from terrarium.readers.reader import FileReader
from terrarium.readers.warnings import kind_of
from terrarium.runtime.protocols import Progress

_STEPS = 1000  # of progress over several files


@dataclass(frozen=True, slots=True)
class Added:
    document: DocumentInfo
    enclosed: tuple[DocumentInfo, ...]  # all that are inside of it, however deep
    duplicate: bool  # all of it was there already


async def read_to_add(
    library: Library,
    reader: FileReader,
    data: bytes,
    name: str,
    *,
    password: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ReadFile:
    """As `FileReader.read`. Words that were recognised in a file that is in the library already stay: it may be added
    anew, for another embedder."""
    known = hashlib.sha256(data).hexdigest()
    words = (await library.document(known)).recognised if known in library else ()
    read = await reader.read(data, name, password=password, progress=progress, words=words)
    if not words:
        return read
    said = [one for one in library.info(known).warnings if kind_of(one) == "recognised"]
    return replace(read, document=replace(read.document, warnings=(*read.document.warnings, *said)))


async def add_file(
    library: Library, read: ReadFile, progress: Progress | None = None, *, collection: str = ""
) -> Added:
    """`progress` counts embedded chunks; of several files, thousandths of their text. Raises as `Library.add`."""
    files = flattened(read)
    before = {one: library.info(one) for one in files if one in library}
    missing = {one: file.document for one, (file, _) in files.items() if not library.is_current(one)}
    told = _Told(progress, list(missing.values()))
    came = 0
    try:
        for document_id, (file, _) in files.items():
            report = told.next() if document_id in missing else None
            await library.add(file.document, file.data, report, collection=collection)
            came += 1
            if read.document.id not in library:
                raise TerrariumError(f"“{read.document.name}” was removed while it was added.")
        for document_id, (_, within) in files.items():
            if len(within) > 1 and document_id in library:
                info = library.info(document_id)
                both = dict.fromkeys((*info.within, *(outer for outer in within if outer in library)))
                await library.place(document_id, tuple(both), alone=info.alone)
    except StorageError as error:
        if not came or len(files) == 1:
            raise
        what = f"{came} of the {len(files)} documents that “{read.document.name}” would be are in the library and stay"
        raise StorageError(f"{error} {what}; add it again for the others.") from error
    except BaseException:
        await asyncio.shield(_undo(library, files, before))
        raise
    infos = [library.info(one) for one in files if one in library]
    return Added(infos[0], tuple(infos[1:]), not missing)


async def _undo(library: Library, files: Iterable[str], before: dict[str, DocumentInfo]) -> None:
    """As it was: what was indexed anew, for another embedder, stays so."""
    await library.drop([one for one in files if one not in before])
    for document_id, info in before.items():
        await library.place(document_id, info.within, alone=info.alone)


class _Told:
    """Progress over several documents, each as long as its text; over one it is the document's own."""

    def __init__(self, progress: Progress | None, documents: list[Document]) -> None:
        self._progress = progress
        self._sizes = [sum(len(block.text) for block in one.blocks) + 1 for one in documents]
        self._total, self._before, self._next = sum(self._sizes), 0, 0

    def next(self) -> Progress | None:
        """That of the next document."""
        if len(self._sizes) == 1 or self._progress is None:
            return self._progress
        progress, before, size = self._progress, self._before, self._sizes[self._next]
        self._before, self._next = before + size, self._next + 1

        def report(done: int, total: int) -> None:
            progress(_STEPS * (before + (size * done // total if total else size)) // self._total, _STEPS)

        return report
