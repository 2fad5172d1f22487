"""Which generators the loading page offers, and what becomes of one that cannot run on this machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.pages import lean_copy, read_manifest

from terrarium_build.packing import Content, InMemory, manifest_script, pack

pytestmark = pytest.mark.browser

REASON = "The large model runs on a graphics processor only."


@pytest.fixture
def with_two(lean: Path, tmp_path: Path) -> Path:
    """The lean page with a generator for graphics processors only, and one that runs everywhere; neither is a model."""
    out = lean_copy(lean, tmp_path / "page")
    manifest = read_manifest(out)
    manifest["generators"] = ["large", "small"]
    for name, file in (("large", "large.webgpu.onnx"), ("small", "small.wasm.onnx")):
        manifest["assets"].append(pack(Content(f"models/{file}", f"generator-{name}", InMemory(b"no graph")), out))
    (out / "assets/manifest.js").write_bytes(manifest_script(manifest))
    return out


def test_a_generator_that_cannot_run_here_is_shown_with_its_reason(
    with_two: Path, open_page: Callable[..., Page]
) -> None:
    page = open_page((with_two / "index.html").as_uri() + "#writer=large&gpu=off")
    radios = page.locator("#boot-writer input")
    assert [radio.get_attribute("value") for radio in radios.all()] == ["large", "small", ""]
    assert page.locator("#boot-writer label").first.text_content() == (
        f"Written answers, large model{REASON} The page's address says #gpu=off."
    )
    assert radios.first.get_attribute("disabled") is not None
    # It was asked for, so the page says why another one writes.
    assert page.evaluate("[terrarium.info.generator, terrarium.info.generators]") == ["small", ["small"]]
    expect(page.locator(".notice").first).to_contain_text(REASON)


def test_it_is_not_talked_about_when_another_one_was_chosen(with_two: Path, open_page: Callable[..., Page]) -> None:
    page = open_page((with_two / "index.html").as_uri() + "#writer=small&gpu=off")
    assert page.evaluate("terrarium.info.notices") == []
    assert page.evaluate("terrarium.info.generators") == ["small"]
