"""ODS. Expected by hand: what a person sees who opens the file."""

from __future__ import annotations

import pytest
from tests.fixtures.sheets import make_ods, ods_cell, ods_row, ods_sheet, ods_xml
from tests.unit.test_readers_sheets import hidden, lines
from tests.unit.test_readers_texts import kinds, read, read_whole

from terrarium.errors import PasswordNeeded, UnreadableFile

HEAD = ods_row("Item", "Price", "Day")
ROPE = ods_row(
    "Rope",
    ods_cell("7,50 €", "currency", 'office:value="7.5"'),
    ods_cell("09.03.31", "date", 'office:date-value="2031-03-09"'),
)
OIL = ods_row("Oil", ods_cell("25 %", "percentage", 'office:value="0.25"'), "<table:table-cell/>")
TWICE = 'table:number-{}-repeated="2"'
STYLES = (
    '<style:style style:name="away" style:family="table"><style:table-properties table:display="false"/></style:style>'
    '<style:style style:name="bold"><style:text-properties fo:font-weight="bold"/></style:style>'
    '<style:style style:name="white"><style:text-properties fo:color="#ffffff"/></style:style>'
)


def rows(data: bytes) -> list[str]:
    return lines(read(data, "a.ods"))[1:]


def test_rows_show_what_the_sheet_shows():
    document = read(make_ods(ods_sheet("Stock", HEAD, ROPE, OIL)), "stock.ods")
    assert (document.kind, document.title) == ("ods", "stock")
    assert kinds(document) == [
        ("heading", 1, "Stock"),
        ("table_row", 0, "Item: Rope | Price: 7,50 € | Day: 09.03.31"),
        ("table_row", 0, "Item: Oil | Price: 25 %"),
    ]
    assert [block.row for block in document.blocks] == [0, 2, 3]
    assert [document.blocks[1].text[start:end] for _, start, end in document.blocks[1].cells][1] == "7,50 €"


def test_a_flat_file_is_read_as_a_packed_one():
    flat = f'<?xml version="1.0"?>{ods_xml(ods_sheet("Stock", HEAD, ROPE))}'.replace("document-content", "document")
    typed = flat.replace(
        "<office:document ", '<office:document office:mimetype="application/vnd.oasis.opendocument.spreadsheet" '
    )
    document = read(typed, "a.fods")
    assert (document.kind, lines(document)[1]) == ("ods", "Item: Rope | Price: 7,50 € | Day: 09.03.31")


def test_spans_merged_cells_and_repeated_ones():
    covered = "<table:covered-table-cell/>"
    data = make_ods(
        ods_sheet(
            "S",
            ods_row(ods_cell("Land", attributes='table:number-rows-spanned="2" table:number-columns-spanned="1"'),
                    ods_cell("2024", attributes='table:number-columns-spanned="2"'), covered),
            ods_row(covered, "Q1", "Q2"),
            ods_row("Chad", ods_cell("3", "float", TWICE.format("columns")), attributes=TWICE.format("rows")),
        )
    )  # fmt: skip
    assert rows(data) == ["Land: Chad | 2024 Q1: 3 | 2024 Q2: 3"] * 2


def test_text_keeps_its_spaces_and_its_links():
    inner = '<text:p>a<text:s text:c="2"/>b<text:tab/>c <text:a>link</text:a></text:p><text:p>d</text:p>'
    assert rows(make_ods(ods_sheet("S", ods_row(f"<table:table-cell>{inner}</table:table-cell>")))) == ["a b c link d"]


def test_formulas_show_their_results_or_else_themselves():
    data = make_ods(
        ods_sheet(
            "S",
            ods_row(
                '<table:table-cell table:formula="of:=[.A2]*2" office:value-type="float" office:value="4"/>',
                '<table:table-cell table:formula="of:=SUM([.A1:.B3];[$Rates.C4])"/>',
            ),
        )
    )
    document = read(data, "a.ods")
    assert lines(document)[1:] == ["4 | =SUM(A1:B3;$Rates.C4)"]
    assert document.warnings[0].startswith("not calculated: 1 formula on the sheet “S” (B1)")


def test_hidden_sheets_rows_columns_and_cells():
    columns = '<table:table-column/><table:table-column table:visibility="collapse"/>'
    data = make_ods(
        ods_sheet(
            "Seen", columns,
            ods_row("Anna", "pay of Anna", "Ulm"),
            ods_row("Bert", "x", "Bern", attributes='table:visibility="filter"'),
            ods_row(ods_cell("in white", attributes='table:style-name="white"')),
        )
        + ods_sheet("Secret", ods_row("a secret"), attributes='table:style-name="away"'),
        STYLES,
    )  # fmt: skip
    document = read(data, "a.ods")
    assert lines(document) == ["Seen", "Anna | Ulm"]
    assert all(text in hidden(document) for text in ["pay of Anna", "Bert | x | Bern", "in white", "a secret"])
    assert document.warnings[:2] == (
        "hidden sheet: “Secret”",
        "hidden on the sheet “Seen”: row 2, column B, cell A3",
    )


def test_headers_that_are_bold_or_of_a_filter():
    bold = (ods_cell(text, attributes='table:style-name="bold"') for text in ("Name", "Town"))
    assert rows(make_ods(ods_sheet("S", ods_row(*bold), ods_row("Anna", "Ulm")), STYLES)) == ["Name: Anna | Town: Ulm"]
    area = "'My S'.A1:'My S'.B2"
    filtered = f'<table:database-range table:target-range-address="{area}"/>'
    data = make_ods(ods_sheet("My S", ods_row("Name", "Town"), ods_row("Anna", "Ulm")), ranges=filtered)
    assert rows(data) == ["Name: Anna | Town: Ulm"]


def test_comments_and_shapes():
    noted = (
        "<table:table-cell><office:annotation><dc:creator>Ada</dc:creator><dc:date>2031-03-09</dc:date><text:p>so it"
        "</text:p><text:p>is</text:p></office:annotation><text:p>42</text:p></table:table-cell>"
    )
    shapes = (
        "<table:shapes><draw:frame><draw:text-box><text:p>beside</text:p></draw:text-box></draw:frame></table:shapes>"
    )
    assert rows(make_ods(ods_sheet("S", shapes, ods_row(noted)))) == [
        "42",
        "beside",
        "Comment by Ada on A1 (“42”): so it is",
    ]


def test_sheets_filled_to_their_edges_take_no_time():
    empty = '<table:table-cell table:number-columns-repeated="16384"/>'
    full = ods_cell("x", attributes='table:number-columns-repeated="999999999999"')
    data = make_ods(
        ods_sheet(
            "A", ods_row("first"), ods_row(empty, attributes='table:number-rows-repeated="1048573"'), ods_row("last")
        )
        + ods_sheet("B", ods_row(full, attributes='table:number-rows-repeated="999999999999"'))
    )
    document = read(data, "a.ods")
    assert lines(document)[:3] == ["A", "first", "last"]
    assert document.blocks[2].row == 1_048_575
    assert len(document.text) < 1_000_000
    assert document.warnings[0].startswith("left out on the sheet “B”: ")


def test_progress_counts_rows():
    told: list[tuple[int, int]] = []
    data = make_ods(ods_sheet("S", *(ods_row(str(i)) for i in range(700))))
    read_whole(data, "a.ods", progress=lambda done, total: told.append((done, total)))
    assert told == [(500, 700), (700, 700)]


def test_what_is_refused_and_what_is_cut_off():
    encrypted = '<manifest:manifest xmlns:manifest="m"><manifest:encryption-data/></manifest:manifest>'
    with pytest.raises(PasswordNeeded):
        read(make_ods("", extra={"META-INF/manifest.xml": encrypted}), "a.ods")
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><x/>'
    with pytest.raises(UnreadableFile, match="entities"):
        read(make_ods("", extra={"content.xml": bomb}), "a.ods")
    with pytest.raises(UnreadableFile, match="no sheet"):
        read(make_ods(""), "a.ods")
    cut = ods_xml(ods_sheet("S", ods_row("one"), ods_row("two"), ods_row("three")))
    document = read(make_ods("", extra={"content.xml": cut[: cut.index("three")]}), "a.ods")
    assert lines(document) == ["S", "one", "two"]
    assert document.warnings[0].startswith("damaged: on the sheet “S” nothing behind row 2")
