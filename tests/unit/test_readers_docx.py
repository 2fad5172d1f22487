"""DOCX: what mammoth alone would lose, or put elsewhere."""

from __future__ import annotations

import asyncio

import pytest
from tests.fixtures.documents import WORD, docx_table, make_docx, paragraph
from tests.fixtures.office import relations
from tests.unit.test_readers_slides import CHART
from tests.unit.test_readers_texts import NoPdf, kinds, read

from terrarium.errors import UnreadableFile
from terrarium.readers.reading import read_file


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def texts(body: str, **more) -> list[str]:
    return [block.text for block in read(make_docx(body, **more), "a.docx").blocks]


def numbered(text: str, level: int, number: str = "1", style: str = "") -> str:
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    mark = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return f"<w:p><w:pPr>{named}{mark}</w:pPr>{run(text)}</w:p>"


def level(place: int, form: str, text: str, more: str = "") -> str:
    kind = f'<w:numFmt w:val="{form}"/>{more}'
    return f'<w:lvl w:ilvl="{place}"><w:start w:val="1"/>{kind}<w:lvlText w:val="{text}"/></w:lvl>'


def numbering(levels: str, lists: str = '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>') -> dict[str, str]:
    definition = f'<w:abstractNum w:abstractNumId="7">{levels}</w:abstractNum>'
    return {"word/numbering.xml": f'<w:numbering xmlns:w="{WORD}">{definition}{lists}</w:numbering>'}


def test_numbers_of_headings_and_clauses_are_written_out():
    levels = level(0, "decimal", "%1.") + level(1, "decimal", "%1.%2") + level(2, "lowerLetter", "(%3)")
    body = (
        numbered("Scope", 0, style="Heading1") + numbered("Words", 1) + numbered("fees", 2) + numbered("costs", 2)
        + numbered("Signs", 1) + numbered("dates", 2) + numbered("Terms", 0, style="Heading1") + numbered("Law", 1)
    )  # fmt: skip
    assert texts(body, more=numbering(levels)) == [
        "1. Scope", "1.1 Words", "(a) fees", "(b) costs", "1.2 Signs", "(a) dates", "2. Terms", "2.1 Law",
    ]  # fmt: skip
    assert kinds(read(make_docx(body, more=numbering(levels)), "a.docx"))[0] == ("heading", 1, "1. Scope")


def test_numbers_by_style_roman_legal_and_lists_that_begin_anew():
    levels = level(0, "upperRoman", "%1", '<w:pStyle w:val="Heading1"/>') + level(1, "decimal", "%1.%2", "<w:isLgl/>")
    lists = (
        '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="7"/>'
        '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="4"/></w:lvlOverride></w:num>'
    )
    style = (
        '<w:style w:type="paragraph" w:styleId="Art"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    )
    body = paragraph("One", "Art") + paragraph("Two", "Art") + numbered("deep", 1) + numbered("Four", 0, "2")
    body += numbered("out of all lists", 0, "0")
    assert texts(body, styles=style, more=numbering(levels, lists)) == [
        "I One", "II Two", "2.1 deep", "IV Four", "out of all lists",
    ]  # fmt: skip


def test_bullets_are_no_numbers():
    assert texts(numbered("point", 0), more=numbering(level(0, "bullet", "o"))) == ["point"]


def test_fields_ruby_formulas_and_wrappers_keep_their_text():
    math = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    body = (
        f'<w:p><w:fldSimple w:instr="DATE">{run("2031-01-02")}</w:fldSimple><w:customXml>{run(" custom")}</w:customXml>'
        f"<w:dir><w:bdo>{run(' way')}</w:bdo></w:dir></w:p>"
        f"<w:p><w:r><w:ruby><w:rt>{run('kan')}</w:rt><w:rubyBase>{run('漢')}</w:rubyBase></w:ruby></w:r></w:p>"
        f'<w:p xmlns:m="{math}">{run("Energy ")}<m:oMath><m:r><m:t>E=</m:t></m:r><m:sSup><m:e><m:r><m:t>mc</m:t>'
        "</m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath><m:oMathPara><m:oMath><m:f><m:num><m:r><m:t>a+b</m:t>"
        "</m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></m:oMathPara></w:p>"
    )
    assert texts(body) == ["2031-01-02 custom way", "漢", "Energy E=mc^2(a+b)/2"]


def test_links_to_nothing_are_no_damage():
    link = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId99"'
    assert texts(f"<w:p><w:hyperlink {link}>{run('the list')}</w:hyperlink></w:p>") == ["the list"]


def test_notes_and_comments_stand_behind_the_paragraph_that_marks_them():
    body = (
        f'<w:p>{run("Fees rise")}<w:r><w:footnoteReference w:id="2"/></w:r>{run(" in May")}'
        '<w:r><w:commentReference w:id="0"/></w:r></w:p>' + docx_table([["Grade", "Rate"]])
        + f'<w:p>{run("After.")}<w:r><w:endnoteReference w:id="2"/></w:r></w:p>'
    )  # fmt: skip
    more = {
        f"word/{kind}s.xml": f'<w:{kind}s xmlns:w="{WORD}"><w:{kind} w:id="2">{paragraph(said)}</w:{kind}></w:{kind}s>'
        for kind, said in (("footnote", "See page 9."), ("endnote", "The end."))
    }
    comment = f'<w:comment w:id="0" w:author="Ann Lee" w:initials="AL">{paragraph("Really?", "Heading1")}</w:comment>'
    more["word/comments.xml"] = f'<w:comments xmlns:w="{WORD}">{comment}</w:comments>'
    document = read(make_docx(body, more=more), "a.docx")
    assert [block.text for block in document.blocks] == [
        "Fees rise[1] in May",
        "[1] See page 9.",
        "Comment by Ann Lee: Really?",
        "Grade | Rate",
        "After.[2]",
        "[2] The end.",
    ]
    assert document.title == "a"


DRAWN = (
    "<w:p>{}<w:r><w:drawing>"
    '<c:chart xmlns:c="c" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId1"/>'
    "</w:drawing></w:r></w:p>"
)
CHUNK = '<w:altChunk xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId2"/>'


def test_charts_chunks_and_files_inside():
    inner = make_docx(paragraph("A file of its own."))
    more: dict[str, str | bytes] = {
        "word/_rels/document.xml.rels": relations(
            [("chart", "word/c.xml"), ("aFChunk", "word/h.html"), ("package", "word/embeddings/one.docx"),
             ("oleObject", "word/embeddings/two.bin")]
        ),
        "word/c.xml": CHART,
        "word/h.html": "<html><body><p>A chunk.</p></body></html>",
        "word/embeddings/one.docx": inner,
    }  # fmt: skip
    data = make_docx(DRAWN.format(run("Above.")) + CHUNK + paragraph("Below."), more=more)
    whole = asyncio.run(read_file(data, "a.docx", pdf=NoPdf()))
    assert [block.text for block in whole.document.blocks] == [
        "Above.", "Sales", "2030 | North: 4.4", "2031 | North: 5", "A chunk.", "Below.",
    ]  # fmt: skip
    assert [(one.document.name, one.document.text) for one in whole.enclosed] == [
        ("a.docx/one.docx", "A file of its own.")
    ]
    assert whole.document.warnings == ("left out: 1 object inside of the text",)


def test_strict_files_templates_and_titles():
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    core = '<c:p xmlns:c="c"><d:title xmlns:d="d">Fees &amp; costs</d:title></c:p>'
    document = read(make_docx(paragraph("Strict."), word=strict, more={"docProps/core.xml": core}), "a.dotx")
    assert (document.kind, document.title, document.text) == ("docx", "Fees & costs", "Strict.")


def test_header_rows_and_cells_of_several_paragraphs():
    head = (
        f"<w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc>{paragraph('Grade')}</w:tc><w:tc>{paragraph('Rate')}</w:tc></w:tr>"
    )
    row = f"<w:tr><w:tc>{paragraph('A')}</w:tc><w:tc>{paragraph('52')}{paragraph('EUR')}</w:tc></w:tr>"
    block = read(make_docx(f"<w:tbl>{head}{row}</w:tbl>"), "a.docx").blocks[0]
    assert block.text == "Grade: A | Rate: 52 EUR"
    assert [block.text[start:end] for _, start, end in block.cells] == ["A", "52 EUR"]


def test_tables_inside_of_tables_without_end():
    with pytest.raises(UnreadableFile, match="too deep"):
        read(make_docx("<w:tbl><w:tr><w:tc>" * 2000 + "</w:tc></w:tr></w:tbl>" * 2000), "bomb.docx")
