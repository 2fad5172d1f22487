"""PDFs through pdf.js under Node, as at the desk."""

from __future__ import annotations

import asyncio
import json
import re
import shutil

import pytest
from tests.fixtures.pdf import column, make_pdf

from terrarium.errors import PasswordNeeded, UnreadableFile
from terrarium.model import Document
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.readers.reading import read_document

EXTRACTOR = NodePdfExtractor()
pytestmark = pytest.mark.skipif(
    not shutil.which("node") or not EXTRACTOR.pdfjs.is_dir(), reason="needs Node and npm's pdfjs-dist"
)
PAGE = column(50, 100, ["Members pay 140 euros a night; the form is due within thirty", "days of the journey's end."])


def read(data: bytes, name: str = "a.pdf", password: str | None = None) -> Document:
    return asyncio.run(read_document(data, name, pdf=EXTRACTOR, password=password))


def squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def test_pages_outline_and_title():
    pages = [[(50, 60, 18, "F2", "Rules"), *PAGE], [(50, 60, 10, "F1", "Annex"), *PAGE]]
    document = read(make_pdf(pages, outline=[("Rules", 0), ("Annex", 1)], title="Travel handbook"))
    assert (document.kind, document.title, document.pages) == ("pdf", "Travel handbook", 2)
    assert [(b.kind, b.page) for b in document.blocks] == [
        ("heading", 1),
        ("paragraph", 1),
        ("heading", 2),
        ("paragraph", 2),
    ]


def test_progress_counts_pages():
    seen = []
    data = make_pdf([PAGE, PAGE, PAGE])
    asyncio.run(read_document(data, "a.pdf", pdf=EXTRACTOR, progress=lambda done, total: seen.append((done, total))))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_a_page_without_text_is_a_warning_and_no_error():
    document = read(make_pdf([[]]))
    assert document.blocks == ()
    assert document.warnings == ("no text layer (1 of 1 pages)",)


def test_passwords():
    data = make_pdf([PAGE], password="open sesame")
    with pytest.raises(PasswordNeeded, match=r"a\.pdf") as caught:
        read(data)
    assert not caught.value.wrong
    with pytest.raises(PasswordNeeded) as caught:
        read(data, password="guess")
    assert caught.value.wrong
    assert "140 euros" in read(data, password="open sesame").text


def test_damaged_files_are_named():
    with pytest.raises(UnreadableFile, match=r"“bad\.pdf”.*damaged"):
        read(b"%PDF-1.7\nnothing of the kind", "bad.pdf")


def test_missing_pdfjs_says_what_to_do(tmp_path):
    with pytest.raises(UnreadableFile, match="npm ci"):
        asyncio.run(NodePdfExtractor(tmp_path).extract(b"%PDF-", None))


@pytest.mark.parametrize(
    "name",
    ["made_hyphen_footnote_table.pdf", "noembed-sjis.pdf", "vertical.pdf", "testPDFTwoTextBoxes.pdf",
     "ArabicCIDTrueType.pdf", "highlights.pdf", "copy_paste_ligatures.pdf"],
)  # fmt: skip
def test_difficult_files(data_dir, name):
    expected = next(row for row in map(json.loads, (data_dir / "files/expected.jsonl").open()) if row["file"] == name)
    document = read((data_dir / "files" / name).read_bytes(), name)
    for page, wanted in expected["must_contain"]:
        assert squeeze(wanted) in squeeze(" ".join(b.text for b in document.blocks if b.page == page))
    for unwanted in expected["must_not_contain"]:
        assert unwanted not in document.text


def test_quotes_of_the_questions_stand_on_their_pages(data_dir):
    quotes = [
        evidence
        for row in map(json.loads, (data_dir / "e2e/questions.jsonl").open())
        for evidence in row.get("evidence", ())
        if evidence["file"] == "fhs-3.0.pdf"
    ]
    document = read((data_dir / "e2e/docs/fhs-3.0.pdf").read_bytes(), "fhs-3.0.pdf")
    for quote in quotes:
        page = squeeze(" ".join(b.text for b in document.blocks if b.page == quote["page"]))
        assert squeeze(quote["quote"]) in page
