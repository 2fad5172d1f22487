"""The two graphs of late interaction against numpy: tokens to vectors, vectors to scores."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest
from tests.fixtures import tiny_bert
from tests.unit import model_references as reference

from terrarium.runtime.native import NativeRuntime
from terrarium_build.conversion.bert_graph import Bert, write_bert
from terrarium_build.conversion.maxsim_graph import write_maxsim
from terrarium_build.conversion.token_head import TokenHead

TEXTS = [[1, 5, 9, 2], [1, 2], [1, 7, 7, 8, 30, 11, 2]]


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("own_question", [True, False])
def test_token_vectors_agree_with_numpy(tmp_path: Path, exact: bool, own_question: bool) -> None:
    tiny_bert.write_tiny_head(tmp_path / "head.safetensors", own_question=own_question)
    head = TokenHead.load(tmp_path / "head.safetensors")
    assert head.dimensions == tiny_bert.TOKEN_DIMENSIONS
    weights = tiny_bert.tiny_bert()
    write_bert(tmp_path / "bert.onnx", weights, Bert(heads=tiny_bert.HEADS, exact=exact, head=head))
    ids = np.array([text + [0] * (7 - len(text)) for text in TEXTS], np.int64)
    mask = np.array([[1] * len(text) + [0] * (7 - len(text)) for text in TEXTS], np.int64)
    names = ["token_vectors", "question_vectors"]

    async def run():
        session = await NativeRuntime(tmp_path).session("bert.onnx")
        return (await session.run({"input_ids": ids, "attention_mask": mask}, names))[0]

    arrays = asyncio.run(run())
    arrays_of_head = tiny_bert.tiny_head(own_question=own_question)
    for row, text in enumerate(TEXTS):
        states = reference.bert_states(weights, text, layers=tiny_bert.LAYERS, heads=tiny_bert.HEADS)
        for name in names:
            found = arrays[name][row, : len(text)]
            question = name == "question_vectors"
            expected = reference.token_head(arrays_of_head, states, tiny_bert.HEAD_LAYERS, question=question)
            if exact:
                np.testing.assert_allclose(found, expected, atol=1e-5)
            else:
                assert all(reference.cosine(a, b) > 0.99 for a, b in zip(found, expected, strict=True))
                np.testing.assert_allclose(np.linalg.norm(found, axis=1), np.linalg.norm(expected, axis=1), rtol=0.1)


def test_the_sentence_vector_is_the_same_without_a_head(tmp_path: Path) -> None:
    tiny_bert.write_tiny_head(tmp_path / "head.safetensors")
    heads = [None, TokenHead.load(tmp_path / "head.safetensors")]
    feeds = {"input_ids": np.array(TEXTS[-1:], np.int64), "attention_mask": np.ones((1, 7), np.int64)}
    found = []
    for head in heads:
        write_bert(tmp_path / "bert.onnx", tiny_bert.tiny_bert(), Bert(heads=tiny_bert.HEADS, head=head))

        async def run():
            session = await NativeRuntime(tmp_path).session("bert.onnx")
            return (await session.run(feeds, ["sentence"]))[0]["sentence"]

        found.append(asyncio.run(run()))
    np.testing.assert_allclose(found[0], found[1], atol=1e-6)


def test_maxsim_agrees_with_numpy(tmp_path: Path) -> None:
    write_maxsim(tmp_path / "maxsim.onnx", 16)
    random = np.random.default_rng(3)
    question = random.normal(size=(5, 16)).astype(np.float32)
    passages = random.integers(-7, 8, (3, 7, 16), dtype=np.int8)
    passages[1] = -7 * np.sign(question.sum(0))  # a passage whose best matches are negative
    passages[2] *= 18  # the length says nothing

    async def run():
        session = await NativeRuntime(tmp_path).session("maxsim.onnx")
        return (await session.run({"question": question, "passages": passages}, ["scores"]))[0]["scores"]

    directions = reference.unit(passages.astype(np.float64))
    expected = [sum(max(float(q @ p) for p in one) for q in question) for one in directions]
    np.testing.assert_allclose(asyncio.run(run()), expected, atol=1e-4)
