"""Text of a PDF that nobody sees, each kind beside an innocent neighbour, through pdf.js under Node as at the desk."""

from __future__ import annotations

import asyncio
import shutil

import pytest
from tests.fixtures.pdf import make_drawing

from terrarium.model import Document
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.readers.reading import read_document

EXTRACTOR = NodePdfExtractor()
pytestmark = pytest.mark.skipif(
    not shutil.which("node") or not EXTRACTOR.pdfjs.is_dir(), reason="needs Node and npm's pdfjs-dist"
)
SCAN = "q 600 0 0 800 0 0 cm /Im Do Q"
SEEN = "BT /F1 12 Tf 50 700 Td (plain words) Tj ET"


def read(data: bytes) -> Document:
    return asyncio.run(read_document(data, "a.pdf", pdf=EXTRACTOR))


def text(words: str, place: str = "50 500", size: float = 12, how: str = "") -> str:
    return f"q {how} BT /F1 {size} Tf {place} Td ({words}) Tj ET Q"


@pytest.mark.parametrize(
    ("content", "hidden"),
    [
        (text("unseen", how="3 Tr"), "unseen"),
        (text("unseen", how="1 g"), "unseen"),
        (text("unseen", how="0.97 0.97 0.99 rg"), "unseen"),
        (text("unseen", how="0 g 0 G 40 480 200 40 re f 0.02 g"), "unseen"),
        (text("unseen", how="1 Tr 1 G"), "unseen"),
        (text("unseen", how="/Faint gs"), "unseen"),
        (text("unseen", size=0.5), "unseen"),
        (text("unseen", how="1 Tz"), "unseen"),
        (text("unseen", place="50 900"), "unseen"),
        (text("unseen", place="-300 500"), "unseen"),
        (text("unseen", how="0 0 10 10 re W n"), "unseen"),
        (text("unseen") + " 1 g 40 480 200 40 re f", "unseen"),
        (f"/OC /Off BDC {text('unseen')} EMC", "unseen"),
        ("/Fm Do", "in a form"),
        ("BT /F1 12 Tf 50 500 Td (The fee is ) Tj 3 Tr (not ) Tj 0 Tr (due today.) Tj ET", "not"),
        (f"{SCAN} {text('on it', how='0 g')} {text('unseen', place='50 450', how='3 Tr')}", "unseen"),
    ],
)
def test_hidden_text_is_apart_and_said(content, hidden):
    document = read(make_drawing(f"{SEEN} {content}"))
    assert [block.text for block in document.blocks if block.hidden] == [hidden]
    assert document.blocks[-1].page == 1
    assert hidden not in "".join(block.text for block in document.blocks if not block.hidden)
    words = len(hidden.split())
    assert document.warnings[-1].startswith(f"hidden text on page 1 ({words} word{'s' * (words > 1)})")


@pytest.mark.parametrize(
    "content",
    [
        text("neighbour", size=6),
        text("neighbour", how="0.6 g"),
        text("neighbour", how="0 0 0.4 rg 40 480 200 40 re f 1 g"),
        text("neighbour", how="0 0 0.4 rg 40 480 m 240 480 l 260 500 l 240 520 l 40 520 l f 1 g"),
        text("neighbour", how="40 w 0 G 40 505 m 300 505 l S 1 g"),
        f"{SCAN} {text('neighbour', how='3 Tr')}",
        f"{SCAN} {text('neighbour', how='1 g')}",
        f"{SCAN} {text('neighbour')}",
        text("neighbour") + f" {SCAN}",
        text("neighbour") + " /Half gs 1 g 40 480 200 40 re f",
        text("neighbour") + " 1 g 40 480 m 240 480 l 140 520 l f",
        text("neighbour", how="1 g") + text("neighbour"),
        text("neighbour", how="40 480 200 40 re W n"),
        text("neighbour", how="2 Tr 1 g 0 G"),
    ],
)
def test_what_is_seen_stays(content):
    document = read(make_drawing(f"{'' if SCAN in content else SEEN} {content}"))
    assert "neighbour" in "".join(block.text for block in document.blocks if not block.hidden)
    assert not any(block.hidden for block in document.blocks)
    assert document.warnings == ()


def test_a_sentence_loses_only_what_is_hidden_in_it():
    content = "BT /F1 12 Tf 50 500 Td (The fee is ) Tj 3 Tr (not ) Tj 0 Tr (due today.) Tj ET"
    assert " ".join(read(make_drawing(content)).blocks[0].text.split()) == "The fee is due today."


def test_text_outside_the_crop_box():
    document = read(make_drawing(SEEN + text("printer's mark", place="50 90"), crop="0 100 600 800"))
    assert [(block.text, block.hidden) for block in document.blocks] == [
        ("plain words", False), ("printer's mark", True),
    ]  # fmt: skip


def test_hidden_text_makes_no_heading_and_no_language_and_comes_last():
    german = text(
        "Das ist nicht der Text, den die Leser auf der Seite sehen und sie lesen.", place="50 750", size=40, how="1 g"
    )
    document = read(make_drawing(german + text("These are the words of the page and it is not long.", size=11)))
    assert [(block.kind, block.hidden) for block in document.blocks] == [("paragraph", False), ("paragraph", True)]
    assert (document.language, document.title) == ("en", "a")
