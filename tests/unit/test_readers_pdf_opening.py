"""PDFs that do not simply open: passwords as programs write them, lost ends, giant pages."""

from __future__ import annotations

import json
import subprocess
import zlib
from pathlib import Path

import pytest
from tests.fixtures.pdf import column, make_pdf
from tests.fixtures.pdf_more import Sheet, lines, make_sheets, words
from tests.unit.pdf_reading import EXTRACTOR, needs_node, read, texts

from terrarium.errors import PasswordNeeded, UnreadableFile

pytestmark = needs_node
ROOT = Path(__file__).resolve().parents[2]
PAGE = column(50, 100, ["Members pay 140 euros a night."])


def spellings(password: str) -> list[str]:
    script = f"import {{spellings}} from '{(ROOT / 'web' / 'pdf' / 'opening.mjs').as_uri()}';"
    script += "console.log(JSON.stringify(spellings(process.argv[1])))"
    run = [EXTRACTOR.node(), "--input-type=module", "-e", script, password]
    found: list[str] = json.loads(subprocess.run(run, capture_output=True, check=True, text=True).stdout)
    return found


def test_what_a_password_may_have_been_saved_as():
    found = spellings("pässwörd €")
    assert found[0] == "pässwörd €"
    assert "p\xe4ssw\xf6rd \xa0" in found  # PDFDocEncoding
    assert "p\xe4ssw\xf6rd \x80" in found  # Windows-1252
    assert "pässwörd €".encode().decode("latin-1") in found
    assert spellings(" a b ") == [" a b "]
    assert "a bfi" in spellings("a\u00a0b\u00ad\ufb01")  # SASLprep
    assert spellings("plain") == ["plain"]


@pytest.mark.parametrize("saved", ["p\xe4ss \xa0", "p\xe4ss \x80", "päss €".encode().decode("latin-1")])
def test_passwords_with_letters_beyond_ascii(saved):
    data = make_pdf([PAGE], password=saved.encode("latin-1"))
    assert texts(read(data, "päss €").blocks) == ["Members pay 140 euros a night."]
    with pytest.raises(PasswordNeeded) as caught:
        read(data, "pass €")
    assert caught.value.wrong


def test_spaces_at_the_ends_of_a_password_count():
    data = make_pdf([PAGE], password=" open sesame ")
    assert texts(read(data, " open sesame ").blocks) == ["Members pay 140 euros a night."]
    with pytest.raises(PasswordNeeded):
        read(data, "open sesame")


SHEETS = make_sheets([Sheet(lines(50, 200, [f"Sheet {n} has this text."])) for n in range(20)])


@pytest.mark.parametrize("kept", [0.6, 0.9])
def test_pages_of_a_file_whose_end_is_lost(kept):
    document = read(SHEETS[: int(len(SHEETS) * kept)])
    whole = SHEETS[: int(len(SHEETS) * kept)].count(b"endstream") - 1  # one is the font's
    assert texts(document.blocks) == [f"Sheet {n} has this text." for n in range(len(document.blocks))]
    assert whole - 1 <= len(document.blocks) <= whole + 1
    assert document.warnings[-1].startswith("damaged: the end of the file is lost")


def test_pages_in_a_compressed_stream_whose_list_is_lost():
    content = lines(50, 100, ["Packed page, read all the same."]).encode()
    page = b"<</Type/Page/MediaBox[0 0 600 800]/Contents 2 0 R/Resources<</Font<</F1 3 0 R>>>>>>"
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    packed = zlib.compress(b"4 0 3 %d " % len(page) + page + font)
    first = len(b"4 0 3 %d " % len(page))
    data = (
        b"%PDF-1.5\n2 0 obj\n<</Length "
        + str(len(content)).encode()
        + b">>stream\n"
        + content
        + b"\nendstream\nendobj\n"
    )
    data += b"5 0 obj\n<</Type/ObjStm/N 2/First %d/Filter/FlateDecode/Length %d>>stream\n" % (first, len(packed))
    data += packed + b"\nendstream\nendobj\n6 0 obj\n<</Type/XRef/Si"
    assert texts(read(data).blocks) == ["Packed page, read all the same."]


def test_a_lost_end_with_no_page_left_is_damage():
    with pytest.raises(UnreadableFile, match="damaged"):
        read(SHEETS[: SHEETS.index(b"/Type/Page/")])


def test_a_giant_page():
    document = read(make_sheets([Sheet(words(50, 100, "On a giant page."), box="0 0 14400 14400")]))
    assert texts(document.blocks) == ["On a giant page."]
