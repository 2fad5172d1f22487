"""`build.py read` and `bench --reading` without a browser: what a page's reply means, and the tables made of them."""

from __future__ import annotations

from typing import Any

import pytest

from terrarium.desk.expectations import unmet
from terrarium.desk.reading import Reading
from terrarium.readers.limits import broken_off, given_up
from terrarium_build.bench.reading import MARKS, PAGE, Came, Speed, as_markdown, as_record, between_marks, pace_of
from terrarium_build.drive_read import as_reading
from terrarium_build.paths import BuildError

VIEW = {"kind": "pdf", "pages": 2, "words": 3, "title": "Rules", "text": "One. Two.", "warnings": ["left out: “a.exe”"]}


def reply(**more: Any) -> dict[str, Any]:
    return {"seconds": 1.0, "progress": [], "stopped": False, "stuck": False, **more}


def refused(kind: str, message: str) -> dict[str, Any]:
    return reply(error={"kind": kind, "message": message})


def test_what_the_page_read_is_compared_as_at_the_desk():
    view = {**VIEW, "text_of_pages": {"1": "One.", "2": "Two."}}
    reading = as_reading(reply(result=view), "a.pdf")
    known = {"outcome": "text", "must_contain": [[2, "Two."]], "must_not_contain": [], "error": ""}
    assert unmet(known, reading) == ""
    assert (reading.words, reading.warnings) == (3, ("left out: “a.exe”",))


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        (refused("UnreadableFile", "“a” is empty."), "UnreadableFile"),
        (refused("PasswordNeeded", "“a” opens with a password."), "PasswordNeeded"),
        (refused("InternalError", "Something in Terrarium went wrong."), "Crashed"),
        (refused("Crashed", "The tab crashed."), "Crashed"),
        (refused("UnreadableFile", str(given_up("a", 30))), "Stopped"),
        (refused("UnreadableFile", str(broken_off("a", "RangeError"))), "Crashed"),
        (reply(stopped=True, stuck=True), "Stopped"),
    ],
)
def test_a_page_that_gave_up_is_no_error_that_was_expected(found, kind):
    reading = as_reading(found, "a")
    assert reading.error_kind == kind
    known = {"outcome": "text_or_error", "must_contain": [], "must_not_contain": [], "error": ""}
    assert bool(unmet(known, reading)) == (kind in {"Stopped", "Crashed"})


def test_the_longest_silence_counts_the_start_and_the_end():
    pace = pace_of("a.pdf", Reading(pages=3, seconds=9.0), [(1, 3, 2.0), (2, 3, 3.0), (3, 3, 4.0)])
    assert (pace.events, pace.largest_gap) == (3, 5.0)
    assert pace.quarters == (1 / 3, 1.0, 1.0)


CAME = [
    Came("a.pdf", ("", ""), (1.0, 2.0), (100, 300), "pdf"),
    Came("b.txt", ("", "“x | y” is not there"), (0.5, 0.1), (50, 310), "text"),
]


def test_the_report_counts_each_side_and_keeps_its_table_whole():
    record = as_record(CAME, None, [Speed("a.pdf", 10, 5.0, 2.5, 0.5)])
    assert (record["total"], record["desk"]["met"], record["tab"]["met"]) == (2, 2, 1)
    assert record["tab"]["failures"] == [{"file": "b.txt", "why": "“x | y” is not there"}]
    assert record["desk"]["slowest"] == ["a.pdf", 1.0]
    text = as_markdown(CAME, None, [Speed("a.pdf", 10, 5.0, 2.5, 0.5)])
    (row,) = (line for line in text.splitlines() if line.startswith("| b.txt"))
    head = next(line for line in text.splitlines() if line.startswith("| file"))
    assert row.count("|") == head.count("|")
    assert "page: “x / y” is not there" in row


def test_only_what_stands_between_the_marks_is_exchanged():
    begin, end = MARKS
    page = f"Before.\n{begin}\nold\n{end}\nAfter.\n"
    assert between_marks(page, r"new \1") == f"Before.\n{begin}\n\nnew \\1\n\n{end}\nAfter.\n"
    assert between_marks(between_marks(page, "one"), "two") == between_marks(page, "two")
    with pytest.raises(BuildError):
        between_marks("nothing", "new")
    assert all(mark in PAGE.read_text(encoding="utf-8") for mark in MARKS)
