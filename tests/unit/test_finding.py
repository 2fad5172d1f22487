"""Searching inside a document, against what a person sees in the text."""

from __future__ import annotations

import pytest

from terrarium.viewing.finding import MOST, find


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("The Fee is due. A fee.", "fee", ["Fee", "fee"]),
        ("Café, CAFE\u0301 and cafe", "café", ["Café", "CAFE\u0301", "cafe"]),
        ("Café", "cafe", ["Café"]),
        ("Straße STRASSE", "strasse", ["Straße", "STRASSE"]),
        ("Straße", "straße", ["Straße"]),
        ("the oﬃce", "office", ["oﬃce"]),
        ("end of\nthe  line", "of the line", ["of\nthe  line"]),
        ("therapist", "the rapist", []),
        ("co\u00adoperate", "cooperate", ["co\u00adoperate"]),
        ("连接最\n多六十四个表", "最多六十四", ["最\n多六十四"]),
        ("ﾃｽﾄ テスト", "テスト", ["ﾃｽﾄ", "テスト"]),
        ("a.b (c) [d] a+b", "(c) [d]", ["(c) [d]"]),
        ("aXb a.b", "a.b", ["a.b"]),
        ("ΟΔΟΣ οδος οδός", "οδος", ["ΟΔΟΣ", "οδος", "οδός"]),
        ("anything", "  ", []),
        ("", "x", []),
        ("بسم الله", "الله", ["الله"]),
    ],
)
def test_matches_are_what_a_person_would_mark(text: str, query: str, expected: list[str]) -> None:
    found, count = find(text, query)
    assert [text[start:end] for start, end in found] == expected
    assert count == len(expected)


def test_of_very_many_matches_the_first_are_given_and_all_are_counted() -> None:
    found, count = find("ab " * (MOST + 5), "ab")
    assert (len(found), count) == (MOST, MOST + 5)
    assert found[-1] == (3 * (MOST - 1), 3 * (MOST - 1) + 2)
