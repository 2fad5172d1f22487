"""The large generator in a tab, made of its blocks on Chromium's software adapter and held against native onnxruntime.

Not among the usual tests, for what it costs: 1.4 GB on the disk, 6 GB of memory and some minutes, most of them for six
tokens, because the adapter is a program. `python build.py test --large` makes the model where it is missing (1.1 GB to
fetch, minutes to convert) and runs this; `pytest -m large` runs it with the model that is there.

On a graphics processor the page itself lets the model count before it uses it (`terrarium.models.proofs`).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Playwright
from tests.browser.pages import add_assets, native_logits, open_ready, probe_copy, run

from terrarium.runtime.native import default_folder
from terrarium_build.bench.memory import PROC, watched_peak
from terrarium_build.driving import QUIET
from terrarium_build.models import Model, model_for
from terrarium_build.packing import Content, InMemory, OnDisk, Source
from terrarium_build.site import largest_binding

pytestmark = [pytest.mark.browser, pytest.mark.large]

GENERATOR = "large"
PROMPT, NEXT = "The capital of France is", " Paris"
MOST_MEGABYTES = 4000  # a tab's share of an ordinary laptop
# The prompt in one pass, then its likeliest continuation in a second one over the cache.
CODE = """
import json
from terrarium.models.catalogue import open_generator
decoder = await open_generator(runtime, args["model"], "webgpu")
ids = decoder.tokenizer.encode_batch([args["prompt"]], special=False)[0].tolist()
logits, cache = await decoder.forward(ids, None, 2)
ids.append(int(logits[-1].argmax()))
more, cache = await decoder.forward(ids[-1:], cache)
json.dumps([ids, decoder.tokenizer.decode(ids[-1:]), logits.tolist() + more.tolist()])
"""


@dataclass(frozen=True)
class Outcome:
    """What the tab made of the prompt. `logits` [3, vocabulary]: after its last two tokens, and after the next one."""

    ids: list[int]
    next: str
    logits: np.ndarray
    peak: float


@pytest.fixture(scope="module")
def model() -> Model:
    model = model_for(GENERATOR)
    needed = [f"{model.id}.toml", f"{model.id}.files.json", *model.files]
    missing = [name for name in needed if not (default_folder() / name).is_file()]
    if missing:
        pytest.skip(f"{default_folder()} has no {missing[0]}; `python build.py test --large` makes it")
    return model


@pytest.fixture(scope="module")
def folder(dist: Path, model: Model, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The page with a probe for an engine and the large generator as its only one."""
    page = probe_copy(dist, tmp_path_factory.mktemp("large") / "page")
    models = default_folder()
    record = json.loads((models / f"{model.id}.files.json").read_text("utf-8"))
    described = (f"{model.id}.toml", f"{model.id}.files.json")
    sources: dict[str, Source] = {name: InMemory((models / name).read_bytes()) for name in described}
    sources |= {name: OnDisk(models / name, record[name]["sha256"]) for name in model.packed}
    contents = [Content(f"models/{name}", f"generator-{GENERATOR}", source) for name, source in sources.items()]
    add_assets(page, contents, generators=[GENERATOR], bindings={GENERATOR: largest_binding(model)})
    yield page
    shutil.rmtree(page)


@pytest.fixture(scope="module")
def outcome(playwright: Playwright, chromium: str, folder: Path, model: Model) -> Outcome:
    arguments = [*QUIET, "--enable-unsafe-webgpu"]
    with (
        watched_peak() as peak,
        playwright.chromium.launch(executable_path=chromium, headless=True, args=arguments) as browser,
    ):
        page = open_ready(browser, f"{(folder / 'index.html').as_uri()}#gpu=software&writer={GENERATOR}")
        refused = run(page, "import json; json.dumps((await runtime.accelerator()).refused)")
        assert not refused, "this browser's software adapter cannot hold the model"
        ids, following, logits = run(page, CODE, model=model.id, prompt=PROMPT)
        return Outcome(ids, following, np.array(logits, np.float32), peak())


def test_logits_are_those_of_native_onnxruntime(outcome: Outcome, model: Model) -> None:
    """The prompt's from one pass, and the next token's from a pass over the cache that the first one left."""
    graph = default_folder() / model.description["backends"]["webgpu"]["graph"]
    np.testing.assert_allclose(
        outcome.logits, native_logits(graph, outcome.ids, len(outcome.logits)), rtol=0, atol=1e-3
    )


def test_it_knows_a_capital(outcome: Outcome) -> None:
    """What no mistake that tab and desk share would leave right."""
    assert outcome.next == NEXT


@pytest.mark.skipif(not PROC.is_dir(), reason="this system has no /proc to read a process's memory from")
def test_the_tab_stays_small_enough_for_a_laptop(outcome: Outcome) -> None:
    """While the page loads, while the weights are made of blocks, and while the model reads."""
    assert 1000 < outcome.peak < MOST_MEGABYTES
