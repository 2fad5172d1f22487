"""The built page from end to end: real files, real models, and what is left when the browser is gone."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, Playwright, expect
from tests.browser.pages import read_manifest
from tests.fixtures.documents import make_docx, paragraph
from tests.fixtures.pdf import make_pdf

from terrarium_build.drive_read import as_reading, read_in
from terrarium_build.driving import QUIET, TerrariumPage

pytestmark = pytest.mark.browser

BRIDGE = "The bridge at Halvorsen carries at most 14 tonnes."
BRIDGE_QUESTION = "How many tonnes does the bridge at Halvorsen carry?"
CHOIR_QUESTION = "When do the rehearsals of the choir begin?"
PAGES = ("Roads of the northern district", BRIDGE, "Ferries leave at seven in the morning.")
FILES = {
    "boathouse.txt": b"The key of the boathouse hangs behind the third oar.",
    "kitchen.md": b"# Kitchen\n\nThe bread oven is cleaned every second Thursday.\n",
    "orchard.html": b"<html><body><h1>Orchard</h1><p>The oldest pear tree was planted in 1871.</p></body></html>",
    "bridges.pdf": make_pdf([[(72, 90, 12, "F1", text)] for text in PAGES]),
    "choir.docx": make_docx(paragraph("Choir", "Heading1") + paragraph("Rehearsals begin at half past six.")),
    "broken.docx": b"PK\x03\x04 and then nothing that belongs to an archive",
}

DROP = """(files) => {
  const dataTransfer = new DataTransfer();
  for (const [name, text] of Object.entries(files)) {
    dataTransfer.items.add(new File([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], name));
  }
  for (const type of ["dragenter", "dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
  }
}"""

# Resolves in the very task that draws the mark: on a quick machine the bar is gone before anybody polls again.
REACHED = """(least) => new Promise((resolve) => {
  const look = () => (document.querySelector(".row.running progress[value]")?.value >= least ? resolve() : undefined);
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
  look();
})"""

# Presses Stop in the task that draws the text: a prompt may be read within a second.
STOP_WHEN = """(text) => new Promise((resolve) => {
  const look = () => {
    if (!document.querySelector(".working")?.textContent.includes(text)) return;
    watching.disconnect();
    document.querySelector("[data-action=stop]").click();
    resolve();
  };
  const watching = new MutationObserver(look);
  watching.observe(document.body, { subtree: true, childList: true, characterData: true });
  look();
})"""
TIMETABLE = "\n\n".join(f"Boat {n} of the northern line leaves Ormsund at {n} minutes past five." for n in range(60))

Visit = Callable[..., Any]


@pytest.fixture
def visit(playwright: Playwright, chromium: str, dist: Path, tmp_path: Path) -> Iterator[Visit]:
    """`visit(writer="none")` is the opened page; every visit of a test uses the same profile."""

    @contextmanager
    def opened(writer: str = "none") -> Iterator[TerrariumPage]:
        with ExitStack() as stack:
            context = playwright.chromium.launch_persistent_context(
                tmp_path / "profile", executable_path=chromium, headless=True, args=list(QUIET)
            )
            stack.callback(close, context)
            asked: list[str] = []
            context.on("request", lambda request: asked.append(request.url))
            yield TerrariumPage.open(context, (dist / "index.html").as_uri(), writer=writer)
            assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []

    def close(context: Any) -> None:
        with suppress(Error):  # a browser that a test has killed
            context.close()

    yield opened


@pytest.fixture
def writer(dist: Path) -> str:
    """The generator that the page loads by itself."""
    generators: list[str] = read_manifest(dist)["generators"]
    if not generators:
        pytest.skip("this page was built without a generator")
    return generators[-1]


def drop(driven: TerrariumPage, files: dict[str, bytes]) -> list[dict[str, Any]]:
    """All of them in one drop; what became of each, in order."""
    before = len(driven.calls("add"))
    driven.page.evaluate(DROP, {name: base64.b64encode(data).decode() for name, data in files.items()})
    done = f"heardCalls.filter((call) => call.command === 'add' && call.done).length === {before + len(files)}"
    driven.page.wait_for_function(f"() => {done}", polling=100)
    return driven.calls("add")[before:]


def listed(driven: TerrariumPage) -> list[str]:
    names: list[str] = driven.page.locator("#library li[data-document] .name").all_inner_texts()
    return names


def test_files_of_every_kind_in_one_drop_and_a_quote_that_leads_to_its_page(visit: Visit, tmp_path: Path) -> None:
    with visit() as driven:
        records = drop(driven, FILES)
        assert [record["name"] for record in records if "result" in record] == list(FILES)[:5]
        (failed,) = [record for record in records if "error" in record]
        assert failed["error"]["kind"] == "UnreadableFile"
        expect(driven.page.locator(".row.failed")).to_contain_text(failed["error"]["message"])
        assert "broken.docx" in failed["error"]["message"]

        (again,) = drop(driven, {"another name.md": FILES["kitchen.md"]})
        assert again["result"]["duplicate"]
        assert sorted(listed(driven)) == sorted(list(FILES)[:5])

        answer = driven.ask(BRIDGE_QUESTION, "quote")["result"]
        assert answer["mode"] == "quoted"
        found = [(cited["document"], cited["page"]) for cited in answer["citations"] if BRIDGE in cited["quote"]]
        assert found == [("bridges.pdf", 2)]
        driven.page.locator(".quotation", has_text=BRIDGE).locator(".cite").first.click()
        expect(driven.page.locator("#viewer mark")).to_have_text(BRIDGE)
        expect(driven.page.locator("#viewer mark")).to_be_in_viewport()
        expect(driven.page.locator("#viewer .panel-head")).to_contain_text("bridges.pdf")
        expect(driven.page.locator("#viewer .panel-head")).to_contain_text("page 2")
        look_at_report(driven)
        read_apart(driven, tmp_path)
        check_own_questions(driven)


def look_at_report(driven: TerrariumPage) -> None:
    """What the batch came to, counted by the engine."""
    page = driven.page
    page.get_by_role("button", name="What was read").click()
    expect(page.locator(".report-totals")).to_have_text("5 read, 1 failed; 3 pages")
    cells = page.locator("#report-panel tbody tr", has_text="bridges.pdf").locator("td").all_inner_texts()
    counted = " ".join(PAGES).split()
    assert cells[:3] == ["PDF", "3", str(len(counted))]
    page.locator("#report-panel").get_by_role("button", name="Close").click()


def read_apart(driven: TerrariumPage, folder: Path) -> None:
    """`build.py read` reads in the page as the page does, and keeps nothing."""
    before = listed(driven)
    found = {}
    for name in ("bridges.pdf", "broken.docx"):
        (folder / name).write_bytes(FILES[name])
        found[name] = as_reading(read_in(driven, folder / name, None, 120), name)
    assert BRIDGE in (found["bridges.pdf"].text_of_pages or {})[2]
    assert (found["broken.docx"].error_kind, "damaged" in found["broken.docx"].error) == ("UnreadableFile", True)
    assert listed(driven) == before


def check_own_questions(driven: TerrariumPage) -> None:
    """Two questions from a file, searched and then quoted; how one was found; what the two runs differ in."""
    page = driven.page
    page.get_by_role("button", name="Check on your questions").click()
    table = f"question;answer;document;quote\n{BRIDGE_QUESTION};14 tonnes;bridges.pdf;{BRIDGE}\n{CHOIR_QUESTION};;;\n"
    page.set_input_files("#pick-questions", {"name": "mine.csv", "mimeType": "text/csv", "buffer": table.encode()})
    expect(page.locator(".questions tbody tr")).to_have_count(2)
    for mode in ("Retrieval only", "Quotes"):
        page.locator(".evaluation-tab", has_text="Questions").click()
        page.locator(".evaluation-offer label", has_text=mode).click()
        page.get_by_role("button", name="Ask them").click()
        expect(page.locator(".evaluation-shown")).to_contain_text(f"{mode} · 2 questions · 5 documents")
    first = page.locator(".run-rows tbody tr").first
    expect(first).to_contain_text("correct")
    expect(first).to_contain_text(BRIDGE)
    expect(page.locator(".evaluation-shown .judge")).to_contain_text("local-judge")
    runs = page.locator(".evaluation-runs .row")
    expect(runs).to_have_count(2)
    runs.nth(1).locator(".row-open").click()  # what was searched only has a trace too
    expect(page.locator(".evaluation-shown")).to_contain_text("Retrieval only")
    first.get_by_role("button", name="How was this made").click()
    expect(page.locator("#trace-panel")).to_contain_text(BRIDGE_QUESTION)
    page.keyboard.press("Escape")
    for box in runs.locator("input").all():
        box.check()
    page.get_by_role("button", name="Compare the two").click()
    expect(page.locator(".evaluation-shown")).to_contain_text("2 questions in both")


def test_the_library_is_there_after_the_browser_was_closed(visit: Visit) -> None:
    with visit() as driven:
        added = [record["result"]["document"] for record in drop(driven, dict(list(FILES.items())[:5]))]
    with visit() as driven:
        # `listen.js` comes in too late to hear `open`: the command gives the same list whenever it is asked.
        opened = driven.page.evaluate("terrarium.call('open').promise")
        assert opened["persistent"]
        assert opened["documents"] == added  # with the moment at which each was indexed
        assert sorted(listed(driven)) == sorted(info["name"] for info in added)
        answer = driven.ask(BRIDGE_QUESTION, "quote")["result"]
        assert any(BRIDGE in cited["quote"] for cited in answer["citations"])
        assert driven.calls("add") == []


@pytest.mark.parametrize("percent", [1, 90], ids=["early", "at the end"])
def test_a_browser_killed_while_adding_leaves_a_document_whole_or_absent(visit: Visit, percent: int) -> None:
    sentences = [f"Buoy number {n} was painted in {1500 + n % 400} by the crew of boat {n * 7}." for n in range(600)]
    log = {"buoys.txt": "\n\n".join([*sentences, "The lighthouse at Ormsund was moved inland."]).encode()}
    with visit() as driven:
        driven.page.evaluate(DROP, {name: base64.b64encode(data).decode() for name, data in log.items()})
        driven.page.evaluate(REACHED, percent)
        session = driven.page.context.new_cdp_session(driven.page)
        with pytest.raises(Error):  # nobody is left to answer
            session.send("Browser.crash")
        assert driven.page.is_closed()
    with visit() as driven:
        left = driven.page.evaluate("terrarium.call('open').promise")
        assert left["notices"] == []
        (record,) = drop(driven, log)
        assert record["result"]["duplicate"] == bool(left["documents"])
        assert left["documents"] in ([], [record["result"]["document"]])
        answer = driven.ask("Was the lighthouse at Ormsund moved?", "quote")["result"]
        assert any("moved inland" in cited["quote"] for cited in answer["citations"])


def test_a_writer_chosen_later_and_an_empty_library_that_refuses_without_it(visit: Visit, writer: str) -> None:
    with visit() as driven:
        driven.page.get_by_role("button", name="What runs here").click()
        with driven.page.expect_event("load"):
            driven.page.locator("#about-panel").get_by_role("button", name="Written answers").click()
        driven.wait_ready()
        assert driven.page.evaluate("terrarium.info.generator") == writer
        record = driven.ask(BRIDGE_QUESTION)
        assert record["result"]["refusal"]["code"] == "empty_library"
        assert record["events"] == []
        expect(driven.page.locator(".refusal")).to_contain_text(record["result"]["refusal"]["message"])


@pytest.mark.slow
def test_a_written_answer_shows_its_evidence_first_and_can_be_stopped(visit: Visit, writer: str) -> None:
    with visit(writer) as driven:
        drop(driven, {"bridges.pdf": FILES["bridges.pdf"]})
        driven.wait_writer()
        assert "error" not in driven.calls("load_generator")[0]
        expect(driven.page.locator(".composer .writer")).to_be_hidden()

        record = driven.ask(BRIDGE_QUESTION)
        assert record["result"]["mode"] == "generated"
        assert "14 tonnes" in record["result"]["answer"]
        assert [(cited["document"], cited["page"]) for cited in record["result"]["citations"]] == [("bridges.pdf", 2)]
        kinds = [event["type"] for event in record["events"]]
        assert 0 <= kinds.index("evidence") < kinds.index("quoted") < kinds.index("writing")
        turn = driven.page.locator(".turn").last
        expect(turn.locator(".answer > p .sentence").first).to_contain_text("14 tonnes")
        expect(turn.locator(".quotes .quotation").first).to_contain_text(BRIDGE)

        driven.page.locator(".turn").last.get_by_role("button", name="How was this made").click()
        made = driven.page.get_by_role("dialog", name="How this answer was made")
        expect(made.locator(".way-row", has_text="Reading the passages").first).to_be_visible()
        made.locator("summary", has_text="What the writer read").click()
        expect(made.get_by_role("region", name="The exact prompt")).to_contain_text(f"Question: {BRIDGE_QUESTION}")
        driven.page.keyboard.press("Escape")

        drop(driven, {"timetable.txt": TIMETABLE.encode()})  # passages that take several passes to read
        driven.page.fill("#question", "When do boats of the northern line leave Ormsund?")
        driven.page.press("#question", "Enter")
        driven.page.evaluate(STOP_WHEN, "Reading the passages")
        expect(driven.page.get_by_role("button", name="Ask", exact=True)).to_be_visible()
        expect(driven.page.locator(".turn").last.locator(".turn-foot")).to_contain_text("Stopped.")
        assert BRIDGE in driven.ask(BRIDGE_QUESTION, "quote")["result"]["answer"]
        (stopped,) = [record for record in driven.calls("ask") if "error" in record]
        assert stopped["error"]["kind"] == "Cancelled"
        assert "writing" not in [event["type"] for event in stopped["events"]]
