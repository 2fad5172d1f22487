"""A scan in the built page: its pages are drawn, read and found like print, all inside the seal."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.test_real_page import Visit, drop, visit
from tests.fixtures.scans import column, make_scan

pytestmark = pytest.mark.browser
__all__ = ["visit"]  # a fixture

FIRST = "The first page of this agreement has text of its own."
LIGHTHOUSE = ["The lighthouse of Sandvik is", "painted red every eleventh year,", "by a crew of four painters."]
HARBOUR = ["The harbour office opens at", "six in summer, and at half past", "seven in the other months."]
PICTURED = [(72.0, 90.0, 20.0, "Rules of the coast"), *column(72, 140, LIGHTHOUSE), *column(330, 140, HARBOUR)]
QUESTION = "How often is the lighthouse of Sandvik painted?"


def test_a_scan_is_read_found_and_quoted_with_its_page(visit: Visit) -> None:
    with visit() as driven:
        (record,) = drop(driven, {"coast.pdf": make_scan([FIRST, PICTURED, []])})
        assert record["result"]["document"]["warnings"] == ["no text layer on pages 2–3 (2 of 3 pages)"]
        before = driven.ask(QUESTION, "quote")["result"]
        assert before["mode"] == "refused"

        row = driven.page.locator("#library li[data-document]")
        row.get_by_role("button", name="Recognise text").click()
        row.get_by_role("button", name="Recognise text").click()
        row.get_by_role("button", name="Cancel").click()
        expect(row.get_by_role("button", name="Recognise text")).to_be_visible()
        expect(row).to_contain_text("no text layer on pages 2–3")

        row.get_by_role("button", name="Recognise text").click()
        row.get_by_role("button", name="Recognise text").click()
        expect(row.get_by_role("button", name="Recognise text again")).to_be_visible()
        answer = driven.ask(QUESTION, "quote")["result"]
        (quote,) = [one for one in answer["citations"] if "lighthouse" in one["quote"]]
        assert (quote["page"], quote["quote"]) == (2, " ".join(LIGHTHOUSE))
        info = driven.page.evaluate("terrarium.call('open').promise.then(({documents}) => documents[0])")
        assert info["recognised"] == 1
        assert info["warnings"] == [
            "text recognised on page 2 from its picture (English): it may have mistakes",
            "no text found by recognition on page 3",
            "no text layer on page 3 (1 of 3 pages)",
        ]
        assert driven.ledger() == []
