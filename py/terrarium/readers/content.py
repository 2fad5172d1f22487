"""What every format's reader is given, and what it makes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from terrarium.model import Block, Document, Word
from terrarium.readers.archive import Allowance

if TYPE_CHECKING:
    from terrarium.readers.pdf.reading import PdfExtractor


@dataclass(frozen=True, slots=True)
class Source:
    """One file that is to be read."""

    data: bytes
    name: str  # as the person gave it
    pdf: PdfExtractor
    allowance: Allowance = field(default_factory=Allowance)  # what it, and all files in it, may still hold
    password: str | None = None
    progress: Callable[[int, int], None] | None = None  # (done, total) of its pages or rows
    words: Sequence[Word] = ()  # that text recognition read on its pages


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A file inside of the file: its name, with folders where it has any; `open` gives its bytes or raises
    UnreadableFile."""

    name: str
    open: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Content:
    """What stands in a file, before it is tidied, and the files inside of it, in their order."""

    blocks: Sequence[Block]
    title: str = ""
    warnings: Sequence[str] = ()
    pages: int | None = None
    labels: Sequence[str] = ()
    enclosed: Sequence[Enclosed] = ()
    may_be_empty: bool = False  # a document without text, and without files in it, is worth keeping: a scan


@dataclass(frozen=True, slots=True)
class ReadFile:
    """One file as it was read, with those inside of it: each has its path for a name and says what it is `within`."""

    document: Document
    data: bytes
    enclosed: tuple[ReadFile, ...] = ()
