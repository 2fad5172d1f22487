"""Where quotes are marked on pages: on pdf.js's own items of made files, against the places that were written."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Sequence

import pytest
from tests.fixtures.pdf import Text, column, make_pdf
from tests.fixtures.pdf_more import Sheet, make_sheets

from terrarium.drawing import Item, PageItems
from terrarium.model import Block, Document, Word
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.readers.pdf.reading import PdfContent
from terrarium.readers.reading import read_document
from terrarium.viewing.marks import Box, items_of, marks

EXTRACTOR = NodePdfExtractor()
needs_pdfjs = pytest.mark.skipif(
    not shutil.which("node") or not EXTRACTOR.pdfjs.is_dir(), reason="needs Node and npm's pdfjs-dist"
)
LEFT = ["The committee agreed that the reim-", "bursement ceiling for overnight travel", "is 140 euros a night."]
RIGHT = [
    "Members who miss the deadline may",
    "file a request with the treasurer.",
    "The form is due within thirty days.",
]


class Kept:
    """An extractor that keeps what pdf.js said."""

    content: PdfContent

    async def extract(
        self, data: bytes, password: str | None, on_page: Callable[[int, int], None] | None = None
    ) -> PdfContent:
        self.content = await EXTRACTOR.extract(data, password, on_page)
        return self.content


def opened(data: bytes) -> tuple[Document, list[tuple[Item, ...]]]:
    kept = Kept()
    document = asyncio.run(read_document(data, "a.pdf", pdf=kept))
    return document, [PageItems.of(dict(page)).items for page in kept.content.pages]


def quoted(data: bytes, quote: str, page: int = 1, nth: int = 0) -> list[Box]:
    document, items = opened(data)
    start = -1
    for _ in range(nth + 1):
        start = document.text.index(quote, start + 1)
    return marks(document, items[page - 1], page, start, start + len(quote))


def lines_of(boxes: Sequence[Box]) -> list[tuple[int, int, int]]:
    """Of each box its left and right edge and the baseline that lies in it, on a grid of lines of 12 points."""
    found = []
    for x, y, width, height in boxes:
        (baseline,) = [at for at in range(64, 800, 12) if y < at < y + height]
        found.append((round(x), round(x + width), baseline))
    return found


def two_columns() -> list[Text]:
    # Drawn line by line over both columns, as some programs do.
    pairs = zip(column(50, 100, LEFT), column(320, 100, RIGHT), strict=True)
    return [item for pair in pairs for item in pair]


@needs_pdfjs
def test_a_quote_of_one_column_is_marked_in_that_column_over_its_hyphen():
    document, items = opened(make_pdf([two_columns()]))
    start, end = document.text.index("the reimbursement"), document.text.index(" a night")
    found = lines_of(marks(document, items[0], 1, start, end))
    assert [baseline for _, _, baseline in found] == [100, 112, 124]
    assert all(50 <= left < right < 320 for left, right, _ in found)
    assert found[0][0] > 100 and found[1][0] == 50 and found[2][1] < 140


@needs_pdfjs
def test_a_part_of_a_line_is_marked_where_its_letters_stand():
    # Courier: each letter is 0.6 of the size.
    data = make_pdf([[(50, 100, 10, "F3", "pay 140 euros a night")]])
    ((left, right, baseline),) = lines_of(quoted(data, "140 euros"))
    assert (left, right) == pytest.approx((74, 128), abs=6) and baseline == 100


@needs_pdfjs
def test_of_a_sentence_that_stands_twice_the_quoted_one_is_marked():
    same = "The fee is due at once."
    rows = [(50.0, 100 + 12 * at, 10.0, "F1", text) for at, text in enumerate(["Members.", same, "Guests.", same])]
    assert [lines_of(quoted(make_pdf([rows]), same, nth=nth))[0][2] for nth in range(2)] == [112, 136]
    alike = [(50.0, 100 + 40 * at, 10.0, "F1", same) for at in range(3)]
    assert [quoted(make_pdf([alike]), same, nth=nth)[0][1] for nth in range(3)] == [
        pytest.approx(91.8 + 40 * at, abs=1) for at in range(3)
    ]


@needs_pdfjs
def test_ligatures_and_letters_of_the_right_to_left_are_found():
    words = "ﬁnal oﬃce"
    codes = words.encode("utf-16-be").hex()
    data = make_sheets([Sheet(f"BT /U 10 Tf 50 700 Td <{codes}> Tj ET")])
    document, items = opened(data)
    start = document.text.index("office")
    (box,) = marks(document, items[0], 1, start, start + 6)
    assert 65 < box[0] < 90 and box[1] < 100 < box[1] + box[3]
    visual = "".join(reversed("שלום"))  # as it is drawn, from the left
    item = Item(visual, 50, 100, 40, 10, 0, True)
    hebrew = Document("id", "a.pdf", "pdf", "", (Block("paragraph", "שלום", 1),), 1)
    (box,) = marks(hebrew, [item], 1, 0, 4)
    assert (box[0], box[2]) == (50, 40)
    two = [Item("".join(reversed(word)), x, 100, 40, 10, 0, True) for x, word in ((50, "עולם"), (95, "שלום"))]
    both = Document("id", "a.pdf", "pdf", "", (Block("paragraph", "שלום עולם", 1),), 1)
    (box,) = marks(both, two, 1, 0, 9)
    assert box == pytest.approx((50, 91.8, 85, 10.6))
    (box,) = marks(hebrew, [Item("שלום", 50, 100, 40, 10, 0, True)], 1, 0, 1)
    assert box[0] == pytest.approx(80, abs=3)  # its first letter is the rightmost


@needs_pdfjs
def test_a_quote_over_a_page_break_is_marked_on_both_pages():
    first = column(50, 700, ["The committee agreed that the", "ceiling for overnight travel and"])
    second = column(50, 60, ["for meals is 140 euros a night.", "Something else is said here."])
    document, items = opened(make_pdf([first, second]))
    text = document.text
    start, end = text.index("ceiling"), text.index("140") + len("140 euros")
    on_first = lines_of(marks(document, items[0], 1, start, end))
    on_second = marks(document, items[1], 2, start, end)
    assert [baseline for _, _, baseline in on_first] == [712]
    assert len(on_second) == 1 and on_second[0][1] < 60 < on_second[0][1] + on_second[0][3]


def test_a_turned_line_is_marked_along_its_direction():
    document = Document("id", "a.pdf", "pdf", "", (Block("paragraph", "abcd", 1),), 1)
    (box,) = marks(document, [Item("abcd", 100, 200, 40, 10, 90)], 1, 2, 4)
    assert box == pytest.approx((97.6, 220, 10.6, 20))


def test_a_tables_row_is_marked_by_its_values_and_not_by_the_names_before_them():
    text = "Grade: A | Rate: 52 EUR"
    row = Block("table_row", text, 1, row=2, cells=((0, 7, 8), (1, 17, 23)))
    items = [Item("Grade", 50, 100, 30, 10), Item("Rate", 150, 100, 30, 10)]
    items += [Item("A", 50, 120, 6, 10), Item("52 EUR", 150, 120, 40, 10)]
    document = Document("id", "a.pdf", "pdf", "", (row,), 1)
    assert [(box[0], round(box[1])) for box in marks(document, items, 1, 0, len(text))] == [(50, 112), (150, 112)]


def test_what_is_not_on_the_page_is_not_marked():
    document = Document("id", "a.pdf", "pdf", "", (Block("paragraph", "Nothing of the kind was agreed", 1),), 1)
    assert marks(document, [Item("Members pay 140 euros", 50, 100, 90, 10)], 1, 0, 30) == []
    assert marks(document, [], 1, 0, 30) == []
    assert marks(document, [Item("Nothing of the kind was agreed", 50, 100, 90, 10)], 3, 0, 30) == []


def test_recognised_words_are_marked_as_they_stand():
    words = (Word(1, "The", 50, 90, 20, 12), Word(1, "fee", 76, 90, 18, 12), Word(2, "fee", 0, 0, 1, 1))
    document = Document("id", "a.pdf", "pdf", "", (Block("paragraph", "The fee", 1),), 1, recognised=words)
    assert marks(document, items_of(words, 1), 1, 0, 7) == [(50, 90, 44, 12)]
    assert marks(document, items_of(words, 1), 1, 4, 7) == [(76, 90, 18, 12)]
