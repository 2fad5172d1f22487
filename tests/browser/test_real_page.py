"""The built page from end to end: real files, real models, and what is left when the browser is gone."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, Playwright, expect
from tests.browser.pages import read_manifest
from tests.fixtures.documents import docx_table, make_docx, paragraph, zipped
from tests.fixtures.pdf import column, make_pdf
from tests.fixtures.sheets import sheet_of

from terrarium_build.drive_read import as_reading, read_in
from terrarium_build.driving import QUIET, TerrariumPage

pytestmark = pytest.mark.browser

BRIDGE = "The bridge at Halvorsen carries at most 14 tonnes."
BRIDGE_QUESTION = "How many tonnes does the bridge at Halvorsen carry?"
CHOIR_QUESTION = "When do the rehearsals of the choir begin?"
# Page 2 has two columns, which are drawn line by line over both.
LEFT = [
    BRIDGE,
    "It was built of steel in the year 1931 and",
    "is painted every second summer. Carts and",
    "cattle go over it one after another, and",
    "nobody stops on it. At night two lamps are",
    "lit at its northern end.",
]
RIGHT = [
    "Lorries that weigh more go round by way of",
    "Ormsund, where the ford is shallow from",
    "June to the end of August. The ferryman at",
    "the ford has a list of those that may cross",
    "with a load, and he asks for a fee of nine",
    "crowns for each axle.",
]
COLUMNS = zip(column(60, 90, LEFT), column(340, 90, RIGHT), strict=True)
PAGES = (
    [(72.0, 90.0, 12.0, "F1", "Roads of the northern district")],
    [item for line in COLUMNS for item in line],
    [(72.0, 90.0, 12.0, "F1", "Ferries leave at seven in the morning.")],
)
FILES = {
    "boathouse.txt": b"The key of the boathouse hangs behind the third oar.",
    "kitchen.md": b"# Kitchen\n\nThe bread oven is cleaned every second Thursday.\n",
    "orchard.html": b"<html><body><h1>Orchard</h1><p>The oldest pear tree was planted in 1871.</p></body></html>",
    "bridges.pdf": make_pdf(PAGES),
    "choir.docx": make_docx(
        paragraph("Choir", "Heading1")
        + paragraph("Rehearsals begin at half past six.")
        + docx_table([["Voice", "Singers"], ["Alto", "nine"], ["Tenor", "four"]])
    ),
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

# Shares of a drawn page: where the ink of the first line of its left column is, and where the mark is.
INK = """(sheet) => {
  const canvas = sheet.querySelector("canvas");
  const { width, height } = canvas;
  const copy = new OffscreenCanvas(width, height).getContext("2d");
  copy.drawImage(canvas, 0, 0);
  const [right, bottom] = [Math.round(width * 0.55), Math.round(height * 0.117)];
  const { data } = copy.getImageData(0, 0, right, bottom);
  const ink = { left: 1, right: 0, top: 1, bottom: 0 };
  for (let at = 0; at < right * bottom; at++) {
    if (data[4 * at] >= 128) continue;
    const [x, y] = [(at % right) / width, Math.floor(at / right) / height];
    Object.assign(ink, { left: Math.min(ink.left, x), right: Math.max(ink.right, x) });
    Object.assign(ink, { top: Math.min(ink.top, y), bottom: Math.max(ink.bottom, y) });
  }
  const [paper, place] = [sheet, sheet.querySelector(".page-mark")].map((one) => one.getBoundingClientRect());
  const [x, y] = [(at) => (at - paper.left) / paper.width, (at) => (at - paper.top) / paper.height];
  return [ink, { left: x(place.left), right: x(place.right), top: y(place.top), bottom: y(place.bottom) }];
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


def look_at_page(driven: TerrariumPage) -> None:
    """The page as it is drawn, with the mark over the ink of the quote; then its text."""
    expect(driven.page.locator("#viewer .panel-head")).to_contain_text("bridges.pdf")
    expect(driven.page.locator("#viewer .panel-head")).to_contain_text("page 2")
    drawn = driven.page.locator('.page-sheet[data-page="2"]')
    expect(drawn.locator(".page-mark")).to_be_in_viewport()
    ink, mark = drawn.evaluate(INK)
    assert mark["left"] == pytest.approx(ink["left"], abs=0.005) and mark["right"] == pytest.approx(
        ink["right"], abs=0.02
    )
    assert mark["top"] <= ink["top"] <= ink["bottom"] <= mark["bottom"] and mark["bottom"] - mark["top"] < 0.02
    driven.page.get_by_role("button", name="Text", exact=True).click()
    expect(driven.page.locator("#viewer mark")).to_have_text(BRIDGE)
    expect(driven.page.locator("#viewer mark")).to_be_in_viewport()


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
        look_at_page(driven)
        look_at_report(driven)
        read_apart(driven, tmp_path)
        check_own_questions(driven)
        driven.page.keyboard.press("Escape")
        look_at_tables(driven)
        look_inside(driven)


def look_inside(driven: TerrariumPage) -> None:
    """A mail with a PDF and an archive in it: each is a document, is quoted by its path, and goes with the mail."""
    before = listed(driven)
    mail = EmailMessage()
    mail["From"], mail["Date"], mail["Subject"] = "ada@example.org", "Mon, 03 Mar 2031 09:00:00 +0100", "Pilots"
    mail.set_content("Here are the papers.")
    quay = make_pdf(([(72.0, 90.0, 12.0, "F1", "The pilot boat of Varde lies at quay nine.")],))
    mail.add_attachment(quay, maintype="application", subtype="pdf", filename="pilots.pdf")
    archive = zipped({"coast/lamp.md": "# Lamp\n\nThe lamp of Varde burns colza oil.\n"})
    mail.add_attachment(archive, maintype="application", subtype="zip", filename="coast.zip")
    (added,) = drop(driven, {"letter.eml": bytes(mail)})
    names = [info["name"] for info in added["result"]["enclosed"]]
    assert names == ["letter.eml/pilots.pdf", "letter.eml/coast.zip", "letter.eml/coast.zip/coast/lamp.md"]
    expect(driven.page.locator(".toast", has_text="Added letter.eml with 3 files in it.")).to_be_visible()
    for question, name in (
        ("At which quay does the pilot boat of Varde lie?", names[0]),
        ("Which oil does the lamp of Varde burn?", names[2]),
    ):
        answer = driven.ask(question, "quote")["result"]
        assert name in [cited["document"] for cited in answer["citations"]]
    driven.page.get_by_role("button", name="Remove letter.eml").click()
    expect(driven.page.locator(".row .sure")).to_contain_text("Remove letter.eml and the 3 files in it?")
    driven.page.get_by_role("button", name="Remove", exact=True).click()
    expect(driven.page.locator("#library li[data-document]")).to_have_count(len(before))
    assert listed(driven) == before


def look_at_tables(driven: TerrariumPage) -> None:
    """A table of a letter, and the row of a sheet that an answer quotes."""
    viewer = driven.page.locator("#viewer")
    driven.page.locator(".row-open", has_text="choir.docx").click()
    expect(viewer.locator(".table td")).to_have_text(["Voice", "Singers", "Alto", "nine", "Tenor", "four"])
    drop(
        driven,
        {"pumps.xlsx": sheet_of(("Pump", "Litres"), *((f"Pump {n}", 40 + n) for n in range(300)), ("Lauterbach", 907))},
    )
    answer = driven.ask("How many litres does the pump Lauterbach give?", "quote")["result"]
    assert any("907" in cited["quote"] for cited in answer["citations"])
    driven.page.locator("article.turn").last.locator(".quotation", has_text="907").locator(".cite").first.click()
    marked = viewer.locator(".grid tr.marked")
    expect(marked.locator("th, td")).to_have_text(["302", "Lauterbach", "907"])
    expect(marked.locator("mark").first).to_be_in_viewport()


def look_at_report(driven: TerrariumPage) -> None:
    """What the batch came to, counted by the engine."""
    page = driven.page
    page.get_by_role("button", name="What was read").click()
    expect(page.locator(".report-totals")).to_have_text("5 read, 1 failed; 3 pages")
    cells = page.locator("#report-panel tbody tr", has_text="bridges.pdf").locator("td").all_inner_texts()
    counted = " ".join(text for items in PAGES for *_, text in items).split()
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
