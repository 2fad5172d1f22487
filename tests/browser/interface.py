"""The interface on the scripted engine, for the tests: a page that is watched, and what people do on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page
from tests.browser.pages import PATIENCE_MS

QUESTION = "What is the maximum number of tables in a join?"

DROP = """(names) => {
  const dataTransfer = new DataTransfer();
  for (const name of names) dataTransfer.items.add(new File(["text of " + name], name));
  for (const type of ["dragenter", "dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
  }
}"""


class Watched:
    """A page, what it asked for and what went wrong in it."""

    def __init__(self, browser: Browser, address: str, **options: Any) -> None:
        self.page: Page = browser.new_page(**options)
        self.page.set_default_timeout(PATIENCE_MS)
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda m: self.problems.append(m.text) if m.type == "error" else None)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(address)
        self.page.wait_for_function("document.documentElement.dataset.stage")
        assert self.page.evaluate("document.documentElement.dataset.stage") == "interface"

    def ready(self, documents: int = 0, pace: int = 2) -> Page:
        self.page.evaluate(
            """([documents, pace]) => {
                fakeEngine.documents.push(...fakeEngine.known.slice(0, documents));
                fakeEngine.pace = pace;
                fakeEngine.finishBoot();
            }""",
            [documents, pace],
        )
        self.page.wait_for_selector(".seal-button.sealed")
        return self.page

    def close(self) -> None:
        """Nothing went wrong in it, and it asked for nothing but its own files."""
        self.page.close()
        assert self.problems == []
        assert [url for url in self.requests if not url.startswith(("file:", "blob:", "data:"))] == []


def ask(page: Page, question: str = QUESTION) -> None:
    page.fill("#question", question)
    page.press("#question", "Enter")


def nothing_wrong(page: Page) -> None:
    nameless, pale = page.evaluate(Path(__file__).with_name("accessible.js").read_text("utf-8"))
    assert nameless == []
    assert pale == []
