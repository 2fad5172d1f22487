"""Late interaction over an embedder: against numpy, and what it remembers."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest
from tests.unit.tiny_models import make_models

from terrarium.embedding import SentenceEmbedder
from terrarium.reranking import LateInteraction
from terrarium.runtime.catalogue import open_embedder
from terrarium.runtime.native import NativeRuntime

QUESTION = "what fish like"
PASSAGES = ["the tank holds nine litres", "fish like warm water", "green light", "", "fish like warm water"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return make_models(tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("models"))


class Counting:
    """A session that counts the texts that go through it."""

    def __init__(self, session) -> None:
        self._session, self.texts = session, 0
        self.inputs, self.outputs = session.inputs, session.outputs

    async def run(self, feeds, fetch, keep=()):
        self.texts += len(feeds["input_ids"])
        return await self._session.run(feeds, fetch, keep)

    async def release(self):
        await self._session.release()


async def open_counting(folder: Path, **options) -> tuple[LateInteraction, SentenceEmbedder, Counting]:
    runtime = NativeRuntime(folder)
    opened = await open_embedder(runtime)
    counting = Counting(await runtime.session("e.onnx"))
    sizes = {"dimensions": opened.dimensions, "max_tokens": opened.max_tokens}
    embedder = SentenceEmbedder(opened.id, counting, opened.tokenizer, **sizes)
    return LateInteraction("maxsim", await runtime.session("r.onnx"), embedder, **options), embedder, counting


def test_scores_agree_with_numpy(folder: Path):
    async def run():
        reranker, embedder, _ = await open_counting(folder)
        return await reranker.score(QUESTION, PASSAGES), await embedder.token_vectors([QUESTION, *PASSAGES])

    scores, (asked, *found) = asyncio.run(run())
    inner = [vectors[1:-1] if len(vectors) > 2 else vectors for vectors in found]
    expected = [np.mean((asked[1:-1] @ vectors.T).max(axis=1)) for vectors in inner]
    np.testing.assert_allclose(scores, expected, atol=1e-3)  # passages are kept in float16
    assert scores[1] == scores[4]


def test_passages_seen_before_cost_no_model_run(folder: Path):
    async def run():
        reranker, _, session = await open_counting(folder)
        first = await reranker.score(QUESTION, PASSAGES)
        after_first = session.texts
        second = await reranker.score(QUESTION, PASSAGES)
        return first, second, after_first, session.texts

    first, second, after_first, after_second = asyncio.run(run())
    assert after_first == 1 + len(set(PASSAGES))
    assert after_second == after_first + 1  # the question
    np.testing.assert_array_equal(first, second)


def test_memory_is_bounded_and_the_oldest_goes_first(folder: Path):
    one_passage = 5 * 64 * 2  # tokens × dimensions × float16

    async def run():
        reranker, _, session = await open_counting(folder, cache_bytes=2 * one_passage)
        counts = []
        for passage in (PASSAGES[0], PASSAGES[1], PASSAGES[2], PASSAGES[2], PASSAGES[0]):
            before = session.texts
            await reranker.score(QUESTION, [passage])
            counts.append(session.texts - before - 1)
        return counts

    assert asyncio.run(run()) == [1, 1, 1, 0, 1]


def test_more_passages_than_fit_are_still_scored(folder: Path):
    async def run():
        unbounded, _, _ = await open_counting(folder)
        tight, _, _ = await open_counting(folder, cache_bytes=1)
        return await unbounded.score(QUESTION, PASSAGES), await tight.score(QUESTION, PASSAGES)

    np.testing.assert_array_equal(*asyncio.run(run()))


def test_progress_counts_passages_and_no_passages_give_no_scores(folder: Path):
    seen: list[tuple[int, int]] = []

    async def run():
        reranker, _, _ = await open_counting(folder)
        assert (await reranker.score(QUESTION, [])).shape == (0,)
        await reranker.score(QUESTION, PASSAGES, lambda done, total: seen.append((done, total)))

    asyncio.run(run())
    assert seen[0] == (0, 4)
    assert seen[-1] == (4, 4)
