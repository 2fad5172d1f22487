"""Batching, cutting and order of the sentence embedder; the real model when it has been built."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.fixtures import tiny_bert
from tests.unit import model_references as reference
from tests.unit.tiny_models import MAX_TOKENS, WORDS, make_models

from terrarium.models.catalogue import open_embedder
from terrarium.models.embedding import BATCH, SentenceEmbedder
from terrarium.runtime.native import NativeRuntime, default_folder
from terrarium.runtime.protocols import Kind


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return make_models(tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("models"))


def embedder(folder: Path) -> SentenceEmbedder:
    return asyncio.run(open_embedder(NativeRuntime(folder)))


def texts_of_all_lengths() -> list[str]:
    random = np.random.default_rng(5)
    return [" ".join(random.choice(WORDS[4:], size)) for size in random.integers(1, 13, 3 * BATCH - 2)]


def states_of(weights, text: str):
    ids = [WORDS.index(word) for word in ("[CLS]", *text.split(), "[SEP]")]
    return reference.bert_states(weights, ids, layers=tiny_bert.LAYERS, heads=tiny_bert.HEADS)


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
    assert len(asyncio.run(model.embed_with_tokens([kept + " water"]))[1][0]) == MAX_TOKENS - 2


def test_one_run_gives_vectors_of_texts_and_of_their_tokens(folder: Path):
    texts, model = texts_of_all_lengths(), embedder(folder)
    vectors, tokens = asyncio.run(model.embed_with_tokens(texts))
    np.testing.assert_array_equal(vectors, asyncio.run(model.embed(texts)))
    weights, head = tiny_bert.tiny_bert(), tiny_bert.tiny_head()
    for text, found in zip(texts, tokens, strict=True):
        expected = reference.token_head(head, states_of(weights, text), tiny_bert.HEAD_LAYERS)[1:-1]
        assert found.dtype == np.int8
        assert found.shape == expected.shape
        for one, wanted in zip(found, expected, strict=True):
            assert reference.cosine(one.astype(float), wanted) > 0.97
            assert np.abs(one).max() == 7


def test_a_questions_vectors_are_as_long_as_their_tokens_count(folder: Path):
    text = "warm green light"
    asked = asyncio.run(embedder(folder).question_tokens(text))
    states = states_of(tiny_bert.tiny_bert(), text)
    expected = reference.token_head(tiny_bert.tiny_head(), states, tiny_bert.HEAD_LAYERS, question=True)[1:-1]
    lengths = np.linalg.norm(expected, axis=1)
    np.testing.assert_allclose(np.linalg.norm(asked, axis=1), lengths / lengths.sum(), rtol=0.1)
    assert all(reference.cosine(one, wanted) > 0.98 for one, wanted in zip(asked, expected, strict=True))


def test_texts_of_nothing_have_their_markers_for_tokens(folder: Path):
    model = embedder(folder)
    assert [len(one) for one in asyncio.run(model.embed_with_tokens(["", "fish"]))[1]] == [2, 1]
    assert len(asyncio.run(model.question_tokens(""))) == 2


def test_the_last_question_is_remembered_and_a_passage_of_the_same_words_is_none(folder: Path):
    model = embedder(folder)
    runs = 0
    run = model._session.run

    async def counted(*arguments: Any, **options: Any) -> Any:
        nonlocal runs
        runs += 1
        return await run(*arguments, **options)

    model._session.run = counted  # type: ignore[method-assign]

    async def scenario() -> None:
        first = await model.embed(["fish water"], kind="question")
        first[:] = 0  # the caller's own
        again = await model.embed(["fish water"], kind="question")
        await model.question_tokens("fish water")
        assert runs == 1 and np.isclose(np.linalg.norm(again), 1)
        np.testing.assert_allclose(await model.embed(["fish water"]), again, atol=1e-6)
        assert runs == 2
        await model.embed(["green light"], kind="question")
        assert runs == 3

    asyncio.run(scenario())


def test_each_kind_of_text_gets_its_own_prefix(folder: Path):
    model = embedder(folder)
    prefixes: dict[Kind, str] = {"question": "warm ", "passage": "green light "}
    prefixed = SentenceEmbedder(
        "p@1", model._session, model.tokenizer, dimensions=model.dimensions, max_tokens=MAX_TOKENS, prefixes=prefixes
    )
    for kind, prefix in prefixes.items():
        expected = asyncio.run(model.embed([prefix + "fish water"]))
        np.testing.assert_allclose(asyncio.run(prefixed.embed(["fish water"], kind=kind)), expected, atol=1e-6)
        assert not np.allclose(asyncio.run(model.embed(["fish water"], kind=kind)), expected, atol=1e-2)


def test_nothing_gives_nothing(folder: Path):
    model = embedder(folder)
    assert asyncio.run(model.embed([])).shape == (0, tiny_bert.WIDTH)


def test_progress_is_told_and_others_get_a_turn_between_batches(folder: Path):
    texts, model = texts_of_all_lengths(), embedder(folder)
    seen: list[tuple[int, int]] = []

    async def run():
        task = asyncio.create_task(model.embed(texts, lambda done, total: seen.append((done, total))))
        while len(seen) < 2:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert seen == [(0, len(texts)), (BATCH, len(texts))]


@pytest.mark.slow
def test_real_model_knows_what_belongs_together():
    runtime = NativeRuntime(default_folder())
    if not runtime.has("minilm-l6.onnx"):
        pytest.skip("minilm-l6 has not been built; run `python build.py`")
    texts = ["A man is eating food.", "A man is eating a piece of bread.", "The girl is carrying a baby."]
    vectors = asyncio.run(asyncio.run(open_embedder(runtime)).embed(texts))
    assert vectors[0] @ vectors[1] > 0.7
    assert vectors[0] @ vectors[2] < 0.2
