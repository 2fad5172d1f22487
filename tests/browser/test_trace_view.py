"""The dialog “How was this made” and the page about limits, under the real policy, over a scripted engine."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.browser.interface import Watched, ask, nothing_wrong
from web.ui.limits_figures import FIGURES
from web.ui.limits_words import sections

pytestmark = pytest.mark.browser

KEPT = "A join in SQLite can have at most 64 tables, because the query optimizer keeps one bit for each table."
CLIPBOARD = """Object.defineProperty(navigator, "clipboard", {
  value: { writeText: async (text) => (globalThis.copied = text) },
})"""
OLDER = {
    **dict.fromkeys(("stages", "marks", "found", "generation", "prompt", "support", "sources", "library", "engine")),
    **dict.fromkeys(("corrected", "folded", "judgement", "turns", "filter", "notes", "quotes", "conflicts")),
    **{"format": 1, "answer_mode": "refused", "refusal": "not_found", "passages": [["limits", 1]]},
}
GONE = "Most databases allow 128 tables."


def shown(page: Page) -> Locator:
    """Ask, and open the dialog of the answer."""
    ask(page)
    page.get_by_role("button", name="How was this made").click()
    dialog = page.get_by_role("dialog", name="How this answer was made")
    expect(dialog).to_be_visible()
    return dialog


def opened(dialog: Locator, title: str) -> Locator:
    """The content of a part, which is opened by its title."""
    part = dialog.locator("details", has=dialog.page.get_by_role("heading", name=title, exact=True))
    if part.get_attribute("open") is None:
        part.locator("summary").click()
    content: Locator = part.locator(".trace-content")
    expect(content).to_be_visible()
    return content


def test_the_way_of_an_answer_is_a_waterfall_with_bars_where_the_stages_were(watched: Watched) -> None:
    page = watched.ready(documents=2)
    dialog = shown(page)
    assert page.evaluate("fakeEngine.calls.at(-1).command") == "trace"
    expect(opened(dialog, "The question")).to_contain_text("What is the maximum number of tables in a join for views?")
    rows = opened(dialog, "The way, and the time it took").locator(".way-row:not(.mark)")
    bars = {}
    for row in rows.all():
        box = row.locator(".way-bar").bounding_box()
        assert box
        bars[row.locator(".way-name").inner_text()] = (box["x"], box["x"] + box["width"])
    assert bars["Searching"][1] == pytest.approx(bars["Judging the passages"][0], abs=2)
    whole = bars["Reading and writing"]
    reading, writing = bars["Reading the passages"], bars["Writing"]
    assert (reading[0], writing[1]) == pytest.approx(whole, abs=2)
    assert reading[1] == pytest.approx(writing[0], abs=2)
    assert whole[1] - whole[0] > 5 * (bars["Searching"][1] - bars["Searching"][0])
    expect(rows.filter(has_text="Judging the passages")).to_contain_text("210 ms")


def test_the_funnel_names_every_passage_with_its_ranks_and_sorts_by_a_list(watched: Watched) -> None:
    page = watched.ready(documents=2)
    content = opened(shown(page), "What was found, list by list")
    rows = content.locator("tbody tr")
    expect(rows).to_have_count(20)
    first = rows.first
    expect(first.locator("th")).to_contain_text("shown as 1, read")
    expect(first.locator("th")).to_contain_text("put up by words and meaning")
    expect(first.locator("td").nth(0)).to_have_text(re.compile(r"^2\s*11\.5$"))
    expect(first.locator("td").nth(3)).to_contain_text("90\u00a0%")
    expect(rows.nth(2).locator("th")).to_contain_text("debian-policy <img src=x>.pdf")
    assert page.locator("#trace-panel img").count() == 0
    content.get_by_role("button", name="Meaning").click()
    expect(rows.first.locator("td").nth(1)).to_have_text(re.compile(r"^1\s*0\.700$"))
    expect(content.locator("th[aria-sort]")).to_have_text("Meaning")
    content.get_by_role("button", name="Show all 64 passages").click()
    expect(rows).to_have_count(64)
    expect(content.locator("tbody")).to_contain_text("folded into another")


def test_the_judge_the_prompt_and_the_fate_of_each_sentence(watched: Watched) -> None:
    page = watched.ready(documents=2)
    dialog = shown(page)
    judge = opened(dialog, "What the judge said")
    expect(judge).to_contain_text("The word “views” stands in none of your documents.")
    expect(judge.locator(".trace-steps li").first).to_contain_text("does not answer → may answer in part")
    expect(judge.locator("tr", has_text="Closeness of the best passage in meaning")).to_contain_text("0.641")
    expect(judge.locator("tr", has_text="Something new")).to_contain_text("0.500")
    prompt = page.evaluate("fakeTrace('t').prompt")
    read = opened(dialog, "What the writer read").get_by_role("region", name="The exact prompt")
    assert read.text_content() == prompt
    written = opened(dialog, "What it wrote, and what is shown")
    raw = written.get_by_role("region", name="Written by the model").text_content()
    assert raw == page.evaluate("fakeTrace('t').generation.raw")
    expect(written.get_by_role("region", name="Shown")).to_have_text(f"{KEPT} [1]")
    expect(written.locator("li.kept")).to_contain_text("Kept, rests on [1]; it was written with [2].")
    expect(written.locator("li.gone")).to_contain_text(GONE)
    expect(written.locator("li.gone")).to_contain_text("Removed: the number 128 does not stand in the passage.")
    expect(opened(dialog, "What ran")).to_contain_text("qwen2.5-0.5b@00112233aabb")


def test_a_trace_is_copied_and_saved_alone_or_with_all_others(watched: Watched) -> None:
    page = watched.ready(documents=2)
    page.evaluate(CLIPBOARD)
    dialog = shown(page)
    dialog.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("Copied: the trace.")
    assert json.loads(page.evaluate("copied"))["generation"]["tokens"] == 41
    opened(dialog, "What the writer read").get_by_role("button", name="Copy the prompt").click()
    expect(page.locator(".toast").last).to_contain_text("Copied: the prompt.")
    assert page.evaluate("copied").startswith("<|im_start|>")
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Save this trace").click()
    (line,) = Path(download.value.path()).read_text("utf-8").splitlines()
    assert json.loads(line) == page.evaluate(f"fakeTrace('{json.loads(line)['id']}')")
    assert re.fullmatch(r"terrarium-trace-.+\.jsonl", download.value.suggested_filename)
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Save all traces").click()
    assert Path(download.value.path()).read_text("utf-8") == '{"question": "one"}\n'


def test_a_closed_clipboard_is_said(watched: Watched) -> None:
    page = watched.ready(documents=2)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    shown(page).get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("keeps the clipboard closed")


def test_a_refusal_and_an_older_record_show_what_they_hold(watched: Watched) -> None:
    page = watched.ready(documents=2)
    page.evaluate("(changes) => Object.assign(fakeEngine.trace, changes)", OLDER)
    dialog = shown(page)
    expect(opened(dialog, "The way, and the time it took")).to_contain_text("This record is of an older kind")
    expect(opened(dialog, "What was found, list by list").locator("tbody tr").first).to_contain_text("that is gone")
    expect(opened(dialog, "What the judge said")).to_contain_text("Nothing was found that could be judged.")
    expect(opened(dialog, "What the writer read")).to_contain_text("the code refused before it")
    expect(opened(dialog, "What it wrote, and what is shown")).to_contain_text("The writer was not called")
    expect(opened(dialog, "What ran")).to_contain_text("format 1")


def test_a_trace_that_is_no_longer_kept_is_said(watched: Watched) -> None:
    page = watched.ready(documents=2)
    page.evaluate("fakeEngine.traceGone = 'How this answer was made is no longer kept.'")
    ask(page)
    page.get_by_role("button", name="How was this made").click()
    expect(page.locator(".toast")).to_contain_text("no longer kept")
    expect(page.locator("#trace-panel")).to_be_hidden()


def test_all_records_are_forgotten_when_that_is_confirmed(watched: Watched) -> None:
    page = watched.ready()
    page.get_by_role("button", name="What runs here").click()
    about = page.get_by_role("dialog", name="What runs here")
    about.get_by_role("button", name="Forget all records").click()
    about.get_by_role("button", name="Keep").click()
    assert "forget_traces" not in page.evaluate("fakeEngine.calls.map((one) => one.command)")
    about.get_by_role("button", name="Forget all records").click()
    about.get_by_role("button", name="Forget them").click()
    expect(page.locator(".toast")).to_contain_text("3 records forgotten.")


def test_the_limits_are_told_from_the_header_and_from_a_trace(watched: Watched) -> None:
    page = watched.ready(documents=2)
    page.get_by_role("button", name="What runs here").click()
    page.locator("#about-panel").get_by_role("button", name="What the checks can and cannot see").click()
    limits = page.get_by_role("dialog", name="What the checks can and cannot see")
    told = [text for _, texts in sections(FIGURES) for text in texts]
    assert limits.locator("li").all_inner_texts() == told
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    dialog = shown(page)
    dialog.get_by_role("button", name="What the checks can and cannot see").click()
    expect(limits).to_be_visible()
    page.keyboard.press("Escape")
    expect(limits).to_be_hidden()
    expect(dialog).to_be_visible()


def test_the_keyboard_alone_opens_and_closes_every_part(watched: Watched) -> None:
    page = watched.ready(documents=2)
    ask(page)
    page.get_by_role("button", name="How was this made").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="How this answer was made")
    expect(dialog).to_be_visible()
    judge = dialog.locator("summary", has_text="What the judge said")
    for _ in range(6):
        page.keyboard.press("Tab")
        if judge.evaluate("(element) => element === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(dialog.locator(".signals")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert page.evaluate("document.activeElement.dataset.action") == "show-trace"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 420])
def test_everything_has_a_name_enough_contrast_and_room(
    browser: Browser, interface_address: str, scheme: Any, width: int
) -> None:
    watching = Watched(browser, interface_address, viewport={"width": width, "height": 860}, color_scheme=scheme)
    page = watching.ready(documents=2)
    dialog = shown(page)
    for title in dialog.locator("summary h3").all_inner_texts():
        opened(dialog, title)
    nothing_wrong(page)
    box = dialog.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= width
    assert dialog.evaluate("(element) => element.scrollWidth <= element.clientWidth")
    assert dialog.locator(".trace-parts").evaluate("(element) => element.scrollWidth <= element.clientWidth")
    dialog.get_by_role("button", name="What the checks can and cannot see").click()
    nothing_wrong(page)
    watching.close()
