"""Archives, and files inside of files in general: what is read of them, what is left out, and what they may hold."""

from __future__ import annotations

import asyncio
import io
import zipfile

import pytest
from tests.fixtures.documents import zipped
from tests.unit.test_readers_mail import message
from tests.unit.test_readers_texts import read_whole, texts_of

from terrarium.errors import PasswordNeeded, UnreadableFile
from terrarium.readers.archive import DEEPEST, Allowance
from terrarium.readers.enclosed import flattened
from terrarium.readers.pdf.reading import PdfContent, PdfError
from terrarium.readers.reading import read_file

PICTURE = b"\x89PNG\r\n\x1a\n" + b"\0" * 40


def test_an_archive_has_no_text_and_its_members_are_documents():
    archive = zipped(
        {
            "b/notes.md": "# Notes\n\nWater at noon.",
            "a.txt": "Alpha.",
            "__MACOSX/._a.txt": "clutter",
            "b/.DS_Store": "clutter",
            "b/Thumbs.db": "clutter",
            "x.png": PICTURE,
        }
    )
    whole = read_whole(archive, "bundle.zip")
    assert (whole.document.kind, whole.document.blocks, whole.document.title) == ("zip", (), "bundle")
    assert texts_of(whole) == {"bundle.zip/a.txt": "Alpha.", "bundle.zip/b/notes.md": "Notes\nWater at noon."}
    assert whole.enclosed[1].document.title == "Notes"
    (warning,) = whole.document.warnings
    assert warning.startswith("left out: “x.png” is a picture")


def test_archives_inside_of_archives_are_bounded():
    archive = zipped({"core.txt": "deep down"})
    for _ in range(DEEPEST - 1):
        archive = zipped({"more.zip": archive})
    deepest = "x.zip" + (DEEPEST - 1) * "/more.zip" + "/core.txt"
    assert texts_of(read_whole(archive, "x.zip"))[deepest] == "deep down"
    with pytest.raises(UnreadableFile, match=r"holds no text.*inside of one another"):
        read_whole(zipped({"more.zip": archive}), "x.zip")


def test_what_an_archive_holds_in_all_is_bounded():
    flood = read_whole(zipped({f"{n:04}.txt": f"Text {n}." for n in range(1002)}), "flood.zip")
    assert len(flood.enclosed) == 1000
    assert ["1000.txt" in warning or "1001.txt" in warning for warning in flood.document.warnings] == [True, True]
    with pytest.raises(UnreadableFile, match="unpacks to"):
        read_whole(zipped({"a.txt": b" " * 30_000_000}), "bomb.zip")


def test_archives_in_an_archive_share_what_they_may_unpack():
    one, two = (zipped({f"{name}.txt": name * 60}) for name in "ab")
    allowance = Allowance(size=len(one) + len(two) + 100)
    whole = read_whole(zipped({"1.zip": one, "2.zip": two}), "x.zip", allowance=allowance)
    assert [name for name in texts_of(whole) if name.endswith(".txt")] == ["x.zip/1.zip/a.txt"]
    assert any("unpacks to" in warning for warning in whole.document.warnings)


def test_one_bad_file_in_an_archive_leaves_the_others():
    whole = read_whole(zipped({f"{n}.txt": f"Number {n}." for n in range(19)} | {"bad.pdf": "no pdf"}), "batch.zip")
    assert len(whole.enclosed) == 19
    assert [warning for warning in whole.document.warnings if "bad.pdf" in warning]


def test_of_many_bad_files_some_are_named_and_the_rest_is_counted():
    whole = read_whole(zipped({f"{n:02}.png": PICTURE for n in range(11)} | {"a.txt": "Alpha."}), "x.zip")
    assert ["left out: 3 more files" in warning for warning in whole.document.warnings] == [False] * 8 + [True]


def test_an_archive_of_which_nothing_can_be_read_says_why():
    with pytest.raises(UnreadableFile, match=r"“x.zip” holds no text .*“a.png” is a picture.*2 empty files"):
        read_whole(zipped({"a.png": PICTURE, "b.txt": "", "c.txt": " \n"}), "x.zip")


def test_names_that_climb_out_are_only_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    whole = read_whole(zipped({"../../evil.txt": "harmless words", "a\\b.txt": "of Windows"}), "climb.zip")
    assert texts_of(whole) == {"climb.zip/evil.txt": "harmless words", "climb.zip/a/b.txt": "of Windows"}
    assert not list(tmp_path.parent.glob("evil.txt"))


def test_names_in_utf8_that_do_not_say_so():
    taken_for_cp437 = "Prüfung/価格.txt".encode().decode("cp437")
    whole = read_whole(zipped({taken_for_cp437: "Bestanden.", "Übung.txt": "Gut."}), "x.zip")
    assert set(texts_of(whole)) == {"x.zip/Prüfung/価格.txt", "x.zip/Übung.txt"}


def test_equal_files_are_one_document_inside_of_all_that_have_it():
    logo = "The logo is green."
    one = zipped({"logo.txt": logo, "copy of logo.txt": logo, "1.txt": "One."})
    two = zipped({"logo.txt": logo, "2.txt": "Two."})
    files = flattened(read_whole(zipped({"1.zip": one, "2.zip": two}), "x.zip"))
    within = {
        file.document.name: [files[outer][0].document.name for outer in outers] for file, outers in files.values()
    }
    assert within == {
        "x.zip": [],
        "x.zip/1.zip": ["x.zip"],
        "x.zip/2.zip": ["x.zip"],
        "x.zip/1.zip/1.txt": ["x.zip/1.zip"],
        "x.zip/1.zip/copy of logo.txt": ["x.zip/1.zip", "x.zip/2.zip"],
        "x.zip/2.zip/2.txt": ["x.zip/2.zip"],
    }


def encrypted(members: dict[str, str]) -> bytes:
    """Marked as encrypted in both of its directories, as `zipfile` cannot write it."""
    data = bytearray(zipped(members))
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as archive:
        starts = [info.header_offset for info in archive.infolist()]
        directory = archive.start_dir
    for start in starts:
        data[start + 6] |= 1  # APPNOTE.TXT 4.3.7, 4.3.12
    at = directory
    while data[at : at + 4] == b"PK\1\2":
        data[at + 8] |= 1
        at += 46 + sum(int.from_bytes(data[at + n : at + n + 2], "little") for n in (28, 30, 32))
    return bytes(data)


def test_members_that_open_with_a_password_are_left_out_and_said():
    with pytest.raises(UnreadableFile, match=r"“a.txt” opens with a password only") as caught:
        read_whole(encrypted({"a.txt": "secret"}), "x.zip")
    assert not isinstance(caught.value, PasswordNeeded), "no password is asked for: none would be used"
    whole = read_whole(zipped({"locked.zip": encrypted({"a.txt": "secret"}), "b.txt": "open"}), "y.zip")
    assert list(texts_of(whole)) == ["y.zip/b.txt"]
    assert "opens with a password only" in whole.document.warnings[0]


class Locked:
    """An extractor that has only PDFs with a password."""

    async def extract(self, data: bytes, password: str | None, on_page: object = None) -> PdfContent:
        assert password is None, "that of the outer file opens no other"
        raise PdfError("PasswordException", "No password given", 1)


def test_an_encrypted_pdf_in_a_mail_is_left_out_and_says_what_to_do():
    mail = message()
    mail.add_attachment(b"%PDF-1.7 locked", maintype="application", subtype="pdf", filename="secret.pdf")
    whole = asyncio.run(read_file(bytes(mail), "a.eml", pdf=Locked(), password="of another file"))
    (warning,) = whole.document.warnings
    assert warning.startswith("left out: “secret.pdf” opens with a password only")
    assert "save it by itself" in warning


def test_progress_counts_the_files_however_deep():
    told: list[tuple[int, int]] = []
    inner = zipped({f"{n}.txt": f"Inner {n}." for n in range(4)})
    outer = zipped({"a.zip": inner, "b.txt": "B."})
    read_whole(outer, "x.zip", progress=lambda done, total: told.append((done, total)))
    parts = [done / total for done, total in told]
    assert parts == sorted(parts)
    assert parts[0] == 0 and 0.5 in parts
    assert sum(0 < part < 0.5 for part in parts) == 3, "the files of the first, which is half of all"
