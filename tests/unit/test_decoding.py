"""The decoder and its cache: however the tokens are cut into passes, the logits are the same."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest
from tests.unit.tiny_models import make_models

from terrarium.errors import ModelError
from terrarium.models.catalogue import open_generator
from terrarium.models.scripted import ByteTokenizer, HashingEmbedder, ScriptedDecoder
from terrarium.runtime.native import NativeRuntime, default_folder

IDS = [int(i) for i in np.random.default_rng(1).integers(0, 260, 40)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return make_models(tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("models"))


async def in_pieces(decoder, size: int):
    cache = None
    for start in range(0, len(IDS), size):
        logits, cache = await decoder.forward(IDS[start : start + size], cache)
    return logits, cache


@pytest.mark.parametrize("size", [1, 7])
def test_pieces_and_single_tokens_give_the_logits_of_one_pass(folder: Path, size: int):
    async def run():
        decoder = await open_generator(NativeRuntime(folder), "tiny-writer")
        whole, cut = await in_pieces(decoder, len(IDS)), await in_pieces(decoder, size)
        return whole, cut

    (expected, whole), (logits, cache) = asyncio.run(run())
    # Equal to the last bit in the tab; a processor with other vector registers may add up in another order.
    np.testing.assert_allclose(logits, expected, atol=0.05)
    assert np.argmax(logits) == np.argmax(expected)
    assert cache.length == whole.length == len(IDS)


def test_rows_are_what_their_tokens_give_alone(folder: Path):
    async def run():
        decoder = await open_generator(NativeRuntime(folder), "tiny-writer")
        _, prefix = await decoder.forward(IDS[:9], None)
        together, _ = await decoder.forward(IDS[9:], prefix, len(IDS) - 9)
        cache, alone = prefix, []
        for token in IDS[9:]:
            logits, cache = await decoder.forward([token], cache)
            alone.append(logits[0])
        return together, alone

    together, alone = asyncio.run(run())
    np.testing.assert_allclose(together, alone, atol=0.05)
    np.testing.assert_array_equal(np.argmax(together, axis=1), np.argmax(alone, axis=1))


def test_a_cache_can_be_continued_many_times(folder: Path):
    async def run():
        decoder = await open_generator(NativeRuntime(folder), "tiny-writer")
        _, prefix = await decoder.forward(IDS[:10], None)
        first, branch = await decoder.forward(IDS[10:20], prefix)
        other, _ = await decoder.forward(IDS[20:30], prefix)
        branch.release()
        again, _ = await decoder.forward(IDS[10:20], prefix)
        return first, other, again, prefix.length

    first, other, again, length = asyncio.run(run())
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 0.1
    assert length == 10


def test_limits_are_said(folder: Path):
    async def run(ids, cache=None):
        decoder = await open_generator(NativeRuntime(folder), "tiny-writer")
        return await decoder.forward(ids, cache)

    with pytest.raises(ModelError, match="65 tokens of 64"):
        asyncio.run(run([1] * 65))
    with pytest.raises(ValueError, match="at least one"):
        asyncio.run(run([]))
    _, foreign = asyncio.run(ScriptedDecoder("x").forward([1], None))
    with pytest.raises(ValueError, match="another kind"):
        asyncio.run(run([1], foreign))


def test_scripted_decoder_says_its_lines_and_records_prompts():
    decoder = ScriptedDecoder(lambda prompt: "höre" if "Q2" in prompt else "ja")
    tokenizer = decoder.tokenizer

    async def write(prompt: str, size: int) -> str:
        ids = tokenizer.encode_batch([prompt], special=False)[0].tolist()
        cache, written = None, []
        for start in range(0, len(ids), size):
            logits, cache = await decoder.forward(ids[start : start + size], cache)
        while (token := int(np.argmax(logits))) != tokenizer.token_id("<|im_end|>"):
            written.append(token)
            logits, cache = await decoder.forward([token], cache)
        return tokenizer.decode(written)

    ask = "<|im_start|>assistant\nbefore<|im_end|>\n<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"
    assert asyncio.run(write(ask.format("Q1"), 5)) == "ja"
    assert asyncio.run(write(ask.format("Q2 é"), 1000)) == "höre"
    assert decoder.prompts[-1] == ask.format("Q2 é")


def test_byte_tokenizer_keeps_every_text():
    tokenizer = ByteTokenizer()
    (ids,) = tokenizer.encode_batch(["a<|im_end|>日"], special=False)
    assert len(ids) == 5
    assert tokenizer.decode(ids.tolist()) == "a日"
    assert tokenizer.decode_all(ids.tolist()) == "a<|im_end|>日"


def test_hashing_embedder_puts_shared_words_near():
    vectors = asyncio.run(HashingEmbedder(256).embed(["red fish swim", "red fish", "blue", ""]))
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert vectors[0] @ vectors[1] > 0.7 > vectors[0] @ vectors[2]


@pytest.mark.slow
def test_real_generator_continues_a_known_sentence():
    runtime = NativeRuntime(default_folder())
    if not runtime.has("qwen2.5-0.5b.wasm.onnx"):
        pytest.skip("qwen2.5-0.5b has not been built; run `python build.py`")

    async def run():
        decoder = await open_generator(runtime, "qwen2.5-0.5b")
        prompt = "<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\n"
        (ids,) = decoder.tokenizer.encode_batch([prompt], special=False)
        logits, cache = await decoder.forward(ids.tolist(), None)
        written = []
        for _ in range(8):
            written.append(int(np.argmax(logits)))
            logits, cache = await decoder.forward([written[-1]], cache)
        return decoder.tokenizer.decode(written)

    assert "Paris" in asyncio.run(run())
