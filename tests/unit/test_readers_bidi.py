"""Right-to-left lines as they stand on the page → as they are read. What stands on the page was worked out by hand with
UAX #9."""

from __future__ import annotations

import pytest

from terrarium.readers.pdf.bidi import is_right_to_left, logical


@pytest.mark.parametrize(
    ("visual", "read"),
    [
        ("םלוע םולש", "שלום עולם"),
        ("99.5 אוה ריחמה", "המחיר הוא 99.5"),
        ("2024-25 תנש", "שנת 2024-25"),
        ("12/05/2024 ךיראת", "תאריך 12/05/2024"),
        ("50% החנה", "הנחה 50%"),
        ("ISO 9001 ןקת יפל", "לפי תקן ISO 9001"),
        ("f(x) היצקנופה", "הפונקציה f(x)"),
        ("(ISO 9001) ןקת", "תקן (ISO 9001)"),
        ("!(3 ףיעס) ןאכ", "כאן (סעיף 3)!"),
        ("\ufee1\ufefc\ufeb3", "سلام"),
        ("\u05dd\u05dc\u05b8\u05d5\u05b9\u05e9", "\u05e9\u05d5\u05b9\u05dc\u05b8\u05dd"),
    ],
)
def test_lines_of_right_to_left_text(visual, read):
    assert logical(visual, True) == read


@pytest.mark.parametrize(
    ("visual", "read"),
    [
        ("The word םולש means peace.", "The word שלום means peace."),
        ("see םלוע םולש (2024), p. 3", "see שלום עולם (2024), p. 3"),
        ("plain words", "plain words"),
    ],
)
def test_right_to_left_words_in_other_lines(visual, read):
    assert logical(visual, False) == read


def test_arabic_numbers_keep_their_digits():
    assert logical("2024/05/12 \ufe8e\ufeed", True) == "وا 2024/05/12"
    assert logical("٢٥٫٥ \ufe8e\ufeed", True) == "وا ٢٥٫٥"


def test_which_way_a_text_runs():
    assert is_right_to_left("שלום abc")
    assert not is_right_to_left("many Latin letters שלום")
    assert not is_right_to_left("2024")
