"""Reading where it can be killed: what the reader's worker needs, what travels between the workers, the limits."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from terrarium.model import Block, Document, Word
from terrarium.readers.content import ReadFile
from terrarium.readers.limits import MOST_MEGABYTES, limits_of
from terrarium.readers.wire import dump_words, dumps, load_words, loads

WITHOUT_NUMPY = """
import importlib, sys
from pathlib import Path
sys.modules["numpy"] = None  # importing it raises ImportError
import terrarium.readers
folder = Path(terrarium.readers.__path__[0])
for path in sorted(folder.rglob("*.py")):
    if path.stem not in {"__init__", "apart", "web", "reader_web"}:  # these need the worker's own modules
        importlib.import_module(".".join(("terrarium.readers", *path.relative_to(folder).with_suffix("").parts)))
"""


def test_readers_need_no_numpy():
    subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], check=True, timeout=60)


def test_a_file_with_files_inside_travels_whole():
    row = Block("table_row", "Town: Łódź | Fee: 3", row=7, cells=((0, 6, 10), (2, 18, 19)))
    letter = Document("a" * 64, "letter.eml", "mail", "Dear “you”", (Block("heading", "Hi\n", level=2), row), 11)
    scan = replace(letter, id="b" * 64, name="scan.pdf", kind="pdf", pages=2, labels=("i", "1"), warnings=("no",))
    scan = replace(scan, recognised=(Word(1, "Fee", 1.5, 2.0, 3.25, 4.0),), language="pl")
    inner = ReadFile(scan, b"scan")
    archive = ReadFile(replace(letter, kind="zip"), b"archive", (inner, ReadFile(letter, b"mail", (inner,))))
    text, buffers = dumps(archive)
    assert loads(text, b"archive", buffers) == archive


def test_recognised_words_travel():
    words = (Word(2, "λόγος", 0.1, 0.2, 0.3, 0.4),)
    assert load_words(dump_words(words)) == words


@pytest.mark.parametrize(("less", "more"), [(b"a", b"a" * 5_000_000), (b"a" * 1_000_000, b"PK" + b"a" * 1_000_000)])
def test_limits_grow_with_what_there_is_to_read(less, more):
    smaller, larger = limits_of(less), limits_of(more)
    assert smaller.silence < larger.silence < larger.whole
    assert smaller.megabytes < larger.megabytes <= MOST_MEGABYTES


def test_a_large_archive_counts_as_what_it_may_unpack_to_and_no_more():
    assert limits_of(b"PK" + b"a" * 30_000_000) == limits_of(b"PK" + b"a" * 40_000_000)
