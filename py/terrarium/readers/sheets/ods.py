"""ODS, packed or as flat XML → blocks (OASIS ODF 1.3). Cells show what the program that saved them showed.

Not read: pictures and charts, pivot tables, headers and footers of print, what conditional formats would show or hide.
Encrypted files are refused.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from terrarium.errors import UnreadableFile
from terrarium.readers.archive import open_archive
from terrarium.readers.content import Content, Source
from terrarium.readers.office.elements import inside, value
from terrarium.readers.office.package import Package, refuse_encrypted, refuse_entities
from terrarium.readers.rows import squeeze
from terrarium.readers.sheets.blocks import sheet_blocks, sheet_warnings
from terrarium.readers.sheets.model import Steps
from terrarium.readers.sheets.ods_cells import SheetsReader
from terrarium.readers.sheets.ods_parser import Style, style

ROW = re.compile(rb"<(?:\w+:)?table-row[\s>/]")
FLAT_TITLE = re.compile(rb"<dc:title>([^<]*)</dc:title>")


async def ods_content(source: Source) -> Content:
    """Raises UnreadableFile, PasswordNeeded."""
    data, title, styles = parts(source)
    steps = Steps(source.progress, len(ROW.findall(data)))
    reader = SheetsReader(steps.count, styles=styles)
    reader.read(data)
    if not reader.sheets:
        raise UnreadableFile(f"“{source.name}” is damaged: no sheet can be found in it.")
    blocks = list(sheet_blocks(reader.sheets))
    return Content(blocks, title or PurePosixPath(source.name).stem, sheet_warnings(reader.sheets))


def parts(source: Source) -> tuple[bytes, str, dict[str, Style]]:
    """(XML with the sheets, title, styles that are not in that XML)."""
    if not source.data.startswith(b"PK"):
        refuse_entities(source.data, source.name)
        title = FLAT_TITLE.search(source.data)
        return source.data, squeeze(title[1].decode("utf-8", "replace")) if title else "", {}
    with open_archive(source.data, source.name, source.allowance) as archive:
        package = Package(archive, source.name)
        refuse_encrypted(package, source.name)
        named = next(inside(package.xml("meta.xml"), "title"), None)
        styles = {value(one, "name"): style(one) for one in inside(package.xml("styles.xml"), "style")}
        return package.data("content.xml"), squeeze(named.text or "") if named is not None else "", styles
