"""The page's report as rows: order, filters, totals, what stands below a name."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.page_modules import page_module, spaced


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> Any:
    return page_module(monkeypatch, "report_words")


def row(name: str, *warnings: tuple[str, str], **more: Any) -> dict[str, Any]:
    kinds = list(dict.fromkeys(kind for kind, _ in warnings))
    said = [text for _, text in warnings]
    return {"id": name, "name": name, "pages": None, "kinds": kinds, "warnings": said, "within": [], **more}


def test_the_totals_tell_what_was_read_and_what_failed(report):
    rows = [row(f"{number}.txt") for number in range(18)]
    rows += [row("scan.pdf", pages=1312, without_text=4), report.failed_row("bad.pdf", 3, "bad.pdf is damaged.")]
    assert report.totals(rows) == "19 read, 1 failed; 1,312 pages, 4 without text"
    assert report.totals([row("a.pdf", pages=1, recognised=1, without_text=0)]) == "1 read; 1 page, 1 recognised"
    assert report.totals([]) == "0 read"


def test_filters_name_what_there_is_and_join_by_or(report):
    scan = row("scan.pdf", ("no text", "no text layer"), ("left out", "left out: a"), ("left out", "left out: b"))
    mail = row("Mail.eml", ("left out", "left out: c"))
    bad = report.failed_row("bad.pdf", 3, "bad.pdf is damaged.")
    rows = [scan, mail, bad, row("fine.txt")]
    found = report.counted(rows, ["no text", "hidden", "left out"])
    assert [kind for kind, _ in found] == ["failed", "no text", "left out"]
    assert dict(found)["left out"] == "Parts left out (2)"
    assert report.shown(rows, ["no text", "failed"], "") == [scan, bad]
    assert report.shown(rows, [], " mail") == [mail]
    assert report.shown(rows, ["left out"], "scan") == [scan]
    assert report.shown(rows, [], "") == rows


def test_rows_without_a_value_stand_last_in_either_direction(report):
    rows = [row("a"), row("B"), row("c"), row("D")]
    order = {"valued": [0, 3, 2], "missing": [1]}
    assert [one["name"] for one in report.ordered(rows, order, False)] == ["a", "D", "c", "B"]
    assert [one["name"] for one in report.ordered(rows, order, True)] == ["c", "D", "a", "B"]


def test_below_a_name_stand_its_folder_its_holder_and_what_was_said(report):
    inside = row("mails/a.eml/scan.pdf", ("no text", "no text layer (1 of 1 pages)"), within=["mails/a.eml"])
    assert report.notes(inside) == ["inside of mails/a.eml", "no text layer (1 of 1 pages)"]
    assert report.notes(report.failed_row("bad.pdf", 3, "It is damaged.")) == ["It is damaged."]
    many = row("many.zip", *(("left out", f"left out: {number}") for number in range(50)))
    assert report.notes(many)[-2:] == ["left out: 7", "and 42 more, in the saved table"]


def test_cells_are_words_and_numbers_for_people(report):
    full = row("a.pdf", kind="pdf", words=12345, size=1500, language="")
    assert [spaced(report.cell(full, key)) for key in ("kind", "words", "size", "language")] == [
        *("PDF", "12,345", "1.5 kB", ""),
    ]
