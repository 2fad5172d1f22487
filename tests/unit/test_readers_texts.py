"""Text, Markdown, HTML and JSON."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

import pytest

from terrarium.errors import UnreadableFile
from terrarium.model import Document
from terrarium.readers.content import ReadFile
from terrarium.readers.enclosed import flattened
from terrarium.readers.reading import read_document, read_file


class NoPdf:
    async def extract(self, data, password, on_page=None):
        raise AssertionError("no PDF here")


def read(data: bytes | str, name: str) -> Document:
    return asyncio.run(read_document(data.encode() if isinstance(data, str) else data, name, pdf=NoPdf()))


def read_whole(data: bytes | str, name: str, **options: Any) -> ReadFile:
    """With the files that are inside of it."""
    return asyncio.run(read_file(data.encode() if isinstance(data, str) else data, name, pdf=NoPdf(), **options))


def texts_of(whole: ReadFile) -> dict[str, str]:
    """What is inside of a file, by name."""
    inside = [file.document for file, within in flattened(whole).values() if within]
    return {document.name: document.text for document in inside}


def kinds(document: Document) -> list[tuple[str, int, str]]:
    return [(block.kind, block.level, block.text) for block in document.blocks]


def test_identity_is_the_hash_of_the_bytes():
    assert read("Hello there.", "a.txt").id == hashlib.sha256(b"Hello there.").hexdigest()


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Überprüfung\r\nder Mittel".encode("utf-16"), "Überprüfung der Mittel"),
        ("Grüße aus Köln, 15 °C".encode("utf-16-le"), "Grüße aus Köln, 15 °C"),
        (b"\xef\xbb\xbfM\xc3\xbcller", "Müller"),
        ("吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。".encode("cp932"), "吾輩は猫である"),
        ("В гимназии он не был в числе первых учеников, но любил читать книги.".encode("cp1251"), "первых учеников"),
        (b"one\rtwo", "one two"),
        ("プロジェクトの概要".encode("iso2022_jp"), "プロジェクトの概要"),
        ("昔々あるところにおじいさんがいました。".encode("euc_jp"), "おじいさんがいました"),
        ("회의는 월요일에 열립니다.".encode("iso2022_kr"), "월요일에"),
        ("Дом стоит на берегу реки, у моста.".encode("utf-16-le"), "на берегу реки"),
        ("Дом стоит на берегу реки, у моста.".encode("utf-16-be"), "на берегу реки"),
        ("Le numéro à côté n'est pas très loin, où ça ?".encode("cp1252"), "à côté n'est pas très loin, où ça"),
        ("El niño comió piñas; ¿cuántas?".encode("latin-1"), "niño comió piñas; ¿cuántas?"),
        ("Wąż zjadł mysz i śpi w łóżku.".encode("cp1250"), "Wąż zjadł mysz i śpi w łóżku."),
        ("Wąż zjadł mysz i śpi w łóżku.".encode("iso8859_2"), "Wąż zjadł mysz i śpi w łóżku."),
        ("Kedi ağacın üstünde, köpek aşağıda.".encode("cp1254"), "ağacın üstünde, köpek aşağıda"),
        ("Größe, Übung und das „ß“ – schön.".encode("mac_roman"), "Größe, Übung und das „ß“"),
        ("Größe und Übung, où ça ? Déjà vu: 5 €".encode("cp1252"), "Größe und Übung, où ça ? Déjà vu: 5 €"),
    ],
)
def test_encodings(data, text):
    assert text in " ".join(read(data, "a.txt").text.split())


def test_lone_surrogates_are_replaced():
    text = read(b'{"a": "x\\ud800y"}', "a.json").text
    text.encode()
    assert text.startswith("a: x")


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (b"", "zero.txt", "empty"),
        (b" \n\t ", "white.txt", "white space"),
        (b"\0\0\0", "nul.txt", "white space"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "photo.txt", "picture"),
        (b"MZ\x90\0\x03\0\0\0" + b"\0" * 60, "setup.txt", "program"),
        (bytes(range(1, 32)) * 30, "noise.txt", "not text"),
        (b"no pdf at all", "a.pdf", "not a PDF"),
        (b"<html><body><script>x()</script></body></html>", "a.html", "no text"),
    ],
)
def test_unreadable_files_are_named_with_the_reason(data, name, reason):
    with pytest.raises(UnreadableFile, match=reason) as caught:
        read(data, name)
    assert name in str(caught.value)


def test_text_headings_paragraphs_and_lists():
    document = read(
        "The Manual\n==========\n\n1. Setup\n\n"
        "Unpack the box with care and put all of its\nparts on a table of some size.\n\n"
        "1.1. Where do I start?\n\nAt the beginning, as always.\n\n"
        "* first item\n  goes on\n* second item\n\nSAFETY RULES\n\nBe careful.\n",
        "manual.txt",
    )
    assert kinds(document) == [
        ("heading", 1, "The Manual"),
        ("heading", 1, "1. Setup"),
        ("paragraph", 0, "Unpack the box with care and put all of its parts on a table of some size."),
        ("heading", 2, "1.1. Where do I start?"),
        ("paragraph", 0, "At the beginning, as always."),
        ("list_item", 0, "* first item goes on"),
        ("list_item", 0, "* second item"),
        ("heading", 2, "SAFETY RULES"),
        ("paragraph", 0, "Be careful."),
    ]
    assert document.title == "The Manual"


def test_a_numbered_list_is_no_row_of_headings():
    found = kinds(read("Steps to take:\n\n1. Open it\n\n2. Close it\n\n3. Go home\n", "a.txt"))
    assert [kind for kind, _, _ in found] == ["paragraph", "list_item", "list_item", "list_item"]


def test_titles_that_run_into_their_text_are_headings():
    licence = "1. Definitions.\n\nWords mean things.\n\n2. Grant of Licence. Subject to the terms, you may copy it.\n"
    assert kinds(read(licence, "a.txt"))[2:] == [
        ("heading", 1, "2. Grant of Licence."),
        ("paragraph", 0, "Subject to the terms, you may copy it."),
    ]


def test_lines_of_a_table_stay_lines():
    document = read("ssh\t22/tcp\t# Secure shell\ntelnet\t\t23/tcp\nsmtp\t25/tcp\tmail\n", "services")
    assert kinds(document)[1] == ("table_row", 0, "telnet\t23/tcp")
    assert len(document.blocks) == 3


def test_one_huge_line_and_many_short_lines_make_no_giant_block():
    assert max(len(b.text) for b in read("A sentence of six small words. " * 5000, "a.txt").blocks) < 3000
    assert max(len(b.text) for b in read("\n".join(f"log {i % 7} ok" for i in range(5000)), "a.txt").blocks) < 3000


MARKDOWN = """---
title: Release notes
---
# Rollback

Run `git revert` on *Mondays*.

```sh
# not a heading
make undo
```

- one
  - two

| Name | Rate |
|------|------|
| Ann  | 5    |

> quoted words

<div style="display:none">secret</div>

![a diagram](http://example.invalid/x.png)
"""


def test_markdown():
    document = read(MARKDOWN, "notes.md")
    assert document.title == "Release notes"
    assert kinds(document) == [
        ("heading", 1, "Rollback"),
        ("paragraph", 0, "Run git revert on Mondays."),
        ("code", 0, "# not a heading\nmake undo"),
        ("list_item", 0, "one"),
        ("list_item", 1, "two"),
        ("table_row", 0, "Name: Ann | Rate: 5"),
        ("quote", 0, "quoted words"),
        ("paragraph", 0, "a diagram"),
        ("paragraph", 0, "secret"),
    ]
    assert [block.text for block in document.blocks if block.hidden] == ["secret"]


HTML = """<!DOCTYPE html><html><head><title> The  page </title><style>p{}</style></head><body>
<nav><a href=x>Home</a></nav>
<div class="menu"><a href=1>Home</a> <a href=2>About</a> <a href=3>Download</a></div>
<h1>Limits</h1><p>A join has <b>64</b> tables,<br>at most 2<sup>31</sup> rows.</p>
<script>track()</script>
<table><tr><th>Grade<th>Rate<tr><td>A<td>52<tr><td>B<td></table>
<ul><li>outer<ul><li>inner</ul></ul>
<pre>  x = 1
  y = 2</pre>
<p hidden>not seen</p><div style="color:red; display: none">nor <b>this</b></div><p aria-hidden=true>seen</p>
<!-- comment --></body></html>"""


def test_html():
    document = read(HTML, "page.html")
    assert document.title == "The page"
    assert kinds(document) == [
        ("heading", 1, "Limits"),
        ("paragraph", 0, "A join has 64 tables,\nat most 2^31 rows."),
        ("table_row", 0, "Grade: A | Rate: 52"),
        ("table_row", 0, "Grade: B"),
        ("list_item", 0, "outer"),
        ("list_item", 1, "inner"),
        ("code", 0, "  x = 1\n  y = 2"),
        ("paragraph", 0, "seen"),
        ("paragraph", 0, "not seen\nnor this"),
    ]
    assert [block.text for block in document.blocks if block.hidden] == ["not seen\nnor this"]


def test_html_that_lies_about_its_encoding():
    data = "<html><head><meta charset=iso-8859-1></head><body><p>Gebühr: 1,50 €</p></body></html>".encode()
    assert "Gebühr: 1,50 €" in read(data, "a.html").text


def test_html_with_a_broken_name_of_its_encoding():
    document = read(b'<meta charset="lat\x00in"><p>caf\xe9 au lait</p>', "a.html")
    assert document.text == "café au lait"


def test_html_nested_without_end_is_read():
    assert "deep" in read("<html><body>" + "<div>" * 5000 + "deep", "a.html").text


def test_content_decides_before_the_name():
    assert read(HTML, "page.txt").kind == "html"
    assert read("Some text.", "page.docx").kind == "text"
    assert read('{"a": 1}', "data").kind == "json"


def test_source_code_keeps_its_lines():
    source = "import math\n\n\ndef area(r):\n\treturn math.pi * r\n"
    assert read(source, "area.py").text == "import math\n\n\ndef area(r):\n    return math.pi * r"
    assert read('{"a": 1}', "a.py").kind == "code"
    assert read("<html><body><p>x</p></body></html>", "a.php").kind == "html", "content first"


def test_csv_rows_keep_their_header_cells():
    document = read('name;price;note\n"Müller; Söhne";1.234,50;"zwei\nZeilen, ""zitiert"""\nÖl;;leer\n', "a.csv")
    assert (document.kind, [block.text for block in document.blocks]) == (
        "csv",
        ['name: Müller; Söhne | price: 1.234,50 | note: zwei Zeilen, "zitiert"', "name: Öl | note: leer"],
    )
    assert read("a\tb\n1\t2\n3\t4\n", "a.tsv").blocks[1].text == "a: 3 | b: 4"
    assert read("1,2\n3,4\n", "a.csv").text == "1 | 2\n3 | 4", "no row that names the columns"
    assert read("a,b\n1,2,3\n4\n5,6\n7,8\n9,0\n", "a.csv").blocks[0].text == "a: 1 | b: 2 | 3"


@pytest.mark.parametrize("data", ['a,b,c\n1,2\n"never closed\nlast,line,here', "No table at all.\nOnly text.\n"])
def test_what_is_no_table_after_all_is_read_as_text(data):
    document = read(data, "a.csv")
    assert document.blocks[0].kind == "paragraph"
    assert data.split()[-1] in document.text


def test_json_records_are_lines_of_key_and_value():
    document = read(
        '{"currencies": [{"code": "CHF", "names": ["franc", "Franken"], "bank": {"city": "Bern"}}], "year": 2024}',
        "a.json",
    )
    assert kinds(document) == [
        ("table_row", 0, "year: 2024"),
        ("heading", 1, "currencies"),
        ("table_row", 0, "code: CHF\nnames: franc, Franken\nbank › city: Bern"),
    ]
    assert len(read('{"a": 1}\n{"a": 2}\n', "a.jsonl").blocks) == 2


def test_json_nested_without_end_does_not_overflow():
    with pytest.raises(UnreadableFile, match="too deep"):
        read("[" * 100_000 + "]" * 100_000, "deep.json")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The house is on the hill and the road to it is long. This is not far.", "en"),
        ("Das Haus ist auf dem Berg und die Straße ist nicht lang. Sie werden mit der Bahn fahren.", "de"),
        ("La maison est sur la colline et les routes ne sont pas longues pour vous.", "fr"),
        ("认证系统使用令牌。用户需要登录以后才能访问。", "zh"),
        ("プロジェクトの概要を説明します。認証が必要です。", "ja"),
        ("이 문서는 인증 시스템을 설명합니다. 사용자는 로그인해야 합니다.", "ko"),
        ("Il contratto è valido per un anno e non può essere sciolto prima della scadenza.", "it"),
        ("O contrato é válido por um ano e não pode ser rescindido antes do prazo da lei.", "pt"),
        ("Contractul este valabil pentru un an și nu poate fi reziliat din vina unei părți.", "ro"),
        ("Het contract is voor een jaar en kan niet voor die tijd worden beëindigd met geld.", "nl"),
        ("Kontrakten gælder for et år, og den blev underskrevet af dem, som ikke er til stede.", "da"),
        ("Kontrakten gjelder for et år, og den ble undertegnet av dem som ikke er til stede.", "no"),
        ("Avtalet är för ett år och det kan inte sägas upp av den som har skrivit på för tidigt.", "sv"),
        ("Umowa jest na rok i nie można jej wypowiedzieć przed czasem, że się to komuś opłaca.", "pl"),
        ("Sözleşme bir yıl için geçerlidir ve bu süre içinde çok ağır bir neden olarak ihlal ya da ölüm aranır.", "tr"),
        ("Договор заключён на год и не может быть расторгнут до срока, как это было с другим.", "ru"),
        ("Договір укладено на рік і не може бути розірваний до строку, як це було з іншим.", "uk"),
        ("Η σύμβαση ισχύει για ένα έτος και δεν λύεται πριν από τη λήξη της.", "el"),
        ("العقد ساري المفعول من هذا العام إلى نهاية العام الذي يليه على أن لا يفسخ.", "ar"),
        ("यह अनुबंध एक वर्ष के लिए है और इस समय से पहले किसी को भी इसे तोड़ने की अनुमति नहीं है।", "hi"),
        ("The house is on the hill. Das Haus ist auf dem Berg. It is not far. Es ist nicht weit mit der Bahn.", ""),
        ("E-4711/b 17 x", ""),
    ],
)
def test_language(text, language):
    assert read(text, "a.txt").language == language


def test_a_bold_paragraph_above_text_is_a_heading():
    html = b"<h2>Limits</h2><ol><li><p><b>Tables in a Join</b></p><p>At most 64.</p></li></ol>"
    html += b"<p><b>Stay calm.</b></p><p>x</p>"
    blocks = read(html, "limits.html").blocks
    assert [(b.kind, b.level) for b in blocks if b.text == "Tables in a Join"] == [("heading", 3)]
    assert [b.kind for b in blocks if b.text == "Stay calm."] == ["paragraph"], "a bold sentence is text"
    assert [b.kind for b in read(b"<p>x</p><p><b>The End</b></p>", "end.html").blocks] == ["paragraph", "paragraph"]
