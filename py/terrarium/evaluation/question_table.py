"""Questions as a table of comma-separated values, one a line.

The column "question" and any of the others in `COLUMNS`; the delimiter is told from the text. Of several answers or
places the table keeps the first.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence

from terrarium.csv_table import FORMULA, csv_table
from terrarium.evaluation.lines import BadSet
from terrarium.evaluation.question_rows import Row, checked
from terrarium.readers.plain.delimited import csv_delimiter

COLUMNS = ("id", "kind", "question", "answer", "document", "page", "quote", "answerable")
_YES, _NO = {"yes", "true", "1", "y", "ja", "oui", "sí", "si"}, {"no", "false", "0", "n", "nein", "non"}
_NO_DELIMITER = "\x1f"  # for a table of one column, whose questions may hold any sign


def table_rows(text: str, name: str) -> tuple[Iterator[tuple[int, Row]], list[str]]:
    """Numbered rows, and the names of the columns that nothing reads."""
    text = text.lstrip("\n")
    head = text.partition("\n")[0]
    delimiter = csv_delimiter(text)
    if not delimiter or delimiter not in head:
        delimiter = _NO_DELIMITER
    lines = _records(text, delimiter, name)
    _, names = next(lines, (0, []))
    columns = [one.strip().casefold() for one in names]
    if "question" not in columns:
        raise BadSet(
            f"{name} has no column “question” in its first line, which names {', '.join(names) or 'nothing'}. "
            f"The columns may be {', '.join(COLUMNS)}; only “question” is needed."
        )
    if twice := sorted({one for one in columns if one in COLUMNS and columns.count(one) > 1}):
        raise BadSet(f"{name} has the column “{twice[0]}” twice. Keep one of them.")
    unused = [given for given, column in zip(names, columns, strict=True) if column not in COLUMNS]
    return (
        (number, _row(dict(zip(columns, cells, strict=False)), f"{name}, line {number},"))
        for number, cells in lines
        if any(cell.strip() for cell in cells) and _fits(cells, columns, f"{name}, line {number},")
    ), unused


def _records(text: str, delimiter: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """(line on which it begins, cells) of each record."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    begins = 1
    try:
        for cells in reader:
            yield begins, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        raise BadSet(f"{name}, line {begins}, is no row of the table ({error}). Is a quotation mark open?") from error


def _fits(cells: Sequence[str], columns: Sequence[str], where: str) -> bool:
    if any(cell.strip() for cell in cells[len(columns) :]):
        raise BadSet(
            f"{where} has {len(cells)} cells, the first line names {len(columns)}. Put a text that holds the "
            "delimiter into quotation marks."
        )
    return True


def _row(cells: Mapping[str, str], where: str) -> Row:
    found = {name: cells.get(name, "").strip() for name in COLUMNS}
    found = {name: text[1:] if text[:1] == "'" and FORMULA.match(text[1:]) else text for name, text in found.items()}
    row: Row = {name: found[name] for name in ("id", "kind", "question") if found[name]}
    if found["answer"]:
        row["answers"] = [found["answer"]]
    if (found["quote"] or found["page"]) and not found["document"]:
        raise BadSet(f"{where} has a quote or a page but no document. Name the file in the column “document”.")
    if found["page"] and not found["page"].isdecimal():
        raise BadSet(f"{where}: the page “{found['page']}” is no whole number.")
    if found["quote"]:
        place: Row = {"file": found["document"], "quote": found["quote"]}
        row["evidence"] = [place | ({"page": int(found["page"])} if found["page"] else {})]
    elif found["document"]:
        row["document"] = found["document"]
    if found["answerable"]:
        said = found["answerable"].casefold()
        if said not in _YES | _NO:
            raise BadSet(f"{where}: “answerable” is yes or no, not “{found['answerable']}”.")
        row["answerable"] = said in _YES
    return checked(row, where)


def to_table(rows: Sequence[Row]) -> str:
    """The same as comma-separated values, with one answer and one place each."""
    return csv_table([COLUMNS, *(_cells(row) for row in rows)])


def _cells(row: Row) -> list[object]:
    place = next(iter(row.get("evidence", [])), {"file": row.get("document", ""), "quote": ""})
    answer = next(iter(row.get("answers", [])), "")
    answerable = "yes" if row.get("answerable", True) else "no"
    page, quote = place.get("page") or "", place["quote"]
    return [row.get("id", ""), row["kind"], row["question"], answer, place["file"], page, quote, answerable]
