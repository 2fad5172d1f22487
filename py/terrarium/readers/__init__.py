"""Bytes of a file → Document. One module a format; which one is decided by content (`sniff`), not by name.

Not read: presentations, spreadsheets, RTF, pictures of text, comments and form fields of PDFs.

Files inside of a file (mail's attachments, an archive's members) are sections of it, each under its name.

A format's module is imported with its first file: the parsing libraries would take a second of the page's start.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath

from terrarium.errors import UnreadableFile
from terrarium.model import Block, Document
from terrarium.readers.archive import Allowance, open_archive
from terrarium.readers.enclosed import Enclosed, with_enclosed
from terrarium.readers.hidden import behind, hidden_warning
from terrarium.readers.invisible import without_invisible
from terrarium.readers.language import guess_language
from terrarium.readers.pdf import PdfExtractor, extract_pdf, pdf_blocks
from terrarium.readers.sniff import sniff

__all__ = ["PdfExtractor", "read_document"]


async def read_document(
    data: bytes,
    name: str,
    *,
    pdf: PdfExtractor,
    password: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    allowance: Allowance | None = None,
) -> Document:
    """Read one file. `name` is what the person called it; `progress(done, total)` counts a PDF's pages,
    `allowance` what a file that this one is enclosed in may still hold.

    Raises UnreadableFile with a sentence for the person, PasswordNeeded for an encrypted PDF. A PDF of pictures only
    is no error: a document without blocks and with a warning.
    """
    kind = sniff(data, name)
    allowance = allowance or Allowance()
    title, pages, warnings = "", None, list[str]()
    if kind == "pdf":
        content = await extract_pdf(pdf, data, name, password, progress)
        blocks, warnings = pdf_blocks(content)
        title, pages = str(content.info.get("title", "")), len(content.pages)
    elif kind == "docx":
        from terrarium.readers.docx import docx_blocks

        with open_archive(data, name, allowance) as archive:
            blocks, title = docx_blocks(archive, data, name)
    elif kind == "epub":
        from terrarium.readers.epub import epub_blocks

        with open_archive(data, name, allowance) as archive:
            blocks, title = epub_blocks(archive, name)
    elif kind == "html":
        from terrarium.readers.html import html_blocks

        blocks, title = html_blocks(data)
    elif kind in {"mail", "mbox", "zip"}:
        read = partial(read_document, pdf=pdf, allowance=allowance)
        with open_items(kind, data, name, allowance) as (items, title):
            blocks, warnings = await with_enclosed(items, allowance, read)
    elif kind == "xml":
        from terrarium.readers.xml import xml_blocks

        blocks, title = xml_blocks(data, name)
    else:
        from terrarium.readers.encoding import decode

        text, warnings = decode(data, name)
        blocks, title = _text_reader(kind)(text)
    tidied = [tidy(block) for block in blocks]
    carried = " ".join(carried for _, carried in tidied if carried)
    blocks = behind((block for block, _ in tidied if block.text.strip()), carried)
    if not blocks and kind != "pdf":
        because = f" ({warnings[0].rstrip('.')})" if warnings else ""
        raise UnreadableFile(f"“{name}” holds no text that can be read{because}.")
    return Document(
        id=hashlib.sha256(data).hexdigest(),
        name=name,
        kind=kind,
        title=choose_title(without_invisible(title)[0], blocks, without_invisible(name)[0]),
        blocks=tuple(blocks),
        size=len(data),
        pages=pages,
        language=guess_language(blocks),
        warnings=(*warnings, *hidden_warning(blocks, carried)),
    )


@contextmanager
def open_items(
    kind: str, data: bytes, name: str, allowance: Allowance
) -> Iterator[tuple[Iterable[Block | Enclosed], str]]:
    """(blocks and enclosed files, title) of a file that may hold others."""
    if kind == "zip":
        from terrarium.readers.zip import zip_items

        with open_archive(data, name, allowance) as archive:
            yield zip_items(archive), ""
    else:
        from terrarium.readers.mail import mail_items, mbox_items

        yield (mail_items if kind == "mail" else mbox_items)(data, name)


def _text_reader(kind: str) -> Callable[[str], tuple[list[Block], str]]:
    """What makes (blocks, title) of decoded text."""
    if kind == "markdown":
        from terrarium.readers.markdown import markdown_blocks

        return markdown_blocks
    if kind == "json":
        from terrarium.readers.json_records import json_blocks

        return json_blocks
    if kind == "notebook":
        from terrarium.readers.notebook import notebook_blocks

        return notebook_blocks
    if kind == "subtitles":
        from terrarium.readers.subtitles import subtitle_blocks

        return subtitle_blocks
    if kind == "code":
        return lambda text: ([Block("code", text.expandtabs(4).strip("\n"))], "")
    from terrarium.readers.text import text_blocks

    if kind == "csv":
        from terrarium.readers.tables import csv_blocks

        return lambda text: (rows, "") if (rows := csv_blocks(text)) else text_blocks(text)
    return text_blocks


def tidy(block: Block) -> tuple[Block, str]:
    """Without characters that show nothing, with what they spelled out; without NULs and lone surrogates, which neither
    storage nor tokenizers bear."""
    text, carried = without_invisible(block.text.replace("\0", "").rstrip())
    if any("\ud800" <= c <= "\udfff" for c in text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return replace(block, text=text), carried


def choose_title(given: str, blocks: list[Block], name: str) -> str:
    """The file's own title, else its first heading of the highest rank near the start, else its name."""
    given = " ".join(given.split())
    stem = PurePosixPath(name).stem
    if len(given) > 2 and not given.lower().startswith(("untitled", "microsoft word - ", "unbenannt")):
        return given[:200]
    headings = [b for b in blocks[:40] if b.kind == "heading" and not b.hidden and not b.text[:1].isdigit()]
    first = min(headings, key=lambda block: block.level, default=None)
    return first.text.replace("\n", " ")[:200] if first else stem
