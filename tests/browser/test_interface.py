"""The page as a person meets it: the real interface under the real policy and seal, with a scripted engine."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.interface import DROP, QUESTION, Watched, ask, nothing_wrong
from tests.browser.pages import PATIENCE_MS

pytestmark = pytest.mark.browser

QUOTE = "SQLite does not support joins containing more than 64 tables."

MARKUP = {"text/html": "<b>bold</b> <img src=x>", "text/plain": "bold <i>"}
COPY = """(kinds) => addEventListener("copy", (event) => {
  for (const [kind, data] of Object.entries(kinds)) event.clipboardData.setData(kind, data);
  event.preventDefault();
})"""


def test_nothing_is_taken_before_the_engine_is_ready(watched: Watched) -> None:
    page = watched.page
    page.evaluate(DROP, ["early.txt"])
    expect(page.locator(".toast")).to_contain_text("Still starting")
    page.evaluate("document.querySelector('.composer').requestSubmit()")
    assert page.evaluate("fakeEngine.calls.length") == 0


def test_files_go_one_at_a_time_and_a_bad_one_does_not_stop_the_rest(watched: Watched) -> None:
    page = watched.ready(pace=300)
    page.evaluate(DROP, ["a.txt", "damaged.pdf", *(f"{number}.txt" for number in range(7))])
    expect(page.locator(".row.running")).to_have_count(1)
    expect(page.locator(".row.waiting")).to_have_count(4)
    expect(page.locator(".more")).to_contain_text("and 4 more waiting")
    assert page.evaluate("fakeEngine.calls.filter((one) => one.command === 'add').length") == 1
    expect(page.locator(".row.running progress")).to_have_attribute("value", re.compile(r"^[1-9]\d?$"))
    page.evaluate("fakeEngine.pace = 1")
    expect(page.locator("#library li[data-document]")).to_have_count(8)
    failed = page.locator(".row.failed")
    expect(failed).to_contain_text("damaged.pdf is not a complete PDF")
    failed.get_by_role("button", name="Dismiss damaged.pdf").click()
    expect(failed).to_have_count(0)
    sent = page.evaluate("fakeEngine.calls.filter((one) => one.command === 'add').map((one) => one.args.name)")
    assert sent == ["a.txt", "damaged.pdf", *(f"{number}.txt" for number in range(7))]


def test_a_running_file_and_the_waiting_ones_can_be_cancelled(watched: Watched) -> None:
    page = watched.ready(pace=300)
    page.evaluate(DROP, ["a.txt", "b.txt", "c.txt"])
    page.get_by_role("button", name="Cancel waiting").click()
    expect(page.locator(".row.waiting")).to_have_count(0)
    page.get_by_role("button", name="Cancel a.txt").click()
    expect(page.locator(".row.running")).to_have_count(0)
    expect(page.locator("#library li[data-document]")).to_have_count(0)


def test_a_locked_file_asks_for_its_password_and_typing_survives_other_files(watched: Watched) -> None:
    page = watched.ready()
    page.evaluate(DROP, ["locked.pdf"])
    field = page.get_by_label("Password of locked.pdf")
    field.fill("wrong")
    page.evaluate(DROP, ["other.txt"])
    expect(page.locator("#library li[data-document]")).to_have_count(1)
    assert field.input_value() == "wrong"
    assert field.evaluate("(element) => element === document.activeElement")
    field.press("Enter")
    expect(page.locator(".row.locked")).to_contain_text("That password does not open it.")
    page.get_by_label("Password of locked.pdf").fill("open sesame")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("#library li[data-document]")).to_have_count(2)


def test_the_same_file_twice_is_said_and_not_listed_twice(watched: Watched) -> None:
    page = watched.ready(documents=2)
    page.evaluate(DROP, ["debian-policy.pdf"])
    expect(page.locator(".toast")).to_contain_text("already in the library")
    expect(page.locator("#library li[data-document]")).to_have_count(2)


def test_a_picked_folder_keeps_its_paths_and_leaves_out_system_files(watched: Watched, tmp_path: Path) -> None:
    page = watched.ready()
    inner = tmp_path / "contracts" / "2024"
    inner.mkdir(parents=True)
    for name in ("b.txt", ".DS_Store", "Thumbs.db"):
        (inner / name).write_text("text", "utf-8")
    page.set_input_files("#pick-folder", tmp_path / "contracts")
    row = page.locator("#library li[data-document]")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("contracts/2024")
    assert page.evaluate("fakeEngine.calls.at(-1).args.collection") == "contracts"


def test_a_dropped_folder_is_walked(watched: Watched, tmp_path: Path) -> None:
    page = watched.ready()
    inner = tmp_path / "papers" / "old"
    inner.mkdir(parents=True)
    for number in range(120):  # more than one batch of a directory reader
        (inner / f"{number:03}.txt").write_text("text", "utf-8")
    (tmp_path / "papers" / "top.txt").write_text("text", "utf-8")
    drag = {"items": [], "files": [str(tmp_path / "papers")], "dragOperationsMask": 1}
    session = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": 600, "y": 300, "data": drag})
    expect(page.locator(".drop-overlay")).to_be_visible()
    session.send("Input.dispatchDragEvent", {"type": "drop", "x": 600, "y": 300, "data": drag})
    expect(page.locator(".drop-overlay")).to_be_hidden()
    expect(page.locator("#library li[data-document]")).to_have_count(121, timeout=2 * PATIENCE_MS)
    sent = page.evaluate("fakeEngine.calls.filter((one) => one.command === 'add').map((one) => one.args.name)")
    expected = [f"papers/old/{number:03}.txt" for number in range(120)]
    assert sorted(sent) == sorted([*expected, "papers/top.txt"])


def test_removing_asks_first(watched: Watched) -> None:
    page = watched.ready(documents=2)
    remove = page.get_by_role("button", name="Remove debian-policy.pdf")
    remove.click()
    page.get_by_role("button", name="Keep").click()
    expect(page.locator("#library li[data-document]")).to_have_count(2)
    remove.click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.locator("#library li[data-document]")).to_have_count(1)
    assert page.evaluate("fakeEngine.calls.at(-1)") == {"command": "remove", "args": {"document_id": "policy"}}


def test_evidence_stands_before_the_first_word_and_the_answer_is_checked_text(watched: Watched) -> None:
    page = watched.ready(documents=2, pace=200)
    ask(page)
    expect(page.locator(".card")).to_have_count(4)
    expect(page.locator(".answer")).to_have_text("")
    expect(page.locator(".working")).to_contain_text("Reading the passages")
    expect(page.locator(".draft")).to_contain_text("A join")
    page.evaluate("fakeEngine.pace = 1")
    expect(page.locator(".badge")).to_have_text("Written from your documents")
    expect(page.locator(".draft")).to_have_count(0)
    third = page.locator(".answer .sentence").nth(2)
    expect(third).to_contain_text("Packages must not rely on writing below /usr.")
    assert third.locator(".cite").all_inner_texts() == ["1", "3"]
    page.get_by_text("1 sentence removed").click()
    expect(page.get_by_text("Most databases allow 128 tables.")).to_be_visible()


def test_a_citation_opens_the_document_at_the_marked_quote(watched: Watched) -> None:
    page = watched.ready(documents=2)
    ask(page)
    cite = page.locator(".answer .cite").first
    page.wait_for_selector(".badge")
    cite.click()
    viewer = page.locator("#viewer")
    expect(viewer.locator("mark")).to_have_text(QUOTE)
    expect(viewer.locator("mark")).to_be_in_viewport()
    expect(viewer).to_contain_text("(🍎 <b>not bold</b>)")
    page.get_by_role("button", name="Previous passage").click()
    expect(viewer.locator("mark")).to_have_text(
        "Packages must not depend on being able to write below /usr while they run"
    )
    expect(viewer.locator("mark")).to_be_in_viewport()
    expect(viewer.locator(".panel-head")).to_contain_text("page 13")
    expect(viewer.locator(".hidden-text")).to_contain_text("Not visible in the original")
    page.keyboard.press("Escape")
    expect(viewer).to_be_hidden()
    assert cite.evaluate("(element) => element === document.activeElement")


def test_a_long_document_is_drawn_a_window_at_a_time(watched: Watched) -> None:
    page = watched.ready(documents=2)
    page.locator(".row-open", has_text="debian-policy.pdf").click()
    blocks = page.locator(".document-text > :not(.page-break)")
    expect(blocks).to_have_count(60)
    page.get_by_role("button", name="Later text").dispatch_event("click")  # a click scrolls there, and that loads more
    expect(blocks).to_have_count(120)
    expect(page.locator(".page-break").first).to_have_text("page 1")
    expect(page.get_by_role("button", name="Earlier text")).to_be_hidden()


def test_a_refusal_says_why_and_shows_the_nearest_passages(watched: Watched) -> None:
    page = watched.ready(documents=2)
    ask(page, "How far is the moon?")
    expect(page.locator(".refusal")).to_contain_text("do not seem to answer this")
    expect(page.locator(".evidence")).to_contain_text("Nearest passages")
    expect(page.locator(".card")).to_have_count(2)
    expect(page.locator(".badge")).to_have_text("No answer in your documents")


def test_without_a_generator_only_quotes_are_offered(watched: Watched) -> None:
    watched.page.evaluate("terrarium.info.generator = null")
    page = watched.ready(documents=2)
    expect(page.locator("input[value=answer]")).to_be_disabled()
    ask(page)
    expect(page.locator(".badge")).to_have_text("Quoted from your documents")
    assert page.evaluate("fakeEngine.calls.at(-1).args.mode") == "quote"
    assert page.evaluate("fakeEngine.calls.filter((one) => one.command === 'load_generator').length") == 0


def test_the_writer_comes_after_the_library_and_a_question_waits_for_it(watched: Watched) -> None:
    watched.page.evaluate("fakeEngine.writerPace = 200")
    page = watched.ready(documents=2, pace=1)
    ask(page)
    expect(page.locator(".card")).to_have_count(4)
    expect(page.locator(".working")).to_contain_text(re.compile(r"Waiting for the writer \d+"))
    expect(page.locator(".writer")).to_contain_text(re.compile(r"Preparing the writer \d+"))
    expect(page.locator(".badge")).to_have_text("Written from your documents")
    expect(page.locator(".writer")).to_be_hidden()
    page.get_by_role("button", name="What runs here").click()
    expect(page.locator("#about-panel")).to_contain_text("Qwen2.5 0.5B")
    expect(page.locator(".proofs li")).to_have_text(
        ["qwen does not run on the graphics processor. This browser offers no WebGPU."]
    )


def test_a_writer_that_does_not_load_leaves_quotes_and_its_sentence(watched: Watched) -> None:
    sentence = "The model small does not fit into memory. Close other tabs and reload the page."
    watched.page.evaluate("(sentence) => (fakeEngine.writerFails = sentence)", sentence)
    page = watched.ready(documents=2)
    expect(page.locator(".notice")).to_contain_text(sentence)
    expect(page.locator("input[value=quote]")).to_be_checked()
    expect(page.locator("input[value=answer]")).to_be_disabled()
    ask(page)
    expect(page.locator(".badge")).to_have_text("Quoted from your documents")


def test_another_writer_can_be_chosen_later(watched: Watched) -> None:
    page = watched.ready()
    page.evaluate("terrarium.chooseWriter = (name) => { globalThis.chosen = [name]; }")
    page.get_by_role("button", name="What runs here").click()
    page.locator("#about-panel").get_by_role("button", name="Quotes only").click()
    assert page.evaluate("chosen") == [""]


def test_a_dropped_model_pack_is_kept_offered_and_removed(watched: Watched) -> None:
    page = watched.ready(pace=300)
    page.evaluate("terrarium.chooseWriter = (name) => { globalThis.chosen = [name]; }")
    page.evaluate(DROP, ["terrarium-large.pack"])
    panel = page.locator("#about-panel")
    expect(panel).to_be_visible()
    expect(panel.locator(".packs [role=status]")).to_contain_text("Keeping terrarium-large.pack: ")
    expect(panel.get_by_role("button", name="Add a model pack")).to_have_count(0)
    page.evaluate("fakeEngine.pace = 1")
    expect(panel.locator(".packs [role=status]")).to_contain_text("The large model is kept in this browser.")
    expect(panel.locator(".kept-model")).to_contain_text("large · 1.6\u00a0GB · Apache-2.0")
    expect(panel.get_by_role("button", name="Written answers, large model")).to_be_visible()
    panel.get_by_role("button", name="Start again with it").click()
    assert page.evaluate("chosen") == ["large"]

    panel.get_by_role("button", name="Remove").click()
    panel.get_by_role("button", name="Keep").click()
    expect(panel.locator(".kept-model")).to_have_count(1)
    panel.get_by_role("button", name="Remove").click()
    panel.get_by_role("button", name="Remove").click()
    expect(panel.locator(".kept-model")).to_have_count(0)
    expect(panel.locator(".packs [role=status]")).to_contain_text("1.6\u00a0GB are free again")
    assert page.evaluate("fakeEngine.calls.filter(({command}) => command === 'add').length") == 0


def test_a_pack_by_another_name_is_known_among_documents(watched: Watched) -> None:
    page = watched.ready()
    page.evaluate(DROP, ["a.txt", "damaged renamed pack.bin", "b.txt"])
    expect(page.locator("#about-panel .packs .bad")).to_contain_text("is damaged. Copy it again.")
    expect(page.locator("#library li[data-document]")).to_have_count(2)
    added = page.evaluate("fakeEngine.calls.filter(({command}) => command === 'add').map(({args}) => args.name)")
    assert added == ["a.txt", "b.txt"]


def test_keeping_a_pack_can_be_cancelled(watched: Watched) -> None:
    page = watched.ready(pace=300)
    page.get_by_role("button", name="What runs here").click()
    page.set_input_files("#pick-pack", {"name": "terrarium-large.pack", "mimeType": "", "buffer": b"x"})
    page.locator("#about-panel").get_by_role("button", name="Cancel").click()
    expect(page.locator(".packs [role=status]")).to_have_text("Stopped, as you asked.")
    expect(page.locator("#about-panel").get_by_role("button", name="Add a model pack")).to_be_visible()
    expect(page.locator(".kept-model")).to_have_count(0)


def test_a_pack_dropped_while_the_page_loads_is_left_to_the_loading_page(watched: Watched) -> None:
    watched.page.evaluate("document.getElementById('boot-pack').hidden = false")
    watched.page.evaluate(DROP, ["terrarium-large.pack"])
    expect(watched.page.locator(".drop-overlay")).to_be_hidden()
    expect(watched.page.locator(".toast")).to_have_count(0)
    expect(watched.page.locator("#about-panel")).to_be_hidden()
    watched.page.evaluate("document.getElementById('boot-pack').hidden = true")
    watched.page.evaluate(DROP, ["terrarium-large.pack"])
    expect(watched.page.locator(".toast")).to_contain_text("Still starting")


def test_a_question_waits_for_the_first_document(watched: Watched) -> None:
    page = watched.ready(pace=300)
    page.evaluate(DROP, ["a.txt"])
    expect(page.locator(".row.running")).to_have_count(1)
    ask(page)
    expect(page.locator(".working")).to_contain_text("Waiting for the first document")
    page.evaluate("fakeEngine.pace = 1")
    expect(page.locator(".badge")).to_have_text("Written from your documents")


def test_an_empty_library_refuses_and_offers_to_choose_files(watched: Watched) -> None:
    page = watched.ready()
    ask(page)
    expect(page.locator(".refusal")).to_contain_text("There are no documents yet.")
    expect(page.locator(".refusal").get_by_role("button", name="Choose files")).to_be_visible()
    expect(page.locator(".badge")).to_have_text("No documents yet")


def test_escape_stops_an_answer_and_what_was_not_checked_goes(watched: Watched) -> None:
    page = watched.ready(documents=2, pace=200)
    ask(page)
    page.wait_for_selector(".draft")
    page.keyboard.press("Escape")
    expect(page.locator(".turn-foot")).to_contain_text("Stopped.")
    expect(page.locator(".answer")).to_have_text("")
    expect(page.locator(".card")).to_have_count(4)
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()


def test_stopping_frees_the_box_before_the_engine_has_stopped(watched: Watched) -> None:
    page = watched.ready(documents=2, pace=200)
    ask(page)
    page.wait_for_selector(".draft")
    page.evaluate("fakeEngine.pace = 1_000_000")  # the engine is in one long step
    ask_box = page.get_by_role("button", name="Ask", exact=True)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".turn-foot")).to_contain_text("Stopped.")
    expect(ask_box).to_be_visible()
    page.evaluate("fakeEngine.pace = 2")
    ask(page, "How far is the moon?")
    expect(page.locator(".turn").last.locator(".refusal")).to_be_visible()
    expect(page.locator(".turn").first.locator(".answer")).to_have_text("")


def test_keys(watched: Watched) -> None:
    page = watched.ready(documents=2)
    page.locator(".row-open").first.focus()
    page.keyboard.press("/")
    page.keyboard.type("one")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("<b>two</b>/")
    assert page.inner_text("#question") == "one\n<b>two</b>/"
    page.keyboard.press("Enter")
    expect(page.locator(".question")).to_have_text("one <b>two</b>/")
    page.wait_for_selector(".badge")
    assert page.evaluate("fakeEngine.calls.at(-1).args.question") == "one\n<b>two</b>/"


def test_the_question_box_takes_plain_text_and_shows_its_hint_whenever_it_is_empty(watched: Watched) -> None:
    page = watched.ready(documents=2)
    box = page.get_by_role("textbox", name="Question")
    hint = "getComputedStyle(document.querySelector('#question'), '::before').content"
    one_line = box.bounding_box()
    assert one_line and "Ask your documents" in page.evaluate(hint)
    page.evaluate(COPY, MARKUP)
    box.focus()
    page.keyboard.press("ControlOrMeta+c")
    page.keyboard.press("ControlOrMeta+v")
    assert box.inner_html() == "bold &lt;i&gt;"
    session = page.context.new_cdp_session(page)
    drag = {"items": [{"mimeType": kind, "data": data} for kind, data in MARKUP.items()], "dragOperationsMask": 1}
    place = {"x": one_line["x"] + 10, "y": one_line["y"] + 20}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, **place, "data": drag})
    expect(box).to_have_text("bold <i>" * 2)
    assert page.evaluate(hint) == "none"
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("Delete")
    assert "Ask your documents" in page.evaluate(hint)
    assert box.bounding_box() == one_line
    box.fill("line\n" * 40)
    grown = box.bounding_box()
    assert grown and one_line["height"] < grown["height"] < 200


def test_a_question_that_is_too_long_stays_in_the_box(watched: Watched) -> None:
    page = watched.ready(documents=2)
    ask(page, "x" * 2001)
    expect(page.locator(".toast")).to_contain_text("has 2001 characters")
    assert page.inner_text("#question") == "x" * 2001
    assert page.evaluate("fakeEngine.calls.filter((one) => one.command === 'ask').length") == 0


def test_an_example_is_put_into_the_box_with_the_caret_behind_it(watched: Watched) -> None:
    page = watched.ready(documents=2)
    example = page.locator(".example").first
    text = example.inner_text()
    example.click()
    page.keyboard.type(" Why?")
    assert page.inner_text("#question") == f"{text} Why?"


def asked(page: Page) -> dict[str, Any]:
    """What the last `ask` sent."""
    args: dict[str, Any] = page.evaluate("fakeEngine.calls.filter(({command}) => command === 'ask').at(-1).args")
    return args


def test_a_follow_up_is_shown_as_it_was_understood_and_can_be_asked_as_typed(watched: Watched) -> None:
    page = watched.ready(documents=2)
    ask(page)
    page.wait_for_selector(".badge")
    assert "turns" not in asked(page)
    ask(page, "And for views?")
    last = page.locator(".turn").last
    expect(last.locator(".understood")).to_contain_text(f"Understood as {QUESTION[:-1]} for views?")
    page.wait_for_selector(".turn:last-child .badge")
    (turn,) = asked(page)["turns"]
    assert turn["question"] == QUESTION
    assert turn["answer"].startswith("A join in SQLite can have at most 64 tables")
    ask(page, "And for indexes?")
    page.wait_for_selector(".turn:last-child .badge")
    assert [turn["question"] for turn in asked(page)["turns"]] == [QUESTION, f"{QUESTION[:-1]} for views?"]
    last.get_by_role("button", name="Ask it as typed").click()
    page.wait_for_selector(".turn:nth-child(4) .badge")
    assert asked(page)["question"] == "And for indexes?"
    assert "turns" not in asked(page)
    expect(last.locator(".asked-of")).to_have_text("Asked as typed, without the questions before")
    expect(last.locator(".understood")).to_be_hidden()


def test_the_last_four_turns_are_sent_and_a_new_conversation_has_none(watched: Watched) -> None:
    page = watched.ready(documents=2, pace=1)
    for number in range(6):
        ask(page, f"Question {number}?")
        page.wait_for_selector(f".turn:nth-child({number + 1}) .badge")
    assert [turn["question"] for turn in asked(page)["turns"]] == [f"Question {number}?" for number in range(1, 5)]
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator(".turn")).to_have_count(0)
    expect(page.locator(".example").first).to_be_visible()
    expect(page.get_by_role("button", name="New conversation")).to_be_hidden()
    ask(page, "And for views?")
    page.wait_for_selector(".badge")
    assert "turns" not in asked(page)
    expect(page.locator(".understood")).to_be_hidden()


def test_a_new_conversation_ends_the_question_that_runs(watched: Watched) -> None:
    page = watched.ready(documents=2, pace=200)
    ask(page)
    page.wait_for_selector(".card")
    page.get_by_role("button", name="New conversation").click()
    page.evaluate("fakeEngine.pace = 1")
    ask(page, "How far is the moon?")
    expect(page.locator(".refusal")).to_be_visible()
    expect(page.locator(".turn")).to_have_count(1)


def test_the_judges_verdict_opens_to_its_reasons_and_to_what_was_searched_again(watched: Watched) -> None:
    page = watched.ready(documents=2)
    ask(page, "How far is the moon?")
    verdict = page.locator(".verdict")
    expect(verdict.locator("summary")).to_have_text("These passages do not answer it")
    expect(verdict.get_by_text("none of the question's rare words")).to_be_hidden()
    verdict.locator("summary").press("Enter")
    expect(verdict.locator("li")).to_have_text(
        [
            "The chance that the answer is in them is about 5\u00a0%.",
            "The passages hold none of the question's rare words: “moon”.",
            "Searched with words of the best passages: 1 new passage.",
            "Searched in other words (“how far away is the moon”): nothing new.",
        ]
    )
    expect(page.locator(".card")).not_to_contain_text(["The same in"] * 3)


def test_a_passage_that_stands_in_two_documents_names_the_other(watched: Watched) -> None:
    page = watched.ready(documents=2)
    ask(page)
    page.wait_for_selector(".badge")
    expect(page.locator(".card").nth(1)).to_contain_text("The same in limits-2019.html")


def test_the_documents_that_are_asked_are_chosen_by_keyboard_and_remembered(watched: Watched) -> None:
    page = watched.ready(documents=2)
    page.get_by_role("button", name="All documents").focus()
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog", name="Where to look")
    expect(panel.get_by_role("status")).to_have_text("Questions go to 2 of 2 documents.")
    panel.get_by_role("checkbox", name="manuals (1)").focus()
    page.keyboard.press("Space")
    expect(panel.get_by_role("status")).to_have_text("Questions go to 1 of 2 documents.")
    panel.get_by_role("checkbox", name="PDF (1)").check()
    expect(panel.get_by_role("status")).to_have_text("No document meets all of this.")
    panel.get_by_role("checkbox", name="PDF (1)").uncheck()
    panel.get_by_role("radio", name="Past week").check()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.locator(".scope-row")).to_contain_text("Only: “manuals” · added in the past week")
    for number in (1, 2):
        ask(page)
        page.wait_for_selector(f".turn:nth-child({number}) .badge")
        sent = asked(page)["filter"]
        assert sent["collections"] == ["manuals"]
        assert abs(sent["added_from"] - (time.time() - 7 * 86_400)) < 3600
    expect(page.locator(".turn").last.locator(".asked-of")).to_have_text(
        "Asked only: “manuals” · added in the past week"
    )
    page.get_by_role("button", name="Ask all documents again").click()
    expect(page.locator(".scope-row")).to_be_hidden()
    ask(page)
    page.wait_for_selector(".turn:nth-child(3) .badge")
    assert "filter" not in asked(page)


def test_a_document_that_goes_leaves_the_scope_and_a_new_conversation_asks_all(watched: Watched) -> None:
    page = watched.ready(documents=2)
    page.get_by_role("button", name="All documents").click()
    page.get_by_role("checkbox", name="debian-policy.pdf").check()
    page.get_by_role("button", name="Done", exact=True).click()
    expect(page.locator(".scope-row")).to_contain_text("Only: debian-policy.pdf")
    page.get_by_role("button", name="Remove debian-policy.pdf").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.locator(".scope-row")).to_be_hidden()
    page.get_by_role("button", name="All documents").click()
    page.get_by_role("radio", name="Past day").check()
    page.get_by_role("button", name="Done", exact=True).click()
    ask(page)
    page.wait_for_selector(".badge")
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator(".scope-row")).to_be_hidden()


def test_what_is_found_outside_the_chosen_documents_is_said(watched: Watched) -> None:
    page = watched.ready(documents=2)
    page.get_by_role("button", name="All documents").click()
    page.get_by_role("checkbox", name="In no collection (1)").check()
    page.get_by_role("button", name="Done", exact=True).click()
    ask(page)
    expect(page.locator(".elsewhere")).to_have_text(
        "Not found in documents in no collection. These passages are from the rest of the library."
    )


def test_one_of_many_documents_is_found_by_its_name(watched: Watched) -> None:
    watched.page.evaluate(
        """for (let n = 0; n < 150; n++) {
            fakeEngine.documents.push({ ...fakeEngine.known[1], id: `d${n}`, name: `notes/n${n}.md` });
        }"""
    )
    page = watched.ready(documents=2)
    page.get_by_role("button", name="All documents").click()
    panel = page.locator("#scope-panel")
    expect(panel.locator(".choice-list input")).to_have_count(100)
    expect(panel).to_contain_text("and 52 more: type a part of the name")
    panel.get_by_role("searchbox", name="Find a document").fill("N149")
    expect(panel.locator(".choice-list input")).to_have_count(1)
    panel.get_by_role("checkbox", name="notes/n149.md").check()
    panel.get_by_role("searchbox", name="Find a document").fill("")
    expect(panel.locator(".choice-list input").first).to_be_checked()
    panel.get_by_role("button", name="All documents").click()
    expect(panel.locator("input:checked")).to_have_count(1)  # “Any time”


def test_the_seal_panel_lists_what_was_stopped(watched: Watched) -> None:
    page = watched.ready()
    page.evaluate("try { fetch('https://example.org/x') } catch {}")
    page.get_by_role("button", name="Sealed").click()
    panel = page.locator("#seal-panel")
    expect(panel).to_contain_text("The browser enforces")
    expect(panel.locator("tbody tr").first).to_contain_text("https://example.org/x")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_records_are_saved_as_a_file_under_the_seal(watched: Watched) -> None:
    page = watched.ready()
    page.get_by_role("button", name="What runs here").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download records").click()
    assert download.value.suggested_filename == "terrarium-traces.jsonl"
    assert Path(download.value.path()).read_text("utf-8") == '{"question": "one"}\n'


def test_a_narrow_page_shows_one_part_at_a_time(browser: Browser, interface_address: str) -> None:
    opened = Watched(browser, interface_address, viewport={"width": 420, "height": 860}, has_touch=True)
    page = opened.ready(documents=2)
    expect(page.locator("#library")).to_be_hidden()
    page.get_by_role("button", name="Library").click()
    expect(page.locator("#conversation")).to_be_hidden()
    page.get_by_role("button", name="Ask", exact=True).click()
    ask(page)
    page.wait_for_selector(".badge")
    page.locator(".answer .cite").first.click()
    expect(page.locator("#viewer mark")).to_be_in_viewport()
    expect(page.locator("#conversation")).to_be_hidden()
    page.get_by_role("button", name="Close the document").click()
    expect(page.locator("#conversation")).to_be_visible()
    page.get_by_role("button", name="All documents").click()
    dialog = page.get_by_role("dialog", name="Where to look").bounding_box()
    assert dialog and dialog["x"] >= 0 and dialog["x"] + dialog["width"] <= 420
    page.get_by_role("checkbox", name="manuals (1)").check()
    page.get_by_role("button", name="Done", exact=True).click()
    expect(page.locator(".scope-row")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == 420
    page.close()
    assert opened.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_has_a_name_and_enough_contrast(browser: Browser, interface_address: str, scheme: Any) -> None:
    opened = Watched(browser, interface_address, viewport={"width": 1280, "height": 800}, color_scheme=scheme)
    page = opened.ready(documents=2)
    page.evaluate(DROP, ["damaged.pdf", "locked.pdf", "a.txt"])
    expect(page.locator("#library li[data-document]")).to_have_count(3)
    ask(page, "How far is the moon?")
    page.wait_for_selector(".refusal")
    page.locator(".verdict summary").click()
    nothing_wrong(page)
    page.get_by_role("button", name="All documents").click()
    page.get_by_role("checkbox", name="In no collection").check()
    page.get_by_role("radio", name="Past day").check()
    nothing_wrong(page)
    page.get_by_role("button", name="Done", exact=True).click()
    ask(page)
    page.wait_for_selector(".turn:last-child .badge")
    ask(page, "And for views?")
    page.wait_for_selector(".turn:last-child .badge")
    page.locator(".turn:last-child .answer .cite").last.click()
    page.wait_for_selector("#viewer mark")
    nothing_wrong(page)
    page.close()
