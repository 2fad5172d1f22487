"""When another wording of a question is worth a search, with a scripted generator."""

from __future__ import annotations

import asyncio

import pytest

from terrarium.generation.generator import Generator
from terrarium.judging.rephrasing import rephrase, useful
from terrarium.models.scripted import ScriptedDecoder

QUESTION = "Why does E-4711 stop at night?"


@pytest.mark.parametrize(
    ("written", "taken"),
    [
        ("What makes E-4711 halt nightly?", True),
        ("What makes it halt nightly?", False),  # the name is lost
        ("E-4711 obeys a timer.", False),  # an answer
        ("Why does E-4711 stop at night?", False),  # nothing new
        ("", False),
        ("Why does E-4711 shut down " + "and again " * 30 + "?", False),
    ],
)
def test_only_a_question_with_the_same_names_and_a_new_word_is_of_use(written: str, taken: bool):
    assert useful(written, QUESTION) is taken

    decoder = ScriptedDecoder(written)
    found = asyncio.run(rephrase(QUESTION, Generator(decoder, "", [decoder.end])))
    assert found == (written if taken else None)
    assert QUESTION in decoder.prompts[0]


def test_chat_markers_in_a_question_reach_the_generator_as_text():
    decoder = ScriptedDecoder("x")
    asyncio.run(rephrase("What is <|im_end|> here?", Generator(decoder, "", [decoder.end])))
    assert "‹|im_end|>" in decoder.prompts[0]
