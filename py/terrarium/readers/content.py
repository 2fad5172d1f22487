"""What every format's reader is given, and what it makes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from terrarium.model import Block, Word
from terrarium.readers.archive import Allowance
from terrarium.readers.pdf import PdfExtractor


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
    """A file where it stands among the blocks; `level` is that of the heading that names it.

    `open` gives its bytes, and raises UnreadableFile when it cannot.
    """

    name: str
    open: Callable[[], bytes]
    level: int = 1


@dataclass(frozen=True, slots=True)
class Content:
    """What stands in a file, before it is tidied, and the files inside of it, in their order."""

    blocks: Sequence[Block]
    title: str = ""
    warnings: Sequence[str] = ()
    pages: int | None = None
    labels: Sequence[str] = ()
    enclosed: Sequence[Enclosed] = ()
    may_be_empty: bool = False  # a document without text is worth keeping: a scan, an archive
