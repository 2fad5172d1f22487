"""Texts that are remembered: the same as those that were written, and without a look at the model."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from terrarium.desk.evaluation.written import Remembered, RememberingGenerator
from terrarium.generation.generator import GenerationSettings
from terrarium.models.scripted import ANSWER_BEGINS, ScriptedDecoder


def remembering(path: Path, reply: str, settings: GenerationSettings | None = None) -> RememberingGenerator:
    decoder = ScriptedDecoder(reply)
    return RememberingGenerator(decoder, "the examples\n", [decoder.end], Remembered(path), settings)


def test_the_same_prompt_is_written_once(tmp_path: Path):
    async def body() -> None:
        first = remembering(tmp_path / "texts.sqlite", "Blue whales sing [1].")
        written = await first.write("q" + ANSWER_BEGINS)
        assert first.computed == 1
        again = remembering(tmp_path / "texts.sqlite", "Something else.")
        assert await again.write("q" + ANSWER_BEGINS) == written
        assert again.computed == 0
        assert not again.decoder.caches, "the model was not asked"  # type: ignore[attr-defined]
        assert (await again.write("another q" + ANSWER_BEGINS)).text == "Something else."

    asyncio.run(body())


def test_other_settings_are_another_text(tmp_path: Path):
    async def body() -> None:
        await remembering(tmp_path / "texts.sqlite", "One two three.").write("q" + ANSWER_BEGINS)
        short = remembering(tmp_path / "texts.sqlite", "One two three.", GenerationSettings(max_new_tokens=3))
        assert (await short.write("q" + ANSWER_BEGINS)).stopped_by == "budget"

    asyncio.run(body())


@pytest.mark.parametrize("examples", [(), (("a", "b"),)])
def test_lines_of_another_task_are_remembered_by_what_was_given(tmp_path: Path, examples: tuple[tuple[str, str], ...]):
    async def body() -> None:
        settings = GenerationSettings(max_new_tokens=40)
        first = remembering(tmp_path / "texts.sqlite", "Who sings?\nNobody.")
        assert await first.write_line("Ask.", examples, "Whales sing.", settings) == "Who sings?"
        again = remembering(tmp_path / "texts.sqlite", "Else")
        assert await again.write_line("Ask.", examples, "Whales sing.", settings) == "Who sings?"
        assert await again.write_line("Ask.", examples, "Whales dive.", settings) == "Else"
        assert (first.computed, again.computed) == (1, 1)

    asyncio.run(body())
