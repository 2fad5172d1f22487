"""Sheets → blocks: a heading with the sheet's name, then a row of text for each row of its tables, and its warnings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from terrarium.model import Block, BlockKind
from terrarium.readers.rows import row_block
from terrarium.readers.sheets.model import Area, Row, Sheet, letters, spans
from terrarium.readers.sheets.tables import Table, reach, tables_of

LONGEST_TITLE = 100  # characters of a line above a table
PROSE = 200  # characters of a cell that is a paragraph when it stands alone
MOST_LISTED = 10  # places in a warning


def sheet_blocks(sheets: Iterable[Sheet]) -> Iterator[Block]:
    for sheet in sheets:
        blocks = list(seen_blocks(sheet))
        if blocks:
            yield Block("heading", sheet.name, level=1, hidden=sheet.hidden)
        for block in blocks:
            yield Block("paragraph", block.text, hidden=True) if sheet.hidden else block
        for text in sheet.unseen:
            yield Block("paragraph", text, hidden=True)


def seen_blocks(sheet: Sheet) -> Iterator[Block]:
    tables = tables_of(sheet)
    merged = {(area.top, area.left): area for area in sheet.merged if area.right > area.left}
    for i, table in enumerate(tables):
        only = table.rows[0] if len(table.rows) == 1 and not table.titles and len(table.columns) == 1 else None
        wider = i + 1 < len(tables) and len(tables[i + 1].columns) > 1
        if only and wider and (i == 0 or only.cells[0].marked):  # a title with blank rows under it
            yield line_block(only, True)
        else:
            yield from table_blocks(table, merged)
    for note in sheet.notes:
        yield Block("paragraph", note)


def table_blocks(table: Table, merged: dict[tuple[int, int], Area]) -> Iterator[Block]:
    for i, row in enumerate(table.titles):
        yield line_block(row, i == 0)
    named = [row for row in table.rows if row.number not in table.unnamed]
    said = {cell.column for row in named for cell in row.cells}
    for row in table.heads:
        # Names of columns that hold nothing would be lost: they are said in no row.
        if left := [cell for cell in row.cells if said.isdisjoint(reach(merged, row.number, cell.column))]:
            yield row_block(((cell.column, cell.text) for cell in left), {}, row.number)
    for row in table.rows:
        names = table.names if row.number not in table.unnamed else {}
        if names and merged:  # what is merged over several columns is of none of them
            single = (cell.column for cell in row.cells if (row.number, cell.column) not in merged)
            names = {column: names[column] for column in single if column in names}
        if len(row.cells) > 1 or names:
            yield row_block(((cell.column, cell.text) for cell in row.cells), names, row.number)
        else:
            yield line_block(row, False)


def line_block(row: Row, title: bool) -> Block:
    """A row of one cell: a heading of what follows, a paragraph, or a row as others."""
    ((column, text, _, _),) = row.cells
    if title and len(text) <= LONGEST_TITLE and any(map(str.isalpha, text)) and text[-1] not in ".;,":
        return Block("heading", text, level=2, row=row.number, cells=((column, 0, len(text)),))
    kind: BlockKind = "paragraph" if len(text) > PROSE else "table_row"
    return Block(kind, text, row=row.number, cells=((column, 0, len(text)),))


def sheet_warnings(sheets: Sequence[Sheet]) -> list[str]:
    """What is not read as it stands in the file, for the person."""
    warnings: list[str] = []
    if hidden := [f"“{sheet.name}”" for sheet in sheets if sheet.hidden]:
        warnings.append(f"hidden {'sheet' if len(hidden) == 1 else 'sheets'}: {listed(hidden)}")
    for sheet in sheets:
        where = f"on the sheet “{sheet.name}”"
        if not sheet.hidden and (places := unseen_places(sheet)):
            warnings.append(f"hidden {where}: {listed(places)}")
        if count := len(sheet.uncalculated):
            formulas = f"1 formula {where}" if count == 1 else f"{count} formulas {where}"
            warnings.append(
                f"not calculated: {formulas} ({listed(sheet.uncalculated)}): the file holds no result, so the formula "
                "itself is shown; open the file in a spreadsheet program and save it to have the results"
            )
        if sheet.damage:
            warnings.append(f"damaged: {where} {sheet.damage}")
        if sheet.repeats_left_out:
            warnings.append(
                f"left out {where}: {sheet.repeats_left_out:,} cells that say the same as the one before them"
            )
        if sheet.cut_at:
            warnings.append(
                f"only the first {sheet.cut_at:,} rows {where} were read, because the file holds more than is read of "
                "one; divide it to add the rest"
            )
    return warnings


def unseen_places(sheet: Sheet) -> list[str]:
    """ "row 3", "columns C–E", "cell F7"."""
    rows = spans(sorted(sheet.unseen_rows))
    columns = ["–".join(letters(int(end)) for end in span.split("–")) for span in spans(sorted(sheet.unseen_columns))]
    found = [f"row{'s' * ('–' in span)} {span}" for span in rows]
    found += [f"column{'s' * ('–' in span)} {span}" for span in columns]
    return found + [f"cell {place}" for place in sheet.unseen_cells]


def listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_LISTED
    return ", ".join(names[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
