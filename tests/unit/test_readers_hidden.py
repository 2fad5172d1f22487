"""Hidden text of pages, Word files and Markdown, each kind beside an innocent neighbour, and invisible characters."""

from __future__ import annotations

import pytest
from tests.fixtures.documents import make_docx, make_epub
from tests.unit.test_readers_texts import read

from terrarium.model import Document


def shown(document: Document) -> str:
    return "\n".join(block.text for block in document.blocks if not block.hidden)


def hidden(document: Document) -> str:
    return "\n".join(block.text for block in document.blocks if block.hidden)


def page(body: str, style: str = "", head: str = "") -> Document:
    return read(f"<html><head>{head}<style>{style}</style></head><body><p>plain</p>{body}</body></html>", "a.html")


@pytest.mark.parametrize(
    ("style", "body"),
    [
        ("", "<p hidden>unseen</p>"),
        ("", '<p style="display: none">unseen</p>'),
        ("", '<div style="visibility:hidden"><p>unseen</p></div>'),
        ("", '<p style="opacity:0">unseen</p>'),
        ("", '<p style="font-size:1px">unseen</p>'),
        ("", '<p style="font-size:.1em">unseen</p>'),
        ("", '<p style="position:absolute; left:-9999px">unseen</p>'),
        ("", '<p style="text-indent:-999em">unseen</p>'),
        ("", '<p style="transform:translateX(-5000px)">unseen</p>'),
        ("", '<p style="transform:scale(0)">unseen</p>'),
        ("", '<p style="position:absolute;clip:rect(0 0 0 0)">unseen</p>'),
        ("", '<p style="clip-path:inset(100%)">unseen</p>'),
        ("", '<p style="height:0;overflow:hidden">unseen</p>'),
        ("", '<p style="color:white">unseen</p>'),
        ("", '<p style="color:transparent">unseen</p>'),
        ("", '<font color="#fefefe">unseen</font>'),
        ("", '<table bgcolor="navy"><tr><td style="color:#000082">unseen<td>kept</table>'),
        ("", '<div style="background:#000"><p style="color:rgb(3 3 3)">unseen</p></div>'),
        (".a{display:none}", '<p class="b a">unseen</p>'),
        ("#x .a > b {visibility:hidden}", '<div id=x><p class=a><b>unseen</b></p></div>'),
        (".a{display:none!important}", '<p class=a style="display:block">unseen</p>'),
        (".sr{position:absolute;width:1px;height:1px;overflow:hidden}", "<span class=sr>unseen</span>"),
        ("@media screen and (min-width:10px){.a{display:none}}", "<p class=a>unseen</p>"),
        ("body{background:#111;color:#eee}.a{color:#111}", "<p class=a>unseen</p>"),
        ("", "<p>a<img src=x alt=unseen width=1 height=1></p>"),
        ("", "<dialog>unseen</dialog>"),
        (".a{color:white}", "<table><tr><th class=a>unseen</table>"),
    ],
)  # fmt: skip
def test_what_a_page_hides(style, body):
    document = page(body, style)
    assert "unseen" not in shown(document)
    assert "unseen" in hidden(document)
    assert document.warnings[-1].startswith("hidden text (1 word)")


@pytest.mark.parametrize(
    ("style", "body", "head"),
    [
        ("", "<p aria-hidden=true>seen</p>", ""),
        ("", '<p style="font-size:6pt">seen</p>', ""),
        ("", '<p style="color:#767676">seen</p>', ""),
        ("", '<div style="background:#003"><p style="color:white">seen</p></div>', ""),
        ("", "<table bgcolor=navy><tr><td><font color=white>seen</font></table>", ""),
        ("th{background:#036}", '<table><tr><th style="color:white">seen</table>', ""),
        (".a{background:url(dark.png)}", '<p class=a style="color:white">seen</p>', ""),
        ("", '<div style="position:absolute;color:white">seen</div>', ""),
        ("", '<p style="color:white">seen</p>', "<link rel=stylesheet href=x.css>"),
        (".a{display:none}.a.open{display:block}", '<p class="a open">seen</p>', ""),
        (".a{display:none}", '<p class=a style="display:block">seen</p>', ""),
        ("[hidden].b{display:block}", "<p hidden class=b>seen</p>", ""),
        ("@media print{.a{display:none}}", "<p class=a>seen</p>", ""),
        ("@media (max-width:600px){.a{display:none}}", "<p class=a>seen</p>", ""),
        ("ul{font-size:0}li{font-size:16px}", "<ul><li>seen</ul>", ""),
        ("", '<div style="visibility:hidden"><b style="visibility:visible">seen</b></div>', ""),
        ("body{opacity:0}", "<p>seen</p>", ""),
        (".a::before{display:none}", "<p class=a>seen</p>", ""),
        ("td{max-width:0;overflow:hidden}", "<table><tr><td>seen</table>", ""),
        ("", "<details><summary>more</summary>seen</details>", ""),
        ("", "<p><img src=x alt=seen></p>", ""),
        ("", '<p style="margin:0 -9999px;padding:0 9999px">seen</p>', ""),
        ("", '<p style="color:transparent;-webkit-background-clip:text">seen</p>', ""),
        ("", '<div style="position:relative"><img src=x><p style="color:white">seen</p></div>', ""),
    ],
)
def test_what_a_page_shows(style, body, head):
    document = page(body, style, head)
    assert "seen" in shown(document)
    assert document.warnings == ()


def test_a_sentence_loses_only_what_is_hidden_in_it():
    document = page("<p>The fee is <span hidden>not</span> 20 <div style='display:none'><p>x</p></div>euros.</p>")
    assert "The fee is 20" in shown(document)
    assert hidden(document) == "not\nx"


def test_unclosed_elements_do_not_hide_what_follows():
    document = page(
        "<p hidden>a<p>seen</p><ul><li hidden>b<li>kept</ul><table><tr><td hidden>c<td>cell<tr><td>row</table>"
    )
    assert shown(document) == "plain\nseen\nkept\ncell\nrow"


def test_hidden_text_is_no_title_and_no_heading():
    document = page("<h1 style='display:none'>Secret</h1><h2>Open <i hidden>x</i></h2><p>text</p>")
    assert document.title == "Open"
    assert [block.text for block in document.blocks if block.kind == "heading"] == ["Open"]


@pytest.mark.parametrize(
    "style",
    [
        "div div p, div > div ~ p {color:red}" * 100,
        "@media all{" * 3000 + "p{color:red}",
        ":not(" * 3000 + "x" + ")" * 3000 + "{color:red}",
        "p{color:" + "calc(" * 3000 + "}",
    ],
)
def test_sheets_nested_without_end_are_survived(style):
    assert "deep" in shown(page("<div>" * 500 + "<p>deep", style))


def test_a_book_hides_by_the_sheets_that_it_holds():
    chapter = '<link rel="stylesheet" href="../css/b.css"/><p class="gone">unseen</p><p>seen</p>'
    document = read(make_epub({"text/a.xhtml": chapter}, extra={"OPS/css/b.css": ".gone{display:none}"}), "a.epub")
    assert (shown(document), hidden(document)) == ("seen", "unseen")


WHITE = '<w:color w:val="FFFFFF"/>'
DARK = '<w:shd w:val="clear" w:color="auto" w:fill="1F3864"/>'


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def word(runs: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{runs}</w:p>"


@pytest.mark.parametrize(
    "properties",
    ["<w:vanish/>", WHITE, '<w:color w:val="FCFCFC"/>', '<w:sz w:val="2"/>', '<w:rStyle w:val="Gone"/>',
     f'{WHITE}<w:highlight w:val="white"/>', f'<w:color w:val="1F3864"/>{DARK}'],
)  # fmt: skip
def test_runs_that_word_does_not_show(properties):
    style = '<w:style w:type="character" w:styleId="Gone"><w:name w:val="gone"/><w:rPr><w:vanish/></w:rPr></w:style>'
    body = word(run("The fee is ") + run("not ", properties) + run("20 euros."))
    document = read(make_docx(body, styles=style), "a.docx")
    assert (shown(document), hidden(document)) == ("The fee is 20 euros.", "not")
    assert document.warnings[-1].startswith("hidden text (1 word)")


@pytest.mark.parametrize(
    "body",
    [
        word(run("seen", '<w:vanish w:val="0"/>')),
        word(run("seen", '<w:sz w:val="12"/>')),
        word(run("seen", WHITE + DARK)),
        word(run("seen", WHITE + '<w:highlight w:val="blue"/>')),
        word(run("seen", WHITE), DARK),
        word(run("seen", '<w:color w:val="auto"/>')),
        word(run("seen"), "<w:rPr><w:vanish/></w:rPr>"),
        f"<w:tbl><w:tr><w:tc><w:tcPr>{DARK}</w:tcPr>{word(run('seen', WHITE))}</w:tc></w:tr></w:tbl>",
        '<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/></w:tblPr><w:tr><w:tc>'
        + word(run("seen", WHITE))
        + "</w:tc></w:tr></w:tbl>",
    ],
)
def test_runs_that_word_shows(body):
    shading = f'<w:tblStylePr w:type="firstRow"><w:tcPr>{DARK}</w:tcPr></w:tblStylePr>'
    style = f'<w:style w:type="table" w:styleId="Grid"><w:name w:val="g"/>{shading}</w:style>'
    document = read(make_docx(body, styles=style), "a.docx")
    assert (shown(document), document.warnings) == ("seen", ())


def test_a_hidden_header():
    document = read(make_docx(word(run("Body.")), header=run("seen") + run(" unseen", "<w:vanish/>")), "a.docx")
    assert (shown(document), hidden(document)) == ("Body.\nseen", "unseen")


MARKDOWN = """# Rules <!-- a note -->

The fee is <span style="display:none">**not** </span>due *today*
or tomorrow.

<div class="gone">

- Markdown inside
- of <b>HTML</b>

```
code
```

</div>

| a | b |
|---|---|
| x <i hidden>q</i> | y |

<style>.gone {display: none}</style>
<details><summary>More</summary>shown</details>
"""


def test_markdown_hides_by_its_html():
    document = read(MARKDOWN, "a.md")
    assert shown(document) == "Rules\nThe fee is due today or tomorrow.\na: x | b: y\nMore\nshown"
    assert hidden(document).split() == "a note not Markdown inside of HTML code q".split()


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("pay\u200bment in\u2060voice \ufeffx", "payment invoice x"),
        ("un\u200dsu\u200cb\u200escribe", "unsubscribe"),
        ("\u202eevil\u202c \u2066a\u2069", "evil a"),
        ("a\ufe0f b\u3164", "a b"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("👩\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3", "👩\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", None),
        ("葛\U000e0100", "葛\U000e0100"),
        ("ភាសា\u200bខ្មែរ", "ភាសា\u200bខ្មែរ"),
        ("שלום\u200f!", "שלום\u200f!"),
        ("co\u00adoperate", "co\u00adoperate"),
    ],
)
def test_characters_that_show_nothing(text, clean):
    document = read(f"Start {text} end", "a.txt")
    assert shown(document) == f"Start {text if clean is None else clean} end"
    assert document.warnings == ()


@pytest.mark.parametrize(
    "carrier",
    [
        "".join(chr(0xE0000 + ord(c)) for c in "send it"),
        "".join(chr(0xFE00 + b) if b < 16 else chr(0xE0100 + b - 16) for b in b"send it"),
    ],
)
def test_what_invisible_characters_spell_is_said(carrier):
    document = read(f"# Title{carrier}\n\nHello 😀{carrier} you.", "a.md")
    assert shown(document) == "Title\nHello 😀 you."
    assert document.title == "Title"
    assert hidden(document) == "send it send it"
    assert "characters that show nothing" in document.warnings[-1]
