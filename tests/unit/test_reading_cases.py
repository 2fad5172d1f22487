"""What users of such tools report, a test for each kind of fault: a file made for it, read, indexed and looked at.

PDFs go through pdf.js under Node, as at the desk.
"""

from __future__ import annotations

import asyncio
import csv
import io
import json
import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.fixtures.documents import docx_table, make_docx, paragraph, zipped
from tests.fixtures.pdf import column, make_pdf
from tests.fixtures.pdf_more import FIRST_EXTRA, Sheet, glyphs, make_sheets, stream, words

from terrarium.adding import add_file
from terrarium.answers.answering import Answerer
from terrarium.desk.reading import read_apart
from terrarium.errors import PasswordNeeded, TerrariumError
from terrarium.library import Library
from terrarium.model import Answer, Chunk, Document, DocumentInfo
from terrarium.models.scripted import HashingEmbedder
from terrarium.readers.local import LocalReader
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.readers.reader import FileReader
from terrarium.readers.warnings import kind_of
from terrarium.reporting import Reporting
from terrarium.retrieval.funnel import Retriever
from terrarium.storage.memory import MemoryStore

EXTRACTOR = NodePdfExtractor()
needs_node = pytest.mark.skipif(
    not shutil.which("node") or not EXTRACTOR.pdfjs.is_dir(), reason="needs Node and npm's pdfjs-dist"
)
PICTURE = "q {} 0 0 700 20 20 cm BI /W 2 /H 2 /BPC 8 /CS /G ID \x20\x40\x60\x7f EI Q"  # a scan: a picture over the page


class Shelf:
    """A library over scripted models, with what a batch of files came to."""

    def __init__(self, library: Library, store: MemoryStore) -> None:
        self.library, self.store = library, store
        self.reader: FileReader = LocalReader(EXTRACTOR)
        self.failures: list[dict[str, object]] = []

    async def take(self, files: Sequence[tuple[str, bytes]]) -> None:
        """Add them one by one, as the page does: one that cannot be read is noted and the next one comes."""
        for name, data in files:
            try:
                await add_file(self.library, await self.reader.read(data, name))
            except TerrariumError as error:
                self.failures.append({"name": name, "size": len(data), "reason": str(error)})

    @property
    def infos(self) -> dict[str, DocumentInfo]:
        return {info.name: info for info in self.library.documents.values()}

    def chunks(self) -> list[Chunk]:
        infos = self.library.documents.values()
        return [self.library.chunk((info.id, number)) for info in infos for number in range(info.chunks)]

    def document(self) -> Document:
        """The one that there is."""
        (info,) = self.library.documents.values()
        return asyncio.run(self.library.document(info.id))

    def answer(self, question: str) -> Answer:
        answerer = Answerer(self.library, Retriever(self.library), None, {})
        return asyncio.run(answerer.answer(question, "quote", lambda _event: None))[0]

    def found(self, question: str) -> list[tuple[str, str]]:
        """(document, text) of what a question finds by its words."""
        retrieval = asyncio.run(Retriever(self.library).retrieve(question))
        return [(one.document.name, one.chunk.text) for one in retrieval.passages if "lexical" in one.placings]


def shelf(*files: tuple[str, bytes]) -> Shelf:
    async def filled() -> Shelf:
        store = MemoryStore()
        made = Shelf(await Library.open(store, HashingEmbedder()), store)
        await made.take(files)
        return made

    return asyncio.run(filled())


def scan(width: int = 560) -> bytes:
    return make_sheets([Sheet(PICTURE.format(width))])


@needs_node
def test_no_text_layer():
    one = shelf(("scan.pdf", scan()))
    assert one.infos["scan.pdf"].warnings == ("no text layer (1 of 1 pages)",)
    assert one.infos["scan.pdf"].chunks == 0
    answer = one.answer("How high is the fee?")
    assert answer.refusal is not None
    assert "“scan.pdf”" in answer.refusal.message
    assert "No text layer" in answer.refusal.message


@needs_node
def test_partly_scanned():
    sheets = [Sheet(words(50, 100, f"Chapter about the {word} in the harbour.")) for word in "abcdefghij"]
    sheets[6] = Sheet(PICTURE.format(560))
    sheets[7] = Sheet(words(50, 100, "The lighthouse keeper is paid monthly."))
    one = shelf(("book.pdf", make_sheets(sheets)))
    (warning,) = one.infos["book.pdf"].warnings
    assert "page 7 " in warning
    assert kind_of(warning) == "no text"
    assert any("lighthouse keeper is paid" in text for _, text in one.found("lighthouse keeper"))
    document = one.document()
    assert document.page_at(document.text.index("lighthouse keeper")) == 8


def ligature(target: str) -> bytes:
    """“The office is closed.” with one glyph for “ffi”, which the file says to stand for `target`."""
    font = f"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 1/LastChar 1/Widths[800]/Encoding<</Type/Encoding\
/BaseEncoding/WinAnsiEncoding/Differences[1/f_f_i]>>/ToUnicode {FIRST_EXTRA + 1} 0 R>>"
    mapping = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def\n"
        f"1 begincodespacerange <00> <FF> endcodespacerange\n1 beginbfchar\n<01> <{target}>\nendbfchar\n"
        "1 beginbfrange\n<20> <7E> <0020>\nendbfrange\nendcmap end end"
    )
    content = "BT /L 12 Tf 50 700 Td (The o\001ce is closed on Sundays.) Tj ET"
    sheet = Sheet(content, fonts=f"/L {FIRST_EXTRA} 0 R")
    return make_sheets([sheet], extra=[font.encode(), stream(mapping.encode())])


@needs_node
@pytest.mark.parametrize("target", ["0000", "E000", "FB03"], ids=["NUL", "private use", "ffi as one letter"])
def test_ligature_mapped_to_nul_or_to_the_private_use_area(target):
    one = shelf(("letter.pdf", ligature(target)))
    text = one.document().text
    assert "\0" not in text
    assert "\ue000" not in text
    recovered = one.found("office") != []
    flagged = "letters" in {kind_of(warning) for warning in one.infos["letter.pdf"].warnings}
    assert recovered or flagged
    if target == "FB03":
        assert recovered  # Unicode's own ligature always is: NFKC says what it stands for


@needs_node
@pytest.mark.parametrize(
    ("visual", "logical"),
    [("חותפ 1234 רדח", "חדר 1234 פתוח"), ("حوتفم 56 مقر بابلا", "الباب رقم 56 مفتوح")],
    ids=["Hebrew", "Arabic"],
)
def test_right_to_left(visual, logical):
    one = shelf(("rtl.pdf", make_sheets([Sheet(glyphs(300, 100, visual))])))
    assert logical in one.document().text


@needs_node
def test_columns():
    left = [f"the harbour of boat {n} and its masts and ropes" for n in range(40)]
    right = [f"the orchard of tree {n} and its apples ripe" for n in range(40)]
    heads = [(40.0, 80.0, 14.0, "F2", "At sea"), (320.0, 80.0, 14.0, "F2", "Inland")]
    one = shelf(("paper.pdf", make_pdf([[*heads, *column(40, 100, left), *column(320, 100, right)]])))
    text = one.document().text
    assert text.rindex("harbour") < text.index("orchard")
    chunks = [chunk.text for chunk in one.chunks()]
    assert len(chunks) > 1
    assert any("harbour" in text for text in chunks)
    assert [text for text in chunks if "harbour" in text and "orchard" in text] == []


@needs_node
def test_encrypted():
    page = column(50, 100, ["The vault is in the cellar."])
    one = shelf(("open.pdf", make_pdf([page], owner="only for printing")))
    assert "The vault is in the cellar." in one.document().text
    locked = make_pdf([page], password="open sesame")
    with pytest.raises(PasswordNeeded, match=r"“locked\.pdf”.*password"):
        asyncio.run(one.reader.read(locked, "locked.pdf"))
    read = asyncio.run(one.reader.read(locked, "locked.pdf", password="open sesame"))
    assert "The vault is in the cellar." in read.document.text


@needs_node
def test_oversized_page(tmp_path):
    """Reading draws nothing, so no page is too large for it: its text is there, or a warning names the page."""
    pages = [Sheet(words(50, 100, "Small.")), Sheet(words(50, 100, "Vast plan of the site."), box="0 0 14400 14400")]
    (tmp_path / "plan.pdf").write_bytes(make_sheets(pages))
    reading = read_apart(tmp_path / "plan.pdf", None, 60)
    assert reading.error == ""
    assert "Vast plan" in reading.text or any("page 2" in warning for warning in reading.warnings)
    assert reading.megabytes < 500


def test_docx_tables():
    body = paragraph("Before the table.") + docx_table([["Grade", "Rate"], ["A", "52 EUR"]]) + paragraph("After it.")
    text = shelf(("a.docx", make_docx(body))).document().text
    places = [text.index(part) for part in ("Before the table.", "Grade", "A", "52 EUR", "After it.")]
    assert places[0] < places[1] < places[3] < places[4]
    row = next(line for line in text.split("\n") if "52 EUR" in line)
    assert "A" in row  # a row stays one line


def test_docx_headers_and_footers():
    pages = "".join(paragraph(f"Page {n} of the report speaks of the weather.") for n in range(5))
    one = shelf(("a.docx", make_docx(pages, header="Ref. QX-4711")))
    assert one.document().text.count("QX-4711") == 1
    assert [name for name, _ in one.found("QX-4711")] == ["a.docx"]


def test_tracked_changes():
    body = (
        '<w:p><w:r><w:t xml:space="preserve">The fee is </w:t></w:r>'
        "<w:del><w:r><w:delText>ten</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>twenty</w:t></w:r></w:ins><w:r><w:t> euros.</w:t></w:r></w:p>"
    )
    assert shelf(("a.docx", make_docx(body))).document().text == "The fee is twenty euros."


def test_headings_flattened():
    levels = ["One", "Two", "Three", "Four", "Five", "Six"]
    body = "".join(paragraph(title, f"Heading{n}") + paragraph(f"Below {title}.") for n, title in enumerate(levels, 1))
    body += "".join(docx_table([["Item", "Price"], [f"thing {n}", f"{n} EUR"]]) + paragraph("Next.") for n in range(4))
    chunks = shelf(("a.docx", make_docx(body))).chunks()
    assert all(chunk.headings for chunk in chunks)
    for number in range(4):
        (chunk,) = (chunk for chunk in chunks if f"thing {number}" in chunk.text)
        assert chunk.headings[:1] == ("One",)
        # Headings that the chunk itself begins under may stand in its text instead.
        assert [title for title in levels if title not in chunk.headings and title not in chunk.text] == []


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Zugang: Tür".encode("utf-16"), "Zugang: Tür"),
        ("Le café coûte 3 € – déjà payé".encode("cp1252"), "Le café coûte 3 € – déjà payé"),
        ("吾輩は猫である。名前はまだ無い。どこで生れたか頓と見当がつかぬ。".encode("cp932"), "吾輩は猫である"),
        ("认证系统使用令牌。请在三十天内提交申请表格，否则无法退款。".encode("gb18030"), "认证系统使用令牌"),
    ],
    ids=["UTF-16LE with a mark", "Windows-1252", "Shift-JIS", "GB18030"],
)
def test_encodings(data, text):
    one = shelf(("a.txt", data))
    flagged = "letters" in {kind_of(warning) for warning in one.infos["a.txt"].warnings}
    assert text in one.document().text or flagged
    assert one.failures == []


def test_encodings_lone_surrogates():
    one = shelf(("a.json", json.dumps({"note": "half \ud83d of a pair"}).encode()))
    text = one.document().text
    assert "half " in text and " of a pair" in text
    assert not any("\ud800" <= letter <= "\udfff" for letter in text)


def test_empty():
    one = shelf(("zero.txt", b""), ("spaces.txt", b" \n\t "), ("nuls.txt", bytes(64)), ("good.txt", b"The lift works."))
    assert list(one.infos) == ["good.txt"]
    assert [failure["name"] for failure in one.failures] == ["zero.txt", "spaces.txt", "nuls.txt"]
    assert all(f"“{failure['name']}”" in str(failure["reason"]) for failure in one.failures)


@needs_node
def test_duplicate_check_on_text():
    one = shelf(("a.pdf", scan(560)), ("b.pdf", scan(500)), ("copy of a.pdf", scan(560)))
    assert list(one.infos) == ["a.pdf", "b.pdf"]


def test_near_equal_names():
    names = ["a b.md", "a-b.md", "a_b.md"]
    said = ["The gate opens at seven.", "A parcel came for Ines.", "Water the ferns on Mondays."]
    one = shelf(*((name, f"# Note\n\n{text}".encode()) for name, text in zip(names, said, strict=True)))
    assert list(one.infos) == names
    assert {name for name, _ in one.found("note")} == set(names)


def test_one_bad_file_in_a_batch():
    files = [(f"{number}.txt", f"File number {number} is fine.".encode()) for number in range(20)]
    files[7] = ("7.docx", make_docx(paragraph("x"))[:200])
    one = shelf(*files)
    reports = Reporting(one, one.store)
    written = asyncio.run(reports.handle("write_report", {"failures": one.failures}, lambda _event: None))
    rows = list(csv.DictReader(io.StringIO(written["text"], newline="")))
    assert [row["outcome"] for row in rows].count("read") == 19
    (bad,) = (row for row in rows if row["outcome"] == "failed")
    assert bad["document"] == "7.docx"
    assert "damaged" in bad["reason"]


def test_wrong_extension():
    picture, program = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, b"MZ\x90\0" + bytes(4096)
    one = shelf(("notes.txt", picture), ("tool.md", program), ("list.pdf", b"This is text, whatever its name says."))
    assert one.infos == {}
    assert [f"“{failure['name']}”" in str(failure["reason"]) for failure in one.failures] == [True] * 3
    assert "picture" in str(one.failures[0]["reason"])
    named = shelf(("minutes.txt", make_docx(paragraph("What it holds decides."))))
    assert (named.document().kind, named.document().text) == ("docx", "What it holds decides.")


def test_truncated():
    whole = make_docx(paragraph("The whole text."))
    one = shelf(("a.docx", whole[: len(whole) // 2]), ("a.zip", zipped({"a.txt": "x" * 999})[:60]))
    assert one.infos == {}
    assert ["damaged" in str(failure["reason"]) for failure in one.failures] == [True, True]


def test_zip_bomb(tmp_path):
    """A quarter of a gigabyte of spaces in a megabyte: the error comes without unpacking it."""
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open("word/document.xml", "w") as member:
            for _ in range(16):
                member.write(b" " * 2**24)
    (tmp_path / "bomb.docx").write_bytes(bomb.getvalue())
    reading = read_apart(tmp_path / "bomb.docx", None, 60)
    assert reading.error_kind == "UnreadableFile"
    assert "unpacks to" in reading.error
    assert reading.megabytes < 500


def test_zip_with_a_way_out(tmp_path, monkeypatch):
    inside = tmp_path / "inside"
    inside.mkdir()
    monkeypatch.chdir(inside)
    before = sorted(tmp_path.rglob("*"))
    files = zipped(
        {"../out.txt": "Climbs out of the folder.", "/root.txt": "From the root.", "good.txt": "All is well."}
    )
    one = shelf(("files.zip", files))
    assert sorted(tmp_path.rglob("*")) == before
    assert not Path("/root.txt").exists()
    assert any("All is well." in chunk.text for chunk in one.chunks())
    assert [name for name in one.infos if ".." in Path(name).parts] == []
