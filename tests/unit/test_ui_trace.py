"""How the page takes a trace apart: rows of the funnel, stages in time, and what became of each sentence in words."""

from __future__ import annotations

from typing import Any

import pytest
from web.ui import trace_words
from web.ui.trace_rows import Rows, texts, way


def listed(*chunks: int) -> list[dict[str, Any]]:
    return [{"document": "d", "chunk": n, "rank": rank, "score": 1 / rank} for rank, n in enumerate(chunks, start=1)]


def test_rows_stand_as_they_were_shown_and_then_as_the_last_list_has_them() -> None:
    record = {
        "retrieval": {"fusion": listed(1, 2, 3), "dense": listed(4, 2), "lexical": listed(1, 2)},
        "corrected": {"merged": listed(3, 1), "something_new": listed(5)},
        "passages": [{"number": 1, "document": "d", "chunk": 3}, {"number": 2, "document": "d", "chunk": 1}],
        "folded": [{"document": "d", "chunk": 2, "into": ["d", 1]}],
    }
    rows = Rows(record)
    assert rows.lists == ["lexical", "dense", "fusion", "merged", "something_new"]
    assert [chunk for _, chunk in rows.ordered("")] == [3, 1, 5, 2, 4]
    assert [chunk for _, chunk in rows.ordered("dense")][:2] == [4, 2]
    assert [chunk for _, chunk in rows.ordered("lexical")][:2] == [1, 2]
    assert rows.folded == {("d", 2)}


def test_what_was_read_and_flagged_is_known_of_every_text() -> None:
    passages = [
        {"number": n, "document": "d", "chunk": n, "flags": [{"kind": "instruction"}] * (n == 3)} for n in (1, 2, 3)
    ]
    one = {"question": "a?", "sources": [{"number": 1}], "prompt": "", "generation": {}}
    other = {"question": "b?", "sources": [{"number": 3}], "prompt": "", "generation": {}}
    record = {"passages": passages, "generation": {"raw": "x"}, "writings": [one, other]}
    assert Rows(record).read == [("d", 1), ("d", 3)]
    assert Rows(record).flagged == [("d", 3)]


def test_a_record_of_the_older_format_has_rows_and_no_names() -> None:
    rows = Rows({"retrieval": {"lexical": listed(1)}, "passages": [["d", 1]], "generation": None})
    assert rows.ordered("") == [("d", 1)]
    assert (rows.shown, rows.names, rows.read) == ({}, {}, [])


def test_stages_nest_by_their_times_and_the_two_halves_of_writing_follow_each_other() -> None:
    record = {
        "stages": [
            {"name": "retrieval", "start": 0.0, "seconds": 1.0},
            {"name": "rerank", "start": 0.4, "seconds": 0.5},
            {"name": "generation", "start": 1.0, "seconds": 4.0},
            {"name": "check", "start": 5.0, "seconds": 0.1},
        ],
        "marks": {"first_word": 3.1, "total": 5.2},
        "prompt": "",
        "generation": {"prefill_seconds": 2.0, "decode_seconds": 1.9},
    }
    assert way(record) == [
        ("retrieval", 0, 0.0, 1.0),
        ("rerank", 1, 0.4, 0.5),
        ("generation", 0, 1.0, 4.0),
        ("reading", 1, 1.0, 2.0),
        ("writing", 1, 3.0, 1.9),
        ("first_word", 0, 3.1, None),
        ("check", 0, 5.0, 0.1),
        ("total", 0, 5.2, None),
    ]


def test_a_question_of_two_parts_is_written_one_after_the_other() -> None:
    half = {"prefill_seconds": 1.0, "decode_seconds": 0.5}
    part = {"sources": [], "prompt": "p", "generation": half}
    record = {
        "stages": [{"name": "generation", "start": 2.0, "seconds": 3.0}],
        "generation": half,
        "writings": [{"question": "a?", **part}, {"question": "b?", **part}],
    }
    assert [(name, start) for name, _, start, _ in way(record)][1:] == [
        ("reading", 2.0),
        ("writing", 3.0),
        ("reading", 3.5),
        ("writing", 4.5),
    ]
    assert [text["question"] for text in texts(record)] == ["a?", "b?"]


def test_an_answer_that_was_not_written_has_no_texts() -> None:
    assert texts({"answer_mode": "refused"}) == []
    assert way({"stages": [{"name": "retrieval", "start": 0.0}], "marks": {}}) == [("retrieval", 0, 0.0, 0)]


@pytest.mark.parametrize(
    ("support", "said"),
    [
        ({"kept": [1], "cited": [1]}, "Kept, rests on [1]."),
        ({"kept": [1, 3], "cited": []}, "Kept, rests on [1], [3]; it was written with no number."),
        ({"kept": [2], "cited": [1], "reason": ""}, "Kept, rests on [2]; it was written with [1]."),
        ({"kept": [], "cited": [1], "reason": "the number 7 is not there"}, "Removed: the number 7 is not there."),
        ({"kept": [], "cited": [1]}, "Removed: nothing that was read supports it."),
    ],
)
def test_what_became_of_a_sentence(support: dict[str, Any], said: str) -> None:
    assert trace_words.fate(support) == said


def test_why_what_is_shown_is_not_what_was_written() -> None:
    supports = [{"kept": [1], "cited": [2]}, {"kept": [], "cited": []}]
    written = [{"generation": {"stopped_by": "budget"}}, {"generation": {"stopped_by": "unheard of"}}]
    lines = trace_words.differences({"support": supports, "answer_mode": "generated"}, written)
    assert len(lines) == 3
    assert lines[1] == "1 sentence was removed, because nothing that was read supports it."
    assert trace_words.differences({"support": supports[:1] * 0, "answer_mode": "generated"}, []) == []


@pytest.mark.parametrize(
    ("value", "said"),
    [(3, "3"), (1234, "1,234"), (0.12345, "0.123"), (-1.5, "−1.50"), (24.25, "24.2"), ("stored", "stored")],
)
def test_figures_have_the_digits_that_say_something(value: object, said: str) -> None:
    assert trace_words.figure(value) == said


def test_stages_and_signals_without_words_are_shown_by_their_names() -> None:
    assert trace_words.stage("some_new_stage") == "Some new stage"
    assert trace_words.put_up_by({"lexical": 1, "dense": 2, "exact": 1}) == "words, meaning and names"
    assert trace_words.put_up_by({"merged": 1}) == "later searches"
