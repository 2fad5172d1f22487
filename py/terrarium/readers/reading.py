"""Bytes of a file → Document. One module a format; which one is decided by content (`sniff`), not by name.

Not read: pictures of text, unless their words were recognised before and come along; sounds and films.

Files inside of a file (mail's attachments, an archive's members) are documents of their own: `enclosed.py`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from terrarium.errors import UnreadableFile
from terrarium.model import Block, Document, Word
from terrarium.readers.archive import Allowance
from terrarium.readers.content import Content, ReadFile, Source
from terrarium.readers.enclosed import Reading
from terrarium.readers.formats import reader_of
from terrarium.readers.hidden import behind, hidden_warning
from terrarium.readers.invisible import without_invisible
from terrarium.readers.language import guess_language
from terrarium.readers.sniff import Kind, sniff

if TYPE_CHECKING:
    from terrarium.readers.pdf.reading import PdfExtractor

SURROGATE = re.compile("[\ud800-\udfff]")


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
    """Read one file with all that is in it. `name` is what the person called it; `progress(done, total)` counts a PDF's
    pages or the files in it, `words` are those that text recognition read on the pages, `allowance` what all may hold.

    Raises UnreadableFile with a sentence for the person, PasswordNeeded for an encrypted PDF. A PDF of pictures only
    is no error: a document without blocks and with a warning. Nor is an archive: its files have the text.
    """
    source = Source(data, name, pdf, allowance or Allowance(), password, progress, words)
    return await Reading(read_alone).file(source)


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


async def read_alone(source: Source) -> tuple[Document, Content]:
    """The document of one file, and what it was made of: the files inside of it are not read."""
    kind = sniff(source.data, source.name)
    try:
        content = await reader_of(kind)(source)
    except RecursionError as error:
        raise UnreadableFile(f"“{source.name}” was not read: what is in it is nested too deep.") from error
    return made_document(source, kind, content), content


def made_document(source: Source, kind: Kind, content: Content) -> Document:
    """Tidied, with what is known of the file. What `content` encloses is not looked at."""
    tidied = [tidy(block) for block in content.blocks]
    carried = " ".join(carried for _, carried in tidied if carried)
    blocks = behind((block for block, _ in tidied if block.text.strip()), carried)
    name = source.name
    return Document(
        id=hashlib.sha256(source.data).hexdigest(),
        name=name,
        kind=kind,
        title=choose_title(without_invisible(content.title)[0], blocks, without_invisible(name)[0]),
        blocks=tuple(blocks),
        size=len(source.data),
        pages=content.pages,
        language=guess_language(blocks),
        warnings=(*content.warnings, *hidden_warning(blocks, carried)),
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
    if SURROGATE.search(text):
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
