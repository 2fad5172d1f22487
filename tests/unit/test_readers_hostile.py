"""Files of one thing over and over: what no person writes, and what a reader must not look at again and again.

Each would take minutes where time grows with the square of the size. The limit is the one that every file has, in time
of this process alone, and a third of it: the tab is that much slower.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from terrarium.errors import UnreadableFile
from terrarium.readers.limits import limits_of
from terrarium.readers.markup.soup import soup_of
from terrarium.readers.reading import read_file

SIZES = {"html": 200_000}  # where one look at the whole is quickest
NO_PDF: Any = None
HEADS = {
    "html": "<html><body>",
    "md": "# A\n",
    "xml": '<?xml version="1.0"?><a>',
    "csv": "a,b\n1,2\n",
    "json": "[",
    "ipynb": '{"cells": [{"cell_type": "markdown", "source": ["',
    "eml": "From: a@example.org\nSubject: x\n\n",
    "mbox": "From a@example.org Mon Jan  1 00:00:00 2024\nFrom: a@example.org\n\n",
    "vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nhello\n\n",
    "rtf": "{\\rtf1 ",
    "txt": "",
    "py": "import os\n",
}
TREES = ("<!--", "<!--a>", "<a", "</", "<?", "<![CDATA[", "<div style='", "<p>", "<td>", "<table>", "<ul>", "<b><p>")
UNITS = {
    **dict.fromkeys(HEADS, ("a", " ", "\n", "(")),
    "html": (*TREES, "<div hidden>", "1<sup>", "<dl><dt>a<dd>b", "&#"),
    "md": ("[", "![", "`", "> ", "|a|\n", "<!--", "<table>"),
    "csv": ('"', '"a,', "a,", "a\n", ";\t"),
    "json": ('{"', "[1,", "1,", '"a",'),
    "eml": ("=?utf-8?b?", "--x\n", ">a\n", "=E", "a: b\n"),
    "rtf": ("{", "{\\b ", "\\par ", "\\'e9", "\\u233?"),
}


class TooLong(BaseException):
    pass


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    def end(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this system")
@pytest.mark.parametrize(("kind", "unit"), [(kind, unit) for kind, units in UNITS.items() for unit in units])
def test_one_thing_over_and_over_ends_within_the_limit(kind, unit):
    data = (HEADS[kind] + unit * (SIZES.get(kind, 60_000) // len(unit))).encode()
    with ended_after(limits_of(data).silence / 3), suppress(UnreadableFile):
        asyncio.run(read_file(data, f"a.{kind}", pdf=NO_PDF))


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>a</p> 1 < 2 <b", "a 1 < 2 <b"),
        ("<p>a</p><!-- b", "a<!-- b"),
        ("<!-- a --><p>b <!-- c --> d</p>", "b  d"),
        ("<p>a</p><![CDATA[b", "a<![CDATA[b"),
        ("a <a href='>'>b</a>", "a b"),
    ],
)
def test_what_never_ends_is_text(page, text):
    assert soup_of(page).get_text() == text
