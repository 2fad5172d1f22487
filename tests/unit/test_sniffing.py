"""Which reader a file gets, and what is said of files that none can read."""

from __future__ import annotations

import pytest
from tests.fixtures.documents import make_docx, paragraph, zipped

from terrarium.errors import PasswordNeeded, UnreadableFile
from terrarium.readers.sniff import sniff

HTML = b"<!DOCTYPE html><html><body><p>x</p></body></html>"
WORD_PAGE = b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\n\r\n--x\r\n\r\nHi\r\n--x--\r\n"


def old_office(*streams: str) -> bytes:
    """A compound file with a directory of these names, each at the beginning of an entry."""
    entries = b"".join(name.encode("utf-16-le").ljust(128, b"\0") for name in ("Root Entry", *streams))
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + entries


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"{\\rtf1 x}", "letter.doc", "rtf"),
        (HTML, "report.xls", "html"),
        (HTML, "report.doc", "html"),
        (WORD_PAGE, "report.doc", "mail"),
        (b"a\tb\n1\t2\n", "table.xls", "csv"),
        (make_docx(paragraph("x")), "notes.txt", "docx"),
        (make_docx(paragraph("x")), "form.dotm", "docx"),
        (zipped({"PPT/Presentation.xml": "<p/>"}), "deck.zip", "pptx"),
        (zipped({"mimetype": "application/vnd.oasis.opendocument.text-template"}), "a.zip", "odt"),
        (zipped({"mimetype": "application/vnd.oasis.opendocument.presentation"}), "a.odt", "odp"),
        (zipped({"a.txt": "x"}), "a.docx", "zip"),
        (b"RIFF is a word, MZ and BM too, and PAR1 as well: plain text.", "a.txt", "text"),
    ],
)
def test_content_decides(data, name, kind):
    assert sniff(data, name) == kind


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (old_office("WordDocument", "Workbook"), "old Office file of Word, .* DOCX"),
        (old_office("Data", "Workbook"), "old Office file of Excel, .* XLSX"),
        (old_office("PowerPoint Document"), "old Office file of PowerPoint, .* PPTX"),
        (old_office("__properties_version1.0"), "message of Outlook"),
        (old_office("Unknown"), "old Office file"),
        (b"\x89PNG\r\n\x1a\n" + bytes(20), r"picture \(PNG\).*recognised"),
        (b"RIFF\0\0\0\0WEBPVP8 ", r"picture \(WebP\)"),
        (b"\0\0\0\x18ftypheic\0\0\0\0", r"picture \(HEIC\)"),
        (b"BM" + b"\x36\0\0\0" + bytes(4) + b"\x36\0\0\0\x28\0\0\0", r"picture \(BMP\)"),
        (b"\0\0\0\x20ftypisom\0\0", "sound or film"),
        (b"PAR1\x15\0\x15", "Parquet"),
        (zipped({"Index/Document.iwa": b"x"}), "Pages"),
        (zipped({"word/styles.xml": "<w/>"}), "Word file, but its main part is missing"),
    ],
)
def test_what_cannot_be_read_is_named(data, reason):
    with pytest.raises(UnreadableFile, match=reason) as caught:
        sniff(data, "thing.bin")
    assert "“thing.bin”" in str(caught.value)


def test_encrypted_office_files_are_told_from_old_ones():
    with pytest.raises(PasswordNeeded):
        sniff(old_office("EncryptionInfo", "EncryptedPackage"), "a.xls")
