"""One Python function, run at the desk and in the tab: the same passages, the same words, vectors within rounding.

The int8 graphs round every activation to one of 255 steps. A difference in the seventh digit moves a few of them by a
whole step, and the layers above spread that: two correct runtimes agree to a cosine of about 0.998, each as far from
the fp32 model. What can be exact is compared exactly.
"""

from __future__ import annotations

import asyncio
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser
from tests.browser.pages import BOOT_LIMIT_MS, run

from terrarium.readers.local import LocalReader
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.runtime.native import NativeRuntime
from terrarium.runtime.protocols import Runtime

pytestmark = pytest.mark.browser

LIMITS = """# House rules

## Borrowing

Members may borrow up to six books for 21 days. A book that nobody has reserved may be renewed twice. The fine for a
late book is 20 cents a day, and it is never more than the price of the book.

## Opening hours

The reading room opens at 9:30 and closes at 19:00 on Fridays. It is closed on Sundays and on public holidays.

## Rooms

The group room seats eight people and is booked at the desk, at most two weeks ahead. Food is not allowed there.
Bicycles stay outside. Lockers need a one-euro coin, which comes back when the locker is opened.
"""
QUESTIONS = ["How many books may a member borrow?", "When does the reading room close?", "May I eat in the group room?"]

SCENARIO = """
import json
from terrarium.generation.generator import Generator
from terrarium.generation.prefill import Pace, prefill
from terrarium.library import Library
from terrarium.generation.prompt import prompt_prefix, prompt_rest
from terrarium.retrieval.funnel import Retriever
from terrarium.models.catalogue import open_generator, open_models
from terrarium.settings import RetrievalSettings
from terrarium.storage.memory import MemoryStore

async def first_tokens(generator, rest, forced):
    # The likeliest token of each of 16 places and its lead in logits; `forced` tokens (or the likeliest) are read.
    ids = generator.decoder.tokenizer.encode_batch([prompt_prefix() + rest], special=False)[0].tolist()
    logits, cache = await prefill(generator.decoder, ids, None, Pace(tokens=32, least=32, most=32))
    found = []
    for place in range(16):
        second, first = (int(i) for i in logits.argsort()[-2:])
        found.append([first, float(logits[first] - logits[second])])
        logits, cache = await generator.decoder.forward([forced[place] if forced else first], cache)
        logits = logits[0]
    return found

async def difference(decoder, ids):
    # Logits of twelve tokens read in one pass, and of the same read one by one behind the same beginning.
    _, cache = await decoder.forward(ids[:-12], None)
    together, _ = await decoder.forward(ids[-12:], cache, 12)
    worst = 0.0
    for row, token in enumerate(ids[-12:]):
        logits, cache = await decoder.forward([token], cache)
        worst = max(worst, float(abs(logits[0] - together[row]).max()))
    return worst

async def scenario(runtime, reader, text, questions, sources, forced):
    models = await open_models(runtime, generator=None)
    library = await Library.open(MemoryStore(), models.embedder)
    document = (await reader.read(text.encode(), "house rules.md")).document
    await library.add(document)
    retriever = Retriever(library, models.reranker, RetrievalSettings(rerank_min=12, rerank_max=12))
    retrieved = [await retriever.retrieve(question) for question in questions]
    vectors = await models.embedder.embed([*questions, *sources])
    decoder = await open_generator(runtime, "qwen2.5-0.5b")
    generator = Generator(decoder, prompt_prefix(), [decoder.tokenizer.token_id("<|im_end|>")])
    written = await generator.write(prompt_rest(sources, questions[0]))
    return {
        "blocks": [[block.kind, block.text] for block in document.blocks],
        "passages": [[[p.chunk.start, p.chunk.end] for p in one.passages] for one in retrieved],
        "lexical": [[[key[1], score] for key, score in one.stages["lexical"]] for one in retrieved],
        "vectors": vectors.tolist(),
        "prompt_tokens": written.prompt_tokens,
        "first": await first_tokens(generator, prompt_rest(sources, questions[0]), forced),
        "text": written.text,
        "passes": [written.passes, written.tokens],
        "difference": await difference(decoder, decoder.tokenizer.encode_batch([text], special=False)[0].tolist()[:80]),
    }
"""
SOURCES = ["Members may borrow up to six books for 21 days.", "The reading room closes at 19:00 on Fridays."]


def at_the_desk(runtime: Runtime) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(SCENARIO, names)
    # In a thread of its own: Playwright's synchronous interface keeps an event loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        found: dict[str, Any] = thread.submit(
            asyncio.run, names["scenario"](runtime, LocalReader(NodePdfExtractor()), LIMITS, QUESTIONS, SOURCES, None)
        ).result()
    return found


def in_the_tab(browser: Browser, probe: Path, forced: list[int]) -> dict[str, Any]:
    code = SCENARIO + "\njson.dumps(await scenario(runtime, reader, *json.loads(args['given'])))"
    context = browser.new_context()
    try:
        page = context.new_page()
        page.set_default_timeout(BOOT_LIMIT_MS)
        page.goto((probe / "index.html").as_uri())
        page.wait_for_selector("html[data-stage=ready]", timeout=BOOT_LIMIT_MS)
        found: dict[str, Any] = run(page, code, given=json.dumps([LIMITS, QUESTIONS, SOURCES, forced]))
        return found
    finally:
        context.close()


@pytest.fixture(scope="module")
def both(browser: Browser, probe_with_writer: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    folder = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "terrarium/models"
    if not (folder / "qwen2.5-0.5b.wasm.onnx").is_file():
        pytest.skip(f"{folder} holds no generator; run `python build.py` first")
    desk = at_the_desk(NativeRuntime(folder))
    return desk, in_the_tab(browser, probe_with_writer, [token for token, _ in desk["first"]])


def test_reading_and_words_are_the_same(both: tuple[dict[str, Any], dict[str, Any]]) -> None:
    desk, tab = both
    assert tab["blocks"] == desk["blocks"]
    assert tab["prompt_tokens"] == desk["prompt_tokens"]
    for there, here in zip(tab["lexical"], desk["lexical"], strict=True):
        assert [number for number, _ in there] == [number for number, _ in here]
        np.testing.assert_allclose([s for _, s in there], [s for _, s in here], rtol=1e-5)


def test_the_passages_are_the_same_in_the_same_order(both: tuple[dict[str, Any], dict[str, Any]]) -> None:
    desk, tab = both
    assert tab["passages"] == desk["passages"]
    assert all(desk["passages"])


def test_vectors_agree_within_the_rounding_of_int8(both: tuple[dict[str, Any], dict[str, Any]]) -> None:
    desk, tab = (np.array(each["vectors"]) for each in both)
    assert (desk * tab).sum(axis=1).min() >= 0.995


def test_the_generator_finds_the_same_tokens_likeliest(both: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """Over the same text, wherever the lead is larger than what int8 rounding moves (a quarter of a logit or so)."""
    desk, tab = both
    clear = [place for place, (_, lead) in enumerate(desk["first"]) if lead > 1.0]
    assert len(clear) >= 8
    assert [tab["first"][place][0] for place in clear] == [desk["first"][place][0] for place in clear]
    for written in both:
        assert "six books" in written["text"]


def test_in_the_tab_a_token_means_the_same_alone_and_among_others(both: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """What prompt lookup rests on: its text is that of plain decoding because no logit differs in any bit."""
    _, tab = both
    assert tab["difference"] == 0
    passes, tokens = tab["passes"]
    assert passes < tokens
