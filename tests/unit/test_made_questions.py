"""Questions made from passages: which of a generator's lines are taken, and what each says of its passage."""

from __future__ import annotations

import asyncio

import pytest

from terrarium.evaluation.made_questions import KIND, chosen_passages, make_questions, usable
from terrarium.evaluation.question_rows import Row
from terrarium.generation.generator import Generator
from terrarium.library import Library
from terrarium.model import Block, Document
from terrarium.models.scripted import HashingEmbedder, ScriptedDecoder
from terrarium.storage.memory import MemoryStore

PASSAGE = (
    "Members may borrow up to six books. Each book may be kept for 21 days and renewed twice, unless somebody has "
    "reserved it. Whoever returns a book late pays a fee of 50 cents for every day at the desk in Halvorsen."
)
LINES = "Halvorsen | 21 | six | twice | 50\n" * 12


async def library(*texts: str) -> Library:
    found = await Library.open(MemoryStore(), HashingEmbedder())
    for number, text in enumerate(texts):
        blocks = (Block("paragraph", text, page=3),)
        await found.add(Document(str(number) * 64, f"folder/{number}.pdf", "pdf", "", blocks, len(text), pages=3))
    return found


def made(reply: str, *texts: str, count: int = 3) -> tuple[list[Row], list[int], ScriptedDecoder]:
    decoder = ScriptedDecoder(reply)
    heard: list[int] = []

    async def scenario() -> list[Row]:
        generator = Generator(decoder, "", [decoder.end])
        return await make_questions(
            await library(*texts), generator, asyncio.Lock(), count, 7, lambda row, number: heard.append(number)
        )

    return asyncio.run(scenario()), heard, decoder


def test_a_question_names_its_file_its_page_and_the_sentence_closest_to_it():
    (row,), heard, decoder = made("Which fee is due for a late book?", PASSAGE)
    (place,) = row["evidence"]
    assert (row["kind"], place["file"], place["page"]) == (KIND, "0.pdf", 3)
    assert place["quote"].startswith("Whoever returns a book late")
    assert heard == [1]
    assert PASSAGE in decoder.prompts[0]


@pytest.mark.parametrize(
    ("written", "taken"),
    [
        ("How long may I have a book at home?", True),
        ("Wie lange darf ich books behalten?", True),
        ("A book may be kept for 21 days.", False),  # no question
        ("How long? And how often may books be renewed?", False),
        ("What does the passage say about books?", False),
        ("May I borrow more than 30 books?", False),  # a number that the passage does not have
        ("May members of Ormsund borrow books?", False),  # nor this name
        ("Where can I buy a ferry ticket?", False),  # about something else
        ("Is it true that each book may be kept for 21 days and renewed twice?", False),  # copied
        ("Books?", False),
        ("", False),
    ],
)
def test_a_line_is_taken_only_where_code_can_see_that_it_asks_about_the_passage(written: str, taken: bool):
    assert usable(written, PASSAGE) is taken


def test_the_same_question_is_taken_once_and_passages_are_looked_at_only_so_often():
    rows, heard, decoder = made("How long may I have a book at home?", *[PASSAGE + f" Room {n}." for n in range(9)])
    assert (len(rows), heard) == (1, [1])
    assert len(decoder.prompts) == 9
    nothing, _, decoder = made("I cannot.", *[PASSAGE + f" Room {n}." for n in range(30)], count=2)
    assert nothing == []
    assert len(decoder.prompts) == 8


def test_passages_are_prose_of_every_document_and_the_same_for_the_same_seed():
    async def scenario() -> None:
        found = await library(PASSAGE, LINES, "Too short to ask about.", PASSAGE + " And so on.")
        ids = [chunk.document_id[0] for chunk in chosen_passages(found, 10, 1)]
        assert sorted(ids) == ["0", "3"]
        assert ids == [chunk.document_id[0] for chunk in chosen_passages(found, 10, 1)]

    asyncio.run(scenario())
