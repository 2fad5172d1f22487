"""Model packs: checked, kept slice by slice, whole or not at all, and removed again."""

from __future__ import annotations

import base64
import json
import random
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, expect
from tests.browser.packs_page import VERSION, encoded, small_pack, write_page
from tests.browser.pages import PATIENCE_MS, read_manifest

from terrarium_build import packs
from terrarium_build.browsers import find_firefox
from terrarium_build.driving import QUIET, TerrariumPage, serve_folder
from terrarium_build.lock import read_lock
from terrarium_build.models import read_models
from terrarium_build.paths import NODE_MODULES, cache_folder

pytestmark = pytest.mark.browser

FILES = {
    "models/tiny.json": b'{"name": "tiny"}',
    "models/tiny.wasm.onnx": random.Random(5).randbytes(10_000),
    "models/tiny.tokenizer.json": b'{"the": 1, "same": 2}' * 500,
}
WHOLE = sum(len(data) for data in FILES.values())
SLICE = 4096
SLICES = 5  # one of the bundle, three of the graph, one of the zipped tokenizer


@pytest.fixture(autouse=True)
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "SLICE", SLICE)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture
def address(tmp_path: Path) -> str:
    return write_page(tmp_path / "page").as_uri()


@pytest.fixture
def pack(tmp_path: Path) -> bytes:
    return small_pack(tmp_path, FILES)


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("html[data-stage=joined]")
    return page


def add(page: Page, data: bytes, name: str = "terrarium-tiny.pack", stop_at: int = -1) -> dict[str, Any]:
    ended: dict[str, Any] = page.evaluate(
        "([data, name, stop]) => add(data, name, stop)", [encoded(data), name, stop_at]
    )
    return ended


def loaded(page: Page) -> dict[str, bytes]:
    return {name: base64.b64decode(text) for name, text in page.evaluate("load('tiny')").items()}


@pytest.mark.parametrize("scheme", ["file", "http"])
def test_a_pack_is_kept_over_restarts_until_it_is_removed(
    scheme: str, context: BrowserContext, address: str, pack: bytes, tmp_path: Path
) -> None:
    with serve_folder(tmp_path / "page") as (root, _):
        address = root if scheme == "http" else address
        page = opened(context, address)
        ended = add(page, pack)
        assert ended["ok"] == "tiny"
        assert [total for _, total in ended["heard"]] == [ended["heard"][-1][0]] * SLICES
        assert loaded(page) == FILES
        page.close()

        page = opened(context, address)
        assert page.evaluate("manifest.generators") == ["tiny"]
        assert loaded(page) == FILES
        (kept,) = page.evaluate("commands.list()")
        assert (kept["name"], kept["title"], kept["licence"], kept["unused"]) == ("tiny", "Tiny", "MIT", "")
        assert kept["bytes"] == ended["heard"][-1][1] < WHOLE  # one of its files is zipped
        assert add(page, pack)["message"] == "This page has the tiny model already."

        page.evaluate("(key) => commands.remove(key)", kept["key"])
        assert page.evaluate("manifest.generators") == []
        assert page.evaluate("counts()") == [0, 0]
        assert add(page, pack)["ok"] == "tiny"


def flip(position: int) -> Callable[[bytes], bytes]:
    return lambda data: data[:position] + bytes([data[position] ^ 1]) + data[position:][1:]


@pytest.mark.parametrize(
    ("change", "sentences"),
    [
        (lambda _: b"PK\x03\x04 something else", ("x.pack is not a model pack of Terrarium", "terrarium-NAME.pack")),
        (lambda _: b"", ("x.pack is not a model pack of Terrarium",)),
        (lambda data: data.replace(b"PACK 1", b"PACK 2", 1), ("a format that this page does not know", VERSION)),
        (lambda data: data[:40], ("x.pack is damaged", "Copy it again")),
        (flip(70), ("x.pack is damaged", "Copy it again")),
        (flip(-3000), ("x.pack is damaged", "Copy it again", "nothing of it was kept")),
        (lambda data: data[:-1], ("x.pack is cut short", "are there", "Copy it again")),
        (lambda data: data + b"x", ("x.pack is damaged",)),
    ],
    ids=["unrelated", "empty", "other format", "stump", "changed header", "changed weights", "cut", "longer"],
)
def test_what_is_wrong_with_a_file_is_said_and_nothing_is_kept(
    change: Callable[[bytes], bytes], sentences: tuple[str, ...], context: BrowserContext, address: str, pack: bytes
) -> None:
    page = opened(context, address)
    ended = add(page, change(pack), "x.pack")
    assert "ok" not in ended
    for sentence in sentences:
        assert sentence in ended["message"], ended
    assert page.evaluate("manifest.generators") == []
    assert page.evaluate("counts()") == [0, 0]


@pytest.mark.parametrize(
    ("files", "changed", "sentence"),
    [
        (FILES, {"version": "9.0.0"}, "was made for Terrarium 9.0.0, and this page is 1.2.3. Ask for a pack"),
        (FILES, {"group": "engine"}, "holds something else than a model"),
        (FILES, {"generator": "none"}, "holds something else than a model"),
        ({"worker.js": b"alert()"}, {}, "holds something else than a model"),
        (FILES | {"bridge/new.js": b"alert()"}, {}, "holds something else than a model"),
        (FILES | {"models/minilm.onnx": b"in the place of the page's own"}, {}, "holds something else than a model"),
        (FILES, {"generator": "small"}, "This page has the small model already"),
        ({"models/a.toml": b"", "models/a.webgpu.onnx": b"x"}, {}, "runs on a graphics processor only"),
    ],
    ids=[
        "other version",
        "other group",
        "no name",
        "a program",
        "a new program",
        "a model of the page",
        "there already",
        "no GPU",
    ],
)
def test_a_pack_that_does_not_fit_the_page_is_refused(
    files: dict[str, bytes], changed: dict[str, Any], sentence: str, context: BrowserContext, tmp_path: Path
) -> None:
    page = opened(context, write_page(tmp_path / "page", generators=("small",)).as_uri())
    ended = add(page, small_pack(tmp_path, files, **changed))
    assert sentence in ended.get("message", ""), ended
    assert page.evaluate("manifest.generators") == ["small"]
    assert page.evaluate("manifest.assets.length") == 1


def test_a_cancelled_pack_leaves_nothing(context: BrowserContext, address: str, pack: bytes) -> None:
    page = opened(context, address)
    ended = add(page, pack, stop_at=2)
    assert ended["kind"] == "Cancelled" and len(ended["heard"]) == 2
    assert page.evaluate("counts()") == [0, 0]
    assert add(page, pack)["ok"] == "tiny"


def test_half_a_pack_never_counts_and_its_space_comes_back(context: BrowserContext, address: str, pack: bytes) -> None:
    page = opened(context, address)
    # The tab goes when every slice is written and the record is not.
    page.evaluate(
        """(data) => new Promise((resolve) => {
          packStore.commit = () => new Promise(resolve);
          void add(data, "terrarium-tiny.pack");
        })""",
        encoded(pack),
    )
    assert page.evaluate("counts()") == [0, SLICES]
    page.close()
    page = opened(context, address)
    assert page.evaluate("manifest.generators") == []
    assert page.evaluate("swept()") == [0, 0]


def test_a_pack_whose_slices_went_before_its_record_came_does_not_count(
    context: BrowserContext, address: str, pack: bytes
) -> None:
    page = opened(context, address)
    page.evaluate(
        """() => {
          const { commit } = packStore;
          packStore.commit = async (pack) => (await packStore.erase(pack.slices), commit(pack));
        }"""
    )
    assert "Nothing of it was kept" in add(page, pack)["message"]
    assert page.evaluate("counts()") == [0, 0]


def test_a_full_disk_is_a_sentence(context: BrowserContext, pack: bytes, tmp_path: Path) -> None:
    write_page(tmp_path / "page")
    with serve_folder(tmp_path / "page") as (root, _):
        page = opened(context, root)
        quota = {"origin": root.rstrip("/"), "quotaSize": 6000}
        context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", quota)
        ended = add(page, pack)
        assert "The browser's storage is full" in ended["message"]
        assert "terrarium-tiny.pack" in ended["message"] and "Free space" in ended["message"]
        assert page.evaluate("counts()") == [0, 0]


# Changes the first entry of an object store, as another page could. A sealed page makes no functions of strings.
CHANGE = """([store, how]) => new Promise((resolve, reject) => {
  const change = {
    delete: (cursor) => cursor.delete(),
    flip: (cursor, value) => ((value[0] ^= 1), cursor.update(value)),
    rename: (cursor, value) => ((value.header.assets[1].name = "bridge/new.js"), cursor.update(value)),
  };
  const opening = indexedDB.open("terrarium-packs");
  opening.onsuccess = () => {
    const transaction = opening.result.transaction(store, "readwrite");
    const walk = transaction.objectStore(store).openCursor();
    walk.onsuccess = () => change[how](walk.result, walk.result.value);
    transaction.oncomplete = () => (opening.result.close(), resolve());
    transaction.onabort = () => reject(transaction.error);
  };
})"""


@pytest.mark.parametrize("change", ["flip", "delete"])
def test_what_was_changed_in_the_store_is_not_loaded(
    change: str, context: BrowserContext, address: str, pack: bytes
) -> None:
    page = opened(context, address)
    add(page, pack)
    page.evaluate(CHANGE, ["slices", change])
    failure = page.evaluate("load('tiny').catch((error) => error.message)")
    assert "The tiny model that this browser keeps is damaged. Remove it" in failure
    page.evaluate("(why) => packs.forget(manifest, 'tiny', why)", failure)
    (kept,) = page.evaluate("commands.list()")
    assert kept["unused"] == failure
    assert add(page, pack)["ok"] == "tiny"  # given again, it takes the damaged one's place
    assert page.evaluate("counts()") == [1, SLICES]
    assert loaded(page) == FILES


def test_a_program_put_into_the_store_by_another_page_is_not_used(
    context: BrowserContext, address: str, pack: bytes
) -> None:
    """Every page opened from disk shares one store in Chromium."""
    page = opened(context, address)
    add(page, pack)
    page.evaluate(CHANGE, ["packs", "rename"])
    page.close()
    page = opened(context, address)
    assert page.evaluate("manifest.generators") == []
    assert page.evaluate("manifest.assets.length") == 1


def test_a_pack_of_an_earlier_version_is_shown_and_not_used(
    context: BrowserContext, address: str, pack: bytes, tmp_path: Path
) -> None:
    page = opened(context, address)
    add(page, pack)
    page.close()
    page = opened(context, write_page(tmp_path / "newer", version="1.3.0").as_uri())
    assert page.evaluate("manifest.generators") == []
    (kept,) = page.evaluate("commands.list()")
    assert kept["unused"] == "Made for Terrarium 1.2.3, so this page (1.3.0) does not use it."
    page.evaluate("(key) => commands.remove(key)", kept["key"])
    assert page.evaluate("counts()") == [0, 0]


def test_only_one_tab_takes_a_pack_in_at_a_time(context: BrowserContext, address: str, pack: bytes) -> None:
    page, other = opened(context, address), opened(context, address)
    page.evaluate("navigator.locks.request('terrarium-packs', () => new Promise(() => {})).catch(() => {}), 0")
    assert "Another tab is taking in a model pack" in add(other, pack)["message"]


def test_packs_are_known_by_their_first_bytes(context: BrowserContext, address: str, pack: bytes) -> None:
    page = opened(context, address)
    is_pack = "([data, name]) => commands.isPack(fileOf(data, name))"
    assert page.evaluate(is_pack, [encoded(pack), "renamed.bin"])
    assert not page.evaluate(is_pack, [encoded(b"PACK of git"), "git.pack"])


Visit = Callable[..., Any]


@pytest.fixture
def visit(playwright: Playwright, chromium: str, tmp_path: Path) -> Iterator[Visit]:
    """`visit(address)` opens the built page and waits for it; every visit of a test uses the same profile."""

    @contextmanager
    def opened(address: str, during_boot: Callable[[Page], None] = lambda _: None) -> Iterator[TerrariumPage]:
        profile, flags = tmp_path / "profile", list(QUIET)
        context = playwright.chromium.launch_persistent_context(profile, executable_path=chromium, args=flags)
        asked: list[str] = []
        context.on("request", lambda request: asked.append(request.url))
        try:
            driven = TerrariumPage(context.pages[0])
            driven.page.goto(address)
            driven.page.wait_for_selector("#boot-pack:not([hidden])")
            during_boot(driven.page)
            driven.wait_ready()
            yield driven
            local = ("file:", "blob:", "data:", address)
            assert [url for url in asked if not url.startswith(local)] == []
        finally:
            context.close()

    yield opened


def packs_panel(driven: TerrariumPage, *, opens_itself: bool = False) -> Locator:
    if not opens_itself:
        driven.page.get_by_role("button", name="What runs here").click()
    panel = driven.page.locator("#about-panel .packs")
    expect(panel).to_be_visible()
    return panel


def test_a_sealed_page_takes_a_pack_in_and_starts_with_it(
    visit: Visit, lean: Path, pack: bytes, tmp_path: Path
) -> None:
    version = read_manifest(lean)["version"]
    file = tmp_path / "tiny pack.bin"
    file.write_bytes(small_pack(tmp_path, FILES, version=version))
    with serve_folder(lean) as (root, requests), visit(root) as driven:
        page = driven.page
        assert page.evaluate("terrarium.info.generators") == []
        asked = len(requests)
        page.set_input_files("#pick-files", str(file))  # among the documents, and by another name
        panel = packs_panel(driven, opens_itself=True)
        expect(panel.locator(".kept-model")).to_contain_text("Tiny")
        assert driven.calls("add") == []
        assert requests[asked:] == []
        with page.expect_event("load"):
            panel.get_by_role("button", name="Start again with it").click()
        driven.wait_ready()
        assert page.evaluate("terrarium.info.generator") == "tiny"

        # What another program does to the store must not keep the page from starting.
        page.evaluate(CHANGE, ["slices", "delete"])
        driven.reload()
        assert page.evaluate("terrarium.info.generator") is None
        expect(page.locator(".notice")).to_contain_text("The tiny model that this browser keeps is damaged.")
        panel = packs_panel(driven)
        expect(panel.locator(".kept-model")).to_contain_text("is damaged. Remove it")
        panel.get_by_role("button", name="Remove").click()
        panel.get_by_role("button", name="Remove").click()
        expect(panel.locator(".kept-model")).to_have_count(0)
        assert page.evaluate("terrarium.ledger") == []


@pytest.fixture(scope="session")
def writing_pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The smallest generator that there is, in a pack as `build.py pack` makes them."""
    weights = read_lock()["smollm2-135m.gguf"].sha256
    if not (cache_folder() / "assets" / weights).is_file():
        pytest.skip("the weights of smollm2-135m are not in the cache")
    return packs.make_pack("tiny", tmp_path_factory.mktemp("packs"), read_models()["smollm2-135m"])


FERRY = "The ferry to Ormsund leaves at seven in the morning."


@pytest.mark.slow
def test_a_pack_given_while_the_page_loads_writes_answers(visit: Visit, lean: Path, writing_pack: Path) -> None:
    def dropped(page: Page) -> None:
        page.set_input_files("#boot-pack-file", str(writing_pack))

    address = (lean / "index.html").as_uri()
    with visit(address, dropped) as driven:
        assert driven.page.evaluate("terrarium.info.generator") == "tiny"
        driven.wait_writer()
        assert "error" not in driven.calls("load_generator")[0]
        notes = writing_pack.with_name("notes.txt")
        notes.write_text(f"{FERRY}\n\nThe bridge at Halvorsen carries at most 14 tonnes.\n", encoding="utf-8")
        driven.add([notes])
        record = driven.ask("When does the ferry to Ormsund leave?")
        assert "writing" in [event["type"] for event in record["events"]], record["result"]
        (line,) = driven.page.evaluate("terrarium.call('traces', {}).promise")["jsonl"].splitlines()
        assert json.loads(line)["models"]["generator"].startswith("smollm2-135m@")
    with visit(address) as driven:
        assert driven.page.evaluate("terrarium.info.generator") == "tiny"
        driven.wait_writer()
        assert "error" not in driven.calls("load_generator")[0]
        panel = packs_panel(driven)
        panel.get_by_role("button", name="Remove").click()
        expect(panel.locator(".kept-model")).to_contain_text("It writes until the page starts again.")
        panel.get_by_role("button", name="Remove").click()
        expect(panel.locator(".kept-model")).to_have_count(0)
        assert driven.page.evaluate("terrarium.info.generators") == []


def test_firefox_keeps_a_pack_from_disk(address: str, pack: bytes, tmp_path: Path) -> None:
    firefox = find_firefox()
    if firefox is None:
        pytest.skip("no Firefox on this machine")
    if not (NODE_MODULES / "puppeteer-core").is_dir():
        pytest.skip("puppeteer-core is not installed; run `npm ci`")
    file, profile = tmp_path / "terrarium-tiny.pack", tmp_path / "profile"
    profile.mkdir()
    script = Path(__file__).with_name("firefox_packs.mjs")
    command = ["node", str(script), str(firefox), address, str(profile), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    outcome = json.loads(done.stdout)
    assert "cut.pack is cut short" in outcome["cut"]["message"]
    assert outcome["added"]["ok"] == "tiny"
    assert {name: base64.b64decode(text) for name, text in outcome["files"].items()} == FILES
    assert [model["title"] for model in outcome["kept"]] == ["Tiny"]
    assert outcome["counts"] == [0, 0]


def test_the_page_waits_while_a_pack_is_looked_for(visit: Visit, lean: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "holiday.pack"
    wrong.write_bytes(b"PACK of something else")

    def choose(page: Page) -> None:
        with page.expect_file_chooser() as chosen:
            page.click("#boot-pack-choose")
        expect(page.locator("#boot-status")).to_have_text("Waiting for the model pack …", timeout=PATIENCE_MS)
        assert page.get_attribute("html", "data-stage") == "load writer"
        chosen.value.set_files(str(wrong))

    with visit((lean / "index.html").as_uri(), choose) as driven:
        expect(driven.page.locator(".notice")).to_contain_text("holiday.pack is not a model pack of Terrarium.")
        assert driven.page.evaluate("terrarium.info.generator") is None
