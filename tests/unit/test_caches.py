"""The two ways to keep keys and values give the logits of a fresh reading, and of each other."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest
from tests.fixtures import tiny_gguf
from tests.unit.test_decoder_graphs import CAPACITY, Graph

from terrarium.errors import ModelError
from terrarium.models.caches import InPlace
from terrarium.models.decoding import CausalDecoder
from terrarium.models.scripted import ByteTokenizer
from terrarium.runtime.native import NativeRuntime, NativeTensor
from terrarium.runtime.protocols import Backend, Cache

IDS = [int(i) for i in np.random.default_rng(3).integers(0, 260, 60)]
BACKENDS: tuple[Backend, ...] = ("wasm", "webgpu")


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> dict[str, Path]:
    """The same float weights in both graphs, in a folder each."""
    made: dict[str, Path] = {}
    for backend in BACKENDS:
        made[backend] = tmp_path_factory.mktemp(backend)
        tiny_gguf.write_tiny_gguf(made[backend] / "tiny.gguf", "qwen2")
        Graph(made[backend] / "tiny.gguf", made[backend], backend, tied=True, exact=backend == "wasm")
    return made


async def open_decoder(folder: Path) -> CausalDecoder:
    session = await NativeRuntime(folder, threads=1).session("onnx")
    sizes = {"kv_heads": tiny_gguf.KV_HEADS, "head_size": tiny_gguf.WIDTH // tiny_gguf.HEADS, "max_tokens": CAPACITY}
    return CausalDecoder("tiny@1", session, ByteTokenizer(), **sizes)


async def wander(decoder: CausalDecoder, steps: list[tuple[int, int, int]]) -> list[tuple[list[int], np.ndarray]]:
    """In each step, cut the cache to `at` tokens and read `count` others: (all tokens then read, logits of `rows`)."""
    cache: Cache | None = None
    read: list[int] = []
    way: list[tuple[list[int], np.ndarray]] = []
    for at, count, rows in steps:
        if cache is not None:
            cache = cache.cut(at)
        read = [*read[:at], *IDS[at + len(way) : at + len(way) + count]]
        logits, following = await decoder.forward(read[at:], cache, rows)
        if cache is not None:
            cache.release()
        cache = following
        assert cache.length == len(read)
        assert logits.shape[0] == rows
        way.append((read, logits))
    return way


STEPS = [(0, 5, 1), (5, 7, 7), (9, 1, 1), (10, 6, 3), (10, 1, 1), (11, 20, 2), (12, 4, 4), (16, 1, 1)]


@pytest.mark.parametrize("backend", BACKENDS)
def test_cutting_and_going_on_gives_the_logits_of_a_fresh_reading(folders: dict[str, Path], backend: str):
    async def run():
        decoder = await open_decoder(folders[backend])
        fresh = await open_decoder(folders[backend])
        wandered = await wander(decoder, STEPS)
        return wandered, [(await fresh.forward(read, None, len(rows)))[0] for read, rows in wandered]

    wandered, expected = asyncio.run(run())
    for (_, rows), fresh in zip(wandered, expected, strict=True):
        np.testing.assert_allclose(rows, fresh, atol=2e-4)


def test_both_ways_agree(folders: dict[str, Path]):
    async def run(backend: str):
        return await wander(await open_decoder(folders[backend]), STEPS)

    for (_, growing), (_, in_place) in zip(*(asyncio.run(run(backend)) for backend in BACKENDS), strict=True):
        np.testing.assert_allclose(growing, in_place, atol=1e-3)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_prefix_is_kept_while_others_come_and_go(folders: dict[str, Path], backend: str):
    async def run():
        decoder = await open_decoder(folders[backend])
        _, prefix = await decoder.forward(IDS[:10], None)
        seen = []
        for start in (10, 30, 10):
            logits, one = await decoder.forward(IDS[start : start + 12], prefix)
            seen.append(logits)
            one.release()
        return seen, prefix.length

    (first, other, again), length = asyncio.run(run())
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 0.1
    assert length == 10


def test_a_cache_that_was_written_over_is_refused(folders: dict[str, Path]):
    async def run():
        decoder = await open_decoder(folders["webgpu"])
        _, prefix = await decoder.forward(IDS[:10], None)
        _, first = await decoder.forward(IDS[10:20], prefix)
        _, second = await decoder.forward(IDS[20:25], prefix)
        with pytest.raises(ValueError, match="a shorter one was continued"):
            await decoder.forward([1], first)
        await decoder.forward([1], second)
        second.release()
        with pytest.raises(ValueError, match="released"):
            await decoder.forward([1], second)
        await decoder.forward(IDS[:3], None)
        with pytest.raises(ValueError, match="a shorter one was continued"):
            await decoder.forward([1], prefix)

    asyncio.run(run())


def test_a_released_decoder_has_let_go_of_its_tensors(folders: dict[str, Path]):
    async def run():
        decoder = await open_decoder(folders["webgpu"])
        _, cache = await decoder.forward(IDS[:4], None)
        assert isinstance(decoder._caches, InPlace)
        held = list(decoder._caches._tensors.values())
        await decoder.release()
        for tensor in held:
            assert isinstance(tensor, NativeTensor)
            with pytest.raises(ModelError, match="after its release"):
                _ = tensor.value
        with pytest.raises(ValueError, match="released"):
            await decoder.forward([1], cache)

    asyncio.run(run())


@pytest.mark.parametrize("backend", BACKENDS)
def test_mistakes_are_said(folders: dict[str, Path], backend: str):
    other = BACKENDS[1 - BACKENDS.index(backend)]

    async def run():
        decoder, foreign = [await open_decoder(folders[one]) for one in (backend, other)]
        _, cache = await decoder.forward(IDS[:4], None)
        for length in (0, 5):
            with pytest.raises(ValueError, match=f"4 tokens cannot be cut to {length}"):
                cache.cut(length)
        for rows in (0, 3):
            with pytest.raises(ValueError, match=f"2 rows of logits, not {rows}"):
                await decoder.forward([1, 2], cache, rows)
        with pytest.raises(ValueError, match="another kind of decoder"):
            await foreign.forward([1], cache)

    asyncio.run(run())
