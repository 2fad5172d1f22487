"""Rich Text Format."""

from __future__ import annotations

import pytest
from tests.unit.test_readers_texts import kinds, read

from terrarium.errors import UnreadableFile

FONTS = r"{\fonttbl{\f0 Times;}{\f1\fcharset204 Times Cyr;}{\f2\fcharset134 SimSun;}{\f3\fcharset2 Symbol;}}"


def blocks(body: str, head: str = r"\ansi\ansicpg1252") -> list[tuple[str, int, str]]:
    return kinds(read(rf"{{\rtf1{head}{FONTS} {body}}}", "a.rtf"))


def text(body: str, head: str = r"\ansi\ansicpg1252") -> str:
    return "\n".join(said for _, _, said in blocks(body, head))


@pytest.mark.parametrize(
    ("body", "head", "said"),
    [
        (r"Gr\'fc\'dfe \f1 \'cc\'ee\'f1\'ea\'e2\'e0\f0  f\'fcr", r"\ansi\ansicpg1252", "Grüße Москва für"),
        (r"\f0 \'cc\'ee\'f1\'ea\'e2\'e0", r"\ansi\ansicpg1251", "Москва"),
        (r"{\f2 \'d6\'d0\'b9\'fa}", r"\ansi\ansicpg936", "中国"),
        (r"{\f2 \'83A}", r"\ansi\ansicpg936", "傾"),  # a trail byte that is a letter
        (r"\uc1\u1052?\u1086?\uc2\u1089ab\u-10179??\u-8704??", r"\ansi", "Мос😀"),
        (r"\u8364\'80 5", r"\ansi", "€ 5"),
        (r"{\uc0\u8364} 5 \emdash  \ldblquote x\rdblquote\~y\_z", r"\ansi", "€ 5 — “x” y‑z"),
        (r"M\'8accll", r"\mac", "Mäccll"),
        (r"a\{b\}\\c", r"\ansi", r"a{b}\c"),
    ],
)
def test_letters(body, head, said):
    assert text(body, head).replace("\xa0", " ") == said


def test_headings_by_style_and_by_outline_level_and_lists():
    styles = r"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 Anything;}{\s2 heading 2;}{\*\cs9 heading 3;}}"
    body = (
        styles + r"\pard\s1 Scope\par\pard\s2 Terms\par\pard\outlinelevel2 Deep\par\pard\s0 Words.\par"
        r"{\listtext 1.\tab}\pard\ls1 first\par{\pntext\f3\'b7\tab}\pard\ls1\ilvl1 second\par\pard Last."
    )
    assert blocks(body) == [
        ("heading", 1, "Scope"),
        ("heading", 2, "Terms"),
        ("heading", 3, "Deep"),
        ("paragraph", 0, "Words."),
        ("list_item", 0, "1. first"),
        ("list_item", 1, "second"),
        ("paragraph", 0, "Last."),
    ]


def test_tables_are_rows_with_header_cells():
    row = r"\pard\intbl {}\cell {}\cell\row"
    body = (
        r"Before.\par\trowd\trhdr\cellx1\cellx2" + row.format("Grade", "Rate") + r"\trowd\cellx1\cellx2"
        + row.format("A", r"52\par EUR") + r"\pard After."
    )  # fmt: skip
    document = read(rf"{{\rtf1 {body}}}", "a.rtf")
    assert kinds(document) == [
        ("paragraph", 0, "Before."),
        ("table_row", 0, "Grade: A | Rate: 52 EUR"),
        ("paragraph", 0, "After."),
    ]
    cells = document.blocks[1].cells
    assert [document.blocks[1].text[start:end] for _, start, end in cells] == ["A", "52 EUR"]


def test_notes_comments_boxes_and_heads():
    body = (
        r"{\header Ref. AB-7\par}{\headerf Ref. AB-7\par}{\footer 12\par}"
        r"Fees{\super\chftn{\footnote\pard\chftn  See page 9.}} rise{\*\atnid A}{\*\atnauthor Ann}"
        r"{\*\annotation{\*\atndate 1}Really?}{\shp{\*\shpinst{\sp{\sn x}{\sv y}}{\shptxt In a box\par}}"
        r"{\shprslt{\*\do old}}} in May.\par After."
    )
    assert text(body).split("\n") == [
        "Fees rise in May.",
        "1 See page 9.",
        "Comment by Ann: Really?",
        "In a box",
        "After.",
        "Ref. AB-7",
    ]


def test_hidden_and_deleted_text():
    document = read(r"{\rtf1 seen {\v secret}\v0 and {\deleted not }{\revised new}{\fs2 tiny}\par}", "a.rtf")
    assert [block.text for block in document.blocks if not block.hidden] == ["seen and new"]
    assert [block.text for block in document.blocks if block.hidden] == ["secrettiny"]


def test_fields_links_titles_and_objects():
    body = (
        r"{\info{\title Fees 2031}{\author Ann}}{\field{\*\fldinst HYPERLINK x}{\fldrslt the list}} of "
        r"{\object{\*\objdata 0105}{\result {goods}}}{\*\unknown never}"
    )
    document = read(rf"{{\rtf1 {body}}}", "a.rtf")
    assert (document.title, document.text) == ("Fees 2031", "the list of goods")
    assert document.warnings == ("left out: 1 object inside of the text",)


def test_pictures_are_passed_over():
    picture = r"{\pict\pngblip " + "89504e47" * 500_000 + "}"
    binary = "{\\pict\\bin11 }}}{{{\\\\'ff}"
    assert text(f"one {picture}{binary}two") == "one two"


def test_content_decides_and_what_is_cut_off_is_read():
    assert read(r"{\rtf1 Word wrote this", "letter.doc").text == "Word wrote this"
    assert read(r"{\rtf1 {\b open", "a.txt").kind == "rtf"
    assert text(r"done}{\rtf1 not shown") == "done"


@pytest.mark.parametrize(
    "body", ["{" * 100_000, r"{\*\x" * 100_000, r"{\upr" * 20_000, r"{\field{\*\fldinst{" * 20_000]
)
def test_groups_without_end_are_no_trouble(body):
    with pytest.raises(UnreadableFile, match=r"too deep|no text"):
        read(r"{\rtf1 " + body, "bomb.rtf")
