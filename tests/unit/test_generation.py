"""Greedy decoding: the stream's filter, cancelling, the prefix that is computed once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest

from terrarium.generation import GenerationSettings, Generator, Pace, prefill, visible_text


class CountingCache:
    def __init__(self, ids: tuple[int, ...], live: set[int]) -> None:
        self.ids, self._live = ids, live
        live.add(id(self))

    @property
    def length(self) -> int:
        return len(self.ids)

    def release(self) -> None:
        assert id(self) in self._live, "a cache was released twice"
        self._live.discard(id(self))


class ByteTokenizer:
    """One token a UTF-8 byte; id 256 ends the text."""

    def encode_batch(self, texts: Sequence[str], *, special: bool) -> list[np.ndarray]:
        return [np.frombuffer(text.encode(), dtype=np.uint8).astype(np.int32) for text in texts]

    def decode(self, ids: Sequence[int]) -> str:
        return bytes(i for i in ids if i < 256).decode("utf-8", errors="replace")

    def token_id(self, token: str) -> int | None:
        return None


class ByteDecoder:
    """Writes a fixed text whatever it reads, and keeps account of passes and caches."""

    id, max_tokens, tokenizer = "bytes", 4096, ByteTokenizer()

    def __init__(self, text: str) -> None:
        self.script = [*text.encode(), 256]
        self.pieces: list[int] = []
        self.live: set[int] = set()
        self.prompt_length: int | None = None

    async def forward(self, ids: Sequence[int], cache: CountingCache | None) -> tuple[np.ndarray, CountingCache]:
        before = cache.ids if cache else ()
        self.pieces.append(len(ids))
        after = CountingCache((*before, *ids), self.live)
        written = 0 if self.prompt_length is None else len(after.ids) - self.prompt_length
        logits = np.zeros(257, dtype=np.float32)
        logits[self.script[min(max(written, 0), len(self.script) - 1)]] = 100.0
        return logits, after


def write(decoder: ByteDecoder, prompt: str, prefix: str = "", **settings: float) -> tuple[object, list[str]]:
    generator = Generator(decoder, prefix, [256], GenerationSettings(**{"repetition_penalty": 1.0, **settings}))
    decoder.prompt_length = len(prefix.encode()) + len(prompt.encode())
    shown: list[str] = []
    return asyncio.run(generator.write(prompt, on_text=shown.append)), shown


def test_the_whole_text_is_written_and_every_cache_is_released():
    decoder = ByteDecoder("Blue whales sing [1].")
    result, shown = write(decoder, "question", prefix="the examples\n")
    assert result.text == "Blue whales sing [1]."
    assert result.stopped_by == "end"
    assert shown[-1] == result.text
    assert len(decoder.live) == 1, "only the prefix's cache stays"


def test_the_prefix_is_computed_once():
    decoder = ByteDecoder("Yes.")
    generator = Generator(decoder, "p" * 40, [256])
    decoder.prompt_length = 40 + 3
    asyncio.run(generator.write("one"))
    read = sum(decoder.pieces)
    asyncio.run(generator.write("two"))
    assert read - (sum(decoder.pieces) - read) == 40


def test_prefill_in_pieces_reports_progress_and_sees_every_token():
    decoder, seen = ByteDecoder(""), []
    pace = Pace(tokens=8, most=8, seconds=60.0)
    _, cache = asyncio.run(prefill(decoder, list(range(20)), None, pace, lambda done, total: seen.append((done, total))))
    assert cache.ids == tuple(range(20))
    assert decoder.pieces == [8, 8, 4]
    assert seen == [(8, 20), (16, 20), (20, 20)]


@pytest.mark.parametrize("marker", ["<|im_end|>", "<|endoftext|>", "<think>"])
def test_control_tokens_are_never_painted(marker: str):
    result, shown = write(ByteDecoder(f"Six [2].{marker}user\nmore"), "q")
    assert result.text == "Six [2]."
    assert not any("<" in text for text in shown)
    assert marker in result.raw


def test_half_characters_are_never_painted():
    result, shown = write(ByteDecoder("Grüße 你好 🦊 end"), "q")
    assert result.text == "Grüße 你好 🦊 end"
    assert not any("\ufffd" in text for text in shown)


def test_a_text_that_runs_in_a_circle_is_stopped():
    result, _ = write(ByteDecoder("la " * 60), "q", max_new_tokens=150)
    assert result.stopped_by == "loop"
    assert result.tokens < 40


def test_the_budget_ends_a_long_text():
    result, _ = write(ByteDecoder("".join(chr(97 + i * i % 23) for i in range(90))), "q", max_new_tokens=20)
    assert result.stopped_by == "budget"
    assert result.tokens == 20


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("  Hello", ("Hello", False)),
        ("Hello <|im", ("Hello ", False)),
        ("a < b", ("a < b", False)),
        ("One.\n\nQuestion: next", ("One.", True)),
        ("One.\n", ("One.", False)),
        ("caf\ufffd", ("caf", False)),
    ],
)
def test_what_may_be_painted(raw: str, expected: tuple[str, bool]):
    assert visible_text(raw) == expected


def test_the_penalty_changes_only_tokens_that_were_written():
    from terrarium.generation import _pick

    logits = np.array([2.0, 1.9, -1.0, -1.05], dtype=np.float32)
    assert _pick(logits, [], 1.1) == 0
    assert _pick(logits, [0], 1.1) == 1
    assert logits[0] == np.float32(2.0), "the decoder's own array stays as it is"


def test_cancelling_during_prefill_releases_the_caches_and_leaves_the_generator_usable():
    decoder = ByteDecoder("Fine.")
    generator = Generator(decoder, "prefix\n", [256])

    async def scenario() -> str:
        await generator.warm_up()
        kept = len(decoder.live)
        reached = asyncio.Event()
        task = asyncio.create_task(
            generator.write("a long question " * 20, on_prefill=lambda done, _total: reached.set() if done > 40 else None)
        )
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(decoder.live) == kept
        decoder.prompt_length = len(b"prefix\n") + len(b"again")
        return (await generator.write("again")).text

    assert asyncio.run(scenario()) == "Fine."


def test_the_pace_follows_the_device():
    pace = Pace(tokens=8, least=2, most=32, seconds=0.1)
    pace.learn(8, 0.12)
    assert pace.tokens == 8, "near the aim nothing changes"
    pace.learn(8, 0.5)
    assert pace.tokens == 4
    for _ in range(5):
        pace.learn(pace.tokens, 0.9)
    assert pace.tokens == 2
    pace.learn(1, 0.01)
    assert pace.tokens == 2, "the rest of a prompt says nothing about a whole piece"
    for _ in range(9):
        pace.learn(pace.tokens, 0.01)
    assert pace.tokens == 32
