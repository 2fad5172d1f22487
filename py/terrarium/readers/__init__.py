"""Bytes of a file → Document. One module a format; which one is decided by content (`sniff`), not by name.

Not read: pictures of text, unless their words were recognised before and come along; sounds and films.

Files inside of a file (mail's attachments, an archive's members) are sections of it, each under its name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath

from terrarium.errors import UnreadableFile
from terrarium.model import Block, Document, Word
from terrarium.readers.archive import Allowance, open_archive
from terrarium.readers.content import Content, Enclosed, Source
from terrarium.readers.enclosed import with_enclosed
from terrarium.readers.formats import reader_of
from terrarium.readers.hidden import behind, hidden_warning
from terrarium.readers.invisible import without_invisible
from terrarium.readers.language import guess_language
from terrarium.readers.pdf import PdfExtractor
from terrarium.readers.sniff import Kind, sniff

__all__ = ["PdfExtractor", "ReadFile", "read_document", "read_file"]


@dataclass(frozen=True, slots=True)
class ReadFile:
    """One file as it was read, with those inside of it."""

    document: Document
    data: bytes
    enclosed: tuple[ReadFile, ...] = ()


async def read_file(
    data: bytes,
    name: str,
    *,
    pdf: PdfExtractor,
    password: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    words: Sequence[Word] = (),
    allowance: Allowance | None = None,
) -> ReadFile:
    """Read one file. `name` is what the person called it; `progress(done, total)` counts a PDF's pages, `words` are
    those that text recognition read on them, `allowance` what a file that this one is enclosed in may still hold.

    Raises UnreadableFile with a sentence for the person, PasswordNeeded for an encrypted PDF. A PDF of pictures only
    is no error: a document without blocks and with a warning.
    """
    kind = sniff(data, name)
    source = Source(data, name, pdf, allowance or Allowance(), password, progress, words)
    content = await (holder_content(source, kind) if kind in {"mail", "mbox", "zip"} else reader_of(kind)(source))
    return ReadFile(made_document(source, kind, content), data)


async def read_document(
    data: bytes,
    name: str,
    *,
    pdf: PdfExtractor,
    password: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    allowance: Allowance | None = None,
) -> Document:
    """The file's own document alone (see `read_file`)."""
    read = await read_file(data, name, pdf=pdf, password=password, progress=progress, allowance=allowance)
    return read.document


async def holder_content(source: Source, kind: Kind) -> Content:
    read = partial(read_document, pdf=source.pdf, allowance=source.allowance)
    with open_items(kind, source) as (items, title):
        blocks, warnings = await with_enclosed(items, source.allowance, read)
    return Content(blocks, title, warnings)


@contextmanager
def open_items(kind: Kind, source: Source) -> Iterator[tuple[Iterable[Block | Enclosed], str]]:
    """(blocks and enclosed files, title) of a file that may hold others."""
    if kind == "zip":
        from terrarium.readers.zip import zip_items

        with open_archive(source.data, source.name, source.allowance) as archive:
            yield zip_items(archive), ""
    else:
        from terrarium.readers.mail import mail_items, mbox_items

        yield (mail_items if kind == "mail" else mbox_items)(source.data, source.name)


def made_document(source: Source, kind: Kind, content: Content) -> Document:
    """Raises UnreadableFile for content without text, unless it may be without."""
    tidied = [tidy(block) for block in content.blocks]
    carried = " ".join(carried for _, carried in tidied if carried)
    blocks = behind((block for block, _ in tidied if block.text.strip()), carried)
    warnings = list(content.warnings)
    name = source.name
    if not blocks and not content.may_be_empty:
        because = f" ({warnings[0].rstrip('.')})" if warnings else ""
        raise UnreadableFile(f"“{name}” holds no text that can be read{because}.")
    return Document(
        id=hashlib.sha256(source.data).hexdigest(),
        name=name,
        kind=kind,
        title=choose_title(without_invisible(content.title)[0], blocks, without_invisible(name)[0]),
        blocks=tuple(blocks),
        size=len(source.data),
        pages=content.pages,
        language=guess_language(blocks),
        warnings=(*warnings, *hidden_warning(blocks, carried)),
        labels=tuple(content.labels),
        recognised=tuple(source.words),
    )


def tidy(block: Block) -> tuple[Block, str]:
    """Without characters that show nothing, with what they spelled out; without NULs and lone surrogates, which neither
    storage nor tokenizers bear."""
    text, carried = tidy_text(block.text)
    if block.cells and not block.text.startswith(text):  # cells stay where their values are
        # Tidied with a letter behind it, or a space before the cell would be taken for the end of the line.
        def moved(at: int) -> int:
            return min(len(tidy_text(block.text[:at] + "x")[0]) - 1, len(text))

        cells = tuple((column, moved(start), moved(end)) for column, start, end in block.cells)
        return replace(block, text=text, cells=cells), carried
    return replace(block, text=text), carried


def tidy_text(text: str) -> tuple[str, str]:
    """(text, what was carried in it unseen)."""
    text, carried = without_invisible(text.replace("\0", "").rstrip())
    if any("\ud800" <= c <= "\udfff" for c in text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text, carried


def choose_title(given: str, blocks: list[Block], name: str) -> str:
    """The file's own title, else its first heading of the highest rank near the start, else its name."""
    given = " ".join(given.split())
    stem = PurePosixPath(name).stem
    if len(given) > 2 and not given.lower().startswith(("untitled", "microsoft word - ", "unbenannt")):
        return given[:200]
    headings = [b for b in blocks[:40] if b.kind == "heading" and not b.hidden and not b.text[:1].isdigit()]
    first = min(headings, key=lambda block: block.level, default=None)
    return first.text.replace("\n", " ")[:200] if first else stem
