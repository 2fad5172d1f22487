"""The viewer on the scripted engine: drawn pages, tables, sheets, code, the search, and what it does without pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.interface import Watched, ask
from tests.browser.pages import PATIENCE_MS

pytestmark = pytest.mark.browser

QUOTED = 13  # the page of the passage about /usr
COLOUR = """(canvas) => {
  const copy = new OffscreenCanvas(1, 1).getContext("2d");
  copy.drawImage(canvas, 0, 0, 1, 1);
  return [...copy.getImageData(0, 0, 1, 1).data];
}"""


def opened(watched: Watched, name: str, setting: str = "") -> Page:
    watched.page.evaluate(f"() => {{ fakeEngine.documents.push(...fakeViewer.documents); {setting} }}")
    page = watched.ready(documents=2)
    page.get_by_role("button", name=name).first.click()
    return page


def cited(watched: Watched, setting: str = "") -> Page:
    """The third passage's place: a list item on page 13 of the PDF."""
    watched.page.evaluate(f"() => {{ fakeViewer.drawn = true; {setting} }}")
    page = watched.ready(documents=2)
    ask(page)
    page.wait_for_selector(".badge")
    page.locator(".answer .cite", has_text="3").first.click()
    return page


def asked(page: Page, command: str) -> list[dict[str, Any]]:
    calls: list[dict[str, Any]] = page.evaluate(
        f"fakeEngine.calls.filter((one) => one.command === '{command}').map((one) => one.args)"
    )
    return calls


def awaited(page: Page, command: str, wanted: Callable[[dict[str, Any]], bool] = lambda _: True) -> None:
    """Until the engine was asked for it; `wait_for_function` needs eval, which the page forbids."""
    for _ in range(PATIENCE_MS // 50):
        if any(map(wanted, asked(page, command))):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"“{command}” was never asked for")


def sheet(page: Page, number: int) -> Locator:
    return page.locator(f'.page-sheet[data-page="{number}"]')


def test_a_citation_of_a_pdf_opens_its_page_with_the_mark_over_it(watched: Watched) -> None:
    page = cited(watched)
    mark = sheet(page, QUOTED).locator(".page-mark")
    expect(mark).to_be_in_viewport()
    assert sheet(page, QUOTED).locator("canvas").evaluate(COLOUR) == [QUOTED, 200, 100, 255]
    # The fake's mark begins a tenth from the left and in the middle of the page, and is half as wide.
    paper, place = sheet(page, QUOTED).bounding_box(), mark.bounding_box()
    assert paper and place
    assert abs((place["x"] - paper["x"]) / paper["width"] - 0.1) < 0.005
    assert abs((place["y"] - paper["y"]) / paper["height"] - 0.5) < 0.005
    assert abs(place["width"] / paper["width"] - 0.5) < 0.005
    expect(page.locator("#announce")).to_contain_text("page 13: Packages must not depend on being able to write below")
    expect(sheet(page, QUOTED).locator(".page-text")).to_contain_text("Packages must not depend")
    page.get_by_role("button", name="Text", exact=True).click()
    expect(page.locator("#viewer mark")).to_contain_text("Packages must not depend")
    expect(page.locator("#viewer mark")).to_be_in_viewport()


def test_only_pages_near_the_window_are_drawn_and_as_sharp_as_the_screen(watched: Watched) -> None:
    page = cited(watched)
    expect(sheet(page, QUOTED + 1)).to_be_attached()
    awaited(page, "page", lambda one: one["page"] == QUOTED)
    page.wait_for_timeout(300)  # time for more pages than should be drawn
    drawn = {one["page"] for one in asked(page, "page")}
    assert QUOTED in drawn and len(drawn) <= 3
    for number in range(QUOTED + 1, QUOTED + 14):
        sheet(page, number).evaluate("(one) => one.scrollIntoView()")
        expect(sheet(page, number + 1)).to_be_attached()
    expect(page.locator(".page-number")).to_have_text("26 of 218")
    assert page.locator(".page-sheet").count() <= 9
    widths = {one["width"] for one in asked(page, "page")}
    page.get_by_role("button", name="Larger").click()
    awaited(page, "page", lambda one: one["width"] > max(widths))
    larger = {one["width"] for one in asked(page, "page")} - widths
    assert len(widths) == len(larger) == 1 and 1.2 < larger.pop() / widths.pop() < 1.32
    before = sheet(page, 26).bounding_box()
    page.get_by_role("button", name="As wide as the view").click()
    after = sheet(page, 26).bounding_box()
    assert before and after and before["width"] > after["width"]
    page.get_by_role("button", name="Next page").click()
    expect(page.locator(".page-number")).to_have_text("27 of 218")


def test_pages_are_called_by_their_labels(watched: Watched) -> None:
    page = cited(watched, "fakeViewer.labels = [...Array(218).keys()].map((n) => n < 12 ? `x${n + 1}` : `${n - 11}`)")
    expect(page.locator(".page-number")).to_have_text("1 of 218")
    expect(page.locator(".viewer-names")).to_contain_text("page 1 (13 of 218)")


def test_a_page_that_cannot_be_drawn_is_shown_as_text_with_the_reason(watched: Watched) -> None:
    page = cited(watched, f"fakeViewer.failing = [{QUOTED}]")
    expect(page.locator(".viewer-note")).to_contain_text("Page 13 could not be drawn: it is damaged.")
    expect(page.locator("#viewer mark")).to_contain_text("Packages must not depend")


def test_a_quote_that_is_not_among_the_pages_letters_is_said(watched: Watched) -> None:
    page = cited(watched, f"fakeViewer.unmarked = {QUOTED}")
    # What goes on over a page break may stand on the next page, where this fake has it.
    expect(sheet(page, QUOTED + 1).locator(".page-mark")).to_be_in_viewport()
    watched.page.evaluate("fakeViewer.unmarked = 0")


def test_letters_that_cannot_be_drawn_are_said(watched: Watched) -> None:
    page = cited(watched, f"fakeViewer.lacking = {QUOTED}")
    expect(page.locator(".viewer-note")).to_contain_text("Some letters are drawn as boxes")
    expect(sheet(page, QUOTED).locator(".page-mark")).to_be_in_viewport()


def test_an_encrypted_pdf_asks_for_its_password_and_forgets_it_with_the_document(watched: Watched) -> None:
    page = cited(watched, "fakeViewer.locked = true")
    expect(page.locator(".viewer-note")).to_contain_text("is encrypted")
    expect(page.locator("#viewer mark")).to_contain_text("Packages must not depend")
    page.get_by_label("Password of debian-policy.pdf").fill("open sesame")
    page.get_by_label("Password of debian-policy.pdf").press("Enter")
    expect(sheet(page, QUOTED).locator(".page-mark")).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator("#viewer")).to_be_hidden()
    awaited(page, "close_pages")
    page.locator(".answer .cite", has_text="3").first.click()
    expect(page.locator(".viewer-note")).to_contain_text("is encrypted")


def test_a_table_is_a_table_with_the_names_of_its_columns(watched: Watched) -> None:
    page = opened(watched, "rules.docx")
    first = page.locator("#viewer .table").first
    expect(first.locator("th")).to_have_text(["Grade", "Daily rate", "Hotel"])
    expect(first.locator("tbody tr")).to_have_text(["A52 EUR160 EUR", "B47 EUR"])
    expect(page.locator("#viewer .table")).to_have_count(2)
    listing = page.locator("#viewer pre.code")
    expect(listing.locator("code")).to_have_text("def rate(grade):\n    return RATES[grade]")
    expect(listing.locator(".line-numbers")).to_have_text("41\n42")
    expect(page.locator("#viewer")).to_contain_text("<img src=x onerror=alert(1)> is text.")
    assert page.locator("#viewer img").count() == 0


def test_a_sheet_is_a_grid_whose_rows_are_drawn_where_the_window_is(watched: Watched) -> None:
    page = opened(watched, "staff.xlsx")
    grid = page.locator("#viewer .grid")
    expect(grid.locator("thead th")).to_have_text(["Row", "A", "B", "C", "D"])
    expect(grid.locator(".names th")).to_have_text(["", "Name", "Grade", "Rate", "Remark"])
    cells = grid.locator("tr[data-block]").first.locator("th, td")
    expect(cells).to_have_text(["2", "Person 2", "A", "20", "none"])
    scroller = page.locator(".grid-scroll")
    assert abs(scroller.evaluate("(one) => one.scrollHeight") - 20_000 * 29) < 200
    scroller.evaluate("(one) => { one.scrollTop = 12000 * 29 }")
    expect(grid.get_by_role("rowheader", name="12010", exact=True)).to_be_in_viewport()
    assert grid.locator("tr").count() < 100
    page.get_by_role("button", name="Totals").click()
    # Two tables stand side by side.
    expect(grid.locator("tr[data-block] > *")).to_have_text(
        [
            "1",
            "Sum",
            "4711",
            "beside it",
            "2",
            "Rest",
            "",
            "",
        ]
    )


def test_the_search_goes_from_match_to_match_in_sheets(watched: Watched) -> None:
    page = opened(watched, "staff.xlsx")
    page.locator("#viewer-title").focus()
    page.keyboard.press("Control+f")
    page.keyboard.type("A remark that is too long")
    expect(page.locator(".find-count")).to_have_text("1 of 3")
    mark = page.locator("#viewer mark.current")
    expect(mark).to_be_in_viewport()
    expect(page.locator("#viewer .marked th")).to_have_text("15000")
    page.keyboard.press("Escape")
    expect(page.locator("#viewer")).to_be_visible()
    expect(page.locator("#viewer mark")).to_have_count(0)


def test_the_search_marks_all_matches_and_walks_through_them(watched: Watched) -> None:
    page = cited(watched)
    page.get_by_role("button", name="Text", exact=True).click()
    page.get_by_role("button", name="Find in this document").click()
    page.keyboard.type("paragraph 3 of page")
    # From the quote on page 13 on.
    expect(page.locator(".find-count")).to_have_text("14 of 40")
    expect(page.locator("#viewer mark.current")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator(".find-count")).to_have_text("15 of 40")
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".find-count")).to_have_text("13 of 40")
    expect(page.locator("#viewer mark.found").nth(1)).to_be_attached()
    page.get_by_role("button", name="Page", exact=True).click()
    expect(sheet(page, QUOTED).locator(".page-mark.current")).to_be_in_viewport()
    page.get_by_role("button", name="Close the search").click()
    expect(sheet(page, QUOTED).locator(".page-mark.quote")).to_be_in_viewport()
    expect(page.locator(".page-mark.found")).to_have_count(0)


def test_what_is_not_found_is_said(watched: Watched) -> None:
    page = opened(watched, "rules.docx")
    page.get_by_role("button", name="Find in this document").click()
    page.keyboard.type("nowhere")
    expect(page.locator(".find-count")).to_have_text("Not found")
