"""What an answer looks like: quotations beside it, its layout, conflicts and notes, and that no text becomes markup."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.interface import QUESTION, Watched, ask, nothing_wrong

from terrarium.answers.layout import blocks
from terrarium.model import Sentence

pytestmark = pytest.mark.browser

QUOTE = "SQLite does not support joins containing more than 64 tables."
BITMAPS = "uses bitmaps with one bit per join-table"
HOSTILE = [
    "![x](https://evil.example/?q=1)",
    "[see](javascript:document.title='owned')",
    "<https://evil.example/auto>",
    "[x]: https://evil.example/reference",
    "https://evil.example/bare",
    "<img src=https://evil.example/img onerror=document.title='owned'>",
    "<script>document.title='owned'</script><svg onload=document.title='owned'>",
    "<a href=javascript:document.title='owned' ping=https://evil.example/ping>x</a>",
    "<link rel=preconnect href=https://evil.example><base href=https://evil.example><iframe srcdoc=x></iframe>",
    "`<img src=x>` **<b>bold</b>** &lt;i&gt;",
]
HOSTILE_NAME = "notes/<img src=x onerror=document.title='owned'>.md"
OPEN_ALL = "(turn) => turn.querySelectorAll('details').forEach((one) => (one.open = true))"
# Every element that a turn may consist of.
ALLOWED = set(
    """article h2 h3 section div ol ul li button span svg path details summary p blockquote footer table tbody tr th td
    pre code em strong br""".split()
)


def written(*parts: tuple[str, str]) -> dict[str, Any]:
    """The fields of an answer with these sentences, each behind its lead, laid out by the engine's own code."""
    sentences = [Sentence(text, (1,), (), lead) for lead, text in parts]
    view = [{"text": text, "lead": lead, "citations": [1], "places": []} for lead, text in parts]
    return {"sentences": view, "layout": blocks(sentences)}


def answer_with(page: Page, **fields: Any) -> None:
    page.evaluate("(fields) => { fakeEngine.answer = fields; }", fields)


def place(number: int, document: str, quote: str) -> dict[str, Any]:
    at = {"document_id": "limits", "document": document, "page": None, "start": 0, "end": 10}
    return {"text": quote, "lead": "", "citations": [number], "places": [{"number": number, "quote": quote, **at}]}


def test_quotations_are_there_before_the_first_word_and_stay_below_the_answer(watched: Watched) -> None:
    page = watched.ready(documents=2, pace=200)
    ask(page)
    quotes = page.get_by_role("group").filter(has_text="In your documents")
    expect(quotes.locator(".quotation")).to_contain_text(QUOTE)
    expect(quotes).to_contain_text("sqlite-limits.html")
    expect(page.locator(".draft")).to_have_count(0)
    expect(page.locator("#announce")).to_have_text("1 sentence of your documents.")
    page.wait_for_selector(".draft")
    page.locator(".quotes summary").click()
    page.evaluate("fakeEngine.pace = 1")
    expect(page.locator(".badge")).to_have_text("Written from your documents")
    expect(page.locator(".quotation")).to_be_hidden()  # closed by the person, so it stays closed
    page.locator(".quotes summary").press("Enter")
    answer, below = page.locator(".answer").bounding_box(), page.locator(".quotation").bounding_box()
    assert answer and below and answer["y"] + answer["height"] <= below["y"]
    page.locator(".quotes .cite").click()
    expect(page.locator("#viewer mark")).to_have_text(QUOTE)
    expect(page.locator(".steps")).to_be_hidden()


def test_each_kind_of_answer_is_chosen_by_keyboard_and_both_is_the_first(watched: Watched) -> None:
    page = watched.ready(documents=2)
    expect(page.locator("input[value=both]")).to_be_checked()
    for number, (mode, badge) in enumerate((("both", "Written"), ("answer", "Written"), ("quote", "Quoted")), start=1):
        ask(page)
        turn = page.locator(f".turn:nth-child({number})")
        expect(turn.locator(".badge")).to_contain_text(badge)
        assert page.evaluate("fakeEngine.calls.at(-1).args.mode") == mode
        expect(turn.locator(".quotes")).to_have_count(1 if mode == "both" else 0)
        expect(turn.locator(".answer .quotation")).to_have_count(1 if mode == "quote" else 0)
        page.locator(f"input[value={mode}]").press("ArrowRight")


def test_without_a_writer_the_other_kinds_say_why_and_lead_to_the_choice(watched: Watched) -> None:
    watched.page.evaluate("terrarium.info.generator = null")
    page = watched.ready(documents=2)
    for mode in ("both", "answer"):
        expect(page.locator(f"input[value={mode}]")).to_be_disabled()
    expect(page.get_by_role("group", name="Kind of answer")).to_have_accessible_description("No writer is loaded")
    page.get_by_role("button", name="No writer is loaded").click()
    expect(page.locator("#about-panel")).to_be_visible()


def test_each_citation_opens_the_place_of_its_own_sentence(watched: Watched) -> None:
    page = watched.ready(documents=2)
    ask(page)
    page.wait_for_selector(".badge")
    first, _, third, _ = page.locator(".answer .cite").all()
    assert first.inner_text() == third.inner_text() == "1"
    mark = page.locator("#viewer mark")
    first.click()
    expect(mark).to_have_text(QUOTE)
    third.click()
    expect(mark).to_have_text(BITMAPS)
    expect(page.locator(".steps")).to_contain_text("3 of 4")
    page.get_by_role("button", name="Previous passage").click()
    expect(mark).to_contain_text("there is no mechanism")


def test_paragraphs_lists_tables_and_code_are_drawn_and_every_sentence_keeps_its_citation(watched: Watched) -> None:
    page = watched.ready(documents=2)
    parts = [
        ("", "There are **several** limits:"),
        ("\n\n3. ", "A join has *64* tables."),
        (" ", "It is fixed."),
        ("\n4. ", "A name is `x <y>`."),
        ("\n\n", "| Limit | Most |"),
        ("\n|---|---|\n", "| columns | 2,000 |"),
        ("\n\n", "Ask:"),
        ("\n", "```sql\nSELECT 1\n  FROM t;\n```"),
    ]
    answer_with(page, **written(*parts))
    ask(page)
    page.wait_for_selector(".badge")
    answer = page.locator(".answer")
    expect(answer.locator("p > .sentence > strong")).to_have_text("several")
    expect(answer.locator("ol")).to_have_attribute("start", "3")
    expect(answer.locator("li")).to_have_count(2)
    expect(answer.locator("li").first.locator(".cite")).to_have_count(2)
    expect(answer.get_by_role("columnheader")).to_have_text([re.compile("Limit"), re.compile("Most")])
    expect(answer.get_by_role("cell").first).to_have_text("columns")
    assert answer.locator("pre").text_content() == "SELECT 1\n  FROM t;"
    expect(answer.locator(".cite")).to_have_count(len(parts))


def test_documents_that_disagree_come_first_and_notes_stand_below_the_answer(watched: Watched) -> None:
    page = watched.ready(documents=2)
    statements = [place(1, "a/limits.html", "At most 64 tables."), place(3, "b.pdf", "At most 32 tables.")]
    note = "Your documents do not cover “on Windows”."
    answer_with(page, conflicts=[{"about": "the number of tables", "statements": statements}], notes=[note])
    ask(page)
    page.wait_for_selector(".badge")
    conflict = page.locator(".conflict")
    expect(conflict.get_by_role("heading")).to_have_text("Your documents disagree about the number of tables:")
    expect(conflict.locator(".quotation")).to_have_text(
        [re.compile(r"At most 64 tables\..*limits\.html"), re.compile(r"At most 32 tables\..*b\.pdf")]
    )
    tops = [page.locator(css).bounding_box() for css in (".conflict", ".answer", ".answer-notes", ".quotes")]
    heights = [box["y"] for box in tops if box]
    assert len(heights) == 4 and heights == sorted(heights)
    expect(page.locator(".answer-notes")).to_contain_text(note)
    conflict.locator(".cite").last.click()
    expect(page.locator(".viewer-names")).to_contain_text("b.pdf")
    expect(page.locator(".steps")).to_contain_text("2 of 2")


def test_a_refusal_by_the_pages_own_rules_is_not_called_missing(watched: Watched) -> None:
    page = watched.ready(documents=2)
    message = "This asks for the instructions that the writer works by, not for something in your documents."
    refusal = {"code": "asked_for_instructions", "message": message}
    answer_with(page, mode="refused", refusal=refusal, sentences=[], quotes=[], removed=[])
    ask(page)
    expect(page.locator(".badge")).to_have_text("Not answered")
    expect(page.locator(".refusal")).to_have_text(message)
    expect(page.locator(".card")).to_have_count(4)
    expect(page.locator(".quotes")).to_have_count(0)


def test_how_an_answer_was_made_is_asked_for_with_its_own_trace(watched: Watched) -> None:
    page = watched.ready(documents=2)
    answer_with(page, trace_id="t42")
    ask(page)
    made = page.get_by_role("button", name="How was this made")
    expect(made).to_have_attribute("data-action", "show-trace")
    expect(made).to_have_attribute("data-trace", "t42")


def test_text_addressed_to_the_model_is_named_on_the_card_and_marked_in_the_document(watched: Watched) -> None:
    page = watched.ready(documents=2)
    page.evaluate(
        """() => {
            const { passages } = fakeLibrary.answerTo({ question: "", mode: "quote" }, [1]);
            passages[0].flags = [{ kind: "instruction", start: 0, end: 6 }];
            fakeEngine.answer = { passages };
        }"""
    )
    ask(page)
    page.wait_for_selector(".badge")
    card = page.locator(".card").first
    expect(card).to_contain_text("Holds text addressed to the model; it was not read")
    expect(page.locator(".card-flag")).to_have_count(1)
    card.click()
    flagged = page.locator("#viewer .flagged")
    expect(flagged).to_have_text("Addressed to the model, not read: SQLite")
    expect(page.locator("#viewer mark").first).to_contain_text("does not support joins")


def hostile_answer() -> dict[str, Any]:
    parts = [("" if n == 0 else "\n- " if n % 2 else "\n\n", text) for n, text in enumerate(HOSTILE)]
    statements = [place(1, HOSTILE_NAME, text) for text in HOSTILE[:2]]
    return {
        **written(*parts, ("\n\n", "| <img src=x> | [a](javascript:b) |"), ("\n", "```\n<img src=x>\n```")),
        "quotes": [place(1, HOSTILE_NAME, text) for text in HOSTILE],
        "conflicts": [{"about": "<img src=x onerror=1>", "statements": statements}],
        "notes": HOSTILE,
        "removed": HOSTILE,
    }


def only_allowed(page: Page) -> None:
    """No element, no attribute and no request that a text of the turn could have asked for."""
    elements = page.locator(".turn").evaluate(
        "(turn) => [turn, ...turn.querySelectorAll('*')].map((one) => one.localName)"
    )
    assert set(elements) <= ALLOWED
    attributes = page.locator(".turn").evaluate(
        "(turn) => [...turn.querySelectorAll('*')].flatMap((one) => one.getAttributeNames())"
    )
    assert not {name for name in attributes if name in {"href", "src", "srcset", "style", "ping"} or name[:2] == "on"}
    assert page.title() == "Terrarium"


def test_beacons_and_markup_of_every_kind_stay_text_and_ask_for_nothing(watched: Watched) -> None:
    page = watched.ready(documents=2)
    page.evaluate("(name) => { fakeEngine.documents[0].name = name; }", HOSTILE_NAME)
    answer_with(page, **hostile_answer())
    before = len(watched.requests)
    ask(page)
    page.wait_for_selector(".badge")
    page.locator(".turn").evaluate(OPEN_ALL)
    only_allowed(page)
    for text in HOSTILE:
        assert text in page.locator(".quotes").inner_text()
        assert text in page.locator(".answer-notes .elsewhere").all_inner_texts()
    shown = page.locator(".answer").inner_text()
    for text in HOSTILE[2:-1]:
        assert text in shown
    assert HOSTILE_NAME.partition("/")[2] in page.locator(".quotes").inner_text()
    page.locator(".quotes .cite").first.click()
    page.wait_for_selector("#viewer mark")
    assert page.locator("#viewer img, #viewer a, #library img").count() == 0
    assert watched.requests[before:] == []


def test_a_draft_of_markup_is_text_too_and_the_page_follows_its_end(watched: Watched) -> None:
    page = watched.ready(documents=2, pace=30)
    page.set_viewport_size({"width": 1280, "height": 600})
    answer_with(page, **hostile_answer())
    ask(page)
    expect(page.locator(".draft")).to_contain_text("</script>")
    page.evaluate("fakeEngine.pace = 100000")
    expect(page.locator(".caret")).to_be_in_viewport()
    elements = page.locator(".draft").evaluate(
        "(draft) => [...draft.querySelectorAll('*')].map((one) => one.localName)"
    )
    assert elements == ["span"]
    assert "[1]" not in page.locator(".draft").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_that_can_stand_in_an_answer_has_a_name_and_enough_contrast(
    browser: Browser, interface_address: str, scheme: Any
) -> None:
    opened = Watched(browser, interface_address, viewport={"width": 420, "height": 860}, color_scheme=scheme)
    page = opened.ready(documents=2)
    answer_with(page, **hostile_answer())
    ask(page, QUESTION)
    page.wait_for_selector(".badge")
    page.locator(".turn").evaluate(OPEN_ALL)
    nothing_wrong(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 420
    opened.close()
