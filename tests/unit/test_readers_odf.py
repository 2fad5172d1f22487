"""OpenDocument texts, packed and flat."""

from __future__ import annotations

from typing import Any

import pytest
from tests.fixtures.office import make_flat_odf, make_odf
from tests.unit.test_readers_texts import kinds, read

from terrarium.errors import UnreadableFile


def body(xml: str, **more: Any) -> list[tuple[str, int, str]]:
    return kinds(read(make_odf(xml, **more), "a.odt"))


OUTLINE = (
    '<office:styles><text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/>'
    '<text:outline-level-style text:level="2" style:num-format="1" style:num-suffix="." text:display-levels="2"/>'
    "</text:outline-style></office:styles>"
)


def test_headings_have_their_levels_and_numbers():
    xml = "".join(
        f'<text:h text:outline-level="{level}">{said}</text:h>'
        for level, said in ((1, "Scope"), (1, "Terms"), (2, "Words"), (2, "Signs"), (3, "Rare"))
    )
    assert body(xml, styles=OUTLINE) == [
        ("heading", 1, "1 Scope"),
        ("heading", 1, "2 Terms"),
        ("heading", 2, "2.1. Words"),
        ("heading", 2, "2.2. Signs"),
        ("heading", 3, "Rare"),
    ]
    assert body('<text:h text:outline-level="2">Plain</text:h>') == [("heading", 2, "Plain")]


def test_spaces_tabs_breaks_and_lists():
    item = "<text:list-item><text:p>{}</text:p>{}</text:list-item>"
    inner = f"<text:list>{item.format('inner', '')}</text:list>"
    xml = (
        '<text:p>one<text:s text:c="3"/>two<text:tab/>three\n   four<text:line-break/>five'
        "<text:bookmark/> <text:a>six</text:a></text:p>"
        f"<text:list>{item.format('outer', inner)}{item.format('next', '')}</text:list>"
    )
    assert body(xml) == [
        ("paragraph", 0, "one two three four\nfive six"),
        ("list_item", 0, "outer"),
        ("list_item", 1, "inner"),
        ("list_item", 0, "next"),
    ]


def test_tables_with_header_rows_repeats_and_tables_inside():
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    inner = f"<table:table><table:table-row>{cell.format('in')}{cell.format('side')}</table:table-row></table:table>"
    xml = (
        f"<table:table><table:table-header-rows><table:table-row>{cell.format('Grade')}{cell.format('Rate')}"
        f"{cell.format('Note')}</table:table-row></table:table-header-rows>"
        '<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="2"><text:p>5'
        "</text:p></table:table-cell><table:covered-table-cell/></table:table-row>"
        f"<table:table-row>{cell.format('A')}<table:table-cell>{inner}</table:table-cell></table:table-row></table:table>"
    )
    assert body(xml) == [
        ("table_row", 0, "Grade: 5 | Rate: 5"),
        ("table_row", 0, "Grade: 5 | Rate: 5"),
        ("table_row", 0, "Grade: A | Rate: in | side"),
    ]


def test_repeats_without_end_fill_no_memory():
    cell = f'<table:table-cell table:number-columns-repeated="16384"><text:p>{"x" * 1000}</text:p></table:table-cell>'
    row = f'<table:table-row table:number-rows-repeated="1048576">{cell}</table:table-row>'
    xml = f"<table:table>{row * 50}</table:table>"
    assert len(read(make_odf(xml), "a.odt").text) < 3_000_000


def test_notes_comments_and_frames_follow_their_paragraph():
    note = (
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>See page 9.</text:p>"
        "</text:note-body></text:note>"
    )
    comment = "<office:annotation><dc:creator>Ann</dc:creator><text:p>Really?</text:p></office:annotation>"
    frame = "<draw:frame><draw:text-box><text:p>In a box</text:p></draw:text-box></draw:frame>"
    picture = "<draw:frame><draw:image/><svg:title>A map</svg:title><svg:desc>of Ulm</svg:desc></draw:frame>"
    xml = f"<text:p>Fees{note} rise{comment} in May{frame}.{picture}</text:p><text:p>After.</text:p>"
    assert [said for _, _, said in body(xml)] == [
        "Fees rise in May.",
        "1 See page 9.",
        "Comment by Ann: Really?",
        "In a box",
        "A map. of Ulm",
        "After.",
    ]


def test_tracked_changes_show_the_final_view():
    xml = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>ten</text:p></text:deletion>"
        "</text:changed-region></text:tracked-changes><text:p>The fee is <text:change/><text:change-start/>20"
        "<text:change-end/> euros.</text:p>"
    )
    assert body(xml) == [("paragraph", 0, "The fee is 20 euros.")]


def test_what_is_switched_off_is_hidden():
    automatic = (
        '<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style>'
        '<style:style style:name="T2" style:family="text" style:parent-style-name="T1"/>'
    )
    xml = (
        '<text:p>Seen <text:span text:style-name="T2">spied</text:span></text:p>'
        '<text:section text:display="none"><text:p>section</text:p></text:section>'
        '<text:p>also <text:hidden-text text:string-value="field"/>seen</text:p>'
        '<text:p>gone<text:hidden-paragraph text:is-hidden="true"/></text:p>'
    )
    document = read(make_odf(xml, automatic=automatic), "a.odt")
    assert [block.text for block in document.blocks if not block.hidden] == ["Seen", "also seen"]
    assert [block.text for block in document.blocks if block.hidden] == ["spied\nsection\nfield\ngone"]


def test_heads_and_feet_come_once_and_the_title_from_the_properties():
    page = "<style:master-page><style:header><text:p>Ref. AB-7</text:p></style:header><style:footer><text:p>12</text:p>"
    page += "</style:footer></style:master-page>"
    styles = f"<office:master-styles>{page}{page}</office:master-styles>"
    meta = '<o:m xmlns:o="o"><o:meta><d:title xmlns:d="d">Fees of 2031</d:title></o:meta></o:m>'
    document = read(make_odf("<text:p>Body.</text:p>", styles=styles, more={"meta.xml": meta}), "a.odt")
    assert (document.title, document.text) == ("Fees of 2031", "Body.\nRef. AB-7")


def test_formulas_and_charts_inside():
    math = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>E</mi><mo>=</mo><mi>m</mi></math>'
    xml = '<text:p>Energy<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>'
    assert [said for _, _, said in body(xml, more={"Object 1/content.xml": math})] == ["Energy", "E=m"]
    document = read(make_odf(xml), "a.odt")
    assert document.warnings == ("left out: an object inside of the document",)


def test_flat_files_are_told_by_their_content():
    document = read(make_flat_odf("<text:p>Flat.</text:p>"), "a.xml")
    assert (document.kind, document.text) == ("odt", "Flat.")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (make_odf("<text:section>" * 5000 + "</text:section>" * 5000), "too deep"),
        (
            make_flat_odf("<text:p/>").replace(b"<office:doc", b'<!DOCTYPE x [<!ENTITY a "aa">]><office:doc', 1),
            "entities",
        ),
        (make_odf("", more={"content.xml": "<broken"}), "damaged"),
        (make_odf("<text:p/>"), "no text"),
    ],
)
def test_hostile_and_damaged_files(data, reason):
    with pytest.raises(UnreadableFile, match=reason):
        read(data, "bomb.odt")
