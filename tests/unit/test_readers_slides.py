"""Presentations: PPTX and ODP."""

from __future__ import annotations

import pytest
from tests.fixtures.office import Slide, box, graphic, make_odf, make_pptx, place, relations, text, title, tree
from tests.unit.test_readers_texts import kinds, read

from terrarium.errors import PasswordNeeded, UnreadableFile


def texts(data: bytes, name: str = "deck.pptx") -> list[tuple[int | None, str]]:
    return [(block.page, block.text) for block in read(data, name).blocks]


def test_slides_are_pages_in_the_order_of_the_presentation():
    document = read(make_pptx([Slide(title("First")), Slide(title("Second")), Slide(box(text("No title")))]), "a.pptx")
    assert (document.kind, document.pages, document.title) == ("pptx", 3, "First")
    assert [(block.page, block.kind, block.text) for block in document.blocks] == [
        (1, "heading", "First"),
        (2, "heading", "Second"),
        (3, "heading", "Slide 3"),
        (3, "paragraph", "No title"),
    ]


def test_columns_are_read_to_their_end_whatever_the_order_of_the_file():
    shapes = (
        box(text("right below"), place(5.5, 4, 4, 2)) + box(text("left below"), place(0.5, 4, 4, 2))
        + box(text("right above"), place(5.5, 2, 4, 1.9)) + box(text("left above"), place(0.5, 2, 4, 1.9)) + title("T")
    )  # fmt: skip
    assert [said for _, said in texts(make_pptx([Slide(shapes)]))] == [
        "T",
        "left above",
        "left below",
        "right above",
        "right below",
    ]


def test_rows_that_stand_far_apart_are_read_across():
    shapes = "".join(
        box(text(f"{name} {row}"), place(x, 2 * row, 2, 0.5))
        for x, name in ((1, "step"), (3.2, "text"))
        for row in (1, 2)
    )
    assert [said for _, said in texts(make_pptx([Slide(shapes)]))][1:] == ["step 1", "text 1", "step 2", "text 2"]


def test_groups_stay_together_where_their_transform_puts_them():
    inner = (
        '<p:grpSp><p:grpSpPr><a:xfrm><a:off x="457200" y="4572000"/><a:ext cx="3657600" cy="1828800"/>'
        '<a:chOff x="0" y="0"/><a:chExt cx="36576" cy="18288"/></a:xfrm></p:grpSpPr>'
        + box(text("lower"), '<a:xfrm><a:off x="0" y="9144"/><a:ext cx="36576" cy="9000"/></a:xfrm>')
        + "<p:grpSp>"
        + box(text("upper"), '<a:xfrm><a:off x="0" y="0"/><a:ext cx="36576" cy="9000"/></a:xfrm>')
        + "</p:grpSp></p:grpSp>"
    )
    shapes = inner + box(text("above"), place(0.5, 1, 4, 1))
    assert [said for _, said in texts(make_pptx([Slide(shapes)]))][1:] == ["above", "upper", "lower"]


LAYOUT = (
    '<p:sldLayout xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:cSld><p:spTree>'
    + box("<p:txBody><a:bodyPr/><a:lstStyle><a:lvl1pPr><a:buNone/></a:lvl1pPr></a:lstStyle></p:txBody>",
          place(1, 5, 8, 1), 'type="body" idx="3"')
    + box("", place(1, 2, 8, 2), 'idx="1"')
    + "</p:spTree></p:cSld></p:sldLayout>"
)  # fmt: skip
MASTER = (
    '<p:sldMaster xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:cSld><p:spTree/></p:cSld><p:txStyles><p:bodyStyle>'
    '<a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="–"/></a:lvl2pPr>'
    "</p:bodyStyle></p:txStyles></p:sldMaster>"
)
PREPARED = {
    "ppt/slideLayouts/slideLayout1.xml": LAYOUT,
    "ppt/slideLayouts/_rels/slideLayout1.xml.rels": relations([("slideMaster", "ppt/slideMasters/m.xml")]),
    "ppt/slideMasters/m.xml": MASTER,
}


def test_placeholders_inherit_their_places_and_their_bullets():
    second = '<a:pPr lvl="1"/><a:r><a:t>below it</a:t></a:r>'
    shapes = box(text("No bullet"), "", 'type="body" idx="3"') + box(text("Point", second), "", 'idx="1"')
    slide = Slide(shapes, [("slideLayout", "ppt/slideLayouts/slideLayout1.xml")], more=PREPARED)
    assert kinds(read(make_pptx([slide]), "a.pptx"))[1:] == [
        ("list_item", 0, "Point"),
        ("list_item", 1, "below it"),
        ("paragraph", 0, "No bullet"),
    ]


def test_runs_breaks_and_fields():
    run = (
        '<a:r><a:t>Rate_x000B_</a:t></a:r><a:r><a:t>of</a:t></a:r><a:br/><a:fld type="slidenum"><a:t>7</a:t></a:fld>'
        '<a:fld type="x"><a:t>2031</a:t></a:fld>'
    )
    assert texts(make_pptx([Slide(box(text(run)))]))[1] == (1, "Rate\nof\n2031")
    parts = "<m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den>"
    formula = f"<m:m xmlns:m='m'><m:f>{parts}</m:f></m:m>"
    assert texts(make_pptx([Slide(box(text(formula)))]))[1] == (1, "(a+b)/2")


def test_tables_have_header_cells():
    rows = "".join(
        f"<a:tr>{''.join(f'<a:tc>{text(cell)}</a:tc>' for cell in row)}</a:tr>"
        for row in (("Grade", "Rate"), ("A", "52"))
    )
    table = f'<a:tbl><a:tblPr firstRow="1"/>{rows}</a:tbl>'
    row = read(make_pptx([Slide(graphic(table))]), "a.pptx").blocks[1]
    assert (row.kind, row.text, row.page) == ("table_row", "Grade: A | Rate: 52", 1)
    assert [(column, row.text[start:end]) for column, start, end in row.cells] == [(0, "A"), (1, "52")]


def test_notes_and_comments_stand_behind_their_slide():
    notes = tree(box(text("3"), "", 'type="sldNum"') + box(text("Do not promise June."), "", 'type="body"'), "notes")
    old = '<p:cmLst xmlns:p="p"><p:cm authorId="0"><p:text>Too long.</p:text></p:cm></p:cmLst>'
    new = (
        '<m:cmLst xmlns:m="m" xmlns:a="a"><m:cm authorId="{G}"><m:replyLst><m:reply authorId="0"><m:txBody><a:p><a:r>'
        "<a:t>Agreed.</a:t></a:r></a:p></m:txBody></m:reply></m:replyLst><m:txBody><a:p><a:r><a:t>Shorter?</a:t></a:r>"
        "</a:p></m:txBody></m:cm></m:cmLst>"
    )
    slide = Slide(
        title("Plan"),
        [("notesSlide", "ppt/n.xml"), ("comments", "ppt/c.xml"), ("comments", "ppt/d.xml")],
        more={
            "ppt/n.xml": notes,
            "ppt/c.xml": old,
            "ppt/d.xml": new,
            "ppt/commentAuthors.xml": '<p:cmAuthorLst xmlns:p="p"><p:cmAuthor id="0" name="Ann"/></p:cmAuthorLst>',
        },
    )
    assert texts(make_pptx([slide, Slide(title("Next"))])) == [
        (1, "Plan"),
        (1, "Comment by Ann: Too long."),
        (1, "Comment: Shorter?"),
        (1, "Comment by Ann: Agreed."),
        (1, "Notes"),
        (1, "Do not promise June."),
        (2, "Next"),
    ]


def test_what_nobody_sees_is_hidden_and_said():
    clear = '<a:r><a:rPr><a:solidFill><a:srgbClr val="000000"><a:alpha val="0"/></a:srgbClr></a:solidFill></a:rPr>'
    shapes = (
        box(text("beside"), place(11, 1, 2, 1)) + box(text("switched off"), place(1, 1, 2, 1), named='hidden="1"')
        + box(text("seen", clear + "<a:t>clear</a:t></a:r>"), place(1, 2, 2, 1))
    )  # fmt: skip
    document = read(make_pptx([Slide(shapes), Slide(title("Secret slide"), attributes='show="0"')]), "a.pptx")
    assert [block.text for block in document.blocks if not block.hidden] == ["Slide 1", "seen"]
    assert {block.text for block in document.blocks if block.hidden} == {"switched off\nclear\nbeside", "Secret slide"}
    assert document.warnings[0].startswith("hidden slide 2")


def test_foot_lines_are_kept_once_and_numbers_are_not():
    feet = box(text("Confidential"), "", 'type="ftr"') + box(text("4"), "", 'type="sldNum"')
    slides = [Slide(title(f"T{i}") + feet) for i in range(3)]
    assert [said for _, said in texts(make_pptx(slides))] == ["T0", "Confidential", "T1", "T2"]


CHART = """<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title>
<c:plotArea><c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>North</c:v></c:pt></c:strCache></c:strRef></c:tx>
<c:cat><c:strCache><c:pt idx="0"><c:v>2030</c:v></c:pt><c:pt idx="1"><c:v>2031</c:v></c:pt></c:strCache></c:cat>
<c:val><c:numCache><c:pt idx="0"><c:v>4.4000000000000004</c:v></c:pt><c:pt idx="1"><c:v>5</c:v></c:pt></c:numCache>
</c:val></c:ser></c:plotArea></c:chart></c:chartSpace>"""
DIAGRAM = """<d:dataModel xmlns:d="d" xmlns:a="a"><d:ptLst><d:pt modelId="0" type="doc"/>
<d:pt modelId="2"><d:t><a:p><a:r><a:t>Child</a:t></a:r></a:p></d:t></d:pt>
<d:pt modelId="1"><d:t><a:p><a:r><a:t>Parent</a:t></a:r></a:p></d:t></d:pt>
<d:pt modelId="9" type="pres"><d:t><a:p><a:r><a:t>looks</a:t></a:r></a:p></d:t></d:pt></d:ptLst>
<d:cxnLst><d:cxn srcId="1" destId="2" srcOrd="0"/><d:cxn srcId="0" destId="1" srcOrd="0"/>
<d:cxn srcId="2" destId="0" srcOrd="0"/></d:cxnLst></d:dataModel>"""


def test_charts_show_their_values_and_diagrams_their_texts():
    shapes = graphic('<c:chart xmlns:c="c" r:id="rId1"/>', place(1, 1, 5, 2)) + graphic(
        '<d:relIds xmlns:d="d" r:dm="rId2"/>', place(1, 4, 5, 2)
    )
    loop = DIAGRAM
    tree_ = DIAGRAM.replace('<d:cxn srcId="2" destId="0" srcOrd="0"/>', "")
    related = [("chart", "ppt/c.xml"), ("diagramData", "ppt/d.xml")]
    slide = Slide(shapes, related, more={"ppt/c.xml": CHART, "ppt/d.xml": tree_})
    assert kinds(read(make_pptx([slide]), "a.pptx"))[1:] == [
        ("paragraph", 0, "Sales"),
        ("table_row", 0, "2030 | North: 4.4"),
        ("table_row", 0, "2031 | North: 5"),
        ("list_item", 0, "Parent"),
        ("list_item", 1, "Child"),
    ]
    assert read(make_pptx([Slide(shapes, related, more={"ppt/c.xml": CHART, "ppt/d.xml": loop})]), "a.pptx").blocks


def picture(said: str) -> str:
    return f'<p:pic><p:nvPicPr><p:cNvPr id="5" name="p" descr="{said}"/><p:nvPr/></p:nvPicPr><p:spPr/></p:pic>'


def test_pictures_give_their_descriptions_and_slides_of_pictures_are_said():
    document = read(make_pptx([Slide(picture("A map of Ulm")), Slide(picture("scan0001.png"))]), "a.pptx")
    assert [block.text for block in document.blocks] == ["Slide 1", "A map of Ulm", "Slide 2"]
    assert document.warnings == ("no text on slide 2: pictures are not read",)


def test_missing_slides_are_said_and_the_others_read():
    data = make_pptx([Slide(title("Here")), Slide(title("Gone"))], {"ppt/slides/slide1.xml": "<broken"})
    document = read(data, "a.pptx")
    assert [block.text for block in document.blocks] == ["Here"]
    assert document.warnings[0].startswith("damaged: slide 2")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (make_pptx([], prolog='<!DOCTYPE x [<!ENTITY a "aa">]>'), "entities"),
        (make_pptx([Slide("<p:grpSp>" * 5000 + "</p:grpSp>" * 5000)]), "no text"),
        (make_pptx([], {"ppt/presentation.xml": "<broken"}), "damaged"),
    ],
)
def test_hostile_and_damaged_presentations(data, reason):
    with pytest.raises(UnreadableFile, match=reason):
        read(data, "bomb.pptx")


def frame(said: str, x: float, y: float, kind: str = "") -> str:
    named = f'presentation:class="{kind}"' if kind else ""
    where = f'svg:x="{x}cm" svg:y="{y}cm" svg:width="8cm" svg:height="2cm"'
    return f"<draw:frame {where} {named}><draw:text-box><text:p>{said}</text:p></draw:text-box></draw:frame>"


ODP_STYLES = (
    '<style:style style:name="off" style:family="drawing-page"><style:drawing-page-properties '
    'presentation:visibility="hidden"/></style:style>'
)


def test_odp_slides_notes_and_hidden_slides():
    notes = f"<presentation:notes>{frame('Speak slowly.', 1, 1, 'notes')}</presentation:notes>"
    first = frame("below", 1, 9) + frame("above", 1, 5) + frame("Tides", 1, 1, "title")
    first += frame("7", 1, 19, "page-number")
    comment = "<office:annotation><dc:creator>Ann</dc:creator><text:p>Why?</text:p></office:annotation>"
    body = (
        f'<draw:page draw:name="p1">{first}{comment}{notes}</draw:page>'
        f'<draw:page draw:style-name="off">{frame("Not shown", 1, 5)}</draw:page>'
    )
    document = read(make_odf(body, "presentation", automatic=ODP_STYLES), "a.odp")
    assert (document.kind, document.pages) == ("odp", 2)
    assert [(block.page, block.text, block.hidden) for block in document.blocks] == [
        (1, "Tides", False),
        (1, "above", False),
        (1, "below", False),
        (1, "Comment by Ann: Why?", False),
        (1, "Notes", False),
        (1, "Speak slowly.", False),
        (2, "Slide 2\nNot shown", True),
    ]


def test_encrypted_opendocument_asks_for_another_copy():
    manifest = '<m:manifest xmlns:m="m"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>'
    with pytest.raises(PasswordNeeded, match="without a password"):
        read(make_odf("", more={"META-INF/manifest.xml": manifest, "content.xml": b"\x01\x02"}), "a.odt")
