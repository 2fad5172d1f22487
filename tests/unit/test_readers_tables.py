"""Tables of HTML and of delimited text."""

from __future__ import annotations

import pytest
from tests.fixtures.documents import docx_table, make_docx
from tests.unit.test_readers_texts import read

from terrarium.model import Document


def cells(document: Document) -> list[tuple[int, list[tuple[int, str]]]]:
    """(row, (column, value) of each cell) of each row."""
    return [
        (block.row, [(column, block.text[start:end]) for column, start, end in block.cells])
        for block in document.blocks
        if block.kind == "table_row"
    ]


def texts(data: str | bytes, name: str = "a.csv") -> list[str]:
    return [block.text for block in read(data, name).blocks]


def test_records_know_their_rows_and_cells():
    document = read('name;price\n"two\nlines";1,50\n\nÖl;\n', "a.csv")
    assert cells(document) == [(2, [(0, "two lines"), (1, "1,50")]), (4, [(0, "Öl")])]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("sep=;\na;b\n1,5;2\n3,5;4\n", ["a: 1,5 | b: 2", "a: 3,5 | b: 4"]),
        ("SEP=^\r\na^b\r\n1^2\r\n", ["a: 1 | b: 2"]),
        ("name;x;y\nA;1,5;2,5\nB;3,5;4,5\n", ["name: A | x: 1,5 | y: 2,5", "name: B | x: 3,5 | y: 4,5"]),
        ("a|b\n1|2\n3|4\n", ["a: 1 | b: 2", "a: 3 | b: 4"]),
        ("a\tb\n1,0\t2,0\n", ["a: 1,0 | b: 2,0"]),
        ("Rates\nof May\n\nkind,fee\nA,52\nB,60\n", ["Rates", "of May", "kind: A | fee: 52", "kind: B | fee: 60"]),
        ("# made by hand\n# a, b, c\n1,2,3\n4,5,6\n", ["# made by hand", "a: 1 | b: 2 | c: 3", "a: 4 | b: 5 | c: 6"]),
        ("# one, two\nx,y\n1,2\n", ["# one | two", "x: 1 | y: 2"]),
        ("Of,2022,2023\nUlm,1.7,18\nBern,3,4\n", ["Of: Ulm | 2022: 1.7 | 2023: 18", "Of: Bern | 2022: 3 | 2023: 4"]),
        ("who,value,value\nA,1,2\nB,3,4\n", ["who: A | value: 1 | value: 2", "who: B | value: 3 | value: 4"]),
        ("1,2\n3,4\n", ["1 | 2", "3 | 4"]),
        ("a,b\n1,2,3\n4\n5,6\n7,8\n9,0\n", ["a: 1 | b: 2 | 3", "a: 4", "a: 5 | b: 6", "a: 7 | b: 8", "a: 9 | b: 0"]),
    ],
)  # fmt: skip
def test_dialects(data, expected):
    assert texts(data) == expected


def test_html_cells_that_span_columns_and_rows():
    table = (
        "<table><caption>Rates</caption><tr><th rowspan=2>Land<th colspan=2>2024<tr><th>Q1<th>Q2"
        "<tr><td>Chad<td>1<td>2<tr><td rowspan=2>Peru<td colspan=2>both<tr><td>3<td>4</table>"
    )
    document = read(f"<html><body>{table}</body></html>", "a.html")
    assert [block.text for block in document.blocks] == [
        "Rates",
        "Land: Chad | 2024 Q1: 1 | 2024 Q2: 2",
        "Land: Peru | 2024 Q1: both",
        "2024 Q1: 3 | 2024 Q2: 4",
    ]
    assert cells(document)[3] == (5, [(1, "3"), (2, "4")])


@pytest.mark.parametrize("span", ["999999999", "-1", "0", "x", "²", "9" * 5000])
def test_html_cells_that_span_nonsense(span):
    table = f"<table><tr><td colspan={span} rowspan={span}>a<td>b<tr><td>c</table>" * 50
    assert texts(f"<html><body>{table}</body></html>", "a.html").count("a | b") == 50


def test_docx_tables_have_cells():
    assert cells(read(make_docx(docx_table([["Grade", "Rate"], ["A", "52 EUR"]])), "a.docx")) == [
        (1, [(0, "Grade"), (1, "Rate")]),
        (2, [(0, "A"), (1, "52 EUR")]),
    ]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("Grade,Day,Hotel;A,52 EUR,140 EUR;B,47 EUR,120 EUR", "Grade: A | Day: 52 EUR | Hotel: 140 EUR"),
        (",2031 and on,Before;Kayak,12.5,11;Canoe,14,13", " | 2031 and on | Before"),  # a year may be a value
        (",Winter,Summer;Kayak,12.5,11;Canoe,14,13", "Kayak | Winter: 12.5 | Summer: 11"),
        ("<b>Who</b>,<b>What</b>;Ada,chair;Bo,treasurer", "Who: Ada | What: chair"),
        ("Ada,chair;Bo,treasurer;Cy,member", "Ada | chair"),  # texts over texts: nobody can know
        ("Deposit,150;Length,4.2;Colour,red", "Deposit | 150"),
        ("Name,Name;A,1;B,2", "Name | Name"),
        ("Seats,Price;4,90", "Seats | Price"),  # too short to tell
    ],
)
def test_header_rows_that_nobody_marked(rows, expected):
    table = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row.split(','))}</tr>" for row in rows.split(";"))
    document = read(f"<html><body><p>Rates</p><table>{table}</table></body></html>", "a.html")
    assert document.blocks[1].text == expected.removeprefix(" | ")
