"""Batching, cutting and order of the sentence embedder; the real model when it has been built."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest
from tests.fixtures import tiny_bert
from tests.unit import model_references as reference
from tests.unit.tiny_models import MAX_TOKENS, WORDS, make_models

from terrarium.embedding import BATCH, SentenceEmbedder
from terrarium.runtime.catalogue import open_embedder
from terrarium.runtime.native import NativeRuntime, default_folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return make_models(tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("models"))


def embedder(folder: Path) -> SentenceEmbedder:
    return asyncio.run(open_embedder(NativeRuntime(folder)))


def texts_of_all_lengths() -> list[str]:
    random = np.random.default_rng(5)
    return [" ".join(random.choice(WORDS[4:], size)) for size in random.integers(1, 13, 3 * BATCH - 2)]


def test_rows_come_in_the_order_of_the_texts(folder: Path):
    texts, model = texts_of_all_lengths(), embedder(folder)
    vectors = asyncio.run(model.embed(texts))
    weights = tiny_bert.tiny_bert()
    for text, vector in zip(texts, vectors, strict=True):
        ids = [WORDS.index(word) for word in ("[CLS]", *text.split(), "[SEP]")]
        hidden = reference.bert(weights, ids, layers=tiny_bert.LAYERS, heads=tiny_bert.HEADS)
        assert reference.cosine(vector, hidden.mean(0)) > 0.99  # int8 arithmetic in a model of random weights


def test_a_vector_does_not_depend_on_its_batch(folder: Path):
    texts, model = texts_of_all_lengths(), embedder(folder)
    together = asyncio.run(model.embed(texts))
    alone = np.concatenate([asyncio.run(model.embed([text])) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-6)


def test_long_texts_are_cut_and_keep_the_end_marker(folder: Path):
    model = embedder(folder)
    kept = " ".join(["fish"] * (MAX_TOKENS - 2))
    vectors = asyncio.run(model.embed([kept, kept + " water" * 30]))
    np.testing.assert_allclose(vectors[0], vectors[1], atol=1e-6)
    assert len(asyncio.run(model.token_vectors([kept + " water"]))[0]) == MAX_TOKENS


def test_token_vectors_are_of_unit_length_one_a_token(folder: Path):
    model = embedder(folder)
    vectors = asyncio.run(model.token_vectors(["warm green light", "", "fish"]))
    assert [len(one) for one in vectors] == [5, 2, 3]
    np.testing.assert_allclose(np.linalg.norm(np.concatenate(vectors), axis=1), 1, atol=1e-5)


def test_nothing_gives_nothing(folder: Path):
    model = embedder(folder)
    assert asyncio.run(model.embed([])).shape == (0, tiny_bert.WIDTH)


def test_progress_is_told_and_others_get_a_turn_between_batches(folder: Path):
    texts, model = texts_of_all_lengths(), embedder(folder)
    seen: list[tuple[int, int]] = []

    async def run():
        task = asyncio.create_task(model.embed(texts, lambda done, total: seen.append((done, total))))
        while not seen:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert seen == [(BATCH, len(texts))]


@pytest.mark.slow
def test_real_model_knows_what_belongs_together():
    runtime = NativeRuntime(default_folder())
    if not runtime.has("minilm-l6.onnx"):
        pytest.skip("minilm-l6 has not been built; run `python build.py`")
    texts = ["A man is eating food.", "A man is eating a piece of bread.", "The girl is carrying a baby."]
    vectors = asyncio.run(asyncio.run(open_embedder(runtime)).embed(texts))
    assert vectors[0] @ vectors[1] > 0.7
    assert vectors[0] @ vectors[2] < 0.2
