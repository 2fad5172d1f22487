"""One person's afternoon with hostile files: load, drop, ask, look, save, remove, take in, reload; everything watches.

A silence only counts when the work was done, so each step says what it saw and fails the audit when that is missing.
"""

from __future__ import annotations

import json
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import BrowserContext

from terrarium_build.audit.controls import engine_worker, run_python
from terrarium_build.audit.hostile import FACTS, beacon_answers, hostile_files, question
from terrarium_build.driving import TerrariumPage

ANSWER_BY_WRITING = """() => {
    const { call } = terrarium;
    terrarium.call = (command, args, onEvent) =>
        call(command, command === "ask" ? { ...args, mode: "answer" } : args, onEvent);
}"""


@dataclass
class Played:
    """`boots`: spans of time (seconds since the epoch) in which the page may load its own files from its own host."""

    boots: list[tuple[float, float]] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    # What the page says that it stopped, and what its own code did that it never should.
    ledger: list[str] = field(default_factory=list)
    own_code: list[str] = field(default_factory=list)

    def step(self, name: str, good: bool, seen: object = "") -> None:
        self.steps.append(name)
        if not good:
            self.problems.append(f"{name}: {str(seen)[:300]}")


def play(context: BrowserContext, address: str, attacker: str) -> tuple[TerrariumPage, Played]:
    """The whole scenario; `attacker` is the address that the made documents point at."""
    played = Played()
    start = time.time()
    driven = TerrariumPage.open(context, address, writer="none")
    played.boots.append((start, time.time()))
    _add(driven, played, attacker)
    for kind in FACTS:
        _ask(driven, played, kind, "quoted")
    _look(driven, played)
    _write_beacons(driven, played, attacker)
    _look(driven, played)
    for name in ("hostile.html", "hostile.pdf", "hostile.docx"):
        _open_document(driven, played, name)
    saved = _save(driven, played)
    driven.remove("hostile.docx")
    played.step("a document is removed", driven.page.locator(".row-open", has_text="hostile.docx").count() == 0)
    _take_in(driven, played, saved)
    driven.remove("hostile.docx")
    _note_own(driven, played)
    start = time.time()
    driven.reload()
    played.boots.append((start, time.time()))
    played.step("the library survives a reload", driven.page.locator(".row-open").count() == len(FACTS) - 1)
    _ask(driven, played, "html", "quoted")
    _look(driven, played)
    _note_own(driven, played)
    return driven, played


def _add(driven: TerrariumPage, played: Played, attacker: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, data in hostile_files(attacker).items():
            files.append(Path(folder) / name)
            files[-1].write_bytes(data)
        for record in driven.add(files, limit=240):
            played.step(f"{record['name']} is indexed", "result" in record, record.get("error"))


def _ask(driven: TerrariumPage, played: Played, kind: str, mode: str) -> None:
    record = driven.ask(question(kind), "quote")
    result = record.get("result") or {}
    shown = driven.page.locator("article.turn").last.inner_text()
    good = (
        result.get("mode") == mode
        and f"{FACTS[kind][1]} watts" in result.get("answer", "")
        and str(FACTS[kind][1]) in shown
    )
    played.step(f"the question about the {kind} file is answered ({mode})", good, record)


def _look(driven: TerrariumPage, played: Played) -> None:
    """Click the last answer's first citation, go through its places, close."""
    page = driven.page
    citation = page.locator("article.turn").last.locator("[data-action=open-citation], [data-action=open-passage]")
    citation.last.click()
    page.wait_for_selector("#viewer mark, #viewer .page-mark")
    played.step("a citation opens the passage", page.locator("#viewer mark, #viewer .page-mark").first.is_visible())
    for _ in range(3):
        if page.locator("#viewer [data-action=next-place]").is_visible():
            page.locator("#viewer [data-action=next-place]").click()
            page.wait_for_timeout(150)
    page.keyboard.press("Escape")


def _write_beacons(driven: TerrariumPage, played: Played, attacker: str) -> None:
    texts = beacon_answers(attacker)
    run_python(engine_worker(driven), "audit/python_script.py", f"script({json.dumps(texts)})")
    driven.page.evaluate(ANSWER_BY_WRITING)
    for kind in ("html", "md", "pdf"):
        record = driven.ask(question(kind), "quote")
        written = [event for event in record["events"] if event["type"] == "writing"]
        played.step(f"a model writes beacons about the {kind} file", len(written) > 3, record)


def _open_document(driven: TerrariumPage, played: Played, name: str) -> None:
    driven.page.locator(".row-open", has_text=name).first.click()
    driven.page.locator("#viewer-title", has_text=name).wait_for()
    if name.endswith(".pdf"):
        driven.page.locator("#viewer .view-as[data-view=page]").click()
        pages = driven.page.locator("#viewer .page-list")
        pages.locator("canvas[width]").first.wait_for()
        played.step(f"{name} is drawn", pages.locator("a, input, iframe, script").count() == 0, pages.inner_html())
        driven.page.locator("#viewer .view-as[data-view=text]").click()
    text = driven.page.locator("#viewer .document-text")
    text.get_by_text(f"{FACTS[name.split('.')[1]][1]} watts").first.wait_for()
    played.step(f"{name} is shown whole", text.locator("a, img, iframe, script").count() == 0, text.inner_html())
    driven.page.keyboard.press("Escape")


def _save(driven: TerrariumPage, played: Played) -> bytes:
    page = driven.page
    page.locator("[data-action=ask-save-library]").click()
    with page.expect_download() as download:
        page.locator("[data-action=save-library][data-originals]").click()
    saved = download.value.path().read_bytes()
    played.step("the library is saved as one file", saved.startswith(b"PK"), saved[:80])
    return saved


def _take_in(driven: TerrariumPage, played: Played, saved: bytes) -> None:
    page = driven.page
    file = {"name": "saved.terrarium", "mimeType": "application/octet-stream", "buffer": saved}
    page.locator("#pick-library").set_input_files(file)  # type: ignore[arg-type]  # a TypedDict, but not for mypy
    page.locator(".row-open", has_text="hostile.docx").wait_for()
    (record,) = driven.calls("import")
    played.step("the library file brings the document back", record["result"]["added"] == 1, record)


def _note_own(driven: TerrariumPage, played: Played) -> None:
    played.ledger += [f"{e['where']}: {e['api']} {e['target']} (stopped by the {e['by']})" for e in driven.ledger()]
    played.own_code += driven.page.evaluate("window.auditSeen ?? []")
