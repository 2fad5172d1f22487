"""The format's own reader for each kind of file: one function, `async (Source) -> Content`.

A format's module is imported with its first file: the parsing libraries would take a second of the start.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from importlib import import_module

from terrarium.model import Block
from terrarium.readers.archive import open_archive
from terrarium.readers.content import Content, Enclosed, Source
from terrarium.readers.pdf.reading import extract_pdf, pdf_blocks
from terrarium.readers.sniff import Kind

Reader = Callable[[Source], Awaitable[Content]]


async def pdf_content(source: Source) -> Content:
    content = await extract_pdf(source.pdf, source.data, source.name, source.password, source.progress)
    if source.words:
        from terrarium.readers.pdf.words import with_words

        content = with_words(content, source.words)
    pages, progress = len(content.pages), source.progress
    blocks, warnings = pdf_blocks(content, partial(progress, pages, pages)) if progress else pdf_blocks(content)
    title = str(content.info.get("title", ""))
    whole = [(file["name"], file["data"]) for file in content.files if file["data"] is not None]
    files = [Enclosed(name, partial(b64decode, data)) for name, data in whole]
    return Content(
        blocks, title, warnings, pages, content.labels, files, may_be_empty=True
    )  # fmt: skip


async def html_content(source: Source) -> Content:
    from terrarium.readers.markup.html import html_blocks

    return Content(*html_blocks(source.data))


async def xml_content(source: Source) -> Content:
    from terrarium.readers.markup.xml import xml_blocks

    return Content(*xml_blocks(source.data, source.name))


async def mail_content(source: Source) -> Content:
    from terrarium.readers.mail.reading import read_mail

    return read_mail(source.data, source.name)


async def mbox_content(source: Source) -> Content:
    from terrarium.readers.mail.reading import read_mbox

    return await read_mbox(source)


async def zip_content(source: Source) -> Content:
    from terrarium.readers.zip import members

    # Not closed here: its files are opened one by one, later. It is memory alone.
    return Content((), enclosed=members(open_archive(source.data, source.name, source.allowance)))


async def text_content(source: Source, kind: Kind) -> Content:
    """Kinds that are text in some encoding."""
    from terrarium.readers.plain.encoding import decode

    text, warnings = decode(source.data, source.name)
    blocks, title = text_reader(kind, source.name)(text)
    return Content(blocks, title, warnings)


def text_reader(kind: Kind, name: str) -> Callable[[str], tuple[list[Block], str]]:
    """What makes (blocks, title) of decoded text."""
    if kind == "markdown":
        from terrarium.readers.markup.markdown import markdown_blocks

        return markdown_blocks
    if kind == "json":
        from terrarium.readers.plain.json_records import json_blocks

        return json_blocks
    if kind == "notebook":
        from terrarium.readers.plain.notebook import notebook_blocks

        return notebook_blocks
    if kind == "subtitles":
        from terrarium.readers.plain.subtitles import subtitle_blocks

        return subtitle_blocks
    if kind == "code":
        from terrarium.readers.plain.code import code_blocks

        return lambda text: (code_blocks(text, name), "")
    from terrarium.readers.plain.text import text_blocks

    if kind == "csv":
        from terrarium.readers.plain.delimited import csv_blocks

        return lambda text: (rows, "") if (rows := csv_blocks(text)) else text_blocks(text)
    return text_blocks


READERS: Mapping[Kind, Reader] = {
    "pdf": pdf_content,
    "html": html_content,
    "xml": xml_content,
    "mail": mail_content,
    "mbox": mbox_content,
    "zip": zip_content,
}
# Kinds of which the whole module is the reader: its name, and the function in it.
MODULES: Mapping[Kind, tuple[str, str]] = {
    "docx": ("office.docx", "docx_content"),
    "epub": ("markup.epub", "epub_content"),
    "xlsx": ("sheets.xlsx", "xlsx_content"),
    "ods": ("sheets.ods", "ods_content"),
    "pptx": ("office.pptx", "pptx_content"),
    "odt": ("office.odf", "odt_content"),
    "odp": ("office.odf", "odp_content"),
    "rtf": ("office.rtf", "rtf_content"),
}


def reader_of(kind: Kind) -> Reader:
    """For every kind there is."""
    if kind in READERS:
        return READERS[kind]
    if kind in MODULES:
        module, name = MODULES[kind]
        reader: Reader = getattr(import_module(f"terrarium.readers.{module}"), name)
        return reader
    return partial(text_content, kind=kind)
