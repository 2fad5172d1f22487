"""Notebooks, subtitles, XML and JSON Lines."""

from __future__ import annotations

import json

import pytest
from tests.unit.test_readers_texts import kinds, read

from terrarium.errors import UnreadableFile

PICTURE = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo="}}
CELLS = [
    {"cell_type": "markdown", "source": ["# Tides\n", "\n", "Measured at *noon*."]},
    {
        "cell_type": "code",
        "source": ["x = 7\n", "print(x)"],
        "outputs": [{"output_type": "stream", "name": "stdout", "text": ["\x1b[31m7\x1b[0m\n"]}, PICTURE],
    },
    {
        "cell_type": "code",
        "source": "1 / 0",
        "outputs": [{"output_type": "error", "ename": "ZeroDivisionError", "evalue": "division by zero"}],
    },
]


def test_notebook_cells_and_what_they_printed():
    document = read(json.dumps({"cells": CELLS, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), "tides.ipynb")
    assert (document.kind, document.title) == ("notebook", "Tides")
    assert kinds(document) == [
        ("heading", 1, "Tides"),
        ("paragraph", 0, "Measured at noon."),
        ("code", 0, "x = 7\nprint(x)"),
        ("code", 0, "7"),
        ("code", 0, "1 / 0"),
        ("code", 0, "ZeroDivisionError: division by zero"),
    ]


def test_old_and_broken_notebooks():
    sheet = {"cells": [{"cell_type": "heading", "level": 2, "source": "Old"}, {"cell_type": "code", "input": "y = 1"}]}
    old = read(json.dumps({"worksheets": [sheet], "metadata": {"name": ""}, "nbformat": 3}), "old.ipynb")
    assert kinds(old) == [("heading", 2, "Old"), ("code", 0, "y = 1")]
    assert "nbformat" in read('{"cells": 3, "nbformat": 4}', "broken.ipynb").text


def test_subrip_cues_become_sentences_with_times():
    text = (
        "1\r\n00:00:01,000 --> 00:00:03,000\r\n<i>The harbour was</i>\r\n{\\an8}closed at\r\n\r\n"
        "2\r\n00:00:03,100 --> 00:00:05,000\r\nnoon.\r\n\r\n"
        "3\r\n01:02:03,500 --> 01:02:05,000\r\nIt opened again.\r\n"
    )
    document = read(text.encode("utf-16"), "film.srt")
    assert document.kind == "subtitles"
    assert kinds(document) == [
        ("heading", 1, "0:00:01"),
        ("paragraph", 0, "The harbour was closed at noon."),
        ("heading", 1, "1:02:03"),
        ("paragraph", 0, "It opened again."),
    ]


def test_webvtt_speakers_notes_and_rolling_lines():
    text = (
        "WEBVTT - Talk\n\nNOTE for the editor\n\nSTYLE\n::cue { color: red }\n\n"
        "intro\n00:01.000 --> 00:02.000 align:start\n<v Ada>Tides <c.loud>rise</c> &amp; fall.\n\n"
        "00:02.000 --> 00:03.000\nwe measure\n\n00:03.000 --> 00:04.000\nwe measure\nthem daily.\n"
    )
    assert kinds(read(text, "talk.txt")) == [
        ("heading", 1, "0:00:01"),
        ("paragraph", 0, "Ada: Tides rise & fall."),
        ("paragraph", 0, "we measure them daily."),
    ]


def test_silence_ends_what_has_no_full_stop():
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\nfirst part\n\n00:09.000 --> 00:10.000\nsecond part\n"
    assert [block.text for block in read(text, "a.vtt").blocks] == ["0:00:01", "first part", "second part"]


def test_xml_texts_headings_and_records():
    text = """<?xml version="1.0" encoding="iso-8859-1"?>
<!DOCTYPE book [<!ENTITY who "the Küster">]>
<book><chapter><title>Bells</title><p>They are rung by <b>&who;</b> at <i>noon</i>.</p>
<p><![CDATA[3 < 4]]></p></chapter>
<stock><item><name>Rope</name><price currency="EUR">7,50</price></item><item><name>Oil</name><price/></item></stock>
<ref target="p. 9"/></book>"""
    document = read(text.encode("latin-1"), "book.data")
    assert document.kind == "xml"
    assert kinds(document) == [
        ("heading", 2, "Bells"),
        ("paragraph", 0, "They are rung by the Küster at noon."),
        ("paragraph", 0, "3 < 4"),
        ("table_row", 0, "name: Rope | price: 7,50"),
        ("table_row", 0, "name: Oil"),
        ("paragraph", 0, "target p. 9"),
    ]


def test_xml_that_is_not_well_formed_is_read_all_the_same():
    assert "lost" in read('<?xml version="1.0"?><a><b>Nothing is lost</a>', "a.xml").text


LAUGHS = '<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {b} "&{a};&{a};&{a};">' for a, b in zip("abcdefg", "bcdefgh", strict=True)
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f'<?xml version="1.0"?><!DOCTYPE x [{LAUGHS}]><x>&h;</x>', "entities"),
        (f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "{"a" * 5000}">]><x>{"&a;" * 5000}</x>', "entities"),
        ('<?xml version="1.0"?>' + "<a>" * 100_000 + "x" + "</a>" * 100_000, "too deep"),
    ],
)
def test_hostile_xml_is_refused(text, reason):
    with pytest.raises(UnreadableFile, match=reason):
        read(text, "bomb.xml")


def test_xml_fetches_nothing():
    text = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/hostname">]><x>before &f; after</x>'
    assert read(text, "x.xml").text == "before after"


def test_xhtml_stays_a_page():
    page = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><h1>Hi</h1></body></html>'
    assert read(page, "a.xml").kind == "html"


def test_json_lines_are_records():
    text = '{"city": "Ulm", "people": 126}\n{"city": "Bern", "people": 134}\n'
    assert [block.text for block in read(text, "cities.jsonl").blocks] == [
        "city: Ulm\npeople: 126",
        "city: Bern\npeople: 134",
    ]


def test_json_numbers_stay_as_they_are_written():
    assert read('{"a": 1.10, "b": 12345678901234567890123, "c": NaN, "d": 1e400}', "a.json").text == (
        "a: 1.10\nb: 12345678901234567890123\nc: NaN\nd: 1e400"
    )


def test_a_broken_line_among_json_lines_loses_no_others():
    lines = [f'{{"n": {i}}}' for i in range(20)]
    lines[7] = '{"n": 7'
    texts = [block.text for block in read("\n".join(lines), "a.jsonl").blocks]
    assert texts[6:9] == ["n: 6", '{"n": 7', "n: 8"]
    assert read('{"a": 1\n{"b": 2\n{"c": 3}\n', "a.jsonl").blocks[0].kind == "paragraph"
