"""DOCX and EPUB, and archives that are damaged or hostile."""

from __future__ import annotations

import pytest
from tests.fixtures.documents import docx_table, make_docx, make_epub, paragraph, zipped
from tests.unit.test_readers_texts import kinds, read

from terrarium.errors import PasswordNeeded, UnreadableFile


def test_docx_headings_and_tables_in_reading_order():
    body = (
        paragraph("Travel rules", "Heading1") + paragraph("Rates", "Heading3") + paragraph("Before.")
        + docx_table([["Grade", "Rate"], ["A", "52 EUR"]]) + paragraph("After.")
    )  # fmt: skip
    assert kinds(read(make_docx(body), "a.docx")) == [
        ("heading", 1, "Travel rules"),
        ("heading", 3, "Rates"),
        ("paragraph", 0, "Before."),
        ("table_row", 0, "Grade | Rate"),
        ("table_row", 0, "A | 52 EUR"),
        ("paragraph", 0, "After."),
    ]


def test_docx_shows_the_final_view_of_tracked_changes():
    body = (
        '<w:p><w:r><w:t xml:space="preserve">The fee is </w:t></w:r><w:del><w:r><w:delText>10</w:delText></w:r></w:del>'
        "<w:ins><w:r><w:t>20</w:t></w:r></w:ins><w:r><w:t> euros.</w:t></w:r></w:p>"
    )
    assert read(make_docx(body), "a.docx").text == "The fee is 20 euros."


def test_docx_header_is_kept_once():
    text = read(make_docx(paragraph("Body."), header="Ref. AB-7 &amp; Co"), "a.docx").text
    assert text == "Body.\nRef. AB-7 & Co"


def test_docx_with_entities_is_refused():
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    with pytest.raises(UnreadableFile, match="entities"):
        read(make_docx(paragraph("x"), prolog=bomb), "laughs.docx")


def test_epub_follows_the_spine():
    document = read(
        make_epub({"b.xhtml": "<h1>Two</h1><p>second</p>", "a.xhtml": "<h1>One</h1><p>first</p>"}), "x.epub"
    )
    assert (document.kind, document.title) == ("epub", "A small book")
    assert [block.text for block in document.blocks] == ["One", "first", "Two", "second"]


PACKAGE = """<package xmlns:dc="dc"><metadata><dc:title>Fees</dc:title></metadata><manifest>
<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>
<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="n" href="notes.xhtml"/><item id="a" href="a%20b.xhtml"/><item id="b" href="b.xhtml"/>
<item id="c" href="c.xhtml"/>
</manifest><spine><itemref idref="nav"/><itemref idref="n" linear="no"/><itemref idref="a"/><itemref idref="b"/>
<itemref idref="c"/></spine></package>"""
NAV = '<html><body><nav><a href="a%20b.xhtml">Scope</a><a href="a%20b.xhtml#x">Inside</a></nav></body></html>'
NCX = (
    '<ncx><navMap><navPoint><navLabel><text>Old name</text></navLabel><content src="a%20b.xhtml"/></navPoint><navPoint>'
    '<navLabel><text>Rates</text></navLabel><content src="b.xhtml#top"/></navPoint></navMap></ncx>'
)


def test_epub_chapters_have_the_titles_of_the_table_of_contents():
    members = {"nav.xhtml": NAV, "toc.ncx": NCX, "notes.xhtml": "<h2>Notes</h2><p>1 See above.</p>"}
    members |= {"a b.xhtml": "<p>What is paid.</p>", "b.xhtml": "<p>Per day.</p>"}
    extra = {f"OPS/{name}": text for name, text in members.items()} | {"OPS/book.opf": PACKAGE}
    document = read(make_epub({}, extra=extra), "fees.epub")
    assert kinds(document) == [
        ("heading", 2, "Scope"),
        ("paragraph", 0, "What is paid."),
        ("heading", 2, "Rates"),
        ("paragraph", 0, "Per day."),
        ("heading", 2, "Notes"),
        ("paragraph", 0, "1 See above."),
    ]
    assert document.warnings == ("damaged: 1 chapter is missing in the file",)


def test_copy_protected_epub_is_refused_and_embedded_fonts_are_not():
    chapters = {"a.xhtml": "<p>words</p>"}
    with pytest.raises(UnreadableFile, match="copy-protected"):
        read(make_epub(chapters, encryption="http://www.w3.org/2001/04/xmlenc#aes128-cbc"), "drm.epub")
    assert read(make_epub(chapters, encryption="http://www.idpf.org/2008/embedding"), "a.epub").text == "words"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (make_docx(paragraph("x"))[:300], "damaged"),
        (zipped({"notes.bin": bytes(range(1, 32)) * 9}), "no text"),
        (zipped({"xl/sheet1.xml": "x"}), "spreadsheet, but its main part is missing"),
        (zipped({"word/document.xml": b" " * 30_000_000}), "unpacks to"),
    ],
)
def test_archives_that_cannot_be_read(data, reason):
    with pytest.raises(UnreadableFile, match=reason) as caught:
        read(data, "a.docx")
    assert "a.docx" in str(caught.value)


def test_encrypted_office_files_ask_for_another_copy():
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(PasswordNeeded, match="without a password"):
        read(data, "secret.docx")
