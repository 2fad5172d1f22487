"""PDF → Document. Parsing is pdf.js's (`web/pdf/extract.mjs`), behind `PdfExtractor`; the layout is made here.

Both extractors (the tab's worker, Node at the desk) run the same JavaScript, so a file gives the same blocks in both.
This module recognises no text in pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from terrarium.errors import PasswordNeeded, UnreadableFile
from terrarium.model import Block
from terrarium.readers.pdf.blocks import Sheet, column_parts, survey
from terrarium.readers.pdf.columns import regions
from terrarium.readers.pdf.flow import mend_breaks, page_flow
from terrarium.readers.pdf.fonts import without_meaningless
from terrarium.readers.pdf.furniture import find_furniture
from terrarium.readers.pdf.lines import line
from terrarium.readers.pdf.notes import comment_blocks, field_items
from terrarium.readers.pdf.rules import grids
from terrarium.readers.pdf.runs import Run, page_rows
from terrarium.readers.pdf.table_rows import Tables
from terrarium.readers.pdf.tables import ruled_table
from terrarium.readers.pdf.warnings import page_warnings

PAGES = 100  # between two signs of life
NOT_ENOUGH = 1  # code of pdf.js's PasswordException when no password was given; 2 when it was wrong


@dataclass(slots=True)
class PdfContent:
    """What an extractor gives: the messages of `web/pdf/extract.mjs`, unchanged."""

    info: Mapping[str, Any] = field(default_factory=dict)  # pages, title, encrypted, outline
    # Each: number, label, width, height, items, fonts, rules, fields, comments, error.
    pages: list[Mapping[str, Any]] = field(default_factory=list)
    files: list[Mapping[str, Any]] = field(default_factory=list)  # name, size, data: Base64, None where it was left out

    @property
    def labels(self) -> tuple[str, ...]:
        """What the pages are called; nothing where that is their numbers."""
        labels = tuple(page["label"] or str(page["number"]) for page in self.pages)
        return labels if any(label != str(number) for number, label in enumerate(labels, 1)) else ()

    def take(self, message: Mapping[str, Any], on_page: Callable[[int, int], None] | None) -> bool:
        """Add one message; True when it was the last. Raises the PdfError that a message may carry."""
        match message["type"]:
            case "info":
                self.info = message
            case "page":
                self.pages.append(message)
                if on_page:
                    on_page(len(self.pages), self.info["pages"])
            case "file":
                self.files.append(message)
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
        content = await extractor.extract(data, password, progress)
        if content.info.get("rescued") and not any(page["items"] for page in content.pages):
            raise PdfError("InvalidPDFException", "no text is left in it")
        return content
    except PdfError as error:
        if error.name == "PasswordException":
            wrong = error.code != NOT_ENOUGH
            what = "The password does not open it." if wrong else "It opens with a password only."
            raise PasswordNeeded(f"“{name}” is encrypted. {what} Enter the password to add it.", wrong=wrong) from error
        raise UnreadableFile(
            f"“{name}” cannot be read: the PDF is damaged ({error}). Try to open and save it again in a PDF viewer."
        ) from error


def pdf_blocks(content: PdfContent, alive: Callable[[], None] = lambda: None) -> tuple[list[Block], list[str]]:
    """Blocks in reading order, comments behind their page, hidden text behind all others, and warnings.

    `alive` is called every hundred pages: many pages take seconds in the tab.

    Hidden text ends a section wherever it stands, so among the pages it would cut what a reader sees as one.
    """
    pages, meaningless = without_meaningless(content.pages)
    fonts: dict[str, Mapping[str, Any]] = {}
    rows = []
    hidden: list[Block] = []
    for page in pages:
        fonts.update(page["fonts"])
        rows.append(page_rows([item for item in page["items"] if not item["hidden"]] + field_items(page), fonts))
        unseen = page_rows([item for item in page["items"] if item["hidden"]], fonts)
        text = "\n".join(line(row).text.replace("\t", " ") for group in unseen.values() for row in group)
        hidden += [Block("paragraph", text, page=page["number"], hidden=True)] if text else []
    outline = list(content.info.get("outline", ()))
    title = str(content.info.get("title", ""))
    furniture = find_furniture(pages, rows, [title, *(entry["title"] for entry in outline)])
    sheets = [Sheet(page["number"], page.get("rules", ())) for page in pages]
    body = []
    for index, (groups, sheet) in enumerate(zip(rows, sheets, strict=True)):
        if index % PAGES == PAGES - 1:
            alive()
        columns = []
        for angle, group in groups.items():
            runs = [run for row in furniture.body(index, angle, group) for run in row]
            columns += regions(runs if angle else in_tables(runs, sheet))
        body.append(columns)
    layout = survey(
        [region for page in body for region in page], outline, [table for sheet in sheets for table in sheet.tables]
    )
    tables = Tables(layout.words)
    flows = []
    for columns, sheet in zip(body, sheets, strict=True):
        if sheet.number % PAGES == 0:
            alive()
        flows.append(page_flow([column_parts(region, sheet, layout, tables) for region in columns], layout))
    mend_breaks(flows, layout)
    blocks: list[Block] = []
    for index, (page, flow) in enumerate(zip(pages, flows, strict=True)):
        kept = furniture.kept.get(index, ([], []))
        blocks += [Block("paragraph", text, page=page["number"]) for text in kept[0]]
        blocks += [part.block for part in flow]
        blocks += [Block("paragraph", text, page=page["number"]) for text in kept[1]]
        blocks += comment_blocks(page)
    return blocks + hidden, page_warnings(content.info, pages, content.files, meaningless)


def in_tables(runs: Sequence[Run], sheet: Sheet) -> list[Run]:
    """The runs of a page, those inside of a ruled table replaced by one for each row of it, all but the first empty."""
    found = [table for grid in grids(sheet.rules) if (table := ruled_table(grid, runs))]
    sheet.tables = found
    taken = set().union(*(table.runs for table in found))
    rest = [run for run in runs if id(run) not in taken]
    for number, table in enumerate(found):
        rest += [
            Run(table.x[0], table.right, row.top, table.size, "\ufffc", False, False, False, number)
            for row in table.rows
        ]
    return rest
