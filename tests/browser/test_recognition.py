"""Text recognition itself, in a bare page under the seal's policies: pictures in, words with their places out."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tests.browser.ocr_page import write_page
from tests.browser.pages import PATIENCE_MS
from tests.fixtures import han_line

from terrarium_build.paths import NODE_MODULES

pytestmark = pytest.mark.browser

# Two columns and a title, at 300 dots per inch: [text, x, baseline, size].
LEFT = ["The harbour authority publishes", "a timetable every spring. The", "ferry carried 12,450 passengers."]
RIGHT = ["Für Fußgänger gilt seither die", "neue Straßenordnung. Verstöße", "kosten 35,50 Euro, ohne Ausnahme."]
TITLE = ("Ferries of the North", 150, 200, 75)
SIDES = ((150, 3 * LEFT), (1050, 3 * RIGHT))
PRINT = [TITLE, *((text, x, 330 + 62 * n, 46) for x, side in SIDES for n, text in enumerate(side))]


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    if not (NODE_MODULES / "tesseract.js").is_dir():
        pytest.skip("node_modules is not there; python build.py makes it")
    opened = browser.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    opened.goto(write_page(tmp_path_factory.mktemp("ocr")).as_uri())
    opened.wait_for_selector("html[data-stage=ready]")
    yield opened
    opened.close()


def test_print_in_two_languages_comes_as_words_where_they_stand(page: Page) -> None:
    read: dict[str, Any] = page.evaluate(
        "(lines) => recognised(['deu', 'eng'], printed(1900, 950, lines))", [list(line) for line in PRINT]
    )
    assert read["stopped"] == []
    words = read["words"]
    assert " ".join(word["text"] for word in words) == " ".join([TITLE[0], *3 * LEFT, *3 * RIGHT])
    assert read["steps"] > 1
    assert max(word["line"] for word in words) == 18
    right = next(word for word in words if word["text"] == "Für")
    for word, (_, x, base, size) in ((words[0], TITLE), (right, PRINT[10])):
        assert abs(word["x"] - x) < 8
        # Below the tall letters' tops, above the baseline, and so much of it that it stands for the print's size.
        assert abs(word["y"] + word["height"] / 1.3 - base) < 5
        assert 0.8 < word["height"] / (0.91 * size) < 1.2
        assert word["confidence"] > 60


def test_chinese_is_read(page: Page) -> None:
    packed = base64.b64encode(han_line.bits()).decode()
    read = page.evaluate(
        "([text, width, height]) => recognised(['chi_sim'], bits(text, width, height, 60))",
        [packed, han_line.WIDTH, han_line.HEIGHT],
    )
    assert "".join(word["text"] for word in read["words"]) == han_line.TEXT


def test_an_empty_page_has_no_words(page: Page) -> None:
    assert page.evaluate("() => recognised(['eng'], printed(800, 400, []))")["words"] == []


def test_damaged_language_data_is_an_error_and_no_silence(page: Page) -> None:
    read = page.evaluate("""async () => {
      const name = "ocr/eng.traineddata.gz", whole = bridgeAssets.bytes(name);
      const table = new Map(bridgeAssets.names().map((one) => [one, bridgeAssets.bytes(one)]));
      bridgeAssets.fill(new Map([...table, [name, whole.slice(0, 1000)]]));
      try {
        return await recognised(["eng"], printed(800, 400, []));
      } finally {
        bridgeAssets.fill(table);
      }
    }""")
    assert read["type"] == "error"


def test_it_ends_at_once_when_it_is_closed(page: Page) -> None:
    """A page that takes seconds is given up: the worker is gone before it could have answered."""
    outcome = page.evaluate(
        """async (lines) => {
          const id = bridgeOcr.open(["eng"]);
          await bridgeOcr.next(id);
          const { data, width, height } = printed(1700, 3000, lines);
          bridgeOcr.read(id, data, width, height, 300);
          await bridgeOcr.next(id);
          bridgeOcr.close(id);
          return bridgeOcr.next(id).catch((error) => error.message);
        }""",
        [["Again and again the same few words", 100, 100 + 60 * n, 46] for n in range(45)],
    )
    assert outcome == "Recognition was ended."


def test_the_page_names_its_languages(page: Page) -> None:
    assert sorted(page.evaluate("bridgeOcr.languages()")) == ["chi_sim", "deu", "eng"]


def test_nothing_leads_out_of_its_worker(page: Page) -> None:
    """What runs in it finds the network's functions switched off, as in every other worker."""
    page.reload()
    page.wait_for_selector("html[data-stage=ready]")
    tried = page.evaluate("""async () => {
      const probe = `self.onmessage = () => {
        const tried = ["fetch", "importScripts", "XMLHttpRequest", "WebSocket", "Worker"].map((api) => {
          try { return String(new self[api]("https://example.invalid/")); } catch (error) { return error.message; }
        });
        self.postMessage({ type: "tried", tried });
      };`;
      const table = new Map(bridgeAssets.names().map((one) => [one, bridgeAssets.bytes(one)]));
      bridgeAssets.fill(new Map([...table, ["ocr_worker.js", new TextEncoder().encode(probe)]]));
      const id = bridgeOcr.open(["eng"]);
      try {
        return JSON.parse(await bridgeOcr.next(id)).tried;
      } finally {
        bridgeOcr.close(id);
      }
    }""")
    assert [sentence.partition(":")[0] for sentence in tried] == [
        f"{api} is switched off" for api in ("fetch", "importScripts", "XMLHttpRequest", "WebSocket", "Worker")
    ]
