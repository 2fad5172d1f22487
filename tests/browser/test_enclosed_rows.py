"""Files inside of files in the list of documents: below what they came in, with it, and gone with it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.interface import DROP, Watched, nothing_wrong

pytestmark = pytest.mark.browser


def names(watched: Watched) -> Locator:
    return watched.page.locator("#library li[data-document] .name")


def test_a_mail_stands_above_what_is_attached_to_it_and_takes_it_along(watched: Watched) -> None:
    page = watched.ready(documents=1)
    page.evaluate(DROP, ["offer.eml"])
    expect(page.locator(".toast")).to_have_text("Added offer.eml with 2 files in it.")
    expect(names(watched)).to_have_text(["offer.eml", "price list.pdf", "terms.txt", "sqlite-limits.html"])
    rows = page.locator("#library li[data-document]")
    expect(rows.first).to_contain_text("2 files")
    expect(rows.nth(1)).to_contain_text("in offer.eml")
    outer, inner = (rows.nth(number).bounding_box() for number in (0, 1))
    assert outer and inner and inner["x"] > outer["x"]
    expect(page.locator("#library .panel-head")).to_contain_text("4 documents")
    nothing_wrong(page)

    rows.nth(1).locator(".row-open").click()
    expect(page.locator("#viewer-title")).to_have_text("price list.pdf")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Remove terms.txt").click()
    expect(page.locator(".row .sure")).to_contain_text("Remove terms.txt?")
    page.get_by_role("button", name="Keep").click()
    page.get_by_role("button", name="Remove offer.eml").click()
    expect(page.locator(".row .sure")).to_contain_text("Remove offer.eml and the 2 files in it?")
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(rows).to_have_count(1)
    expect(names(watched)).to_have_text(["sqlite-limits.html"])


def test_an_archive_of_many_files_is_folded_and_opens_them_instead_of_an_empty_text(watched: Watched) -> None:
    page = watched.ready()
    page.evaluate(DROP, ["box.zip"])
    rows = page.locator("#library li[data-document]")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("12 files")
    rows.first.locator(".row-open").click()
    expect(rows).to_have_count(13)
    expect(page.locator("#viewer")).to_be_hidden()
    expect(rows.nth(1)).to_contain_text("in box.zip/folder")
    assert page.evaluate("document.activeElement.closest('li').dataset.document") == "box.zip"
    page.get_by_role("button", name="Hide the files in box.zip").click()
    expect(rows).to_have_count(1)
    expect(page.get_by_role("button", name="Show the files in box.zip")).to_be_focused()
    page.evaluate(DROP, ["a.txt"])
    expect(rows).to_have_count(2)
    expect(names(watched)).to_have_text(["a.txt", "box.zip"])


def test_what_came_in_of_a_file_that_found_no_room_is_listed(watched: Watched) -> None:
    page = watched.ready()
    page.evaluate(DROP, ["full.eml"])
    expect(page.locator(".row.failed")).to_contain_text("storage is full")
    expect(page.locator("#library li[data-document]")).to_have_count(1)
    expect(names(watched)).to_have_text(["full.eml"])
