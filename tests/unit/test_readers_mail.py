"""Mail, mailboxes and archives: what stands in them, and the files that they enclose."""

from __future__ import annotations

import asyncio
from email.header import Header
from email.message import EmailMessage
from email.mime.multipart import MIMEMultipart

import pytest
from tests.fixtures.documents import make_docx, paragraph, zipped
from tests.unit.test_readers_texts import NoPdf, kinds, read

from terrarium.errors import UnreadableFile
from terrarium.readers import read_document
from terrarium.readers.archive import Allowance


def message(text: str = "The lift is out of order.", subject: str = "Lift", charset: str = "utf-8") -> EmailMessage:
    made = EmailMessage()
    made["From"] = "Ada Weiß <ada@example.org>"
    made["To"] = "house@example.org"
    made["Date"] = "Mon, 03 Mar 2031 09:00:00 +0100"
    made["Subject"] = subject
    made.set_content(text, charset=charset)
    return made


HEAD = "From: Ada Weiß <ada@example.org>\nTo: house@example.org\nDate: Mon, 03 Mar 2031 09:00:00 +0100"


def test_a_mail_says_who_wrote_what_once():
    mail = message("Hello,\n\nit costs 7 €.\n\n> What does it cost?\n")
    mail.add_alternative("<p>Hello,</p><p>it costs <b>7 €</b>.</p>", subtype="html")
    document = read(bytes(mail), "a.eml")
    assert (document.kind, document.title) == ("mail", "Lift")
    assert kinds(document) == [
        ("heading", 1, "Lift"),
        ("paragraph", 0, HEAD),
        ("paragraph", 0, "Hello,"),
        ("paragraph", 0, "it costs 7 €."),
        ("quote", 0, "What does it cost?"),
    ]


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        ("会議は三月十二日の午後二時からです。", "iso-2022-jp"),
        ("Grüße aus Köln für 5 €.", "iso-8859-15"),
        ("В гимназии он не был в числе первых.", "koi8-r"),
        ("认证系统使用令牌。", "gb2312"),
    ],
)
def test_subject_and_text_in_the_encodings_that_they_declare(text, charset):
    raw = bytes(message(text, charset=charset)).replace(b"Subject: Lift", b"Subject: " + encoded(text, charset))
    document = read(raw, "whatever.bin")
    assert document.kind == "mail"
    assert document.blocks[0].text == document.blocks[-1].text == text


def encoded(text: str, charset: str) -> bytes:
    return Header(text, charset, maxlinelen=10_000).encode().encode()


def test_html_alone_is_read_and_so_is_eight_bit_text_without_a_declaration():
    mail = message()
    mail.set_content("<p>First.</p><script>x()</script><p>Second.</p>", subtype="html")
    assert [block.text for block in read(bytes(mail), "a.eml").blocks[2:]] == ["First.", "Second."]
    bare = b"From: a@example.org\r\nDate: today\r\n\r\nGr\xc3\xbc\xc3\x9fe\r\n"
    assert read(bare, "b.txt").blocks[-1].text == "Grüße"


def test_attachments_are_sections_under_their_names():
    mail = message()
    mail.add_attachment(b"Sensor;Wert\nA1;7,3\n", maintype="text", subtype="csv", filename="Prüfwerte.csv")
    docx = make_docx(paragraph("Rules", "Heading1") + paragraph("No smoking."))
    mail.add_attachment(docx, maintype="application", subtype="octet-stream", filename="rules.docx")
    mail.add_attachment(b"\x89PNG\r\n\x1a\n" + b"\0" * 40, maintype="image", subtype="png", filename="lift.png")
    document = read(bytes(mail), "a.eml")
    assert kinds(document)[3:] == [
        ("heading", 2, "Prüfwerte.csv"),
        ("table_row", 0, "Sensor: A1 | Wert: 7,3"),
        ("heading", 2, "rules.docx"),
        ("heading", 3, "Rules"),
        ("paragraph", 0, "No smoking."),
    ]
    assert any("lift.png" in warning and "picture" in warning for warning in document.warnings)


def test_attachments_of_a_form_that_is_not_shown_are_kept():
    rich = MIMEMultipart("mixed")
    rich.attach(html_part := EmailMessage())
    html_part.set_content("<p>The lift is out of order.</p>", subtype="html")
    rich.attach(attached := EmailMessage())
    attached.set_content("Order 66.")
    attached.add_header("Content-Disposition", "attachment", filename="order.txt")
    mail = MIMEMultipart("alternative")
    mail["From"], mail["Date"], mail["Subject"] = "a@example.org", "Mon, 03 Mar 2031 09:00:00 +0100", "Lift"
    mail.attach(plain := EmailMessage())
    plain.set_content("The lift is out of order.")
    mail.attach(rich)
    texts = [block.text for block in read(bytes(mail), "a.eml").blocks[2:]]
    assert texts == ["The lift is out of order.", "order.txt", "Order 66."]


def test_an_attached_message_is_a_section():
    mail = message()
    mail.add_attachment(message("It was repaired.", "Re: Lift"))
    document = read(bytes(mail), "a.eml")
    assert kinds(document)[3:] == [
        ("heading", 2, "Re: Lift"),
        ("paragraph", 0, HEAD),
        ("paragraph", 0, "It was repaired."),
    ]


def test_a_saved_page_is_read_and_its_pictures_are_not_missed():
    page = EmailMessage()
    page["From"], page["Subject"], page["MIME-Version"] = "<Saved by Browser>", "A page", "1.0"
    page.set_content("<html><body><p>Words.</p></body></html>", subtype="html")
    page.add_related(b"\x89PNG\r\n\x1a\n\0", maintype="image", subtype="png", cid="<1>")
    document = read(bytes(page), "page.mhtml")
    assert document.blocks[-1].text == "Words."
    assert document.warnings == ()


def test_a_mailbox_is_its_messages_in_order():
    first = bytes(message("One.\n\nFrom here it gets worse.\n", "First")).replace(b"\nFrom here", b"\n>From here")
    second = bytes(message("Two.", "Second"))
    stamp = b"From ada@example.org Mon Mar  3 09:00:00 2031\n"
    document = read(stamp + first + b"\n" + stamp + second, "all.mbox")
    assert [block.text for block in document.blocks if block.text != HEAD] == [
        "First",
        "One.",
        "From here it gets worse.",
        "Second",
        "Two.",
    ]


def test_parts_inside_of_parts_are_bounded():
    nested = b"x"
    for number in reversed(range(3000)):
        nested = b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n%b\n--b%d--\n" % (
            number,
            number,
            nested,
            number,
        )
    with pytest.raises(UnreadableFile, match="too deep"):
        read(b"From: a@example.org\nDate: today\n" + nested, "deep.eml")


@pytest.mark.parametrize("sender", ["<", "a: b@", "=?x?q?=?=", "a@[", "\0", '"' * 99])
def test_headers_that_no_standard_allows(sender):
    raw = bytes(message()).replace("Ada Weiß <ada@example.org>".encode(), b"x").split(b"\n", 1)[1]
    assert read(f"From: {sender}\n".encode() + raw, "a.eml").blocks[-1].text == "The lift is out of order."


def test_text_that_only_begins_like_mail_stays_text():
    assert read("From: Ulm\nTo: Köln\n\nTickets are at the desk.", "a.txt").kind == "text"
    assert read("From the beginning there was light.", "a.txt").kind == "text"


def test_an_archive_is_its_members_by_name():
    archive = zipped(
        {
            "b/notes.md": "# Notes\n\nWater at noon.",
            "a.txt": "Alpha.",
            "__MACOSX/._a.txt": "clutter",
            "x.png": b"\x89PNG\r\n\x1a\n\0",
        }
    )
    document = read(archive, "bundle.zip")
    assert kinds(document) == [
        ("heading", 1, "a.txt"),
        ("paragraph", 0, "Alpha."),
        ("heading", 1, "b/notes.md"),
        ("heading", 2, "Notes"),
        ("paragraph", 0, "Water at noon."),
    ]
    assert any("x.png" in warning for warning in document.warnings)


def test_archives_inside_of_archives_are_bounded():
    archive = zipped({"core.txt": "deep down"})
    for _ in range(2):
        archive = zipped({"more.zip": archive})
    assert read(archive, "three.zip").blocks[-1].text == "deep down"
    with pytest.raises(UnreadableFile, match=r"holds no text"):
        read(zipped({"more.zip": archive}), "four.zip")


def test_what_an_archive_holds_in_all_is_bounded():
    flood = read(zipped({f"{n:04}.txt": "x" for n in range(1002)}), "flood.zip")
    assert sum(block.text == "x" for block in flood.blocks) == 1000
    assert ["1000.txt" in warning or "1001.txt" in warning for warning in flood.warnings] == [True, True]
    with pytest.raises(UnreadableFile, match="unpacks to"):
        read(zipped({"a.txt": b" " * 30_000_000}), "bomb.zip")


def test_archives_in_an_archive_share_what_they_may_unpack():
    one, two = (zipped({f"{name}.txt": name * 60}) for name in "ab")
    allowance = Allowance(size=len(one) + len(two) + 100)
    document = asyncio.run(
        read_document(zipped({"1.zip": one, "2.zip": two}), "x.zip", pdf=NoPdf(), allowance=allowance)
    )
    assert "a" * 60 in document.text and "b" * 60 not in document.text
    assert any("unpacks to" in warning for warning in document.warnings)


def test_one_bad_file_in_an_archive_leaves_the_others():
    document = read(zipped({f"{n}.txt": f"Number {n}." for n in range(19)} | {"bad.pdf": "no pdf"}), "batch.zip")
    assert sum(block.text.startswith("Number") for block in document.blocks) == 19
    assert [warning for warning in document.warnings if "bad.pdf" in warning]


def test_names_that_climb_out_are_only_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    document = read(zipped({"../../evil.txt": "harmless words"}), "climb.zip")
    assert document.blocks[-1].text == "harmless words"
    assert not list(tmp_path.parent.glob("evil.txt"))
