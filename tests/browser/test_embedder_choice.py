"""Which embedder the page loads: the one that was chosen, and no other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.pages import BOOT_LIMIT_MS, read_manifest

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
GERMAN = "# Regeln\n\nHunde schlafen im Schuppen neben dem Holzlager, wo Stroh liegt und ein Napf mit Wasser steht.\n"

ADD = "([name, text]) => terrarium.call('add', { name, data: new TextEncoder().encode(text) }).promise"


@pytest.fixture
def two(lean: Path) -> Path:
    if read_manifest(lean)["embedders"] != ["english", "multilingual"]:
        pytest.skip("the page was built with one embedder")
    return lean


def library(page: Page) -> dict[str, Any]:
    """What the engine said when it opened the library; asked again only after the page has asked."""
    expect(page.locator(".seal-button.sealed")).to_be_visible()
    found: dict[str, Any] = page.evaluate("terrarium.call('open', {}).promise.then(({ models }) => models)")
    return found


def test_the_address_names_the_embedder_and_the_page_offers_the_other(two: Path, open_page: OpenPage) -> None:
    page = open_page((two / "index.html").as_uri() + "#embedder=multilingual")
    radios = page.locator("#boot-embedder input")
    assert [radio.get_attribute("value") for radio in radios.all()] == ["english", "multilingual"]
    assert library(page)["embedder"].startswith("e5-small@")
    # Its prefixes and its own tokenizer in place, it finds German by an English question.
    page.evaluate(ADD, ["regeln.md", GERMAN])
    found = page.evaluate("terrarium.call('search', { question: 'Where do the dogs sleep?' }).promise")
    assert "Schuppen" in found["passages"][0]["text"]
    page.get_by_role("button", name="What runs here").click()
    expect(page.locator("#about-panel")).to_contain_text("Search in another way")
    assert page.locator("#about-panel [data-action=choose-embedder]").all_inner_texts() == ["Documents in English"]


def test_a_choice_is_remembered(two: Path, open_page: OpenPage) -> None:
    page = open_page((two / "index.html").as_uri())
    assert page.evaluate("terrarium.info.embedder") == "english"
    assert library(page)["embedder"].startswith("minilm-l6@")
    page.evaluate("terrarium.chooseEmbedder('multilingual')")
    page.wait_for_function("globalThis.terrarium?.info.embedder === 'multilingual'", timeout=BOOT_LIMIT_MS)
    page.wait_for_selector("html[data-stage=ready]", timeout=BOOT_LIMIT_MS)
    assert library(page)["embedder"].startswith("e5-small@")
