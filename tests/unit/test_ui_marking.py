"""Where the page cuts texts: quotes, citations, windows of long documents."""

from __future__ import annotations

import random

import pytest
from web.ui.marking import (
    block_at,
    cut_at,
    extract,
    window_around,
    without_citations,
    without_heading,
)

BLOCKS = ["Über Äpfel", "", "A second block 🍎 here", "The end"]
TEXT = "\n".join(BLOCKS)
STARTS = [0, 11, 12, 34]


def test_the_marked_parts_of_all_blocks_together_are_the_quote() -> None:
    for start in range(len(TEXT)):
        for end in range(start, len(TEXT) + 1):
            cut = [cut_at(block, STARTS[place], [(start, end, "mark")]) for place, block in enumerate(BLOCKS)]
            assert ["".join(text for text, _ in pieces) for pieces in cut] == BLOCKS
            marked = "".join(text for pieces in cut for text, name in pieces if name)
            assert marked == TEXT[start:end].replace("\n", "")


def test_of_ranges_that_overlap_the_first_counts_and_every_character_is_in_one_piece() -> None:
    generator = random.Random(3)
    for _ in range(200):
        ranges = []
        for name in "ab"[: generator.randint(0, 2)]:
            start, end = sorted(generator.sample(range(45), 2))
            ranges.append((start, end, name))
        for place, block in enumerate(BLOCKS):
            names = ""
            for offset in range(STARTS[place], STARTS[place] + len(block)):
                names += next((name for start, end, name in ranges if start <= offset < end), " ")
            pieces = cut_at(block, STARTS[place], ranges)
            assert "".join(text for text, _ in pieces) == block
            assert "".join((name or " ") * len(text) for text, name in pieces) == names


def test_every_offset_finds_its_block() -> None:
    for offset in range(len(TEXT)):
        expected = max(place for place, start in enumerate(STARTS) if start <= offset)
        assert block_at(STARTS.__getitem__, len(STARTS), offset) == expected
    assert block_at(STARTS.__getitem__, 0, 5) == 0


@pytest.mark.parametrize(
    ("index", "total", "window"),
    [(0, 500, (0, 60)), (250, 500, (230, 290)), (499, 500, (440, 500)), (3, 10, (0, 10)), (0, 0, (0, 0))],
)
def test_windows_stay_inside_the_document(index: int, total: int, window: tuple[int, int]) -> None:
    assert window_around(index, total, 60) == window


@pytest.mark.parametrize(
    ("streamed", "shown"),
    [
        ("Yes [1]. No [2][13], but [1, 2] x", "Yes. No, but x"),
        ("an array[123] and [a]", "an array[123] and [a]"),
        ("64 tables [", "64 tables"),
        ("64 tables [1", "64 tables"),
        ("64 tables [1, ", "64 tables"),
        ("a [see", "a [see"),
        ("", ""),
    ],
)
def test_a_draft_shows_no_citation_nor_the_beginning_of_one(streamed: str, shown: str) -> None:
    assert without_citations(streamed) == shown


def test_a_card_begins_where_the_question_is_met() -> None:
    text = "The length of a statement can be lowered.\nTables In A Join\nSQLite joins at most 64 tables."
    assert extract(text, "How many tables may a join have?", 40).startswith("… Tables In A Join SQLite")
    assert extract(text, "Something else entirely", 60).startswith("The length of")
    assert extract("", "anything", 60) == ""
    assert extract("没有。连接最多64个表。", "连接最多几个表", 60) == "没有。连接最多64个表。"


def test_a_passage_loses_the_heading_that_is_shown_beside_it() -> None:
    assert without_heading("Joins\nAt most 64 tables.", ["Limits", "Joins"]) == "At most 64 tables."
    assert without_heading("At most 64 tables.\nMore.", ["Limits", "Joins"]) == "At most 64 tables.\nMore."
    assert without_heading("Joins", ["Joins"]) == "Joins"
    assert without_heading("One line", []) == "One line"
