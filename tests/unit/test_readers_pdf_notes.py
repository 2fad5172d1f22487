"""Form fields, comments, attached files, page labels and what else a PDF says of itself."""

from __future__ import annotations

import asyncio

from tests.fixtures.pdf_more import Sheet, make_sheets, stream, unicode_string, words
from tests.unit.pdf_reading import EXTRACTOR, needs_node, read, texts

from terrarium.readers.reading import read_file

pytestmark = needs_node
BOX = stream(b"", "/Type/XObject/Subtype/Form/BBox[0 0 10 10]")
FORM = "/AcroForm<</Fields[]/DR<</Font<</F1 3 0 R>>>>/DA(/F1 0 Tf)>>"
STATES = "/AP<</N<</On 10 0 R/Off 10 0 R>>>>"


def widget(name: str, rect: str, more: str) -> str:
    return f"/Subtype/Widget/T({name})/Rect[{rect}]{more}/F 4"


def test_form_fields_stand_beside_their_labels():
    printed = words(50, 100, "Name:") + words(50, 130, "Married") + words(50, 160, "Country") + words(300, 100, "Yes")
    fields = [
        widget("fullname", "100 695 250 712", "/FT/Tx/V(Ada Lovelace)/TU(Your full name)/DA(/F1 14 Tf)"),
        widget("married", "100 665 112 677", f"/FT/Btn/V/On/AS/On{STATES}"),
        widget("other", "280 695 292 707", f"/FT/Btn/V/Off/AS/Off{STATES}"),
        widget("country", "100 635 200 650", "/FT/Ch/Ff 131072/Opt[[(de)(Germany)][(fr)(France)]]/V(de)"),
        widget("top[0].f1_2[0]", "100 400 250 420", f"/FT/Tx/V{unicode_string('Größe 38')}/TU(Remarks)"),
        widget("Postal_address", "100 200 300 260", "/FT/Tx/Ff 4096/V(First line\\rSecond line)"),
        widget("secret", "100 300 200 315", "/FT/Tx/Ff 8192/V(hush)"),
        widget("empty", "100 320 200 335", "/FT/Tx/V()"),
        widget("unseen", "100 340 200 355", "/FT/Tx/V(unseen)").replace("/F 4", "/F 2"),
    ]
    document = read(make_sheets([Sheet(printed, annotations=fields)], catalog=FORM, extra=[BOX]))
    assert texts(document.blocks) == [
        "Name: Ada Lovelace [ ] Yes",
        "Married [x]",
        "Country Germany",
        "Remarks: Größe 38",
        "Postal address: First line Second line",
    ]


def test_a_form_of_the_kind_xfa_is_said_to_be_unread():
    catalog = "/AcroForm<</Fields[]/XFA 10 0 R>>"
    shown = Sheet(words(50, 100, "Please wait until the form is loaded."))
    document = read(make_sheets([shown], catalog=catalog, extra=[stream(b"<xdp/>")]))
    assert [warning.split(",")[0] for warning in document.warnings] == ["not read: a form of the kind XFA"]


def test_comments_stand_behind_the_text_of_their_page():
    notes = [
        "/Subtype/Text/Rect[10 700 30 720]/Contents(Is this right?)/T(Ada)",
        "/Subtype/Highlight/Rect[90 695 160 712]/QuadPoints[93 710 150 710 93 697 150 697]/Contents(Ask Bob)/T(Eve)",
        "/Subtype/FreeText/Rect[10 500 100 520]/Contents(Typed on the page)/DA(/F1 10 Tf)",
        "/Subtype/Link/Rect[0 0 10 10]/Contents(a link)",
        "/Subtype/Text/Rect[10 700 30 720]/Contents(hidden)/F 2",
        "/Subtype/Highlight/Rect[90 695 160 712]/QuadPoints[93 710 150 710 93 697 150 697]",
    ]
    page = Sheet(words(50, 100, "The fee is 140 euros a night for members."), annotations=notes)
    document = read(make_sheets([page, Sheet(words(50, 100, "The second page."))]))
    assert texts(document.blocks) == [
        "The fee is 140 euros a night for members.",
        "Comment by Ada: Is this right?",
        "Comment by Eve on “140 euros a”: Ask Bob",
        "Comment: Typed on the page",
        "The second page.",
    ]
    assert document.blocks[1].page == 1


def test_attached_files_are_documents_of_their_own():
    files = [
        b"<</Type/Filespec/F(notes.txt)/UF(notes.txt)/EF<</F 11 0 R>>>>",
        stream(b"The attached words.", "/Type/EmbeddedFile"),
        b"<</Type/Filespec/F(pinned.txt)/EF<</F 13 0 R>>>>",
        stream(b"The words of a file that is pinned to a page.", "/Type/EmbeddedFile"),
    ]
    pages = [Sheet(words(50, 100, "See below."), annotations=["/Subtype/FileAttachment/Rect[0 0 10 10]/FS 12 0 R"])]
    data = make_sheets(pages * 2, catalog="/Names<</EmbeddedFiles<</Names[(a) 10 0 R]>>>>", extra=files)
    found = asyncio.run(read_file(data, "a.pdf", pdf=EXTRACTOR))
    assert [one.document.text for one in found.enclosed] == [
        "The attached words.", "The words of a file that is pinned to a page.",
    ]  # fmt: skip
    assert found.document.text.split() == ["See", "below.", "See", "below."]


def test_page_labels_where_they_are_no_numbers():
    pages = [Sheet(words(50, 100, f"Text of sheet {n}.")) for n in range(4)]
    labels = "/PageLabels<</Nums[0<</S/r>>2<</S/D/P(A-)/St 7>>]>>"
    assert read(make_sheets(pages, catalog=labels)).labels == ("i", "ii", "A-7", "A-8")
    assert read(make_sheets(pages, catalog="/PageLabels<</Nums[0<</S/D>>]>>")).labels == ()
    assert read(make_sheets(pages)).labels == ()
