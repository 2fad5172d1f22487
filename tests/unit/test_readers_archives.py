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
