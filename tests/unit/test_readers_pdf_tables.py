"""Tables of PDFs: rows with the names of their columns, whatever the table looks like."""

from __future__ import annotations

import pytest
from tests.fixtures.pdf import HEIGHT
from tests.fixtures.pdf_more import Sheet, cells, grid, lines, make_sheets, rule, words
from tests.unit.pdf_reading import needs_node, read, read_pages, texts

pytestmark = needs_node
XS = [50, 180, 300]


def filled(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"{x0} {HEIGHT - y1} {x1 - x0} {y1 - y0} re f\n"


WORD_GRID = "".join(filled(x, 190, x + 0.5, 250) for x in (50, 170, 300))
WORD_GRID += "".join(filled(50, y, 300, y + 0.5) for y in (190, 210, 230, 250))
RATES = [("Grade", "Daily rate", "Hotel"), ("A", "52 EUR", "140 EUR"), ("B", "47 EUR", "120 EUR"), ("C", "", "95 EUR")]
RIGHT_ALIGNED = "".join(
    words(50, 214 + 14 * i, year) + words(235 - 5 * len(a), 214 + 14 * i, a) + words(355 - 5 * len(b), 214 + 14 * i, b)
    for i, (year, a, b) in enumerate([("2021", "1,200", "900"), ("2022", "12,345", "1,000"), ("2023", "7", "11,000")])
)
TABLES = {
    "numbers under words": (
        cells(RATES, XS, 200),
        [
            "Grade: A | Daily rate: 52 EUR | Hotel: 140 EUR",
            "Grade: B | Daily rate: 47 EUR | Hotel: 120 EUR",
            "Grade: C | Hotel: 95 EUR",
        ],
    ),
    "a line under the header": (
        rule(50, 188, 400, 188)
        + rule(50, 206, 400, 206)
        + rule(50, 260, 400, 260)
        + cells([("Item", "Colour", "Remark"), ("Chair", "red", "wooden"), ("Lamp", "", "old")], XS, 200),
        ["Item: Chair | Colour: red | Remark: wooden", "Item: Lamp | Remark: old"],
    ),
    "a bold header, a cell of two lines": (
        cells([("Command", "What it does")], XS, 200, head="F2")
        + words(50, 214, "copy")
        + lines(
            180, 214, ["Copies a file to another place and keeps a well-", "known backup of what was there be-", "fore"]
        )
        + words(50, 256, "move")
        + words(180, 256, "Moves it"),
        [
            "Command: copy | What it does: Copies a file to another place and keeps a well-known backup of what was "
            "there before",
            "Command: move | What it does: Moves it",
        ],
    ),
    "a header of two lines": (
        cells(
            [("", "Daily rate", "Hotel rate"), ("Grade", "in euros", "in euros"), ("A", "52", "140"), ("B", "47", "9")],
            XS,
            200,
        ),
        [
            "Grade: A | Daily rate in euros: 52 | Hotel rate in euros: 140",
            "Grade: B | Daily rate in euros: 47 | Hotel rate in euros: 9",
        ],
    ),
    "ruled, with cells of several lines and an empty one": (
        grid([50, 170, 300, 420], [190, 210, 240, 270])
        + cells([("Name", "Task", "Room")], [55, 175, 305], 205)
        + words(55, 222, "Ada")
        + lines(175, 222, ["writes the re-", "port"])
        + words(305, 222, "12")
        + words(55, 252, "Bob")
        + lines(175, 252, ["reads it and", "signs"]),
        ["Name: Ada | Task: writes the report | Room: 12", "Name: Bob | Task: reads it and signs"],
    ),
    "ruled by thin boxes": (
        WORD_GRID
        + cells([("Key", "Value")], [55, 175], 205, head="F2")
        + cells([("a", "one"), ("b", "two")], [55, 175], 224, pitch=20),
        ["Key: a | Value: one", "Key: b | Value: two"],
    ),
    "ruled, without a line around it": (
        grid([170, 300], [190, 250])
        + rule(50, 210, 420, 210)
        + rule(50, 230, 420, 230)
        + cells(
            [("Name", "Task", "Room"), ("Ada", "writes", "12"), ("Bob", "reads", "13")], [55, 175, 305], 205, pitch=20
        ),
        ["Name: Ada | Task: writes | Room: 12", "Name: Bob | Task: reads | Room: 13"],
    ),
    "ruled, with a cell that reaches over two rows": (
        "".join(rule(x, 190, x, 250) for x in (50, 170, 300, 420))
        + "".join(rule(50, y, 420, y) for y in (190, 210, 250))
        + rule(170, 230, 420, 230)
        + cells([("Kind", "Place", "Fee")], [55, 175, 305], 205)
        + words(55, 234, "Members")
        + cells([("Hut", "12"), ("Camp", "7")], [175, 305], 224, pitch=20),
        ["Kind: Members | Place: Hut | Fee: 12", "Kind: Members | Place: Camp | Fee: 7"],
    ),
    "numbers on the right": (
        cells([("Year", "Income (EUR)", "Costs (EUR)")], XS, 200) + RIGHT_ALIGNED,
        [
            "Year: 2021 | Income (EUR): 1,200 | Costs (EUR): 900",
            "Year: 2022 | Income (EUR): 12,345 | Costs (EUR): 1,000",
            "Year: 2023 | Income (EUR): 7 | Costs (EUR): 11,000",
        ],
    ),
    "no header": (
        cells([("Invoice number:", "4711"), ("Customer:", "Ada Ltd"), ("Due:", "1 May 2024")], [50, 220], 200),
        ["Invoice number:\t4711", "Customer:\tAda Ltd", "Due:\t1 May 2024"],
    ),
    "contents, no header": (
        cells([("1 Introduction", "1"), ("2 Methods used", "12"), ("3 Results", "30")], [50, 400], 200),
        ["1 Introduction\t1", "2 Methods used\t12", "3 Results\t30"],
    ),
    "a box around text is no table": (
        grid([40, 560], [180, 260])
        + lines(50, 200, ["All of this stands in a box that is drawn around it,", "in two lines."]),
        ["All of this stands in a box that is drawn around it, in two lines."],
    ),
}


@pytest.fixture(scope="module")
def pages():
    return dict(zip(TABLES, read_pages([content for content, _ in TABLES.values()]), strict=True))


@pytest.mark.parametrize("name", TABLES)
def test_rows_say_what_their_columns_are(pages, name):
    assert texts(pages[name]) == TABLES[name][1]


def test_places_of_cells(pages):
    row = pages["numbers under words"][2]
    assert [(column, row.text[start:end]) for column, start, end in row.cells] == [(0, "C"), (2, "95 EUR")]
    assert [block.row for block in pages["numbers under words"]] == [1, 2, 3]


def test_a_table_goes_on_on_the_next_page_with_and_without_its_header():
    head = [("Code", "Count", "Price")]
    first = cells(head + [(f"K{i}", str(i), f"{i}.50") for i in (1, 2, 3)], XS, 650) + words(290, 780, "1", 9)
    again = cells([*head, ("L1", "7", "1.50"), ("L2", "8", "2.50")], XS, 60)
    without = cells([("M1", "9", "1.50"), ("M2", "8", "2.50")], XS, 60) + words(50, 300, "The end of the table.")
    other = words(50, 60, "Another text stands here.") + cells([("N1", "9", "1.50"), ("N2", "8", "2.50")], XS, 100)
    document = read(make_sheets([Sheet(content) for content in (first, again, without, other)]))
    rows = [(block.page, block.text) for block in document.blocks if block.kind == "table_row"]
    assert rows[3:] == [
        (2, "Code: L1 | Count: 7 | Price: 1.50"),
        (2, "Code: L2 | Count: 8 | Price: 2.50"),
        (3, "Code: M1 | Count: 9 | Price: 1.50"),
        (3, "Code: M2 | Count: 8 | Price: 2.50"),
        (4, "N1\t9\t1.50"),
        (4, "N2\t8\t2.50"),
    ]
