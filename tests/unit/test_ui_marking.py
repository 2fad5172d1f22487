"""Where the page cuts texts: quotes, citations, windows of long documents."""

from __future__ import annotations

import pytest
from web.ui.marking import (
    block_at,
    extract,
    split_citations,
    split_mark,
    window_around,
    without_heading,
    without_open_bracket,
)

BLOCKS = ["Über Äpfel", "", "A second block 🍎 here", "The end"]
TEXT = "\n".join(BLOCKS)
STARTS = [0, 11, 12, 34]


def test_the_marked_parts_of_all_blocks_together_are_the_quote() -> None:
    for start in range(len(TEXT)):
        for end in range(start, len(TEXT) + 1):
            cut = [split_mark(block, STARTS[place], start, end) for place, block in enumerate(BLOCKS)]
            assert ["".join(parts) for parts in cut] == BLOCKS
            marked = "".join(parts[1] for parts in cut)
            assert marked == TEXT[start:end].replace("\n", "")


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


def test_citations_become_numbers() -> None:
    assert split_citations("Yes [1]. No [2][13] x") == ["Yes", 1, ". No", 2, 13, " x"]
    assert split_citations("an array[123] and [a]") == ["an array[123] and [a]"]
    assert split_citations("") == []


@pytest.mark.parametrize(
    ("streamed", "shown"),
    [
        ("64 tables [", "64 tables"),
        ("64 tables [1", "64 tables"),
        ("64 tables [1]", "64 tables [1]"),
        ("a [see", "a [see"),
    ],
)
def test_a_half_streamed_citation_is_not_shown(streamed: str, shown: str) -> None:
    assert without_open_bracket(streamed) == shown


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
