"""Letters of PDFs: order, places and meaning, through pdf.js under Node as at the desk."""

from __future__ import annotations

import pytest
from tests.fixtures.pdf_more import Sheet, glyphs, lines, make_sheets, stream, words
from tests.unit.pdf_reading import needs_node, read, read_pages, texts

pytestmark = needs_node

PIECES = [("םלוע", 100), ("2024", 128), ("םולש", 156), ("ABC", 184)]
PAGES = {
    "Hebrew from left to right": (glyphs(100, 300, "99.5 אוה ריחמה"), ["המחיר הוא 99.5"]),
    "Hebrew letter by letter from the right": (
        "".join(glyphs(300 - 5 * i, 300, letter) for i, letter in enumerate("מחיר")) + glyphs(265, 300, "120"),
        ["מחיר 120"],
    ),
    "pieces of a line": ("".join(glyphs(x, 300, text) for text, x in PIECES), ["ABC שלום 2024 עולם"]),
    "Arabic presentation forms": (glyphs(100, 300, "\ufee1\ufefc\ufeb4\ufedf\ufe8d"), ["السلام"]),
    "Hebrew in an English line": (glyphs(100, 300, "The word םולש is peace."), ["The word שלום is peace."]),
    "spaced letters": (
        "BT /F1 10 Tf 6 Tc 50 500 Td (Hello World) Tj ET\n" + words(50, 340, "H e l l o   W o r l d"),
        ["Hello World", "Hello World"],
    ),
    "letters on a grid": ("".join(words(50 + 12 * i, 300, letter) for i, letter in enumerate("Hello")), ["Hello"]),
    "words without spaces": (
        "".join(words(50 + x, 300, text) for x, text in ((0, "The"), (20, "words"), (52, "stand"), (80, "apart"))),
        ["The words stand apart"],
    ),
    "single letters of a text": (words(50, 300, "vitamins A B C D and a b c"), ["vitamins A B C D and a b c"]),
    "turned text": (
        lines(50, 300, ["Upright text is here", "and more of it."])
        + "BT /F1 10 Tf 0 1 -1 0 500 300 Tm (Sideways first) Tj ET "
        + "BT /F1 10 Tf 0 1 -1 0 512 300 Tm (sideways second) Tj ET",
        ["Upright text is here and more of it.", "Sideways first sideways second"],
    ),
    "compatibility letters": (glyphs(50, 300, "\ufb01n \ufb03 x\u00b2 \u00bd \u2460"), ["fin ffi x² ½ ①"]),
}


@pytest.fixture(scope="module")
def pages():
    return dict(zip(PAGES, read_pages([content for content, _ in PAGES.values()]), strict=True))


@pytest.mark.parametrize("name", PAGES)
def test_letters_are_read_as_they_are_meant(pages, name):
    assert texts(pages[name]) == PAGES[name][1]


def test_ligatures_without_meaning_by_the_names_of_their_glyphs():
    widths = " ".join(["500"] * 126)
    font = (
        "<</Type/Font/Subtype/Type1/BaseFont/Own/FirstChar 1/LastChar 126/Widths[" + widths + "]/FontDescriptor 9 0 R"
    )
    font += "/Encoding<</Type/Encoding/Differences[1/f_i/ff/g123]>>/ToUnicode 11 0 R>>"
    codes = "3 beginbfchar <01> <0000> <02> <E000> <03> <0000> endbfchar"
    cmap = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def "
    cmap += f"1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <20> <7e> <0020> endbfrange {codes} "
    content = "BT /L 12 Tf 50 700 Td (The \\001rm o\\002ers) Tj ET BT /L 12 Tf 50 600 Td (what is lo\\003t) Tj ET"
    data = make_sheets(
        [Sheet(content, fonts="/L 10 0 R"), Sheet(words(50, 100, "All is well."))],
        extra=[font.encode(), stream(f"{cmap} endcmap end end".encode())],
    )
    document = read(data)
    assert texts(document.blocks)[0] == "The firm offers"
    assert "\0" not in document.text
    assert document.warnings == ("some letters have no known meaning on page 1: words there may be incomplete",)
    named = data.replace(b"(what is lo\\003t)", b"(what is not  )")
    assert read(named).warnings == ()


@pytest.mark.parametrize(
    ("encoding", "collection", "text", "codec"),
    [
        ("90ms-RKSJ-H", "Japan1", "日本語の文", "shift_jis"),
        ("UniJIS-UCS2-H", "Japan1", "日本語の文", "utf-16-be"),
        ("GBK-EUC-H", "GB1", "简体中文字", "gbk"),
        ("ETen-B5-H", "CNS1", "繁體中文字", "big5"),
        ("KSCms-UHC-H", "Korea1", "한국어글", "cp949"),
    ],
)
def test_fonts_that_are_not_embedded(encoding, collection, text, codec):
    assert texts(read(east_asian(encoding, collection, [text.encode(codec)])).blocks) == [text]


def test_vertical_lines_are_read_from_the_right():
    data = east_asian(
        "90ms-RKSJ-V", "Japan1", ["縦書きの日本語は".encode("shift_jis"), "右から読む。".encode("shift_jis")]
    )
    assert texts(read(data).blocks) == ["縦書きの日本語は右から読む。"]


def east_asian(encoding: str, collection: str, texts: list[bytes]) -> bytes:
    """Each text 24 points left of the one before."""
    font = f"<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/{encoding}/DescendantFonts[11 0 R]>>"
    system = f"<</Registry(Adobe)/Ordering({collection})/Supplement 2>>"
    below = f"<</Type/Font/Subtype/CIDFontType0/BaseFont/Any/CIDSystemInfo{system}/DW 1000/FontDescriptor 9 0 R>>"
    drawn = "".join(f"BT /J 20 Tf {300 - 24 * i} 700 Td <{text.hex()}> Tj ET\n" for i, text in enumerate(texts))
    return make_sheets([Sheet(drawn, fonts="/J 10 0 R")], extra=[font.encode(), below.encode()])


def test_turned_pages():
    upright = lines(50, 100, ["A turned page has this line", "and this second one."])
    data = make_sheets([Sheet(upright, rotate=angle) for angle in (0, 90, 180, 270)])
    assert texts(read(data).blocks) == ["A turned page has this line and this second one."] * 4
