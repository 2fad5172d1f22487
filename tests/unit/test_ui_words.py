"""What the page says about sizes, times and progress."""

from __future__ import annotations

import pytest
from web.ui import words


def spaced(text: str) -> str:
    """With plain spaces: the page ties numbers to their units."""
    return text.replace(words.TIED, " ")


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (31_400, "31 kB"),
        (999_499, "999 kB"),
        (999_500, "1.0 MB"),
        (1_402_000, "1.4 MB"),
        (2_500_000_000, "2.5 GB"),
        (4_000_000_000_000, "4000 GB"),
    ],
)
def test_sizes_are_said_in_powers_of_ten(number: int, said: str) -> None:
    assert spaced(words.size(number)) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.042, "42 ms"), (0.9996, "1.0 s"), (4.21, "4.2 s"), (59.94, "59.9 s"), (59.96, "1 min 0 s"), (75, "1 min 15 s")],
)
def test_measured_times(value: float, said: str) -> None:
    assert spaced(words.seconds(value)) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, ""),
        (1.9, ""),
        (2, "about 2 s left"),
        (12.4, "about 10 s left"),
        (54, "about 55 s left"),
        (56, "about 1 min left"),
    ],
)
def test_time_left_does_not_pretend_to_be_exact(value: float | None, said: str) -> None:
    assert spaced(words.time_left(value)) == said


def test_a_file_without_a_known_total_shows_no_percentage() -> None:
    assert words.file_progress("reading", 0, 0, None) == "Reading"
    assert spaced(words.file_progress("embedding", 8, 20, 21)) == "Learning its meaning · 40 % · about 20 s left"


def test_progress_of_a_question() -> None:
    assert spaced(words.ask_progress("reading", 2, 5)) == "Reading the passages 40 %"
    assert words.ask_progress("writing", 3, 256) == "Writing"


def test_percent_stays_between_its_ends() -> None:
    assert [words.percent(done, 10) for done in (-1, 0, 5, 10, 11)] == [0, 0, 50, 100, 100]
    assert words.percent(3, 0) == 0


def test_places_in_a_document() -> None:
    assert [words.pages(12), words.pages(12, 12), words.pages(12, 13), words.pages(None)] == [
        "page 12",
        "page 12",
        "pages 12–13",
        "",
    ]
    assert words.split_name("contracts/2024/b.pdf") == ("contracts/2024", "b.pdf")
    assert words.split_name("b.pdf") == ("", "b.pdf")


def test_timing_line_leaves_out_what_did_not_happen() -> None:
    assert spaced(words.timing_line(0.4, None, 2)) == "Evidence after 400 ms · done in 2.0 s"
    assert words.timing_line(None, None, 2).startswith("Done in")


def test_examples_name_documents_and_fall_back_to_file_names() -> None:
    infos = [{"name": "a/policy.pdf", "title": "Policy"}, {"name": "notes.txt", "title": ""}]
    questions = words.examples(infos)
    assert len(questions) == 3
    assert "“Policy”" in questions[0]
    assert "“notes.txt”" in questions[1]
    assert all("“" not in question for question in words.examples([{"name": "n", "title": "long " * 30}]))


def test_what_is_counted_shows_a_percentage_only_when_there_is_something_to_count() -> None:
    assert words.counted("Preparing the writer", 0, 1) == "Preparing the writer"
    assert spaced(words.counted("Preparing the writer", 156, 390)) == "Preparing the writer 40 %"
    assert spaced(words.ask_progress("loading", 156, 390)) == "Waiting for the writer 40 %"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"chosen": True}, "big is right on WebAssembly: reads 60 and writes 8.6 tokens a second."),
        ({"chosen": False}, "big would run on WebAssembly, but slower: reads 60 and writes 8.6 tokens a second."),
        ({"chosen": True, "writing": 0.0}, "big is right on WebAssembly: reads 60 tokens a second."),
        (
            {"backend": "webgpu", "device": "acme x1", "passed": False, "reason": "It counts wrongly."},
            "big does not run on the graphics processor (acme x1). It counts wrongly.",
        ),
        (
            {"backend": "webgpu-f16", "passed": False, "reason": "It does not compute in float16."},
            "big does not run on the graphics processor in float16. It does not compute in float16.",
        ),
    ],
)
def test_a_verdict_says_where_a_model_runs_and_why_not(changes: dict[str, object], said: str) -> None:
    row = {"model": "big@12ab", "backend": "wasm", "device": "", "passed": True, "reason": ""}
    assert words.verdict({**row, "reading": 60.2, "writing": 8.61, "chosen": False, **changes}) == said


@pytest.mark.parametrize(
    ("added", "already", "text"),
    [
        (12, 0, "12 documents added."),
        (1, 3, "1 document added, 3 documents were there already."),
        (0, 1, "1 document was there already."),
        (0, 0, "0 documents added."),
    ],
)
def test_taken_in(added: int, already: int, text: str) -> None:
    assert words.taken_in(added, already) == text


def test_names_in_a_row() -> None:
    assert [words.listed(names) for names in ([], ["A"], ["A", "B"], ["A", "B", "C"])] == [
        "",
        "A",
        "A or B",
        "A, B or C",
    ]
