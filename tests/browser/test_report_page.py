"""“What was read” on the scripted engine: what a batch came to, filters, order, opening, the table to save."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.interface import DROP, Watched, nothing_wrong

pytestmark = pytest.mark.browser

MANY = """(count) => {
  for (let number = 0; number < count; number++) {
    const notes = number % 10 ? [] : [["no text", "no text layer on page 7 (1 of 10 pages)"]];
    const more = { kind: "pdf", pages: 10, words: number, notes, without_text: notes.length, added: number + 1 };
    const name = `folder/report ${number}.pdf`;
    fakeEngine.documents.push({ ...fakeEngine.known[1], id: `made ${number}`, name, collection: "", ...more });
  }
}"""


def opened(page: Page) -> None:
    page.get_by_role("button", name="What was read").click()
    expect(page.locator("#report-panel")).to_be_visible()


def names(page: Page) -> Locator:
    return page.locator("#report-panel tbody .report-name")


def test_a_batch_of_twenty_with_a_damaged_one_is_reported_as_nineteen_and_one(watched: Watched) -> None:
    page = watched.ready()
    page.evaluate(DROP, ["damaged.pdf", *(f"{number}.txt" for number in range(19))])
    expect(page.locator("#library li[data-document]")).to_have_count(19)
    page.get_by_role("button", name="Dismiss damaged.pdf").click()  # the report still tells of it
    opened(page)
    expect(page.locator(".report-totals")).to_have_text("19 read, 1 failed")
    expect(page.locator("#report-panel tbody tr")).to_have_count(20)
    page.get_by_role("button", name="Not read (1)").click()
    expect(page.locator("#report-panel tbody tr")).to_have_count(1)
    expect(page.locator("#report-panel tbody tr")).to_contain_text("damaged.pdf is not a complete PDF")
    assert page.locator("#report-panel tbody tr button").count() == 0  # there is nothing to open
    nothing_wrong(page)


def test_a_thousand_rows_are_drawn_some_at_a_time_filtered_and_sorted(watched: Watched) -> None:
    page = watched.page
    page.evaluate(MANY, 1000)
    watched.ready()
    opened(page)
    expect(page.locator(".report-totals")).to_have_text("1,000 read; 10,000 pages, 100 without text")
    rows = page.locator("#report-panel tbody tr")
    expect(rows).to_have_count(100)
    page.locator("#report-panel").get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(200)
    page.get_by_role("button", name="Words").click()
    expect(rows).to_have_count(100)
    expect(names(page).first).to_have_text("report 999.pdf")
    expect(names(page).nth(1)).to_have_text("report 998.pdf")
    page.get_by_role("button", name="Words").click()
    expect(names(page).first).to_have_text("report 0.pdf")
    expect(names(page).nth(1)).to_have_text("report 1.pdf")
    expect(page.locator("th[aria-sort]")).to_have_attribute("aria-sort", "ascending")
    page.get_by_role("button", name="Pages without text (100)").click()
    expect(names(page).first).to_have_text("report 0.pdf")
    expect(names(page).nth(1)).to_have_text("report 10.pdf")
    expect(rows.first).to_contain_text("no text layer on page 7")
    page.get_by_role("searchbox", name="Find a file by its name").fill("report 99")
    expect(rows).to_have_count(1)
    expect(names(page)).to_have_text(["report 990.pdf"])


def test_a_row_opens_its_document_and_the_table_is_saved_as_it_is_shown(watched: Watched, tmp_path: Path) -> None:
    page = watched.ready(documents=2)
    opened(page)
    page.get_by_role("button", name="Document", exact=True).click()
    with page.expect_download() as loading:
        page.get_by_role("button", name="Save as CSV").click()
    loading.value.save_as(tmp_path / "saved.csv")
    assert re.fullmatch(r"what-was-read-\d{4}-\d\d-\d\d\.csv", loading.value.suggested_filename)
    assert (tmp_path / "saved.csv").read_bytes() == b"\xef\xbb\xbfdocument,outcome\r\n2,0\r\n"
    asked = page.evaluate("fakeEngine.calls.find((one) => one.command === 'write_report').args")
    assert asked == {"documents": ["policy", "limits"], "failures": []}  # by name
    page.locator("#report-panel").get_by_role("button", name="debian-policy.pdf").click()
    expect(page.locator("#report-panel")).to_be_hidden()
    expect(page.locator(".viewer")).to_contain_text("Every package must carry a verbatim copy")
