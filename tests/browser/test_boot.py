"""From an empty page to one that takes files: on file:// and http, and what stands there when it cannot."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request
from tests.browser.pages import change_shard, read_manifest

from terrarium_build.page import named_files

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]


def address(folder: Path) -> str:
    return (folder / "index.html").as_uri()


def network(traffic: list[Request]) -> list[str]:
    """What left the browser, or tried to and was not stopped by the policy (Chromium lists those as failed: "csp")."""
    urls = [request.url for request in traffic if request.failure != "csp"]
    return [url for url in urls if not url.startswith(("file:", "blob:", "data:"))]


def test_from_disk_to_ready_without_a_request(lean: Path, open_page: OpenPage, traffic: list[Request]) -> None:
    page = open_page(address(lean))
    assert page.evaluate("terrarium.call('traces', {}).promise") == {"jsonl": ""}
    assert network(traffic) == []
    assert page.evaluate("terrarium.ledger") == []


def test_from_a_server_nothing_is_asked_for_after_the_last_asset(
    site: tuple[str, list[str]], lean: Path, open_page: OpenPage
) -> None:
    root, requests = site
    page = open_page(root)
    asked = len(requests)
    shards = {entry["group"]: entry["shards"][0]["file"] for entry in read_manifest(lean)["assets"]}
    first = {file for group, file in shards.items() if group != "ort-webgpu" and not group.startswith("embedder-")}
    assert first <= {path.lstrip("/") for path in requests}
    assert shards["ort-webgpu"] not in {path.lstrip("/") for path in requests}
    page.evaluate("terrarium.call('traces', {}).promise")
    assert requests[asked:] == []


def test_unknown_command_comes_back_as_a_sentence(lean: Path, open_page: OpenPage) -> None:
    page = open_page(address(lean))
    error = page.evaluate("terrarium.call('fly', {}).promise.catch(({kind, message}) => ({kind, message}))")
    assert error["kind"] == "TerrariumError" and "fly" in error["message"]


@pytest.fixture
def broken(lean: Path, tmp_path: Path) -> Path:
    return shutil.copytree(lean, tmp_path / "broken")


def test_each_missing_script_of_the_page_is_named(broken: Path, open_page: OpenPage) -> None:
    scripts = [name for name in named_files((broken / "index.html").read_text("utf-8")) if name.endswith(".js")]
    assert "boot.js" in scripts
    for name in scripts:
        if name == "whole.js":  # the one that tells; without it the page still starts
            continue
        (broken / name).rename(broken / f"{name}.away")
        page = open_page(address(broken), "failed")
        assert f"The file {name} cannot be read. Copy the whole folder again" in page.inner_text("#boot-failure")
        (broken / f"{name}.away").rename(broken / name)


def test_missing_shard_is_named(broken: Path, open_page: OpenPage) -> None:
    file = change_shard(broken, "python_stdlib.zip", lambda data: data)
    file.unlink()
    page = open_page(address(broken), "failed")
    assert f"assets/{file.name} is missing" in page.inner_text("#boot-failure")


def test_shard_cut_short_is_named(broken: Path, open_page: OpenPage) -> None:
    file = change_shard(broken, "python_stdlib.zip", lambda data: data[: len(data) // 2])
    page = open_page(address(broken), "failed")
    assert f"assets/{file.name} is damaged" in page.inner_text("#boot-failure")


def test_changed_bytes_are_reported_with_both_hashes(broken: Path, open_page: OpenPage) -> None:
    change_shard(broken, "python_stdlib.zip", lambda data: data.replace(b"AAAA", b"AAAB", 1))
    page = open_page(address(broken), "failed")
    entry = next(entry for entry in read_manifest(broken)["assets"] if entry["name"] == "python_stdlib.zip")
    failure = page.inner_text("#boot-failure")
    assert "python_stdlib.zip" in failure and entry["sha256"] in failure and "found" in failure


def test_missing_manifest_is_a_sentence(broken: Path, open_page: OpenPage) -> None:
    (broken / "assets/manifest.js").unlink()
    page = open_page(address(broken), "failed")
    assert "assets/manifest.js is missing" in page.inner_text("#boot-failure")


def test_sealed_page_refuses_and_keeps_a_ledger(lean: Path, open_page: OpenPage, traffic: list[Request]) -> None:
    page = open_page(address(lean))
    outcomes = page.evaluate(
        """async () => {
          const tries = {
            fetch: () => fetch("http://127.0.0.1:9/fetch"),
            open: () => open("http://127.0.0.1:9/open"),
            beacon: () => navigator.sendBeacon("http://127.0.0.1:9/beacon"),
            worker: () => new Worker("blob:x"),
            socket: () => new WebSocket("ws://127.0.0.1:9/"),
            image: () => new Promise((resolve, reject) => {
              const image = new Image();
              [image.onload, image.onerror] = [resolve, () => reject(new Error("blocked"))];
              image.src = "http://127.0.0.1:9/image";
            }),
            location: () => { location.href = "http://127.0.0.1:9/location"; throw new Error("still here"); },
            link: () => {
              const link = document.createElement("a");
              Object.assign(link, {href: "http://127.0.0.1:9/link", target: "_blank"});
              document.body.append(link);
              link.click();
              throw new Error("still here");
            },
          };
          const outcomes = {};
          for (const [name, attempt] of Object.entries(tries)) {
            outcomes[name] = await Promise.resolve().then(attempt).then(() => "went out", (error) => error.message);
          }
          return outcomes;
        }"""
    )
    assert "went out" not in outcomes.values(), outcomes
    assert network(traffic) == []
    ledger = {(entry["api"], entry["by"]) for entry in page.evaluate("terrarium.ledger")}
    apis = ("fetch", "open", "sendBeacon", "Worker", "WebSocket", "navigate", "link")
    assert ledger >= {*((api, "code") for api in apis), ("img-src", "browser")}
