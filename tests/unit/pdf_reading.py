"""Made PDFs through pdf.js under Node, as at the desk."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence

import pytest
from tests.fixtures.pdf_more import Sheet, lines, make_sheets

from terrarium.model import Block, Document
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.readers.reading import read_document

EXTRACTOR = NodePdfExtractor()
needs_node = pytest.mark.skipif(
    not shutil.which("node") or not EXTRACTOR.pdfjs.is_dir(), reason="needs Node and npm's pdfjs-dist"
)
PROSE = ["An ordinary paragraph of the page that is long enough to fill", "the line and the next one too."]


def read(data: bytes, password: str | None = None) -> Document:
    return asyncio.run(read_document(data, "a.pdf", pdf=EXTRACTOR, password=password))


def read_pages(contents: Sequence[str]) -> list[list[Block]]:
    """The blocks of each page, read as one document; a paragraph stands above each, and is left out."""
    prose = lines(50, 120, PROSE)
    document = read(make_sheets([Sheet(prose + content) for content in contents]))
    pages: list[list[Block]] = [[] for _ in contents]
    for block in document.blocks:
        pages[(block.page or 1) - 1].append(block)
    return [[block for block in page if block.text != " ".join(PROSE)] for page in pages]


def texts(blocks: Sequence[Block]) -> list[str]:
    return [block.text for block in blocks]
