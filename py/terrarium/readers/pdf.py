"""PDF → Document. Parsing is pdf.js's (`web/pdf_extract.mjs`), behind `PdfExtractor`; the layout is made here.

Both extractors (the tab's worker, Node at the desk) run the same JavaScript, so a file gives the same blocks in both.
This module recognises no text in pictures and reads no form fields or comments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from terrarium.errors import PasswordNeeded, UnreadableFile
from terrarium.model import Block
from terrarium.readers.pdf_blocks import page_blocks, survey
from terrarium.readers.pdf_columns import regions
from terrarium.readers.pdf_furniture import find_furniture
from terrarium.readers.pdf_lines import line, page_rows

LOSSY = re.compile("\\w[\0\ufffd\ue000-\uf8ff]|[\0\ufffd\ue000-\uf8ff]\\w")  # within words; alone it is a bullet
NOT_ENOUGH = 1  # code of pdf.js's PasswordException when no password was given; 2 when it was wrong


@dataclass(slots=True)
class PdfContent:
    """What an extractor gives: the messages of `web/pdf_extract.mjs`, unchanged."""

    info: Mapping[str, Any] = field(default_factory=dict)  # pages, title, encrypted, outline
    pages: list[Mapping[str, Any]] = field(default_factory=list)  # number, label, width, height, items, fonts, error

    def take(self, message: Mapping[str, Any], on_page: Callable[[int, int], None] | None) -> bool:
        """Add one message; True when it was the last. Raises the PdfError that a message may carry."""
        match message["type"]:
            case "info":
                self.info = message
            case "page":
                self.pages.append(message)
                if on_page:
                    on_page(len(self.pages), self.info["pages"])
            case "error":
                raise PdfError(message["name"], message["message"], message["code"])
        return bool(message["type"] == "done")


class PdfError(Exception):
    """An error of pdf.js, by its name there: "PasswordException", "InvalidPDFException", …"""

    def __init__(self, name: str, message: str, code: int = 0) -> None:
        super().__init__(message)
        self.name = name
        self.code = code


class PdfExtractor(Protocol):
    """A place that runs pdf.js."""

    async def extract(
        self, data: bytes, password: str | None, on_page: Callable[[int, int], None] | None = None
    ) -> PdfContent:
        """Read all pages, `on_page(done, total)` after each. Raises PdfError; UnreadableFile where it cannot run."""
        ...


async def extract_pdf(
    extractor: PdfExtractor,
    data: bytes,
    name: str,
    password: str | None,
    progress: Callable[[int, int], None] | None,
) -> PdfContent:
    """Call the extractor; turn its errors into sentences about the file."""
    try:
        return await extractor.extract(data, password, progress)
    except PdfError as error:
        if error.name == "PasswordException":
            wrong = error.code != NOT_ENOUGH
            what = "The password does not open it." if wrong else "It opens with a password only."
            raise PasswordNeeded(f"“{name}” is encrypted. {what} Enter the password to add it.", wrong=wrong) from error
        raise UnreadableFile(
            f"“{name}” cannot be read: the PDF is damaged ({error}). Try to open and save it again in a PDF viewer."
        ) from error


def pdf_blocks(content: PdfContent) -> tuple[list[Block], list[str]]:
    """Blocks in reading order, hidden text behind all others, and warnings about pages that gave no text.

    Hidden text ends a section wherever it stands, so among the pages it would cut what a reader sees as one.
    """
    fonts: dict[str, Mapping[str, Any]] = {}
    rows = []
    hidden: list[Block] = []
    for page in content.pages:
        fonts.update(page["fonts"])
        rows.append(page_rows((item for item in page["items"] if not item["hidden"]), fonts))
        unseen = page_rows((item for item in page["items"] if item["hidden"]), fonts)
        text = "\n".join(line(row).text.replace("\t", " ") for group in unseen.values() for row in group)
        hidden += [Block("paragraph", text, page=page["number"], hidden=True)] if text else []
    outline = list(content.info.get("outline", ()))
    title = str(content.info.get("title", ""))
    furniture = find_furniture(content.pages, rows, [title, *(entry["title"] for entry in outline)])
    body = [
        [
            region
            for angle, group in groups.items()
            for region in regions([run for row in furniture.body(index, angle, group) for run in row])
        ]
        for index, groups in enumerate(rows)
    ]
    layout = survey([region for page in body for region in page], outline)
    blocks: list[Block] = []
    for index, page in enumerate(content.pages):
        number = page["number"]
        kept = furniture.kept.get(index, ([], []))
        blocks += [Block("paragraph", text, page=number) for text in kept[0]]
        for region in body[index]:
            blocks += page_blocks(region, number, layout)
        blocks += [Block("paragraph", text, page=number) for text in kept[1]]
    return blocks + hidden, page_warnings(content)


def page_warnings(content: PdfContent) -> list[str]:
    """What a person must know about pages: without text layer, damaged, letters lost."""
    total = len(content.pages)
    seen = [page["number"] for page in content.pages if any(not item["hidden"] for item in page["items"])]
    empty = [page["number"] for page in content.pages if page["number"] not in seen and not page["error"]]
    warnings = []
    if empty:
        where = f" on {numbers(empty)}" if len(empty) < total else ""
        warnings.append(f"no text layer{where} ({len(empty)} of {total} pages)")
    warnings += [f"page {page['number']}: {page['error']}" for page in content.pages if page["error"]]
    lossy = [page["number"] for page in content.pages if any(LOSSY.search(item["str"]) for item in page["items"])]
    if lossy:
        warnings.append(f"some letters have no known meaning on {numbers(lossy)}: words there may be incomplete")
    return warnings


def numbers(pages: list[int]) -> str:
    """`[1, 3, 4, 5]` → "pages 1, 3–5"."""
    spans: list[list[int]] = []
    for page in pages:
        if spans and spans[-1][1] == page - 1:
            spans[-1][1] = page
        else:
            spans.append([page, page])
    parts = [str(a) if a == b else f"{a}–{b}" for a, b in spans]
    return ("page " if len(pages) == 1 else "pages ") + ", ".join(parts)
