"""What Python gets through the worker's bridge, held against the native packages on the same files."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from playwright.sync_api import Browser, Page
from tests.browser.pages import BOOT_LIMIT_MS, IDENTITY_GRAPHS, open_ready, run
from tests.fixtures.documents import make_docx
from tests.fixtures.pdf import make_drawing
from tokenizers import Tokenizer

pytestmark = pytest.mark.browser

# Runs before the page's own scripts: requests for one database are served in their order.
FIRST_LAYOUT = """
const request = indexedDB.open("terrarium", 1);
request.onupgradeneeded = () => {
  for (const kind of ["documents", "blocks", "chunks", "vectors", "postings", "originals", "traces", "settings"])
    request.result.createObjectStore(kind);
  request.transaction.objectStore("documents").put(new TextEncoder().encode("1"), "old");
};
request.onsuccess = () => request.result.close();
"""
TEXTS = ["What is the maximum number of tables in a join?", "Ünïcödé 東京, 64 tables. " * 9, "a"]


@pytest.fixture(scope="module")
def page(browser: Browser, probe: Path) -> Iterator[Page]:
    page = open_ready(browser, (probe / "index.html").as_uri())
    yield page
    page.context.close()


@pytest.fixture(scope="module")
def models() -> Path:
    folder = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "terrarium/models"
    if not (folder / "minilm-l6.onnx").is_file():
        pytest.skip(f"{folder} holds no minilm-l6.onnx; run `python build.py` first")
    return folder


def test_what_nobody_sees_in_a_file_is_apart_in_the_tab_too(page: Page) -> None:
    code = """
import base64, json
document = (await reader.read(base64.b64decode(args["data"]), args["name"])).document
json.dumps([[[block.text, block.page, block.hidden] for block in document.blocks], len(document.warnings)])
"""
    drawn = "BT /F1 12 Tf 50 700 Td (The fee is ) Tj 3 Tr (not ) Tj 0 Tr (due.) Tj 1 g 0 -200 Td (white) Tj ET"
    drawn += " 0 g BT /F1 12 Tf 50 300 Td (covered) Tj ET 40 290 90 30 re f 1 g BT /F1 12 Tf 50 300 Td (on top) Tj ET"
    styled = "<style>.a{position:absolute;left:-9999px}</style><p>The fee is <b class=a>not</b> due."
    word = "<w:p><w:r><w:t>The fee is due.</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>not</w:t></w:r></w:p>"
    files = {"a.pdf": make_drawing(drawn), "a.html": f"<html><body>{styled}".encode(), "a.docx": make_docx(word)}
    found = {name: run(page, code, name=name, data=base64.b64encode(data).decode()) for name, data in files.items()}
    pages = [["The fee is due.", 1, False], ["on top", 1, False], ["not\nwhite\ncovered", 1, True]]
    plain = [["The fee is due.", None, False], ["not", None, True]]
    assert [[[re.sub(" +", " ", text), *rest] for text, *rest in blocks] for blocks, _ in found.values()] == [
        pages, plain, plain,
    ]  # fmt: skip
    assert [warnings for _, warnings in found.values()] == [1, 1, 1]


def test_token_ids_are_the_native_ones(page: Page, models: Path) -> None:
    code = """
import json
tokenizer = runtime.tokenizer("minilm-l6.tokenizer.json")
ids = [each.tolist() for each in tokenizer.encode_batch(args["texts"].split("|"), special=True)]
json.dumps([ids, tokenizer.decode(ids[0]), tokenizer.token_id("[SEP]"), tokenizer.token_id("no such token")])
"""
    ids, decoded, separator, absent = run(page, code, texts="|".join(TEXTS))
    native = Tokenizer.from_file(str(models / "minilm-l6.tokenizer.json"))
    native.no_truncation()
    native.no_padding()
    assert ids == [encoding.ids for encoding in native.encode_batch(TEXTS)]
    assert decoded == native.decode(ids[0])
    assert (separator, absent) == (native.token_to_id("[SEP]"), None)


def test_sentence_vectors_are_the_native_ones(page: Page, models: Path) -> None:
    session = onnxruntime.InferenceSession(str(models / "minilm-l6.onnx"))
    ids = np.array([[101, 7592, 2088, 102], [101, 2054, 2003, 102]], dtype=np.int64)
    feeds = {each.name: ids if each.name == "input_ids" else np.ones_like(ids) for each in session.get_inputs()}
    code = """
import json
import numpy as np
session = await runtime.session("minilm-l6.onnx")
ids = np.array([[101, 7592, 2088, 102], [101, 2054, 2003, 102]], dtype=np.int64)
feeds = {name: ids if name == "input_ids" else np.ones_like(ids) for name in session.inputs}
arrays, _ = await session.run(feeds, ["sentence"])
json.dumps(arrays["sentence"].tolist())
"""
    vectors, native = np.array(run(page, code)), session.run(["sentence"], feeds)[0]
    unit = [each / np.linalg.norm(each, axis=1, keepdims=True) for each in (vectors, native)]
    np.testing.assert_allclose(unit[0], unit[1], atol=1e-3)


@pytest.mark.parametrize("dtype", [name for name in IDENTITY_GRAPHS if name != "loop"])
def test_every_type_survives_the_way_there_and_back(page: Page, dtype: str) -> None:
    code = """
import json
import numpy as np
session = await runtime.session(f"identity-{args['dtype']}.onnx")
x = np.array([[0, 1], [2, 127]]).astype(args["dtype"])[:, ::-1]  # not contiguous
fetched, kept = await session.run({"x": x}, ["y"])
first = fetched["y"]
_, kept = await session.run({"x": x}, [], ["y"])
again, _ = await session.run({"x": kept["y"]}, ["y"])  # a result that never came to Python
empty, _ = await session.run({"x": x[:0]}, ["y"])
kept["y"].release()
await session.release()
json.dumps([str(first.dtype), bool((first == x).all()), bool((again["y"] == x).all()), empty["y"].shape])
"""
    found = run(page, code, dtype=dtype)
    assert found == [dtype, True, True, [0, 2]]


def test_a_thousand_runs_leave_nothing_behind(page: Page) -> None:
    code = """
import gc, json
import numpy as np
import pyodide_js
from terrarium_bridge import ort
session = await runtime.session("identity-loop.onnx")
x = np.zeros((64, 2), dtype=np.float32)
async def once():
    _, kept = await session.run({"x": x}, ["y"], ["y"])
    kept["y"].release()
def held():
    gc.collect()
    return [len(gc.get_objects()), len(pyodide_js._module.HEAP8), ort.counts().tensors]
for _ in range(50): await once()
before = held()
for _ in range(1000): await once()
after = held()
await session.release()
json.dumps([before, after])
"""
    before, after = run(page, code)
    assert after[0] - before[0] < 100 and after[1:] == before[1:]


def test_store_keeps_whole_writes(page: Page) -> None:
    code = """
import json
await store.put({"documents": {"b": b"2", "a": b"1"}, "vectors": {"big": bytes(1 << 24)}})
try:
    await store.put({"documents": {"c": b"3"}, "settings": {"d": None}, "nowhere": {"e": b"5"}})
    failed = ""
except Exception as error:
    failed = type(error).__name__
found = {key: value.decode() for key, value in (await store.items("documents")).items()}
await store.delete({"documents": ["a", "b", "never there"], "vectors": ["big"]})
json.dumps([failed, found, await store.get("documents", "a"), len(await store.items("vectors"))])
"""
    assert run(page, code) == ["StorageError", {"a": "1", "b": "2"}, None, 0]


def test_values_read_together_come_in_the_order_of_the_keys(page: Page) -> None:
    code = """
import json
await store.put({"tokens": {"a/0": b"first", "a/1": b"second"}})
found = await store.get_many("tokens", ["a/1", "never there", "a/0", "a/1"])
nothing = await store.get_many("tokens", [])
await store.delete({"tokens": ["a/0", "a/1"]})
json.dumps([[value and value.decode() for value in found], nothing])
"""
    assert run(page, code) == [["second", None, "first", "second"], []]


def test_a_library_of_the_first_layout_gets_what_it_lacks(browser: Browser, probe: Path) -> None:
    context = browser.new_context()
    context.add_init_script(FIRST_LAYOUT)
    old = context.new_page()
    old.goto((probe / "index.html").as_uri())
    old.wait_for_selector("html[data-stage=ready]", timeout=BOOT_LIMIT_MS)
    code = """
import json
kept = await store.get("documents", "old")
await store.put({"tokens": {"a/0": b"new"}, "documents": {"new": b"2"}})
json.dumps([kept.decode(), sorted(await store.items("documents")), (await store.get("tokens", "a/0")).decode()])
"""
    assert run(old, code) == ["1", ["new", "old"], "new"]
    context.close()


def test_second_tab_reads_and_does_not_write(page: Page, probe: Path) -> None:
    run(page, "await store.put({'settings': {'kept': b'1'}}); '1'")
    second = page.context.new_page()
    second.goto((probe / "index.html").as_uri())
    second.wait_for_selector("html[data-stage=ready]", timeout=BOOT_LIMIT_MS)
    code = """
import json
from terrarium.errors import StorageError
try:
    await store.put({"settings": {"other": b"2"}})
    refused = ""
except StorageError as error:
    refused = str(error)
json.dumps([(await store.get("settings", "kept")).decode(), refused, list(options["notices"])])
"""
    kept, refused, notices = run(second, code)
    assert kept == "1" and "another tab" in refused and notices == [refused]
    second.close()


def test_cancel_ends_a_command_that_waits(page: Page) -> None:
    kind = page.evaluate(
        """async () => {
          const {id, promise} = terrarium.call("run", {code: "import asyncio\\nawait asyncio.sleep(60)"});
          setTimeout(() => terrarium.cancel(id), 50);
          return promise.then(() => "ended", (error) => error.kind);
        }"""
    )
    assert kind == "Cancelled"


def test_python_reaches_the_asset_table_only(page: Page) -> None:
    code = """
import json
from js import XMLHttpRequest, fetch
from pyodide.http import pyfetch
reached = []
for name, attempt in {"fetch": lambda: fetch("http://127.0.0.1:9/"), "pyfetch": lambda: pyfetch("https://example.org/")}.items():
    try:
        await attempt()
        reached.append(name)
    except Exception:
        pass
try:
    XMLHttpRequest.new()
    reached.append("XMLHttpRequest")
except Exception:
    pass
json.dumps([reached, (await fetch("https://assets.invalid/pyodide-lock.json")).ok])
"""
    assert run(page, code) == [[], True]
    assert {"fetch", "XMLHttpRequest"} <= {each["api"] for each in page.evaluate("terrarium.ledger")}
