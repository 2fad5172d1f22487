"""The dialog for checking answers on one's own questions, over a scripted engine."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.interface import Watched, nothing_wrong

pytestmark = pytest.mark.browser

TABLE = b"question,answer\nHow many tables may a join have?,64\nIs this a wrong one?,yes\nWhat of the moon?,far\n"


def opened(watched: Watched) -> Page:
    page = watched.ready(documents=2)
    page.get_by_role("button", name="Check on your questions").click()
    expect(page.locator("#evaluation-panel")).to_be_visible()
    return page


def load(page: Page, data: bytes = TABLE, name: str = "mine.csv") -> None:
    page.set_input_files("#pick-questions", {"name": name, "mimeType": "text/csv", "buffer": data})


def calls(page: Page, command: str) -> list[dict[str, Any]]:
    script = "(command) => fakeEngine.calls.filter((one) => one.command === command).map((one) => one.args)"
    found: list[dict[str, Any]] = page.evaluate(script, command)
    return found


def run(page: Page, mode: str = "Retrieval only") -> None:
    page.locator("#evaluation-panel .evaluation-tab", has_text="Questions").click()
    page.locator(".evaluation-offer label", has_text=mode).click()
    page.get_by_role("button", name="Ask them").click()
    expect(page.locator(".evaluation-shown h3")).to_be_visible()
    expect(page.get_by_role("button", name="Ask them")).to_be_visible()


def test_a_file_is_loaded_run_and_read_question_by_question(watched: Watched) -> None:
    page = opened(watched)
    expect(page.get_by_role("button", name="Ask them")).to_be_disabled()
    load(page)
    expect(page.locator(".questions tbody tr")).to_have_count(3)
    expect(page.locator("#evaluation-panel")).to_contain_text("Line 4 asks what line 2 asks")
    run(page, "Written answers")
    (sent,) = calls(page, "evaluate")
    assert (sent["name"], sent["mode"], sent["made"]) == ("mine.csv", "answer", False)
    assert [row["answers"] for row in sent["questions"]] == [["64"], ["yes"], ["far"]]
    shown = page.locator(".evaluation-shown")
    expect(shown).to_contain_text("67 % of the questions that have an answer")
    expect(shown.locator(".judge")).to_contain_text("agrees with hand labels on 87 of 100")
    expect(shown.locator(".bars")).to_have_count(2)
    expect(shown).to_contain_text("2 of 3 questions went wrong")
    lines = shown.locator(".run-rows tbody tr")
    expect(lines.nth(1)).to_contain_text("wrong")
    expect(lines.nth(1)).to_contain_text("in what was read, but not in the answer")
    expect(lines.nth(2)).to_contain_text("found, but refused")
    page.get_by_role("button", name="Only what went wrong").click()
    expect(lines.nth(0)).to_be_hidden()
    nothing_wrong(page)
    lines.nth(1).get_by_role("button", name="How was this made").click()
    expect(page.locator("#trace-panel")).to_be_visible()
    assert calls(page, "trace")[-1]["trace_id"] == "t1"


def test_a_set_begun_while_the_kept_ones_are_looked_up_stays_open_beside_them(watched: Watched) -> None:
    page = watched.ready(documents=2, pace=40)
    kept = {"id": "s1", "name": "Kept", "made": False, "questions": [{"id": "q1", "question": "How many?"}]}
    page.evaluate("(set) => fakeEngine.sets.push(set)", kept)
    page.get_by_role("button", name="Check on your questions").click()
    load(page)
    expect(page.locator(".evaluation-sets .choice")).to_have_text(["Kept (1)", "mine.csv (3)"])
    expect(page.locator(".questions tbody tr")).to_have_count(3)
    expect(page.get_by_role("button", name="Ask them")).to_be_enabled()


def test_a_file_that_cannot_be_read_is_said_and_nothing_changes(watched: Watched) -> None:
    page = opened(watched)
    load(page, b"frage;antwort\n", "bad.csv")
    expect(page.locator(".toast")).to_contain_text("bad.csv has no column “question”")
    expect(page.locator(".questions")).to_have_count(0)


def test_questions_are_written_changed_deleted_and_kept(watched: Watched) -> None:
    page = opened(watched)
    page.get_by_role("button", name="Write some").click()
    box = page.get_by_role("textbox", name="Question 1", exact=True)
    expect(box).to_be_focused()
    page.keyboard.type("How large may a <b>join</b> be?")
    page.get_by_role("textbox", name="Expected answer 1").fill("64 tables")
    page.get_by_role("textbox", name="Document of question 1").fill("limits.html")
    page.get_by_role("button", name="Add a question").click()
    expect(page.get_by_role("textbox", name="Question 2", exact=True)).to_be_focused()
    page.keyboard.type("What of the moon?")
    page.get_by_role("checkbox", name="Question 2 has an answer").uncheck()
    page.get_by_role("textbox", name="Name of the set").fill("Limits")
    expect(page.locator(".evaluation-sets")).to_have_text("Limits (2)")
    kept = page.evaluate("fakeEngine.sets")
    first = {
        "id": "q1",
        "question": "How large may a <b>join</b> be?",
        "answers": ["64 tables"],
        "document": "limits.html",
    }
    assert kept[0]["questions"] == [first, {"id": "q2", "question": "What of the moon?", "answerable": False}]
    page.get_by_role("button", name="Delete question 1").click()
    expect(page.locator(".evaluation-sets")).to_have_text("Limits (1)")
    page.get_by_role("button", name="Remove", exact=True).click()
    page.locator(".evaluation-set .sure").get_by_role("button", name="Remove").click()
    expect(page.locator(".evaluation-set")).to_be_hidden()
    assert page.evaluate("fakeEngine.sets") == []


def test_a_stopped_run_is_listed_as_far_as_it_came_and_the_header_says_how_far(watched: Watched) -> None:
    page = opened(watched)
    load(page)
    page.evaluate("fakeEngine.pace = 400")
    page.get_by_role("button", name="Ask them").click()
    expect(page.locator(".evaluation-status")).to_have_text(re.compile("1 of 3, about 3.min left"))
    page.evaluate("fakeEngine.pace = 2000")
    page.locator("#evaluation-panel").get_by_role("button", name="Close").click()
    button = page.locator(".top-tools .running")
    expect(button).to_have_attribute("aria-label", re.compile(r"Check on your questions: \d of 3"))
    button.click()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_role("button", name="Ask them")).to_be_visible()
    page.locator(".evaluation-tab", has_text="Runs").click()
    expect(page.locator(".evaluation-runs li")).to_contain_text(re.compile(r"stopped after \d of 3 questions"))


def test_two_runs_are_compared_the_earlier_one_first(watched: Watched) -> None:
    page = opened(watched)
    load(page)
    run(page)
    run(page, "Quotes")
    ticks = page.locator(".evaluation-runs input")
    expect(ticks).to_have_count(2)
    ticks.nth(0).check()
    expect(page.get_by_role("button", name="Compare the two")).to_be_hidden()
    ticks.nth(1).check()
    page.get_by_role("button", name="Compare the two").click()
    shown = page.locator(".evaluation-shown")
    expect(shown).to_contain_text("+8 points (−1 to +17), p = 0.090")
    assert calls(page, "compare_runs") == [{"first": "r1", "second": "r2"}]
    expect(shown).to_contain_text(re.compile(r"−1\.2.s \(−2\.0 to −0\.4\), p < 0\.001"))
    expect(shown.locator(".change")).to_have_count(2)
    expect(shown.locator(".change.worse")).to_contain_text("Is this a wrong one?")
    page.get_by_role("button", name="Forget").first.click()
    expect(ticks).to_have_count(1)


def test_made_questions_say_that_they_flatter_and_may_be_changed_first(watched: Watched) -> None:
    page = opened(watched)
    page.get_by_role("button", name="Make from my library").click()
    expect(page.locator(".questions tbody tr")).to_have_count(10)
    expect(page.locator(".evaluation-set .elsewhere")).to_contain_text("They flatter")
    page.get_by_role("textbox", name="Document of question 1", exact=True).fill("other.pdf")
    run(page)
    (sent,) = calls(page, "evaluate")
    assert sent["made"] is True
    assert "evidence" not in sent["questions"][0] and sent["questions"][0]["document"] == "other.pdf"
    assert sent["questions"][1]["evidence"][0]["quote"] == "more than 64 tables"
    expect(page.locator(".evaluation-shown .elsewhere")).to_contain_text("They flatter")


def test_making_without_a_writer_is_a_sentence_and_what_was_made_before_a_stop_stays(watched: Watched) -> None:
    page = opened(watched)
    page.evaluate("fakeEngine.noWriter = true")
    page.get_by_role("button", name="Make from my library").click()
    expect(page.locator(".toast")).to_contain_text("made by the writer")
    page.evaluate("fakeEngine.noWriter = false; fakeEngine.pace = 400")
    page.get_by_role("button", name="Make from my library").click()
    expect(page.locator(".evaluation-body .evaluation-busy [role=status]")).to_have_text(re.compile("[1-9] of 10 made"))
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator(".evaluation-set .elsewhere")).to_be_visible()
    assert 0 < page.locator(".questions tbody tr").count() < 10


def test_sets_and_runs_leave_as_files_without_a_request(watched: Watched) -> None:
    page = opened(watched)
    load(page)
    run(page)
    for name, file, text in (("Save as JSON", r"run-r1\.json", "json:r1"), ("Save as CSV", r"run-r1\.csv", "csv:r1")):
        with page.expect_download() as caught:
            page.locator(".evaluation-shown").get_by_role("button", name=name, exact=True).click()
        assert re.fullmatch(file, caught.value.suggested_filename)
        assert caught.value.path().read_text("utf-8") == text
    page.locator(".evaluation-tab", has_text="Questions").click()
    with page.expect_download() as caught:
        page.get_by_role("button", name="Save as JSON Lines").click()
    assert caught.value.suggested_filename == "questions.jsonl"
    assert json.dumps(calls(page, "write_questions")[0]["format"]) == '"jsonl"'
