"""Libraries as files on the page: saved, taken in, cancelled and refused, with a scripted engine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.interface import Watched

pytestmark = pytest.mark.browser


def choose(page: Page, path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add a library file").click()
    chooser.value.set_files(path)


def names(page: Page) -> list[str]:
    found: list[str] = page.locator("#library li[data-document] .name").all_inner_texts()
    return found


def test_a_library_is_taken_in_before_the_first_file_and_handed_over_as_a_file(
    watched: Watched, tmp_path: Path
) -> None:
    page = watched.ready()
    page.evaluate("fakeEngine.importNotices.push('Found by their words only.')")
    choose(page, tmp_path / "Share.Terrarium", "library\na/one.txt\na/two.txt")
    expect(page.locator("#library li[data-document]")).to_have_count(2)
    expect(page.locator(".toast")).to_contain_text("2 documents added.")
    expect(page.locator(".notices .notice")).to_contain_text("Found by their words only.")
    assert sorted(names(page)) == ["one.txt", "two.txt"]
    sent = "fakeEngine.calls.find((one) => one.command === 'import').args"
    assert page.evaluate(f"{sent}.name") == "Share.Terrarium"
    assert page.evaluate(f"{sent}.data instanceof File")
    choose(page, tmp_path / "share.terrarium", "library\na/one.txt")
    expect(page.locator(".toast").last).to_contain_text("1 document was there already.")


def test_a_library_that_is_none_keeps_its_row_with_the_sentence_and_one_that_is_stopped_goes(
    watched: Watched, tmp_path: Path
) -> None:
    page = watched.ready(pace=100)
    choose(page, tmp_path / "letter.terrarium", "Dear Sir")
    expect(page.locator(".row.failed")).to_contain_text("This is not a Terrarium library.")
    page.get_by_role("button", name="Dismiss letter.terrarium").click()
    choose(page, tmp_path / "large.terrarium", "\n".join(["library", *map(str, range(100))]))
    expect(page.locator(".row.running")).to_contain_text("Taking in its documents")
    expect(page.locator(".row.running progress")).to_have_attribute("value", re.compile(r"^[1-9]"))
    page.get_by_role("button", name="Cancel large.terrarium").click()
    expect(page.locator(".row.running")).to_have_count(0)
    kept = page.evaluate("fakeEngine.documents.length")
    assert 0 < kept < 100
    expect(page.locator("#library li[data-document]")).to_have_count(kept)


@pytest.mark.parametrize(("which", "last"), [("With the files", "originals"), ("Texts only", "texts")])
def test_a_library_is_saved_as_one_file(watched: Watched, which: str, last: str) -> None:
    page = watched.ready(documents=2)
    page.get_by_role("button", name="Save as one file").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=which).click()
    assert download.value.suggested_filename.startswith("library-")
    assert download.value.suggested_filename.endswith(".terrarium")
    assert download.value.path().read_text("utf-8").splitlines()[-1] == last
    expect(page.locator(".toast")).to_contain_text("2 documents saved as library-")
    expect(page.get_by_role("button", name="Save as one file")).to_be_visible()


def test_saving_can_be_cancelled(watched: Watched) -> None:
    page = watched.ready(documents=1, pace=300)
    page.get_by_role("button", name="Save as one file").click()
    page.get_by_role("button", name="Texts only").click()
    expect(page.locator(".library-saving")).to_contain_text("Saving the library")
    page.get_by_role("button", name="Cancel saving").click()
    expect(page.get_by_role("button", name="Save as one file")).to_be_visible()
    expect(page.locator(".toast")).to_have_count(0)


def test_an_empty_library_cannot_be_saved(watched: Watched) -> None:
    page = watched.ready()
    expect(page.get_by_role("button", name="Add a library file")).to_be_visible()
    expect(page.get_by_role("button", name="Save as one file")).to_be_hidden()


def test_of_thousands_of_documents_some_rows_are_drawn_at_a_time(watched: Watched, tmp_path: Path) -> None:
    page = watched.ready(pace=0)
    choose(page, tmp_path / "share.terrarium", "\n".join(["library", *map(str, range(250))]))
    rows = page.locator("#library li[data-document]")
    expect(rows).to_have_count(100)
    expect(page.locator("#library .panel-head")).to_contain_text("250 documents")
    expect(page.locator("#library .rest", has_text="and 150 documents more")).to_be_visible()
    page.get_by_role("button", name="Show more").click()
    page.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(250)
    expect(page.get_by_role("button", name="Show more")).to_be_hidden()
    assert sorted(names(page)) == sorted(map(str, range(250)))
