"""One file on a disk → everything that a library keeps of it and of the files inside of it, the same bytes in whichever
process it is done.

That takes one thread a process: onnxruntime adds in another order on four threads than on one, and int8 rounding makes
of a difference in the last bit one that shows. The record is dated by the file and not by the clock.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from terrarium.errors import ModelError, TerrariumError
from terrarium.indexing import index_document
from terrarium.models.catalogue import open_embedder
from terrarium.models.selftest import SelfTest
from terrarium.readers.content import ReadFile
from terrarium.readers.enclosed import flattened
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.readers.reading import read_file
from terrarium.runtime.native import NativeRuntime
from terrarium.runtime.protocols import Embedder
from terrarium.storage.memory import MemoryStore
from terrarium.storage.protocol import Kind
from terrarium.storage.records import Record, packed_document

CHANGED = "It was changed while it was read. Index again."


@dataclass(frozen=True, slots=True)
class Setup:
    """What every file of a run is indexed with."""

    models: Path
    embedder: str  # its name
    tokens: bool  # whether the vectors of tokens are kept
    collection: str = ""
    originals: bool = True  # whether the files that are inside of others are kept


@dataclass(frozen=True, slots=True)
class Job:
    name: str
    path: Path
    id: str  # SHA-256 of its bytes
    modified: float


@dataclass(frozen=True, slots=True)
class Made:
    """Everything but the file itself, for one `put` of a store. Of those inside of it their files are there too."""

    record: Record
    values: dict[Kind, dict[str, bytes]]
    inside: tuple[Made, ...] = ()  # all of them, however deep


@dataclass(frozen=True, slots=True)
class Refused:
    reason: str


class Indexer:
    """The models of one process, for one file at a time."""

    def __init__(self, setup: Setup, embedder: Embedder) -> None:
        self._setup, self._embedder = setup, embedder
        self._pdf = NodePdfExtractor()

    @classmethod
    async def open(cls, setup: Setup) -> Indexer:
        """Raises ModelError when the embedder is not there or gives wrong vectors on this machine."""
        runtime = NativeRuntime(setup.models, threads=1)
        embedder = await open_embedder(runtime, setup.embedder)
        await SelfTest(runtime, MemoryStore()).check_embedder(embedder, setup.embedder)
        return cls(setup, embedder)

    async def index(self, job: Job) -> Made | Refused:
        """A file that cannot be read, for whatever reason, is refused by itself. Raises ModelError."""
        try:
            read = await read_file(job.path.read_bytes(), job.name, pdf=self._pdf)
            if read.document.id != job.id:
                return Refused(CHANGED)
            made = [await self._made(file, within, job) for file, within in flattened(read).values()]
        except ModelError:
            raise
        except TerrariumError as error:
            return Refused(str(error))
        except Exception as error:  # one of ten thousand files must not end the run
            return Refused(f"Reading it failed ({type(error).__name__}: {error}).")
        return replace(made[0], inside=tuple(made[1:]))

    async def _made(self, file: ReadFile, within: Sequence[str], job: Job) -> Made:
        setup, document = self._setup, file.document
        tokens = setup.tokens and self._embedder.token_dimensions > 0
        indexed = await index_document(document, self._embedder, tokens=tokens)
        original = file.data if within and setup.originals else None
        record, values = packed_document(document, indexed, self._embedder.id, original, collection=setup.collection)
        dated = replace(record, info=replace(record.info, added=job.modified, within=tuple(within)))
        return Made(dated, {**values, "documents": {document.id: dated.dumps()}})


_of_thread = threading.local()


def index_here(setup: Setup, job: Job) -> Made | Refused:
    """For a worker of a cluster: its models are opened with its first file and kept, for each of its threads."""
    return asyncio.run(_index_here(setup, job))


async def _index_here(setup: Setup, job: Job) -> Made | Refused:
    if getattr(_of_thread, "setup", None) != setup:
        _of_thread.indexer = await Indexer.open(setup)
        _of_thread.setup = setup
    indexer: Indexer = _of_thread.indexer
    return await indexer.index(job)
