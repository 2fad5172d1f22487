"""The report of what was read: counts, warnings by kind, the table, and reading without keeping."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from typing import Any

import pytest

from terrarium.csv_table import csv_table
from terrarium.errors import UnreadableFile
from terrarium.library import Library
from terrarium.model import Block, Document, Word
from terrarium.models.scripted import HashingEmbedder
from terrarium.readers.local import LocalReader
from terrarium.readers.reader import FileReader
from terrarium.reporting import Reporting
from terrarium.storage.counts import Counts, counts_of, tables_of, words_of
from terrarium.storage.memory import MemoryStore
from terrarium.storage.records import Record


class NoPdf:
    async def extract(self, data: bytes, password: str | None, on_page: Any = None) -> Any:
        raise AssertionError("no PDF here")


class Desk:
    """What `Reporting` needs of an engine."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.reader: FileReader = LocalReader(NoPdf())


def document(name: str, *blocks: Block, **more: Any) -> Document:
    return Document(name.ljust(64, "0"), name, more.pop("kind", "text"), name, blocks, 10, **more)


ROWS = (Block("table_row", "Name: Ada"), Block("table_row", "Name: Bo"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Members may borrow six books.", 5),
        ("a - b | “c”", 3),
        ("東京都", 3),
        ("用JWT令牌。", 4),
        ("ภาษาไทยง่าย", 2),  # eleven letters in two words and a bit
        ("עברית 123 ok", 3),
        ("", 0),
    ],
)
def test_words_are_counted_in_every_script(text, words):
    assert words_of(text) == words


def test_tables_are_runs_of_rows_and_end_where_row_numbers_begin_again():
    assert tables_of([*ROWS, Block("paragraph", "and"), *ROWS]) == 2
    assert tables_of([Block("table_row", "a", page=1), Block("table_row", "b", page=2)]) == 1
    numbered = [Block("table_row", "x", row=number) for number in (1, 2, 5, 1, 2)]
    assert tables_of(numbered) == 2
    assert tables_of([Block("paragraph", "none")]) == 0


def test_hidden_text_is_not_counted_and_pages_are_recognised_once():
    words = (Word(1, "a", 0, 0, 1, 1), Word(1, "b", 2, 0, 1, 1), Word(4, "c", 0, 0, 1, 1))
    hidden = Block("paragraph", "nobody sees this", hidden=True)
    assert counts_of(document("d", Block("paragraph", "one two"), hidden, recognised=words)) == Counts(2, 0, 2)


async def reporting(*documents: Document) -> Reporting:
    store = MemoryStore()
    library = await Library.open(store, HashingEmbedder())
    for one in documents:
        await library.add(one, collection="house")
    return Reporting(Desk(library), store)


def asked(reports: Reporting, command: str, **args: Any) -> dict[str, Any]:
    return asyncio.run(reports.handle(command, args, lambda event: None))


SCAN = document("scan.pdf", Block("paragraph", "Page one."), kind="pdf", pages=10, warnings=(
    "no text layer on page 7 (1 of 10 pages)", "left out: “a.exe” is a program."))  # fmt: skip
WARNING = 'left out: “a,b”\n"c"'
TABLE = document("list.csv", *ROWS, kind="csv", language="en")


def test_the_report_has_a_row_for_each_document_with_kinds_of_warnings():
    found = asked(asyncio.run(reporting(SCAN, TABLE)), "report")
    scan, table = found["rows"]
    assert (scan["name"], scan["pages"], scan["without_text"], scan["words"]) == ("scan.pdf", 10, 1, 2)
    assert (scan["kinds"], scan["warnings"]) == (["no text", "left out"], list(SCAN.warnings))
    assert (table["tables"], table["words"], table["language"], table["collection"]) == (1, 4, "en", "house")
    assert {"no text", "other"} <= set(found["kinds"])


def test_rows_are_ordered_by_every_column_and_those_without_a_value_apart():
    third = document("Zoo.md", Block("paragraph", "one two three four five"), kind="markdown")
    found = asked(asyncio.run(reporting(SCAN, TABLE, third)), "report")
    assert found["orders"]["words"] == {"valued": [0, 1, 2], "missing": []}
    assert found["orders"]["name"] == {"valued": [1, 0, 2], "missing": []}
    assert found["orders"]["pages"] == {"valued": [0], "missing": [1, 2]}
    assert found["orders"]["language"] == {"valued": [1], "missing": [0, 2]}


def test_a_record_from_before_there_were_counts_is_counted_on_demand():
    async def opened() -> Reporting:
        store = MemoryStore()
        library = await Library.open(store, HashingEmbedder())
        await library.add(TABLE)
        stored = json.loads((await store.items("documents"))[TABLE.id])
        for name in ("words", "tables", "recognised"):
            del stored["info"][name]
        await store.put({"documents": {TABLE.id: json.dumps(stored).encode()}})
        assert Record.loads(json.dumps(stored).encode()).info.words is None
        return Reporting(Desk(await Library.open(store, HashingEmbedder())), store)

    (row,) = asked(asyncio.run(opened()), "report")["rows"]
    assert (row["words"], row["tables"], row["recognised"]) == (4, 1, 0)


def lines(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_the_table_is_rfc_4180_and_holds_no_formula():
    evil = document('=HYPERLINK("http://x")', Block("paragraph", "a"), warnings=(WARNING,))
    failures = [{"name": "@bad.pdf", "size": 3, "reason": "-1 is damaged, it seems."}]
    text = asked(asyncio.run(reporting(evil)), "write_report", failures=failures)["text"]
    assert text.endswith("\r\n")
    head, read, failed = lines(text)
    assert dict(zip(head, read, strict=True))["document"] == '\'=HYPERLINK("http://x")'
    assert dict(zip(head, read, strict=True))["warnings"] == WARNING
    row = dict(zip(head, failed, strict=True))
    assert (row["document"], row["outcome"], row["bytes"]) == ("'@bad.pdf", "failed", "3")
    assert row["reason"] == "'-1 is damaged, it seems."


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_begins_like_a_formula(first):
    assert lines(csv_table([[f"{first}1+1"], [-1], [None]])) == [[f"'{first}1+1"], ["-1"], [""]]


def test_the_table_keeps_to_the_documents_that_are_shown_and_their_order():
    reports = asyncio.run(reporting(SCAN, TABLE))
    text = asked(reports, "write_report", failures=[], documents=[TABLE.id, SCAN.id, "gone"])["text"]
    assert [row[0] for row in lines(text)] == ["document", "list.csv", "scan.pdf"]
    assert len(lines(asked(reports, "write_report", failures=[], documents=[])["text"])) == 1


def test_reading_without_keeping_gives_the_text_and_stores_nothing():
    reports = asyncio.run(reporting())
    read = asked(reports, "read", name="notes.md", data=b"# Lift\n\nThe lift is out of order.\n")
    assert (read["kind"], read["title"], read["words"]) == ("markdown", "Lift", 7)
    assert "The lift is out of order." in read["text"]
    assert asked(reports, "report")["rows"] == []
    with pytest.raises(UnreadableFile, match="is empty"):
        asked(reports, "read", name="zero.txt", data=b"")
