"""Mail and mailboxes: what stands in them, and the files that are attached."""

from __future__ import annotations

import hashlib
from email.header import Header
from email.message import EmailMessage
from email.mime.multipart import MIMEMultipart

import pytest
from tests.fixtures.documents import make_docx, paragraph
from tests.unit.test_readers_texts import kinds, read, read_whole, texts_of

from terrarium.errors import UnreadableFile


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


def test_attachments_are_documents_of_their_own_named_by_their_paths():
    mail = message()
    mail.add_attachment(b"Sensor;Wert\nA1;7,3\n", maintype="text", subtype="csv", filename="Prüfwerte.csv")
    docx = make_docx(paragraph("Rules", "Heading1") + paragraph("No smoking."))
    mail.add_attachment(docx, maintype="application", subtype="octet-stream", filename="rules.docx")
    mail.add_attachment(b"\x89PNG\r\n\x1a\n" + b"\0" * 40, maintype="image", subtype="png", filename="lift.png")
    whole = read_whole(bytes(mail), "mails/a.eml")
    assert kinds(whole.document)[2:] == [("paragraph", 0, "The lift is out of order.")]
    assert any("lift.png" in warning and "picture" in warning for warning in whole.document.warnings)
    csv, rules = (one.document for one in whole.enclosed)
    assert (csv.name, csv.kind, csv.within) == ("mails/a.eml/Prüfwerte.csv", "csv", whole.document.id)
    assert kinds(csv) == [("table_row", 0, "Sensor: A1 | Wert: 7,3")]
    assert (rules.name, rules.kind, rules.title) == ("mails/a.eml/rules.docx", "docx", "Rules")
    assert kinds(rules) == [("heading", 1, "Rules"), ("paragraph", 0, "No smoking.")]
    assert whole.enclosed[1].data == docx
    assert rules.id == hashlib.sha256(docx).hexdigest()


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
    whole = read_whole(bytes(mail), "a.eml")
    assert [block.text for block in whole.document.blocks[2:]] == ["The lift is out of order."]
    assert texts_of(whole) == {"a.eml/order.txt": "Order 66."}


def test_an_attached_message_is_a_mail_of_its_own_with_what_is_attached_to_it():
    inner = message("It was repaired.", "Re: Lift / stairs")
    inner.add_attachment("Bill: 80 EUR.", filename="bill.txt")
    mail = message()
    mail.add_attachment(inner)
    (attached,) = read_whole(bytes(mail), "a.eml").enclosed
    assert (attached.document.name, attached.document.kind) == ("a.eml/Re: Lift - stairs.eml", "mail")
    assert kinds(attached.document) == [
        ("heading", 1, "Re: Lift / stairs"),
        ("paragraph", 0, HEAD),
        ("paragraph", 0, "It was repaired."),
    ]
    assert attached.data == bytes(inner), "the message as it would be by itself"
    (bill,) = attached.enclosed
    assert bill.document.name == "a.eml/Re: Lift - stairs.eml/bill.txt"
    assert bill.document.within == attached.document.id


def test_files_of_one_name_are_told_apart_and_the_same_file_is_there_once():
    mail = message()
    for text in ("One.", "Two.", "One."):
        mail.add_attachment(text, filename="notes.txt")
    assert texts_of(read_whole(bytes(mail), "a.eml")) == {"a.eml/notes.txt": "One.", "a.eml/notes (2).txt": "Two."}


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


def test_what_is_attached_to_the_messages_of_a_mailbox_is_inside_of_it():
    first, second = message("One.", "First"), message("Two.", "Second")
    first.add_attachment("Order 66.", filename="order.txt")
    stamp = b"From ada@example.org Mon Mar  3 09:00:00 2031\n"
    whole = read_whole(stamp + bytes(first) + b"\n" + stamp + bytes(second), "all.mbox")
    assert "Order 66." not in whole.document.text
    assert texts_of(whole) == {"all.mbox/order.txt": "Order 66."}


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
