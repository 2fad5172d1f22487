"""Late interaction over an embedder: against numpy, with stored and with computed vectors, and what it remembers."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
from tests.unit.tiny_models import make_models

from terrarium.models.catalogue import open_embedder
from terrarium.models.embedding import SentenceEmbedder
from terrarium.models.late_interaction import LateInteraction
from terrarium.runtime.native import NativeRuntime
from terrarium.runtime.protocols import Candidate

QUESTION = "what fish like"
TEXTS = ["the tank holds nine litres", "fish like warm water", "green light", "", "fish like warm water"]
PASSAGES = [Candidate(text) for text in TEXTS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return make_models(tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("models"))


class Counting:
    """A session that counts the texts that go through it."""

    def __init__(self, session) -> None:
        self._session, self.texts = session, 0
        self.inputs, self.outputs = session.inputs, session.outputs

    def allocate(self, dtype, dims):
        return self._session.allocate(dtype, dims)

    async def run(self, feeds, fetch, keep=(), into=MappingProxyType({})):
        self.texts += len(feeds["input_ids"])
        return await self._session.run(feeds, fetch, keep, into)

    async def release(self):
        await self._session.release()


async def open_counting(folder: Path, **options) -> tuple[LateInteraction, SentenceEmbedder, Counting]:
    runtime = NativeRuntime(folder)
    opened = await open_embedder(runtime)
    counting = Counting(await runtime.session("e.onnx"))
    sizes = {name: getattr(opened, name) for name in ("dimensions", "max_tokens", "token_dimensions")}
    embedder = SentenceEmbedder(opened.id, counting, opened.tokenizer, **sizes)
    return LateInteraction("maxsim", await runtime.session("r.onnx"), embedder, **options), embedder, counting


def test_scores_agree_with_numpy(folder: Path):
    async def run():
        reranker, embedder, _ = await open_counting(folder)
        asked = await embedder.question_tokens(QUESTION)
        return await reranker.score(QUESTION, PASSAGES), asked, (await embedder.embed_with_tokens(TEXTS))[1]

    scores, asked, found = asyncio.run(run())
    assert [len(one) for one in found] == [5, 4, 2, 2, 4], "no markers, unless there is nothing else"
    directions = [vectors / np.linalg.norm(vectors, axis=1, keepdims=True) for vectors in found]
    expected = [(asked @ one.T).max(axis=1).sum() for one in directions]
    np.testing.assert_allclose(scores, expected, atol=1e-5)
    assert scores[1] == scores[4]


def test_stored_vectors_give_the_same_scores_and_cost_no_model_run(folder: Path):
    async def run():
        reranker, embedder, session = await open_counting(folder)
        _, tokens = await embedder.embed_with_tokens(TEXTS)
        computed = await reranker.score(QUESTION, PASSAGES)
        fresh, _, session = await open_counting(folder)
        stored = await fresh.score(QUESTION, [Candidate(*pair) for pair in zip(TEXTS, tokens, strict=True)])
        mixed = await fresh.score(QUESTION, [Candidate(TEXTS[0], tokens[0]), *PASSAGES[1:]])
        return computed, stored, mixed, session.texts

    computed, stored, mixed, texts = asyncio.run(run())
    np.testing.assert_array_equal(stored, computed)
    np.testing.assert_array_equal(mixed, computed)
    assert texts == 1 + 3, "the question, and in the last call three different texts"


def test_a_question_that_was_searched_for_costs_no_model_run(folder: Path):
    async def run():
        reranker, embedder, session = await open_counting(folder)
        _, tokens = await embedder.embed_with_tokens(TEXTS)
        before = session.texts
        await embedder.embed([QUESTION], kind="question")
        await reranker.score(QUESTION, [Candidate(*pair) for pair in zip(TEXTS, tokens, strict=True)])
        return session.texts - before

    assert asyncio.run(run()) == 1


def test_passages_seen_before_cost_no_model_run(folder: Path):
    async def run():
        reranker, _, session = await open_counting(folder)
        first = await reranker.score(QUESTION, PASSAGES)
        after_first = session.texts
        second = await reranker.score(QUESTION, PASSAGES)
        return first, second, after_first, session.texts

    first, second, after_first, after_second = asyncio.run(run())
    assert after_first == after_second == 1 + len(set(TEXTS))
    np.testing.assert_array_equal(first, second)


def test_another_question_is_read_anew(folder: Path):
    async def run():
        reranker, _, _ = await open_counting(folder)
        await reranker.score("green light", PASSAGES)
        fresh, _, _ = await open_counting(folder)
        return await reranker.score(QUESTION, PASSAGES), await fresh.score(QUESTION, PASSAGES)

    np.testing.assert_array_equal(*asyncio.run(run()))


def test_memory_is_bounded_and_the_oldest_goes_first(folder: Path):
    async def run():
        _, embedder, _ = await open_counting(folder)
        one_passage = 5 * embedder.token_dimensions  # bytes
        reranker, _, session = await open_counting(folder, cache_bytes=2 * one_passage)
        counts = []
        for passage in (PASSAGES[0], PASSAGES[1], PASSAGES[2], PASSAGES[2], PASSAGES[0]):
            before = session.texts
            await reranker.score(QUESTION, [passage])
            counts.append(session.texts - before)
        return counts

    assert asyncio.run(run()) == [1 + 1, 1, 1, 0, 1], "the question comes on top once"


def test_more_passages_than_fit_are_still_scored(folder: Path):
    async def run():
        unbounded, _, _ = await open_counting(folder)
        tight, _, _ = await open_counting(folder, cache_bytes=1)
        return await unbounded.score(QUESTION, PASSAGES), await tight.score(QUESTION, PASSAGES)

    np.testing.assert_array_equal(*asyncio.run(run()))


def test_no_passages_give_no_scores(folder: Path):
    async def run():
        reranker, _, session = await open_counting(folder)
        return await reranker.score(QUESTION, []), session.texts

    scores, texts = asyncio.run(run())
    assert scores.shape == (0,)
    assert texts == 0


def test_a_calibrated_score_is_a_probability(folder: Path):
    async def run():
        plain, _, _ = await open_counting(folder)
        calibrated, _, _ = await open_counting(folder, calibration=(20.0, -10.0))
        return plain.probability(0.5), [calibrated.probability(score) for score in (-1.0, 0.5, 0.6)]

    without, values = asyncio.run(run())
    assert without is None
    assert values == pytest.approx([1 / (1 + math.exp(30)), 0.5, 1 / (1 + math.exp(-2))])
