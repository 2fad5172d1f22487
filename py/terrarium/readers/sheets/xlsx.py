"""XLSX and XLSM → blocks. The cells are parsed by openpyxl (xlsx_cells.py), everything else by a parser of XML.

Values are those that the file holds: nothing is calculated. Not read: pictures, what charts plot, pivot caches, macros,
names, rules of validation, and what conditional formats would show or hide.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element, ParseError, iterparse

from terrarium.errors import UnreadableFile
from terrarium.readers.archive import open_archive
from terrarium.readers.content import Content, Enclosed, Source
from terrarium.readers.office.elements import child, inside, local, reference, value
from terrarium.readers.office.package import Package, Related
from terrarium.readers.sheets.blocks import sheet_blocks, sheet_warnings
from terrarium.readers.sheets.model import LONGEST_TEXT, MOST_CELLS, Sheet, Steps
from terrarium.readers.sheets.xlsx_cells import SheetReader, Workbook, areas
from terrarium.readers.sheets.xlsx_notes import margin_texts, people_of, read_notes
from terrarium.readers.sheets.xlsx_styles import read_styles

ROW = re.compile(rb"<(?:\w+:)?row[\s>/]")
DOCUMENTS = (".docx", ".xlsx", ".xlsm", ".pptx", ".pdf", ".odt", ".ods", ".txt")


async def xlsx_content(source: Source) -> Content:
    """Raises UnreadableFile."""
    archive = open_archive(source.data, source.name, source.allowance)
    package = Package(archive, source.name)
    reader = WorkbookReader(package, source.name)
    sheets = reader.read(source.progress)
    inner = [name for name in archive.names if name.startswith("xl/embeddings/")]
    enclosed = [name for name in inner if name.lower().endswith(DOCUMENTS)]
    left = {
        "picture": sum(name.startswith("xl/media/") for name in archive.names),
        "embedded object": len(inner) - len(enclosed),
        "part with macros": int("xl/vbaProject.bin" in package),
    }
    return Content(
        list(sheet_blocks(sheets)),
        package.title() or PurePosixPath(source.name).stem,
        [*reader.warnings, *sheet_warnings(sheets), *left_warnings(left)],
        enclosed=[Enclosed(PurePosixPath(name).name, partial(archive.read, name)) for name in enclosed],
    )


@dataclass(slots=True)
class WorkbookReader:
    package: Package
    name: str
    warnings: list[str] = field(default_factory=list)

    def read(self, progress: Callable[[int, int], None] | None) -> list[Sheet]:
        """All sheets in the workbook's order."""
        package = self.package
        main = next((one.part for one in package.related().values() if one.kind == "officeDocument"), "xl/workbook.xml")
        if main.endswith(".bin"):
            raise UnreadableFile(
                f"“{self.name}” is a binary workbook (XLSB), which cannot be read. Save it as XLSX to add it."
            )
        root = package.xml(main)
        if root is None:
            raise UnreadableFile(f"“{self.name}” is damaged: its list of sheets cannot be read.")
        related = package.related(main)
        shared = {one.kind: one.part for one in related.values()}
        sheets: list[tuple[Sheet, str, bytes]] = []
        for one in inside(child(root, "sheets"), "sheet"):
            sheet = Sheet(value(one, "name"), value(one, "state") in {"hidden", "veryHidden"})
            part = self.part_of(one, related)
            if part in package:
                sheets.append((sheet, part, package.data(part)))
            else:
                self.warnings.append(f"damaged: the sheet “{sheet.name}” is missing in the file")
        steps = Steps(progress, sum(len(ROW.findall(data)) for _, _, data in sheets))
        base_1904 = value(child(root, "workbookPr"), "date1904") in {"1", "true"}
        workbook = Workbook(
            self.strings(shared.get("sharedStrings", "xl/sharedStrings.xml")),
            read_styles(self.styles(shared.get("styles", "xl/styles.xml"))),
            base_1904,
            MOST_CELLS,
            steps.count,
        )
        people = people_of(package, main)
        margins: set[str] = set()
        for i, (sheet, part, data) in enumerate(sheets):
            sheets[i] = (sheet, part, b"")  # a sheet's XML is let go when it is read
            self.read_sheet(sheet, part, data, workbook, margins)
            read_notes(package, part, sheet, people)
        return [sheet for sheet, _, _ in sheets]

    def read_sheet(self, sheet: Sheet, part: str, data: bytes, workbook: Workbook, margins: set[str]) -> None:
        """`margins`: those that other sheets have too are said once."""
        reader = SheetReader(sheet, workbook)
        for one in self.package.related(part).values():
            if one.kind == "table":
                table = self.package.xml(one.part)
                sheet.named += areas(value(table, "ref")) if value(table, "headerRowCount") != "0" else []
        reader.read(data)
        for text in margin_texts(reader.margins):
            if text not in margins:
                margins.add(text)
                sheet.notes.append(text)

    def part_of(self, sheet: Element, related: dict[str, Related]) -> str:
        """Some programs leave the relationships out."""
        identifier = reference(sheet)
        return (
            related[identifier].part if identifier in related else f"xl/worksheets/sheet{value(sheet, 'sheetId')}.xml"
        )

    def styles(self, part: str) -> Element | None:
        root = self.package.xml(part)
        if root is None and part in self.package:
            self.warnings.append("damaged: the formats of the cells, so dates and numbers are shown as they are stored")
        return root

    def strings(self, part: str) -> list[str]:
        """The texts that cells name by their numbers, without the readings that stand over Japanese ones."""
        if part not in self.package:
            return []
        found: list[str] = []
        above: list[Element] = []
        try:
            for event, element in iterparse(io.BytesIO(self.package.data(part)), ("start", "end")):
                if event == "start":
                    above.append(element)
                    continue
                above.pop()
                if local(element) == "si":
                    found.append("".join(one.text or "" for one in inside(element, "t"))[:LONGEST_TEXT])
                    above[-1].clear()
                elif local(element) == "rPh":
                    element.clear()
        except ParseError as error:
            self.warnings.append(f"damaged: only {len(found):,} of the workbook’s texts could be read ({error})")
        return found


def left_warnings(counts: dict[str, int]) -> list[str]:
    parts = [f"{count} {name}{'s' * (count > 1)}" for name, count in counts.items() if count]
    return [f"left out: {', '.join(parts)}"] if parts else []
