"""XLSX. Expected by hand: what a person sees who opens the file."""

from __future__ import annotations

import datetime
import random
import re
from typing import Any

import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.table import Table
from tests.fixtures.documents import zipped
from tests.fixtures.sheets import MAIN, STRICT, book, make_styles, make_xlsx, sheet_of
from tests.unit.test_readers_texts import kinds, read, read_whole

from terrarium.errors import PasswordNeeded, UnreadableFile
from terrarium.model import Document
from terrarium.readers.sheets.model import MOST_CELLS, letters


def lines(document: Document) -> list[str]:
    """Of what is seen."""
    return [block.text for block in document.blocks if not block.hidden]


def rows(data: bytes) -> list[str]:
    return lines(read(data, "a.xlsx"))[1:]


def hidden(document: Document) -> str:
    return "\n".join(block.text for block in document.blocks if block.hidden)


def test_rows_repeat_their_header_and_know_their_cells():
    document = read(
        sheet_of(["Grade", "Rate", None, "Note"], ["A", 52, None, "old"], [None, 60.5], ["C"]), "rates.xlsx"
    )
    assert (document.kind, document.title) == ("xlsx", "rates")
    assert kinds(document) == [
        ("heading", 1, "Sheet"),
        ("table_row", 0, "Grade: A | Rate: 52 | Note: old"),
        ("table_row", 0, "Rate: 60.5"),
        ("table_row", 0, "Grade: C"),
    ]
    found = [
        (block.row, [(column, block.text[start:end]) for column, start, end in block.cells])
        for block in document.blocks
    ]
    assert found == [(0, []), (2, [(0, "A"), (1, "52"), (3, "old")]), (3, [(1, "60.5")]), (4, [(0, "C")])]


def test_formats_are_shown_as_in_the_sheet():
    def fill(workbook: Any) -> None:
        sheet = workbook.active
        sheet.append(["Day", "Time", "Took", "Share", "Price", "Paid", "State"])
        sheet.append([datetime.date(2031, 3, 9), datetime.time(6, 15), 1.5, 0.025, 1599.99, True, "#N/A"])
        for place, code in zip("ABCDE", ["d-mmm-yy", "h:mm", "[h]:mm", "0.0%", '#,##0.00\\ "€"'], strict=True):
            sheet[f"{place}2"].number_format = code

    assert rows(book(fill)) == [
        "Day: 9-Mar-31 | Time: 6:15 | Took: 36:00 | Share: 2.5% | Price: 1,599.99 € | Paid: TRUE | State: #N/A"
    ]


def test_a_title_over_the_table_is_a_heading_and_lines_below_it_are_not_rows():
    data = sheet_of(
        ["Travel rates"],
        ["as of March"],
        ["Grade", "Rate", "Town"],
        ["A", 52, "Ulm"],
        ["B", 60, "Bern"],
        ["All in EUR"],
    )
    assert kinds(read(data, "a.xlsx"))[1:] == [
        ("heading", 2, "Travel rates"),
        ("table_row", 0, "as of March"),
        ("table_row", 0, "Grade: A | Rate: 52 | Town: Ulm"),
        ("table_row", 0, "Grade: B | Rate: 60 | Town: Bern"),
        ("table_row", 0, "All in EUR"),
    ]


def test_several_tables_on_a_sheet_keep_their_own_headers():
    data = sheet_of(
        ["Item", "Price"], ["Rope", 7], ["Oil", 3], [],
        ["Town", "People", None, "River", "Length"],
        ["Ulm", 126, None, "Danube", 2850],
        ["Bern", 134, None, "Aare", 288],
        [None, None, None, "Rhine", 1233],
    )  # fmt: skip
    assert rows(data) == [
        "Item: Rope | Price: 7",
        "Item: Oil | Price: 3",
        "Town: Ulm | People: 126",
        "Town: Bern | People: 134",
        "River: Danube | Length: 2850",
        "River: Aare | Length: 288",
        "River: Rhine | Length: 1233",
    ]


def test_a_table_goes_on_below_a_blank_row():
    data = sheet_of(["Item", "Price"], ["Rope", 7], ["Oil", 3], [], ["Sum", 10], [], ["Written by", "Anna"])
    assert rows(data) == ["Item: Rope | Price: 7", "Item: Oil | Price: 3", "Item: Sum | Price: 10", "Written by | Anna"]


def test_a_form_has_no_header():
    assert rows(sheet_of(["Name", "Anna"], ["Town", "Ulm"], ["Born", 1970])) == [
        "Name | Anna",
        "Town | Ulm",
        "Born | 1970",
    ]


def test_a_glossary_and_a_row_of_years_have_one():
    long = "a long line that explains what the word means"
    assert (
        rows(sheet_of(["Term", "Meaning"], ["Fee", long], ["Rate", long], ["Sum", long]))[0]
        == f"Term: Fee | Meaning: {long}"
    )
    data = sheet_of(["Land", 2022, 2023, 2024], ["Chad", 17.7, 18.3, 18.8], ["Peru", 34, 34.4, 34.7])
    assert rows(data)[1] == "Land: Peru | 2022: 34 | 2023: 34.4 | 2024: 34.7"


def test_headers_that_are_bold_or_declared():
    def bold(workbook: Any) -> None:
        workbook.active.append(["Name", "Town"])
        workbook.active.append(["Anna", "Ulm"])
        for cell in workbook.active[1]:
            cell.font = Font(bold=True)

    def declared(workbook: Any) -> None:
        for row in [["Name", "Town"], ["Anna", "Ulm"]]:
            workbook.active.append(row)
        workbook.active.add_table(Table(displayName="People", ref="A1:B2"))

    def filtered(workbook: Any) -> None:
        for row in [["Name", "Town"], ["Anna", "Ulm"]]:
            workbook.active.append(row)
        workbook.active.auto_filter.ref = "A1:B2"

    for fill in (bold, declared, filtered):
        assert rows(book(fill)) == ["Name: Anna | Town: Ulm"]


def test_names_of_columns_that_hold_nothing_are_kept():
    assert rows(sheet_of(["Item", "Price", "Remark"], ["Rope", 7], ["Oil", 3])) == [
        "Remark", "Item: Rope | Price: 7", "Item: Oil | Price: 3",
    ]  # fmt: skip


def test_merged_headers_name_all_their_columns_and_merged_cells_are_said_once():
    def fill(workbook: Any) -> None:
        sheet = workbook.active
        for row in [
            ["Land", "2023", None, "2024", None],
            [None, "Q1", "Q2", "Q1", "Q2"],
            ["North"],
            ["Chad", 1, 2, 3, 4],
            ["Peru", 5, 6, 7, None],
            [None, 8, 9, 10, 11],
        ]:
            sheet.append(row)
        for area in ["A1:A2", "B1:C1", "D1:E1", "A3:E3", "A5:A6", "D5:E5"]:
            sheet.merge_cells(area)

    assert rows(book(fill)) == [
        "North",
        "Land: Chad | 2023 Q1: 1 | 2023 Q2: 2 | 2024 Q1: 3 | 2024 Q2: 4",
        "Land: Peru | 2023 Q1: 5 | 2023 Q2: 6 | 7",
        "2023 Q1: 8 | 2023 Q2: 9 | 2024 Q1: 10 | 2024 Q2: 11",
    ]


def test_formulas_show_their_results_or_else_themselves():
    cells = (
        '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1"><f>A1*2</f></c>'
        '<c r="C1"><f t="shared" si="0" ref="C1:C2">A1+$B$1</f><v>6</v></c></row>'
        '<row r="2"><c r="A2" t="str"><f>UPPER("x")</f><v>X</v></c><c r="B2"><f>_xlfn.CONCAT(A1)</f><v/></c>'
        '<c r="C2"><f t="shared" si="0"/></c><c r="D2" t="str"><f>""</f><v></v></c>'
        '<c r="E2" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>'
    )
    document = read(make_xlsx(cells), "a.xlsx")
    assert lines(document)[1:] == ["2 | =A1*2 | 6", "X | =CONCAT(A1) | =A2+$B$1 | #DIV/0!"]
    (warning,) = document.warnings
    assert warning.startswith("not calculated: 3 formulas on the sheet “One” (B1, B2, C2)")


def test_hidden_sheets_rows_columns_and_cells_are_hidden_text():
    def fill(workbook: Any) -> None:
        sheet = workbook.active
        for row in [["Name", "Pay", "Age"], ["Anna", 1, 41], ["Bert", 2, 42], ["Cleo", 3, 43]]:
            sheet.append(row)
        sheet.row_dimensions[3].hidden = True
        sheet.column_dimensions["B"].hidden = True
        sheet["A5"], sheet["C5"] = "white on white", "no format shows me"
        sheet["A5"].font, sheet["C5"].number_format = Font(color="FFFFFF"), ";;;"
        sheet["A6"], sheet["A6"].font = "white on black", Font(color="FFFFFF")
        sheet["A6"].fill = PatternFill("solid", fgColor="000000")
        for name, state in [("Pay", "hidden"), ("Keys", "veryHidden")]:
            workbook.create_sheet(name)["A1"] = f"secret of {name}"
            workbook[name].sheet_state = state

    document = read(book(fill), "a.xlsx")
    assert lines(document) == ["Sheet", "Name: Anna | Age: 41", "Name: Cleo | Age: 43", "white on black"]
    for text in [
        "Pay | 1",
        "Bert | 2 | 42",
        "white on white",
        "no format shows me",
        "secret of Pay",
        "secret of Keys",
    ]:
        assert all(part in hidden(document) for part in text.split(" | "))
    assert document.warnings[0] == "hidden sheets: “Pay”, “Keys”"
    assert document.warnings[1] == "hidden on the sheet “Sheet”: row 3, column B, cell A5, cell C5"


def test_colours_that_may_depend_on_values_hide_nothing():
    white = make_styles("<xf/><xf fontId='1'/>", '<font/><font><color rgb="FFFFFFFF"/></font>')
    cell = '<row><c s="1" t="inlineStr"><is><t>white</t></is></c></row>'
    parts = {"xl/styles.xml": white}
    assert hidden(read(make_xlsx(cell + "<row><c><v>1</v></c></row>", extra=parts), "a.xlsx")) == "white"
    assert rows(make_xlsx(cell, extra=parts, after="<conditionalFormatting/>")) == ["white"]


def test_comments_shapes_charts_and_margins_stand_behind_the_rows():
    def fill(workbook: Any) -> None:
        sheet = workbook.active
        for row in [["Town", "People"], ["Ulm", 126], ["Bern", 134]]:
            sheet.append(row)
        sheet["B3"].comment = Comment("counted anew", "Anna")
        sheet.oddHeader.left.text, sheet.oddFooter.center.text = "Tom && Co, strictly private", "&P of &N"
        chart = BarChart()
        chart.title = "Growth of towns"
        chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
        sheet.add_chart(chart, "E5")

    assert rows(book(fill))[2:] == [
        "Tom & Co, strictly private",
        "Comment by Anna on B3 (“134”): counted anew",
        "Chart: Growth of towns",
    ]


SHAPE = (
    '<xdr:wsDr xmlns:xdr="x" xmlns:a="y"><xdr:sp><xdr:nvSpPr><xdr:cNvPr id="1"{}/></xdr:nvSpPr><xdr:txBody>'
    "<a:p><a:r><a:t>two</a:t></a:r><a:r><a:t> words</a:t></a:r></a:p><a:p><a:r><a:t>below</a:t></a:r></a:p>"
    "</xdr:txBody></xdr:sp></xdr:wsDr>"
)
THREAD = (
    '<ThreadedComments><threadedComment ref="A1" personId="p1"><text>Is that so?</text></threadedComment>'
    '<threadedComment ref="A1" personId="p2" parentId="x"><text>It is.</text></threadedComment></ThreadedComments>'
)
OLD = (
    '<comments><authors><author>tc=1</author></authors><commentList><comment ref="A1" authorId="0"><text><t>'
    "[Threaded comment] Your version of Excel …</t></text></comment></commentList></comments>"
)
PEOPLE = '<personList><person id="p1" displayName="Ada"/><person id="p2" displayName="Bo"/></personList>'


def test_text_boxes_and_conversations():
    one = '<row><c t="inlineStr"><is><t>x</t></is></c></row>'
    for attribute, seen in [("", ["x", "two words\nbelow"]), (' hidden="1"', ["x"])]:
        data = make_xlsx(
            one,
            sheet_relations={"rId1": ("drawing", "../drawings/drawing1.xml")},
            extra={"xl/drawings/drawing1.xml": SHAPE.format(attribute)},
        )
        assert rows(data) == seen
    data = make_xlsx(
        one,
        sheet_relations={"rId1": ("comments", "/xl/c.xml"), "rId2": ("threadedComment", "../t.xml")},
        book_relations={"rId9": ("person", "persons/p.xml")},
        extra={"xl/c.xml": OLD, "xl/t.xml": THREAD, "xl/persons/p.xml": PEOPLE},
    )
    assert rows(data)[1:] == ["Comment by Ada on A1 (“x”): Is that so?", "Comment by Bo on A1 (“x”): It is."]


def test_files_made_by_other_programs():
    texts = (
        f'<sst xmlns="{MAIN}"><si><r><t>東</t></r><r><t>京</t></r><rPh><t>トウキョウ</t></rPh></si>'
        "<si><t>two_x000D_lines _x005F_x000D_</t></si></sst>"
    )
    cells = (
        '<row><c t="s"><v>0</v></c><c t="s"><v>7</v></c><c t="n"><v>1,5</v></c><c t="b"><v>1</v></c>'
        '<c t="s"><v>1</v></c></row>'
        '<row r="x"><c t="d"><v>2031-03-09</v></c></row>'
    )
    linked = {"rId2": ("sharedStrings", "sharedStrings.xml")}
    assert rows(make_xlsx(cells, extra={"xl/sharedStrings.xml": texts}, book_relations=linked)) == [
        "東京 | 7 | 1,5 | TRUE | two lines _x000D_", "2031-03-09",
    ]  # fmt: skip
    assert rows(make_xlsx('<row r="2"><c r="B2"><v>5</v></c></row>', space=STRICT)) == ["5"]
    date = make_styles('<xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="200"/>', formats="")
    cells = '<row><c s="1"><v>43363</v></c><c s="2"><v>1.5</v></c><c s="99"><v>2</v></c></row>'
    assert rows(make_xlsx(cells, extra={"xl/styles.xml": date})) == ["2018-09-20 | 1.5 | 2"]
    assert rows(make_xlsx(cells)) == ["43363 | 1.5 | 2"], "without styles"
    document = read(make_xlsx(cells, extra={"xl/styles.xml": "<styleSheet><cellXfs>"}), "a.xlsx")
    assert lines(document)[1] == "43363 | 1.5 | 2"
    assert document.warnings[0].startswith("damaged: the formats of the cells")
    moved = make_xlsx(
        '<row><c s="0"><v>0</v></c></row>',
        workbook='<workbookPr date1904="1"/>',
        extra={"xl/styles.xml": make_styles('<xf numFmtId="14"/>')},
    )
    assert rows(moved) == ["1904-01-01"]


def test_a_sheet_that_is_cut_off_keeps_what_can_be_read():
    data = make_xlsx("<row><c><v>1</v></c></row><row><c><v>2</v></c></row><row><c><v>3</v")
    document = read(data, "a.xlsx")
    assert lines(document) == ["One", "1", "2"]
    assert document.warnings[0].startswith("damaged: on the sheet “One” nothing behind row 2 could be read")


def test_progress_counts_rows():
    told: list[tuple[int, int]] = []
    read_whole(
        sheet_of(*([i, i] for i in range(1200))), "a.xlsx", progress=lambda done, total: told.append((done, total))
    )
    assert told == [(500, 1200), (1000, 1200), (1200, 1200)]


def test_embedded_files_are_documents_and_other_parts_are_said():
    extra = {
        "xl/embeddings/note.txt": "an embedded note",
        "xl/embeddings/ole.bin": "x",
        "xl/media/image1.png": "x",
        "xl/vbaProject.bin": "x",
    }
    whole = read_whole(make_xlsx("<row><c><v>1</v></c></row>", extra=extra), "a.xlsm")
    assert [one.document.text for one in whole.enclosed] == ["an embedded note"]
    assert "left out: 1 picture, 1 embedded object, 1 part with macros" in whole.document.warnings


def test_what_is_refused():
    with pytest.raises(UnreadableFile, match="XLSB"):
        read(zipped({"xl/workbook.bin": b"x"}), "a.xlsb")
    with pytest.raises(UnreadableFile, match="old Office file"):
        read(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "a.xls")
    with pytest.raises(PasswordNeeded):
        read(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "a.xlsx")
    with pytest.raises(UnreadableFile, match="damaged"):
        read(zipped({"xl/workbook.xml": "<workbook"}), "a.xlsx")
    with pytest.raises(UnreadableFile, match="no text"):
        read(make_xlsx(""), "a.xlsx")


BOMB = f'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><worksheet xmlns="{MAIN}"><sheetData/></worksheet>'


@pytest.mark.parametrize(
    "part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml", "xl/sharedStrings.xml"]
)
def test_entities_are_refused(part):
    with pytest.raises(UnreadableFile, match="entities"):
        read(make_xlsx("<row/>", extra={part: BOMB}), "a.xlsx")


def test_sheets_that_unpack_to_too_much_are_refused():
    with pytest.raises(UnreadableFile, match="unpacks to over"):
        read(make_xlsx("<row><c><v>1</v></c></row>" * 400_000), "a.xlsx")


def test_giant_dimensions_and_merged_areas_take_no_time():
    rng = random.Random(7)
    spread = "".join(
        f'<row r="{1 + i * 1000}" ht="{rng.random()}"><c r="XFD{1 + i * 1000}"><v>{i}</v></c></row>'
        for i in range(1000)
    )
    merged = "".join(f'<mergeCell ref="A{i}:XFD{i + rng.randrange(9)}"/>' for i in range(1, 3000))
    data = make_xlsx(spread, before='<dimension ref="A1:XFD1048576"/>', after=f"<mergeCells>{merged}</mergeCells>")
    assert len(rows(data)) == 1000
    far = make_xlsx('<row r="99999999999"><c r="ZZZZ9"><v>1</v></c><c r="A0"><v>2</v></c></row>')
    assert rows(far) == ["1 | 2"]


def test_cells_above_the_bound_are_said(monkeypatch):
    monkeypatch.setattr("terrarium.readers.sheets.xlsx.MOST_CELLS", 6)
    document = read(sheet_of(*([f"cell {i}", "x"] for i in range(10))), "a.xlsx")
    assert len(lines(document)) == 4
    assert document.warnings[0].startswith("only the first 3 rows on the sheet “Sheet” were read")
    assert MOST_CELLS >= 200_000


def test_one_long_text_in_every_cell_is_bounded(monkeypatch):
    monkeypatch.setattr("terrarium.readers.sheets.xlsx.MOST_CELLS", 20_000)
    texts = f'<sst xmlns="{MAIN}"><si><t>{"word " * 200_000}</t></si></sst>'
    cells = "".join(f'<row r="{i}"><c t="s"><v>0</v></c><c><v>{i}</v></c></row>' for i in range(1, 2001))
    data = make_xlsx(cells, extra={"xl/sharedStrings.xml": texts})
    document = read(data, "a.xlsx")
    assert 1_000_000 < len(document.text) < 2_100_000
    assert document.warnings[0].startswith("only the first 6")


def test_merged_cells_over_blank_columns():
    def fill(workbook: Any) -> None:
        for row in [[None, None, "Plan of works"], ["a", None, None, None, "b"], ["c", None, None, None, "d"]]:
            workbook.active.append(row)
        for area in ["A1:B1", "G2:H3"]:
            workbook.active.merge_cells(area)

    assert rows(book(fill)) == ["Plan of works", "a | b", "c | d"]


def test_a_wide_sheet_with_a_blank_column_after_each_takes_no_time():
    cells = "".join(f'<c r="{letters(2 * i)}1" t="inlineStr"><is><t>n{i} ROW</t></is></c>' for i in range(4000))
    data = make_xlsx("".join(f"<row>{cells.replace('ROW', str(n))}</row>" for n in (1, 2, 3)))
    document = read(data, "a.xlsx")
    assert [len(block.cells) for block in document.blocks[1:]] == [4000, 4000]
    assert document.blocks[1].text.startswith("n0 1: n0 2 | n1 1: n1 2 | ")


def test_numbers_that_are_too_long():
    long = "9" * 5000
    cells = (
        f'<row r="{long}"><c r="A{long}" s="{long}"><v>1</v></c><c t="s"><v>{long}</v></c><c><v>{long}</v></c></row>'
    )
    assert rows(make_xlsx(cells, before=f'<cols><col min="{long}" max="{long}" hidden="1"/></cols>'))[0].startswith(
        "1 | "
    )


def test_a_deep_staircase_of_tables_ends():
    cells = [[None] * (3 * i) + [f"a{i}", f"b{i}"] for i in range(60)]
    assert len(re.findall("a[0-9]+", "\n".join(rows(sheet_of(*[row for row in cells for _ in range(2)]))))) == 120
