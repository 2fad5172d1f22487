"""Greedy decoding: the stream's filter, cancelling, the prefix that is computed once."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from terrarium.generation.generator import Generation, GenerationSettings, Generator, _pick
from terrarium.generation.prefill import Pace, prefill
from terrarium.models.scripted import ANSWER_BEGINS, MARKERS, ScriptedDecoder


def generator_for(decoder: ScriptedDecoder, prefix: str = "", max_new_tokens: int = 120) -> Generator:
    stops = [i for i in map(decoder.tokenizer.token_id, MARKERS) if i is not None]
    return Generator(decoder, prefix, stops, GenerationSettings(max_new_tokens, repetition_penalty=1.0))


def write(reply: str, max_new_tokens: int = 120) -> tuple[Generation, list[str]]:
    shown: list[str] = []
    generator = generator_for(ScriptedDecoder(reply), max_new_tokens=max_new_tokens)
    return asyncio.run(generator.write("question" + ANSWER_BEGINS, on_text=shown.append)), shown


def live(decoder: ScriptedDecoder) -> int:
    return sum(not cache.released for cache in decoder.caches)


def test_the_whole_text_is_written_and_every_cache_is_released():
    decoder = ScriptedDecoder("Blue whales sing [1].")
    shown: list[str] = []
    result = asyncio.run(generator_for(decoder, "the examples\n").write("q" + ANSWER_BEGINS, on_text=shown.append))
    assert result.text == "Blue whales sing [1]."
    assert result.stopped_by == "end"
    assert shown[-1] == result.text
    assert live(decoder) == 1, "only the prefix's cache stays"


def test_the_prefix_is_read_once():
    decoder = ScriptedDecoder("Yes.")
    generator = generator_for(decoder, "p" * 40)
    asyncio.run(generator.warm_up())
    after_prefix = len(decoder.caches)
    asyncio.run(generator.write("one" + ANSWER_BEGINS))
    asyncio.run(generator.write("two" + ANSWER_BEGINS))
    assert min(cache.length for cache in decoder.caches[after_prefix:]) > 40


def test_prefill_in_pieces_reports_progress_and_sees_every_token():
    decoder = ScriptedDecoder("")
    seen: list[tuple[int, int]] = []
    pace = Pace(tokens=8, most=8, seconds=60.0)
    _, cache = asyncio.run(
        prefill(decoder, list(range(20)), None, pace, lambda done, total: seen.append((done, total)))
    )
    assert decoder.caches[-1] is cache
    assert decoder.caches[-1].ids == tuple(range(20))
    assert [c.length for c in decoder.caches] == [8, 16, 20]
    assert seen == [(8, 20), (16, 20), (20, 20)]


@pytest.mark.parametrize("marker", [*MARKERS, "<think>"])
def test_control_tokens_end_the_answer_and_are_never_painted(marker: str):
    result, shown = write(f"Six [2].{marker}user\nmore")
    assert result.text == "Six [2]."
    assert not any("<" in text or "user" in text for text in shown)


def test_a_control_token_that_does_not_end_this_models_answers_ends_this_one():
    decoder = ScriptedDecoder("Six [2].<|im_start|>user\nmore")
    stops = [i for i in [decoder.tokenizer.token_id("<|im_end|>")] if i is not None]
    result = asyncio.run(Generator(decoder, "", stops).write("q" + ANSWER_BEGINS))
    assert (result.text, result.raw, result.stopped_by) == ("Six [2].", "Six [2].", "control")


def test_a_sentence_written_twice_ends_the_text_and_stands_once():
    sentence = "A member may borrow up to six books [1]."
    result, shown = write(f"{sentence} It is free. {sentence} It is free. {sentence}", max_new_tokens=400)
    assert result.stopped_by == "loop"
    assert shown[-1] == result.text == f"{sentence} It is free."
    assert result.tokens < 100


def test_thoughts_are_not_shown_and_the_answer_behind_them_is():
    result, shown = write("<think>Is it six? Or <|seven?</think>\n\nSix [2].")
    assert result.text == "Six [2]."
    assert all("Six [2].".startswith(text) for text in shown)


def test_half_characters_are_never_painted():
    result, shown = write("Grüße 你好 🦊 end")
    assert result.text == "Grüße 你好 🦊 end"
    assert not any("\ufffd" in text for text in shown)


def test_a_text_that_runs_in_a_circle_is_stopped():
    result, _ = write("la " * 60, max_new_tokens=150)
    assert result.stopped_by == "loop"
    assert result.tokens < 40


def test_the_budget_ends_a_long_text():
    result, _ = write("".join(chr(97 + i * i % 23) for i in range(90)), max_new_tokens=20)
    assert result.stopped_by == "budget"
    assert result.tokens == 20


def test_the_penalty_changes_only_tokens_that_were_written():
    logits = np.array([2.0, 1.9, -1.0, -1.05], dtype=np.float32)
    assert _pick(logits, [], 1.1) == 0
    assert _pick(logits, [0], 1.1) == 1
    assert logits[0] == np.float32(2.0), "the decoder's own array stays as it is"


def test_cancelling_during_prefill_releases_the_caches_and_leaves_the_generator_usable():
    decoder = ScriptedDecoder("Fine.")
    generator = generator_for(decoder, "prefix\n")

    async def scenario() -> str:
        await generator.warm_up()
        reached = asyncio.Event()
        long = "a long question " * 20 + ANSWER_BEGINS
        task = asyncio.create_task(
            generator.write(long, on_prefill=lambda done, _: reached.set() if done > 40 else None)
        )
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert live(decoder) == 1
        assert decoder.prompts == []
        return (await generator.write("again" + ANSWER_BEGINS)).text

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
