"""Layout of PDFs, on items placed by hand: no pdf.js here."""

from __future__ import annotations

from collections.abc import Sequence

from tests.fixtures.pdf import Text, column, extracted

from terrarium.model import Block
from terrarium.readers.pdf.reading import PdfContent, pdf_blocks
from terrarium.readers.pdf.warnings import numbers


def blocks(pages: Sequence[Sequence[Text]], outline: Sequence[tuple[str, int]] = ()) -> list[Block]:
    return pdf_blocks(PdfContent(*extracted(pages, outline)))[0]


def texts(*pages: Sequence[Text]) -> list[str]:
    return [block.text for block in blocks(pages)]


LEFT = [f"The left story goes on in its line {n:02} and" for n in range(6)]
RIGHT = [f"Right of it another tale is told, line {n:02}" for n in range(6)]
BODY = ["An ordinary paragraph of the page that is long enough to fill", "the line and the next one too."]


def test_columns_drawn_line_by_line_are_read_one_after_the_other():
    drawn = [text for pair in zip(column(50, 100, LEFT), column(320, 100, RIGHT), strict=True) for text in pair]
    assert texts(drawn) == [" ".join(LEFT), " ".join(RIGHT)]


def test_a_title_above_columns_stays_above_them():
    title = "One line that spans both of the columns below it, from the left edge to the right edge"
    page = [(50, 70, 10, "F1", title), *column(50, 100, LEFT), *column(320, 100, RIGHT)]
    assert texts(page) == [title, " ".join(LEFT), " ".join(RIGHT)]


def test_a_table_stays_rows():
    rows = [("Edit Employee", "Edit the selected employee."), ("New Voucher", "Create a new expense voucher."),
            ("Employee Report", "Show employee report."), ("Process Payment", "Start the assistant.")]  # fmt: skip
    page = [
        text
        for i, (a, b) in enumerate(rows)
        for text in ((50.0, 100 + 14.0 * i, 10.0, "F1", a), (300.0, 100 + 14.0 * i, 10.0, "F1", b))
    ]
    assert [(b.kind, b.text) for b in blocks([page])] == [("table_row", f"{a}\t{b}") for a, b in rows]


def test_hyphens_at_line_ends():
    lines = [
        "The reim-",
        "bursement is a well-",
        "known rule of the co-operative; the co-",
        "operative keeps ISO-",
        "9001 in mind.",
    ]
    (text,) = texts(column(50, 100, lines))
    assert (
        text == "The reimbursement is a well-known rule of the co-operative; the co-operative keeps ISO-9001 in mind."
    )


def test_ligatures_nul_and_soft_hyphens():
    (text,) = texts(column(50, 100, ["An o\ufb03ce of the \ufb01rm, opt\0ional and sepa\u00ad", "rate."]))
    assert text == "An office of the firm, optional and separate."


def test_headings_by_size_boldness_and_outline():
    page = [(50, 60, 20, "F2", "The Big Title"), *column(50, 100, BODY),
            (50, 140, 10, "F2", "A bold line"), *column(50, 160, BODY),
            (50, 200, 10, "F1", "2.1 Listed in the outline"), *column(50, 220, BODY)]  # fmt: skip
    found = [(b.text, b.level) for b in blocks([page], [("Listed in the outline", 0)]) if b.kind == "heading"]
    assert [text for text, _ in found] == ["The Big Title", "A bold line", "2.1 Listed in the outline"]
    assert found[2][1] == 1


def test_paragraphs_by_gap_and_indent_and_bullets():
    page = [*column(50, 100, BODY), *column(50, 140, BODY), *column(65, 164, BODY[:1]), *column(50, 176, BODY[1:]),
            *column(50, 200, ["• first point of the list", "• second point that is longer than"]),
            (60, 224, 10, "F1", "its line")]  # fmt: skip
    joined = " ".join(BODY)
    assert texts(page) == [
        joined,
        joined,
        joined,
        "• first point of the list",
        "• second point that is longer than its line",
    ]


def test_code_keeps_lines_and_indentation():
    page = [*column(50, 80, BODY), (50, 120, 10, "F3", "if x:"), (70, 132, 10, "F3", "return y")]
    assert [(b.kind, b.text) for b in blocks([page])][1] == ("code", "if x:\n    return y")


def test_running_heads_are_kept_once_and_page_numbers_not_at_all():
    pages = [[(50, 30, 9, "F1", "Contract 88-A, confidential"), *column(50, 200, [f"Text of sheet {n} is here."]),
              (290, 780, 9, "F1", str(n + 4))] for n in range(1, 6)]  # fmt: skip
    assert texts(*pages) == ["Contract 88-A, confidential", *(f"Text of sheet {n} is here." for n in range(1, 6))]


def test_lines_that_differ_in_content_are_no_running_heads():
    pages = [[(50, 30, 9, "F1", f"Control code K{n * 7919}")] for n in range(1, 6)]
    assert texts(*pages) == [f"Control code K{n * 7919}" for n in range(1, 6)]


def test_right_to_left_lines_are_read_from_the_right():
    info, pages = extracted([[(300.0, 100.0, 10.0, "F1", "שלום"), (200.0, 100.0, 10.0, "F1", "עולם")]])
    for item in pages[0]["items"]:
        item |= {"dir": "rtl", "width": 95}
    assert [b.text for b in pdf_blocks(PdfContent(info, pages))[0]] == ["שלום עולם"]


def test_pages_without_text_and_damaged_pages_are_named():
    info, pages = extracted([column(50, 100, BODY), [], [], column(50, 100, BODY), []])
    pages[4] = {**pages[4], "error": "broken stream"}
    found, warnings = pdf_blocks(PdfContent(info, pages))
    assert [block.page for block in found] == [1, 4]
    assert warnings == ["no text layer on pages 2–3 (2 of 5 pages)", "page 5: broken stream"]
    assert pdf_blocks(PdfContent(*extracted([[]]))) == ([], ["no text layer (1 of 1 pages)"])
    assert numbers([7]) == "page 7"
    assert numbers([1, 3, 4, 5]) == "pages 1, 3–5"
