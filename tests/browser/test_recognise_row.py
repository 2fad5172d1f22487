"""Text recognition as a person meets it in the library, on the scripted engine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.interface import Watched, nothing_wrong

pytestmark = pytest.mark.browser

SCAN = {
    "id": "scan", "name": "letters/contract.pdf", "kind": "pdf", "title": "", "size": 900_000, "chunks": 0, "pages": 4,
    "language": "", "warnings": ["no text layer (4 of 4 pages)"], "added": 2,
}  # fmt: skip


@pytest.fixture
def german(browser: Browser, interface_address: str) -> Iterator[Watched]:
    opened = Watched(browser, interface_address, viewport={"width": 1280, "height": 800}, locale="de-AT")
    yield opened
    opened.close()


def library(watched: Watched, pace: int = 2, **changed: Any) -> Page:
    watched.page.evaluate("(info) => fakeEngine.documents.push(info)", {**SCAN, **changed})
    return watched.ready(documents=1, pace=pace)


def test_a_scan_offers_it_and_its_row_says_what_came(german: Watched) -> None:
    page = library(german)
    row = page.locator("[data-document=scan]")
    expect(page.locator(".recognise")).to_have_count(1)  # the other document has a text of its own
    row.get_by_role("button", name="Recognise text").click()
    ticked = {box: row.get_by_label(box).is_checked() for box in ("English", "German", "Chinese (simplified)")}
    assert ticked == {"English": True, "German": True, "Chinese (simplified)": False}
    nothing_wrong(page)
    row.get_by_label("English").uncheck()
    row.get_by_role("button", name="Recognise text").click()
    expect(row).to_contain_text("text recognised on pages 1–4 from their pictures (deu)")
    expect(row.get_by_role("button", name="Recognise text again")).to_be_visible()
    assert page.locator("[data-document]").evaluate_all("rows => rows.map(row => row.dataset.document)") == [
        "limits",
        "scan",
    ]


def test_progress_is_shown_and_cancel_leaves_the_row_as_it_was(german: Watched) -> None:
    page = library(german, pace=300)
    row = page.locator("[data-document=scan]")
    row.get_by_role("button", name="Recognise text").click()
    row.get_by_role("button", name="Recognise text").click()
    expect(row).to_contain_text(re.compile(r"Recognising text · (25|50|75)\s% · about \d+\ss left"))
    nothing_wrong(page)
    row.get_by_role("button", name="Cancel").click()
    expect(row.get_by_role("button", name="Recognise text")).to_be_visible()
    expect(row).to_contain_text("no text layer (4 of 4 pages)")


def test_an_encrypted_scan_asks_for_its_password(german: Watched) -> None:
    page = library(german, locked="geheim")
    row = page.locator("[data-document=scan]")
    row.get_by_role("button", name="Recognise text").click()
    row.get_by_role("button", name="Recognise text").click()
    expect(row).to_contain_text("It opens with a password only")
    row.get_by_label("Password of contract.pdf").fill("geheim")
    row.get_by_role("button", name="Open", exact=True).click()
    expect(row).to_contain_text("text recognised on pages 1–4")


def test_what_went_wrong_is_said_and_can_be_tried_again(german: Watched) -> None:
    page = library(german, unreadable="Page 2 could not be drawn: nothing came for 30 seconds.")
    row = page.locator("[data-document=scan]")
    row.get_by_role("button", name="Recognise text").click()
    row.get_by_label("English").uncheck()
    row.get_by_label("German").uncheck()
    row.get_by_role("button", name="Recognise text").click()
    expect(page.locator(".toast")).to_contain_text("at least one language")
    row.get_by_label("German").check()
    row.get_by_role("button", name="Recognise text").click()
    expect(row).to_contain_text("Page 2 could not be drawn")
    expect(row.get_by_role("button", name="Recognise text")).to_be_visible()
