"""Browsers and built pages for the tests of this folder.

The page under test is `dist/`, or the folder that TERRARIUM_DIST names; without a built page these tests are skipped.
After the seal the page evaluates no strings: wait with `wait_for_selector`, never with `wait_for_function`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, Request, expect, sync_playwright
from tests.browser.harness import write_page
from tests.browser.interface import Watched
from tests.browser.pages import BOOT_LIMIT_MS, PATIENCE_MS, lean_copy, probe_copy

from terrarium_build.browsers import find_chromium
from terrarium_build.driving import QUIET, serve_folder
from terrarium_build.paths import NODE_MODULES

ROOT = Path(__file__).resolve().parents[2]
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def dist() -> Path:
    folder = Path(os.environ.get("TERRARIUM_DIST", ROOT / "dist"))
    if not (folder / "index.html").is_file():
        pytest.skip(f"{folder} holds no page; run `python build.py` first")
    return folder


@pytest.fixture(scope="session")
def lean(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built page without its generators, in a folder whose name has a space and a letter outside ASCII."""
    return lean_copy(dist, tmp_path_factory.mktemp("page") / "Eigene Dateien ü")


@pytest.fixture(scope="session")
def probe(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built page with an engine that runs the Python which a test gives it."""
    return probe_copy(dist, tmp_path_factory.mktemp("probe") / "page")


@pytest.fixture(scope="session")
def probe_with_writer(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As `probe`, with the page's generators."""
    return probe_copy(dist, tmp_path_factory.mktemp("probe") / "page", generators=True)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a Chromium-based browser of this machine."""
    found = find_chromium()
    if found is None:
        pytest.skip("no Chromium, Chrome or Edge on this machine")
    return str(found)


@pytest.fixture(scope="session")
def browser(playwright: Playwright, chromium: str) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=chromium, headless=True, args=[*QUIET])
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def gpu_browser(playwright: Playwright, chromium: str) -> Iterator[Browser]:
    """As `browser`, with a graphics adapter that is a program; pages take it with "#gpu=software"."""
    arguments = [*QUIET, "--enable-unsafe-webgpu"]
    browser = playwright.chromium.launch(executable_path=chromium, headless=True, args=arguments)
    yield browser
    browser.close()


@pytest.fixture
def traffic() -> list[Request]:
    """Everything that pages of `open_page` and their workers asked for, files and blobs too."""
    return []


@pytest.fixture
def open_page(browser: Browser, traffic: list[Request]) -> Iterator[Callable[..., Page]]:
    """`open_page(address, state="ready")` opens it in a fresh profile and waits for that end of the boot."""
    contexts = []

    def open_at(address: str, state: str = "ready") -> Page:
        context = browser.new_context()
        contexts.append(context)
        context.on("request", lambda request: traffic.append(request))  # noqa: PLW0108 - a built-in takes no attributes
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("html[data-stage=ready], html[data-stage=failed]", timeout=BOOT_LIMIT_MS)
        found = page.locator("html").get_attribute("data-stage")
        assert found == state, page.inner_text("#boot")
        return page

    yield open_at
    for context in contexts:
        context.close()


@pytest.fixture
def site(lean: Path) -> Iterator[tuple[str, list[str]]]:
    """The lean page on http://127.0.0.1: (its address, the paths that were asked for so far)."""
    with serve_folder(lean) as running:
        yield running


@pytest.fixture(scope="session")
def interface_address() -> Iterator[str]:
    """The real interface on the scripted engine of `fake_engine.js`."""
    if not (NODE_MODULES / "@pyscript/core").is_dir():
        pytest.skip("node_modules is not there; python build.py makes it")
    with tempfile.TemporaryDirectory(prefix="ui test é ") as folder:
        yield write_page(Path(folder)).as_uri()


@pytest.fixture
def watched(browser: Browser, interface_address: str) -> Iterator[Watched]:
    opened = Watched(browser, interface_address, viewport={"width": 1280, "height": 800})
    yield opened
    opened.close()
